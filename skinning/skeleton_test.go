package skinning_test

import (
	"errors"
	"math"
	"testing"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/internal/cputime"
	"skinlab/internal/skinningtest"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

func TestSortNodesDeepChain(t *testing.T) {
	// A chain given leaf first: a walk from every node to the root would take 2·10⁸ steps.
	const n = 20_000
	s := skinning.Skeleton{Nodes: make([]skinning.Node, n)}
	for i := range s.Nodes {
		s.Nodes[i].Parent = i + 1
	}
	s.Nodes[n-1].Parent = -1
	var err error
	d := cputime.Of(func() { err = s.SortNodes() })
	if err != nil {
		t.Fatal(err)
	}
	if d > 200*time.Millisecond { // takes under 1 ms
		t.Errorf("took %v", d)
	}
	if len(s.Order) != n || s.Order[0] != n-1 || s.Order[n-1] != 0 {
		t.Errorf("order of %d nodes starts with %d and ends with %d", len(s.Order), s.Order[0], s.Order[n-1])
	}
}

func TestSortNodesCycle(t *testing.T) {
	s := skinning.Skeleton{Nodes: []skinning.Node{{Parent: -1}, {Parent: 3}, {Parent: 1}, {Parent: 2}}}
	if err := s.SortNodes(); !errors.Is(err, skinning.ErrCycle) {
		t.Errorf("got %v", err)
	}
	s = skinning.Skeleton{Nodes: []skinning.Node{{Parent: 5}}}
	if err := s.SortNodes(); err == nil {
		t.Error("a parent out of range passes")
	}
}

func channel(path skinning.Path, mode skinning.Interpolation, width int, times, values []float32) skinning.Channel {
	return skinning.Channel{Path: path, Interpolation: mode, Width: width, Times: times, Values: values}
}

func TestClipSampling(t *testing.T) {
	p := &skinning.Pose{Local: []geom.Transform{geom.IdentityTransform()}, Morphs: make([]float64, 2)}
	x := func(c skinning.Channel, at float64) float64 {
		clip := skinning.Clip{Channels: []skinning.Channel{c}}
		if err := c.Validate(); err != nil {
			t.Fatal(err)
		}
		clip.Sample(p, at)
		return p.Local[0].Translation[0]
	}
	times := []float32{1, 2, 4}
	values := []float32{10, 0, 0, 20, 0, 0, 0, 0, 0}
	lin := channel(skinning.PathTranslation, skinning.Linear, 3, times, values)
	step := channel(skinning.PathTranslation, skinning.Step, 3, times, values)
	cubic := channel(skinning.PathTranslation, skinning.CubicSpline, 3, []float32{0, 2}, []float32{
		9, 0, 0, 1, 0, 0, 2, 0, 0, // in-tangent, value, out-tangent
		-1, 0, 0, 5, 0, 0, 9, 0, 0})
	one := channel(skinning.PathTranslation, skinning.Linear, 3, []float32{3}, []float32{7, 0, 0})
	for _, c := range []struct {
		name     string
		channel  skinning.Channel
		at, want float64
	}{
		{"linear before", lin, 0, 10}, {"linear first", lin, 1, 10}, {"linear between", lin, 1.25, 12.5},
		{"linear key", lin, 2, 20}, {"linear late", lin, 3, 10}, {"linear after", lin, 99, 0},
		{"step before", step, 0, 10}, {"step between", step, 1.999, 10}, {"step key", step, 2, 20},
		{"step after", step, 5, 0},
		{"one key", one, 0, 7}, {"one key after", one, 9, 7},
		// Hermite at the middle: (p0+p1)/2 + dt·(m0−m1)/8 = 3 + 2·3/8.
		{"cubic middle", cubic, 1, 3.75}, {"cubic start", cubic, 0, 1}, {"cubic end", cubic, 2, 5},
		{"cubic after", cubic, 3, 5},
	} {
		if got := x(c.channel, c.at); !(math.Abs(got-c.want) <= 1e-12) {
			t.Errorf("%s: %g, want %g", c.name, got, c.want)
		}
	}
	bad := channel(skinning.PathTranslation, skinning.Linear, 3, []float32{1, 1}, make([]float32, 6))
	if bad.Validate() == nil {
		t.Error("equal key times pass")
	}
}

func TestRotationTakesTheShorterArc(t *testing.T) {
	half := float32(math.Sqrt(0.5))
	// The second key is −q for the rotation q by 90 degrees about z.
	c := channel(skinning.PathRotation, skinning.Linear, 4, []float32{0, 1}, []float32{0, 0, 0, 1, 0, 0, -half, -half})
	p := &skinning.Pose{Local: []geom.Transform{geom.IdentityTransform()}}
	clip := skinning.Clip{Channels: []skinning.Channel{c}}
	clip.Sample(p, 0.5)
	want := geom.AxisAngle(mgl64.Vec3{0, 0, 1}, math.Pi/4)
	if d := 1 - math.Abs(p.Local[0].Rotation.Dot(want)); !(d <= 1e-7) { // keys are float32
		t.Errorf("rotation %v, want ±%v", p.Local[0].Rotation, want)
	}
}

// Two joints end to end, the second turned by nearly 360 degrees about the chain's axis in steps of 30: with signs
// followed, the halfway vertex turns by half of it; with shortest paths, by half of what is left to the full turn,
// backwards.
func TestSignsFollowFullTurn(t *testing.T) {
	m := &skinning.Model{}
	m.Skeleton.Nodes = []skinning.Node{{Parent: -1, Rest: geom.IdentityTransform()}, {Parent: 0, Rest: geom.IdentityTransform()}}
	if err := m.Skeleton.SortNodes(); err != nil {
		t.Fatal(err)
	}
	m.Skeleton.Joints = []skinning.Joint{{Node: 0, Parent: -1, FromRest: geom.IdentityAffine()},
		{Node: 1, Parent: 0, FromRest: geom.IdentityAffine()}}
	c := channel(skinning.PathRotation, skinning.Linear, 4, nil, nil)
	c.Node = 1
	for k := 0; k <= 12; k++ {
		q := geom.AxisAngle(mgl64.Vec3{1, 0, 0}, 350*math.Pi/180*float64(k)/12)
		c.Times = append(c.Times, float32(k))
		c.Values = append(c.Values, float32(q[0]), float32(q[1]), float32(q[2]), float32(q[3]))
	}
	m.Clips = []skinning.Clip{{Name: "turn", Seconds: 12, Channels: []skinning.Channel{c}}}
	signs, f, p := skinning.NewSigns(m, 0), skinning.NewFrame(m, nil), m.NewPose()
	both := []skinning.Influence{{Joint: 0, Weight: 0.5}, {Joint: 1, Weight: 0.5}}
	for at := 0.0; at <= 12; at += 0.5 {
		m.SamplePose(p, 0, at)
		f.SetPose(p)
		turned := at / 12 * 350 * math.Pi / 180
		short := math.Remainder(turned, 2*math.Pi)
		for _, unrolled := range []bool{false, true} {
			want := short / 2
			if unrolled {
				signs.Apply(f, at)
				want = turned / 2
			}
			got := f.Blend(skinning.DIB, both, 0).Linear()
			expect := geom.AxisAngle(mgl64.Vec3{1, 0, 0}, want).Mat3()
			if d := skinningtest.MaxDiff(got[:], expect[:]); !(d <= 1e-6) && math.Abs(turned-math.Pi) > 1e-3 { // float32 keys
				t.Errorf("%g s, unrolled %v: off by %g", at, unrolled, d)
			}
		}
	}
}
