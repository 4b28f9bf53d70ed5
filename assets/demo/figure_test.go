package demo

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/metrics"
)

func TestFigure(t *testing.T) {
	m := must(t, "figure")
	checkSolid(t, m)
	if err := m.Skin.Validate(len(m.Skeleton.Joints)); err != nil {
		t.Error(err)
	}
	if n := len(m.Skin.Positions); n < 6000 || n > 9000 {
		t.Errorf("%d vertices, expected 6,000 to 9,000", n)
	}
	if n := len(m.Skeleton.Joints); n < 19 {
		t.Errorf("%d joints, expected 19 or more", n)
	}
	if mean, most := m.Skin.Stats(); most > 4 || !(mean > 1.5) {
		t.Errorf("%g influences on average, %d at most: expected overlapping weights of at most 4", mean, most)
	}
	var names []string
	for i := range m.Clips {
		names = append(names, m.Clips[i].Name)
	}
	if want := []string{"exercise", "jumping-jacks", "walk", "twist"}; !slices.Equal(names, want) {
		t.Errorf("clips %q, expected %q", names, want)
	}
	lo, hi := geom.Bounds(m.Skin.Positions)
	if height := hi[1] - lo[1]; !(math.Abs(float64(height)-1.75) < 0.01) || !(math.Abs(float64(lo[1])) < 0.002) {
		t.Errorf("stands from %g to %g m, expected 0 to 1.75", lo[1], hi[1])
	}
	// 60 to 90 litres, as adults of that height have.
	if v := metrics.Volume(metrics.SkinBody(m), restShape(m)); !(v > 0.06 && v < 0.09) {
		t.Errorf("volume %g m³", v)
	}
}

// TestFigureIsSymmetric finds the mirror image of every vertex, with the same weights for the joints of the other side.
func TestFigureIsSymmetric(t *testing.T) {
	m := must(t, "figure")
	other := make([]uint16, len(m.Skeleton.Joints))
	for j := range other {
		name := m.Skeleton.Joints[j].Name
		if s, ok := strings.CutPrefix(name, "left_"); ok {
			name = "right_" + s
		} else if s, ok := strings.CutPrefix(name, "right_"); ok {
			name = "left_" + s
		}
		other[j] = uint16(figureJoint(t, m, name))
	}
	at := make(map[mgl32.Vec3]int, len(m.Skin.Positions))
	for v, p := range m.Skin.Positions {
		at[p] = v
	}
	for v, p := range m.Skin.Positions {
		twin, ok := at[mgl32.Vec3{-p[0], p[1], p[2]}]
		if !ok {
			t.Fatalf("vertex %d at %v has no mirror image", v, p)
		}
		for k, w := range m.Skin.Bindings[v].Weights {
			j := other[m.Skin.Bindings[v].Joints[k]]
			if d := math.Abs(float64(w - weightOf(m, twin, int(j)))); w > 0 && !(d < 1e-3) { // the file's rounding, after normalising
				t.Fatalf("vertex %d feels joint %d by %g, its mirror image %d feels joint %d by %g", v,
					m.Skin.Bindings[v].Joints[k], w, twin, j, weightOf(m, twin, int(j)))
			}
		}
	}
}

func figureJoint(t *testing.T, m *skinning.Model, name string) int {
	t.Helper()
	j := slices.IndexFunc(m.Skeleton.Joints, func(j skinning.Joint) bool { return j.Name == name })
	if j < 0 {
		t.Fatalf("no joint %q", name)
	}
	return j
}

func weightOf(m *skinning.Model, v, joint int) float32 {
	for k, j := range m.Skin.Bindings[v].Joints {
		if int(j) == joint && m.Skin.Bindings[v].Weights[k] > 0 {
			return m.Skin.Bindings[v].Weights[k]
		}
	}
	return 0
}

