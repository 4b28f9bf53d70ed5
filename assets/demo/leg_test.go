package demo

import (
	"math"
	"slices"
	"testing"
	"time"

	"skinlab/internal/cputime"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/metrics"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"
)

// legs are the two built-in legs, with the vertices that HBR sections 6.1 and 6.4 give them.
var legs = []struct {
	name               string
	vertices, examples int
	leastAngle         float64 // of a triangle, degrees
}{{"leg", 663, 200, 10}, {"leg-smooth", 8322, 12, 5}}

func legOf(t *testing.T, name string) (*skinning.Model, *Leg) {
	t.Helper()
	m := must(t, name)
	l, ok := LegOf(m)
	if !ok {
		t.Fatalf("demo:%s is no leg", name)
	}
	return m, l
}

func TestLeg(t *testing.T) {
	for _, want := range legs {
		m := made(t, want.name, "walk", "squat", "grid", "examples")
		if n := len(m.Skin.Positions); n != want.vertices {
			t.Errorf("%s: %d vertices, expected %d", want.name, n, want.vertices)
		}
		var names []string
		for _, j := range m.Skeleton.Joints {
			names = append(names, j.Name)
		}
		if !slices.Equal(names, []string{"pelvis", "hip", "knee", "ankle"}) {
			t.Errorf("%s: joints %q", want.name, names)
		}
		if _, most := m.Skin.Stats(); most > 4 {
			t.Errorf("%s: up to %d influences", want.name, most)
		}
		// 1 m, half of HBR's leg. An adult's leg has 8 to 11 litres; here the hip comes with it.
		lo, hi := m.RestBounds()
		if height := hi[1] - lo[1]; !(height > 0.99 && height < 1.01) {
			t.Errorf("%s: %g m high", want.name, height)
		}
		if v := metrics.Volume(metrics.SkinBody(m), restShape(m)); !(v > 0.010 && v < 0.014) {
			t.Errorf("%s: volume %g m³", want.name, v)
		}
		if a := leastAngle(&m.Skin); !(a >= want.leastAngle) {
			t.Errorf("%s: an angle of %g degrees", want.name, a)
		}
	}
}

// leastAngle is the smallest angle of all triangles, degrees.
func leastAngle(m *skinning.Mesh) float64 {
	least := 180.0
	for _, tri := range m.Triangles {
		for k := range tri {
			at := geom.Vec64(m.Positions[tri[k]])
			a, b := geom.Vec64(m.Positions[tri[(k+1)%3]]).Sub(at), geom.Vec64(m.Positions[tri[(k+2)%3]]).Sub(at)
			least = min(least, mgl64.RadToDeg(math.Atan2(a.Cross(b).Len(), a.Dot(b))))
		}
	}
	return least
}

// TestLegGrid: 6,750 different poses, neighbouring levels 20 degrees apart, of the knee 30.
func TestLegGrid(t *testing.T) {
	poses := LegGrid()
	if len(poses) != 6750 {
		t.Errorf("%d poses, expected HBR's 6,750", len(poses))
	}
	seen, levels := map[LegPose]bool{}, [5]map[float64]bool{}
	for _, p := range poses {
		seen[p] = true
		for c, angle := range []float64{p.Flexion, p.Abduction, p.Twist, p.Knee, p.Ankle} {
			if levels[c] == nil {
				levels[c] = map[float64]bool{}
			}
			levels[c][angle] = true
		}
	}
	if len(seen) != len(poses) {
		t.Errorf("%d of %d poses differ", len(seen), len(poses))
	}
	for c, want := range []struct {
		count int
		step  float64
	}{{6, 20}, {5, 20}, {9, 20}, {5, 30}, {5, 20}} {
		var all []float64
		for angle := range levels[c] {
			all = append(all, angle)
		}
		slices.Sort(all)
		if len(all) != want.count {
			t.Errorf("degree of freedom %d: levels %v", c, all)
		}
		for i := 1; i < len(all); i++ {
			if d := all[i] - all[i-1]; !(math.Abs(d-want.step) < 1e-9) { // rounding
				t.Errorf("degree of freedom %d: a step of %g degrees, expected %g", c, d, want.step)
			}
		}
	}
}

// TestLegGridIsMadeQuickly asks for 2 s on two cores, 4 s of processor time; it takes about 1 s.
func TestLegGridIsMadeQuickly(t *testing.T) {
	if testing.Short() {
		t.Skip("a time that the race detector would change")
	}
	_, l := legOf(t, "leg")
	poses := LegGrid()
	var shapes [][]mgl64.Vec3
	if took := cputime.Of(func() { shapes = l.Shapes(poses) }); took > 4*time.Second {
		t.Errorf("%v", took)
	}
	one := make([]mgl64.Vec3, len(l.points))
	for i := 0; i < len(poses); i += 500 {
		l.Shape(one, poses[i])
		if !slices.Equal(one, shapes[i]) {
			t.Errorf("pose %d differs alone and with the others", i)
		}
	}
}

// TestLegPosesAreReadBack: what a pose of the skeleton says is what was set. A knee and an ankle bend less than 180
// degrees, and the hip swings by less. Tolerance: rounding, degrees.
func TestLegPosesAreReadBack(t *testing.T) {
	m, l := legOf(t, "leg")
	pose := m.NewPose()
	for _, p := range append(LegSpread(0, 300), LegGrid()[6749]) {
		l.SetPose(pose, p)
		q := l.PoseOf(pose)
		for c, d := range []float64{q.Flexion - p.Flexion, q.Abduction - p.Abduction, q.Twist - p.Twist, q.Knee - p.Knee,
			q.Ankle - p.Ankle} {
			if !(math.Abs(d) < 1e-9) {
				t.Fatalf("%+v is read as %+v (degree of freedom %d)", p, q, c)
			}
		}
	}
}

// TestLegExamples: the examples' targets, blended linearly, are the true shapes, with their normals; and linear
// blending of the rig alone is far from them. The factor between it and what fits reach is not measured here.
func TestLegExamples(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	for _, want := range legs {
		m, l := legOf(t, want.name)
		clip, err := m.ClipIndex("examples")
		if err != nil {
			t.Fatal(err)
		}
		poses := LegSpread(0, want.examples)
		if keys := m.Clips[clip].KeyTimes(); len(keys) != len(poses) || len(m.MorphSlots) != len(poses) {
			t.Fatalf("%s: %d keys, %d targets, expected %d", want.name, len(keys), len(m.MorphSlots), len(poses))
		}
		shape, shown := make([]mgl64.Vec3, want.vertices), m.NewPose()
		frame := skinning.NewFrame(m, nil)
		sum := 0.0
		for i, p := range poses {
			l.Shape(shape, p)
			m.SamplePose(shown, clip, float64(i)+0.5)
			frame.SetPose(shown)
			got := frame.Reference(skinning.LBS)
			for k := range shown.Morphs {
				shown.Morphs[k] = 0
			}
			linear := posedBy(m, shown)
			normals := skinning.ComputeNormals(rounded(shape), m.Skin.Triangles)
			for v := range shape {
				// Targets are rounded to float32, and the inverse of a blend may magnify that: 10 µm.
				if d := got.Positions[v].Sub(shape[v]).Len(); !(d < 1e-5) {
					t.Fatalf("%s: example %d: vertex %d is %g m from the true shape", want.name, i, v, d)
				}
				if d := geom.Vec64(normals[v]).Dot(got.Normals[v].Normalize()); !(d > 0.999) { // cosine: 2.5 degrees
					t.Fatalf("%s: example %d: the normal of vertex %d is %g", want.name, i, v, d)
				}
				d := linear[v].Sub(shape[v])
				sum += d.Dot(d)
			}
		}
		rms := 1000 * math.Sqrt(sum/float64(len(poses)*want.vertices))
		t.Logf("%s: linear blending errs by %.2f mm", want.name, rms)
		if !(rms > 10 && rms < 30) { // mm: a twist of 80 degrees that linear blending gives to all of the thigh
			t.Errorf("%s: linear blending errs by %.2f mm", want.name, rms)
		}
	}
}

func rounded(shape []mgl64.Vec3) []mgl32.Vec3 {
	out := make([]mgl32.Vec3, len(shape))
	for v, p := range shape {
		out[v] = geom.Vec32(p)
	}
	return out
}

// TestLegAtRest: the true shape of the rest pose is the mesh. Tolerance: rounding of float32, metres.
func TestLegAtRest(t *testing.T) {
	m, l := legOf(t, "leg")
	shape := make([]mgl64.Vec3, len(m.Skin.Positions))
	l.Shape(shape, LegPose{})
	for v, p := range restShape(m) {
		if d := p.Sub(shape[v]).Len(); !(d < 1e-9) {
			t.Fatalf("vertex %d is %g m off", v, d)
		}
	}
}