// TestFigureWeightsOverlapAndStayLocal: at each joint that bends, vertices share both its sides; and no part of the
// body feels a joint far away from it.
func TestFigureWeightsOverlapAndStayLocal(t *testing.T) {
	m := must(t, "figure")
	for _, pair := range [][2]string{
		{"left_clavicle", "left_upper_arm"}, {"left_upper_arm", "left_forearm"}, {"left_forearm", "left_forearm_twist"},
		{"left_forearm_twist", "left_hand"}, {"hips", "left_thigh"}, {"left_thigh", "left_shin"}, {"left_shin", "left_foot"},
		{"chest", "neck"}, {"neck", "head"}, {"hips", "waist"}, {"waist", "spine"}, {"spine", "chest"},
	} {
		a, b := figureJoint(t, m, pair[0]), figureJoint(t, m, pair[1])
		shared := 0
		for v := range m.Skin.Positions {
			if weightOf(m, v, a) > 0.2 && weightOf(m, v, b) > 0.2 {
				shared++
			}
		}
		if shared < 20 { // a ring round a wrist has about as many vertices
			t.Errorf("%s and %s share %d vertices", pair[0], pair[1], shared)
		}
	}
	// Bones of limbs are felt within their length and 18 cm, the reach of diffusion over the widest joint.
	for v, p := range m.Skin.Positions {
		for k, w := range m.Skin.Bindings[v].Weights {
			j := &m.Skeleton.Joints[m.Skin.Bindings[v].Joints[k]]
			if w == 0 || !strings.Contains(j.Name, "_") {
				continue
			}
			if far := geom.Vec64(p).Sub(j.Position).Len(); !(far < 0.60) {
				t.Fatalf("vertex %d feels %s by %g from %g m", v, j.Name, w, far)
			}
			onLeft := strings.HasPrefix(j.Name, "left_")
			if across := float64(p[0]); onLeft && across < -0.08 || !onLeft && across > 0.08 {
				t.Fatalf("vertex %d at %v feels %s by %g", v, p, j.Name, w)
			}
			arm := strings.Contains(j.Name, "arm") || strings.Contains(j.Name, "hand") || strings.Contains(j.Name, "finger")
			if arm && math.Abs(float64(p[0])) < 0.08 && w > 0.1 {
				t.Fatalf("vertex %d on the trunk at %v feels %s by %g", v, p, j.Name, w)
			}
		}
	}
}

// TestFigurePalettesAreRigid samples every clip: matrices of turns and shifts alone.
func TestFigurePalettesAreRigid(t *testing.T) {
	m := must(t, "figure")
	pose := m.NewPose()
	for c := range m.Clips {
		for s := 0.0; s <= m.Clips[c].Seconds; s += 0.13 {
			m.SamplePose(pose, c, s)
			for j, a := range palette(m, pose) {
				l := a.Linear()
				product := l.Transpose().Mul(l)
				for k, want := range geom.Identity3() {
					if d := math.Abs(product[k] - want); !(d < 1e-9) || !(l.Det() > 0) { // float64 rounding over ten joints
						t.Fatalf("clip %q at %g s: joint %d is not rigid: %v", m.Clips[c].Name, s, j, l)
					}
				}
			}
		}
	}
}

// TestFigureStandsOnTheGround: the lowest vertex is at most 12 mm below the ground and, unless the clip jumps, at most
// 12 mm above it, between keys as well.
func TestFigureStandsOnTheGround(t *testing.T) {
	m := must(t, "figure")
	for c := range m.Clips {
		above := 0.012
		if m.Clips[c].Name == "jumping-jacks" {
			above = 0.09
		}
		for s := 0.0; s <= m.Clips[c].Seconds; s += 0.07 {
			lowest := math.Inf(1)
			for _, p := range posed(m, c, s) {
				lowest = math.Min(lowest, p[1])
			}
			if !(lowest > -0.012 && lowest < above) {
				t.Errorf("clip %q at %.2f s: the lowest vertex is at %.4f m", m.Clips[c].Name, s, lowest)
			}
		}
	}
}