// TestLegMusclesKeepTheirVolume: radius and length of every belly in 500 poses, none of which is an example, are those
// of a cylinder of the volume at rest. Tolerance: rounding. All muscles move, shorter ones are thicker.
func TestLegMusclesKeepTheirVolume(t *testing.T) {
	_, l := legOf(t, "leg")
	if len(l.muscles) != 11 {
		t.Errorf("%d muscles, HBR has eleven", len(l.muscles))
	}
	for i := range l.muscles {
		least, most := math.Inf(1), 0.0
		for _, p := range LegSpread(1000, 500) {
			turns := l.joints.turns(p)
			s := l.muscles[i].state(&turns, &l.atRest[i])
			if v := s.thickness() * s.thickness() * s.stretch; !(math.Abs(v-1) < 1e-12) {
				t.Fatalf("%s, %+v: %g of its volume", l.muscles[i].name, p, v)
			}
			least, most = min(least, s.stretch), max(most, s.stretch)
		}
		// No muscle rests in all poses, and none is near the bounds exp(±0.5) of its length.
		if !(most-least > 0.1 && least > 0.65 && most < 1.6) {
			t.Errorf("%s is %g to %g of its length", l.muscles[i].name, least, most)
		}
	}
}

// TestLegKeepsItsVolume: the leg keeps its volume to 5 % over the range of motion. Linear blending loses more. The
// exaggerated muscles may take more.
func TestLegKeepsItsVolume(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	m, l := legOf(t, "leg")
	rest := metrics.Volume(metrics.SkinBody(m), restShape(m))
	shape, pose := make([]mgl64.Vec3, len(m.Skin.Positions)), m.NewPose()
	least := 1.0
	for _, p := range LegSpread(1000, 300) {
		l.Shape(shape, p)
		if v := metrics.Volume(metrics.SkinBody(m), shape) / rest; !(math.Abs(v-1) < 0.05) {
			t.Errorf("%+v: %g of the volume", p, v)
		}
		l.SetPose(pose, p)
		least = min(least, metrics.Volume(metrics.SkinBody(m), posedBy(m, pose))/rest)
	}
	if !(least < 0.94) {
		t.Errorf("linear blending keeps %g of the volume in all poses", least)
	}
}

// TestLegMusclesBulge measures how far muscles lift the skin over their bellies, millimetres. The calf is thicker in a
// stretched foot, the back of the thigh as the knee bends. The muscles of demo:leg-smooth lift it twice as far; its
// finer mesh comes nearer to the top.
func TestLegMusclesBulge(t *testing.T) {
	lift := func(name string, p LegPose, called string) float64 {
		m, l := legOf(t, name)
		still := *l
		still.strength = 0
		shape, bare := make([]mgl64.Vec3, len(m.Skin.Positions)), make([]mgl64.Vec3, len(m.Skin.Positions))
		l.Shape(shape, p)
		still.Shape(bare, p)
		most := 0.0
		for v := range l.points {
			for _, pull := range l.points[v].pulls {
				if l.muscles[pull.muscle].name == called && pull.share > 0.5 {
					most = max(most, 1000*shape[v].Sub(bare[v]).Len())
				}
			}
		}
		return most
	}
	for _, c := range []struct {
		muscle string
		pose   LegPose
	}{{"gastrocnemius, inner head", LegPose{Ankle: 40}}, {"biceps femoris", LegPose{Knee: 110}}} {
		plain, strong := lift("leg", c.pose, c.muscle), lift("leg-smooth", c.pose, c.muscle)
		t.Logf("%s: %.1f mm, exaggerated %.1f mm", c.muscle, plain, strong)
		if !(plain > 3 && plain < 12 && strong > 1.8*plain && strong < 3*plain) {
			t.Errorf("%s lifts the skin by %.1f mm, exaggerated by %.1f mm", c.muscle, plain, strong)
		}
	}
}

// TestLegIsSmooth: second differences over a step of a pose fall as its square, as those of a function do that has
// continuous second derivatives. Where it had a kink they would fall as the step. The knee bends through 0 and the
// swing through the rest pose on the way.
func TestLegIsSmooth(t *testing.T) {
	m, l := legOf(t, "leg")
	n := len(m.Skin.Positions)
	bend := func(p, by LegPose, h float64) float64 {
		var s [3][]mgl64.Vec3
		for k := range s {
			x := h * float64(k-1)
			s[k] = make([]mgl64.Vec3, n)
			l.Shape(s[k], LegPose{p.Flexion + x*by.Flexion, p.Abduction + x*by.Abduction, p.Twist + x*by.Twist,
				p.Knee + x*by.Knee, p.Ankle + x*by.Ankle})
		}
		most := 0.0
		for v := range n {
			most = max(most, s[0][v].Add(s[2][v]).Sub(s[1][v].Mul(2)).Len())
		}
		return most
	}
	for i, p := range LegSpread(0, 40) {
		by := LegSpread(50+i, 1)[0]
		const h = 0.01 // of some ten degrees
		wide, narrow := bend(p, by, h), bend(p, by, h/2)
		if ratio := wide / narrow; !(ratio > 3.9 && ratio < 4.1) { // 4, up to terms of the fourth order
			t.Errorf("%+v: second differences of %g and %g m: a ratio of %g, expected 4", p, wide, narrow, ratio)
		}
	}
}