// TestFigureKeepsItsSkin: no edge of the posed skin is stretched as it would be by a weight that leaked to a far part.
// Linear blending collapses, so shrinking is not limited.
func TestFigureKeepsItsSkin(t *testing.T) {
	m := must(t, "figure")
	rest := restShape(m)
	for c := range m.Clips {
		for s := 0.0; s <= m.Clips[c].Seconds; s += 0.25 {
			p := posed(m, c, s)
			for _, tri := range m.Skin.Triangles {
				for k := range tri {
					a, b := tri[k], tri[(k+1)%3]
					was, is := rest[a].Sub(rest[b]).Len(), p[a].Sub(p[b]).Len()
					if !(is < 5*was+0.002) {
						t.Fatalf("clip %q at %g s: edge %d–%d is %.1f times as long", m.Clips[c].Name, s, a, b, is/was)
					}
				}
			}
		}
	}
}

// jointAngle is how far a joint is turned from rest at a time of a clip, degrees.
func jointAngle(t *testing.T, m *skinning.Model, clip string, seconds float64, joint string) float64 {
	t.Helper()
	q := relativeTurn(t, m, clip, seconds, figureJoint(t, m, joint))
	return 2 * math.Acos(math.Min(1, math.Abs(q[3]))) * 180 / math.Pi
}

func TestFigureExercise(t *testing.T) {
	m := must(t, "figure")
	c, err := m.ClipIndex("exercise")
	if err != nil {
		t.Fatal(err)
	}
	clip := &m.Clips[c]
	times := clip.KeyTimes()
	if len(times) != 12 {
		t.Fatalf("%d key poses, expected 12", len(times))
	}
	for i := range clip.Channels {
		if ch := &clip.Channels[i]; ch.Path == skinning.PathRotation && ch.Interpolation != skinning.Linear {
			t.Errorf("channel %d is not linear", i)
		}
	}
	// The largest turn of each joint over the keys, degrees: the range of motion.
	for joint, want := range map[string]float64{
		"left_upper_arm": 90, "right_upper_arm": 90, "left_forearm": 120, "left_forearm_twist": 75, "left_thigh": 75,
		"right_thigh": 75, "left_shin": 80, "spine": 13, "neck": 12, "head": 12,
	} {
		most := 0.0
		for _, s := range times {
			most = math.Max(most, jointAngle(t, m, "exercise", s, joint))
		}
		if !(most >= want) {
			t.Errorf("%s turns by %.0f degrees at most, expected %.0f", joint, most, want)
		}
	}
	// Both feet stay where they stand, within 15 mm, until the first knee is raised; so between the linear keys as
	// well.
	for s := 0.0; s <= times[6]; s += 0.06 {
		pose := m.NewPose()
		m.SamplePose(pose, c, s)
		p := palette(m, pose)
		for _, name := range []string{"left_foot", "right_foot"} {
			j := figureJoint(t, m, name)
			at := m.Skeleton.Joints[j].Position
			if slid := p[j].Apply(at).Sub(at).Len(); !(slid < 0.015) {
				t.Errorf("%s has slid by %.3f m at %.2f s", name, slid, s)
			}
		}
	}
}

// TestFigureClipsLoop: the first and the last key are the same pose, within rounding to float32.
func TestFigureClipsLoop(t *testing.T) {
	m := must(t, "figure")
	for c := range m.Clips {
		a, b := posed(m, c, 0), posed(m, c, m.Clips[c].Seconds)
		for v := range a {
			if d := a[v].Sub(b[v]).Len(); !(d < 1e-5) {
				t.Fatalf("clip %q: vertex %d is %g m from where it began", m.Clips[c].Name, v, d)
			}
		}
	}
}

func TestFigureTwist(t *testing.T) {
	m := must(t, "figure")
	c, err := m.ClipIndex("twist")
	if err != nil {
		t.Fatal(err)
	}
	for joint, want := range map[string]float64{
		"left_forearm_twist": 170, "right_forearm_twist": 170, "left_upper_arm": 150, "right_upper_arm": 150, "waist": 75,
		"spine": 45, "chest": 30, "neck": 120,
	} {
		most := 0.0
		for _, s := range m.Clips[c].KeyTimes() {
			most = math.Max(most, jointAngle(t, m, "twist", s, joint))
		}
		if !(math.Abs(most-want) < 0.01) { // acos near 180 degrees of float32 keys
			t.Errorf("%s turns by %.3f degrees at most, expected %.0f", joint, most, want)
		}
	}
	// The candy wrapper: linear blending takes a fourteenth of the volume when the trunk is turned by 150 degrees.
	whole := metrics.Volume(metrics.SkinBody(m), restShape(m))
	if v := metrics.Volume(metrics.SkinBody(m), posed(m, c, 0.7*8)); !(v < 0.94*whole && v > 0.90*whole) {
		t.Errorf("volume %.4f of %.4f m³ at the twisted trunk", v, whole)
	}
}

// TestFigureRaisesItsArmsWithoutFlaps: with the arms up, skin of the side of the trunk that faced sideways at rest must
// not come to face down, as the lower side of a fold does.
func TestFigureRaisesItsArmsWithoutFlaps(t *testing.T) {
	m := must(t, "figure")
	c, err := m.ClipIndex("exercise")
	if err != nil {
		t.Fatal(err)
	}
	rest := restShape(m)
	pose, frame, out := m.NewPose(), skinning.NewFrame(m, nil), skinning.NewOutput(m)
	deformer := skinning.NewDeformer(m, 1)
	defer deformer.Close()
	for _, method := range []skinning.Method{skinning.LBS, skinning.DQS} {
		for _, seconds := range []float64{2.5, 3.1} {
			m.SamplePose(pose, c, seconds)
			frame.SetPose(pose)
			deformer.Deform(&out, method, frame)
			var steepest float64
			for _, tri := range m.Skin.Triangles {
				normal := func(at func(v uint32) mgl64.Vec3) mgl64.Vec3 {
					return at(tri[1]).Sub(at(tri[0])).Cross(at(tri[2]).Sub(at(tri[0]))).Normalize()
				}
				p := rest[tri[0]]
				if p[1] < 1.15 || p[1] > 1.34 || math.Abs(p[0]) < 0.09 || math.Abs(p[0]) > 0.19 {
					continue
				}
				was := normal(func(v uint32) mgl64.Vec3 { return rest[v] })
				is := normal(func(v uint32) mgl64.Vec3 { return geom.Vec64(out.Positions[v]) })
				if was[1] > -0.4 {
					steepest = math.Min(steepest, is[1])
				}
			}
			// The sine of 48 degrees: the chest narrows downwards by 36 of them, a fold's underside is beyond 60.
			if !(steepest > -0.75) {
				t.Errorf("%v at %g s: skin below the armpit faces down, y component of the normal %.2f", method, seconds, steepest)
			}
		}
	}
}

// TestFigureWalks: heels strike in turn, and a standing foot moves backwards at the speed of the walk.
func TestFigureWalks(t *testing.T) {
	m := must(t, "figure")
	c, err := m.ClipIndex("walk")
	if err != nil {
		t.Fatal(err)
	}
	ankle := func(name string, phase float64) mgl64.Vec3 {
		pose := m.NewPose()
		m.SamplePose(pose, c, phase*m.Clips[c].Seconds)
		j := figureJoint(t, m, name)
		return palette(m, pose)[j].Apply(m.Skeleton.Joints[j].Position)
	}
	for name, start := range map[string]float64{"left_foot": 0, "right_foot": 0.5} {
		a, b := ankle(name, start+0.1), ankle(name, start+0.35)
		moved := b.Sub(a)
		// A quarter of the cycle's metre, within 2 cm: linear keys and the last of the heel's roll.
		if !(math.Abs(moved[2]+0.25) < 0.02) || !(math.Abs(moved[1]) < 0.01) {
			t.Errorf("%s moves by %v while it stands, expected 0.25 m backwards", name, moved)
		}
	}
	if gap := ankle("left_foot", 0)[2] - ankle("right_foot", 0)[2]; !(gap > 0.4) {
		t.Errorf("the left foot strikes %.2f m ahead of the right", gap)
	}
}
