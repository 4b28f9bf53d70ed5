package posing

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/assets"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

func demo(t *testing.T, name string) *skinning.Model {
	t.Helper()
	m, err := assets.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func turned(x, y, z float64) geom.Transform {
	t := geom.IdentityTransform()
	t.Rotation = FromEuler([3]float64{x, y, z})
	return t
}

// TestCopies: random edits are restored from their copies, bit for bit; what is the same has one copy.
func TestCopies(t *testing.T) {
	m := demo(t, "demo:figure")
	p := NewEdits(m)
	rng := rand.New(rand.NewPCG(1, 2))
	pose := func() string {
		q := m.NewPose()
		p.apply(q, nil)
		return fmt.Sprint(q.Local, p.Active())
	}
	states, copies := []string{pose()}, []*Copy{p.Copy()}
	for step := range 60 {
		if step%7 == 6 {
			p.Drop()
		}
		for range 1 + rng.IntN(3) {
			p.Put(rng.IntN(len(m.Skeleton.Nodes)), turned(rng.Float64(), rng.Float64(), rng.Float64()))
		}
		states, copies = append(states, pose()), append(copies, p.Copy())
		p.Put(copies[step+1].nodes[0].node, copies[step+1].nodes[0].local)
		if p.Copy() != copies[step+1] {
			t.Fatalf("step %d: the same edits have two copies", step)
		}
	}
	for range 200 {
		at := rng.IntN(len(states))
		p.Restore(copies[at])
		if got := pose(); got != states[at] {
			t.Fatalf("state %d is not what it was", at)
		}
	}
	if copies[0] != nil {
		t.Error("no edits have a copy")
	}
	other := NewEdits(demo(t, "demo:tube"))
	if other.Restore(copies[5]); other.Active() {
		t.Error("a pose of another model is restored")
	}
}

// TestPoseIsDroppedWithTheClip holds the rule of the interface: a pose lasts while the clip stands still, or is held.
func TestPoseIsDroppedWithTheClip(t *testing.T) {
	p := NewEdits(demo(t, "demo:tube"))
	p.clip, p.time = 0, 0.5
	if !p.Keeps(0, 0.5, false) || p.Keeps(0, 0.6, false) || p.Keeps(1, 0.5, false) {
		t.Error("a pose lasts as long as clip and time stay")
	}
	if !p.Keeps(1, 0.7, true) || !p.Keeps(1, 0.7, false) || p.Keeps(0, 0.5, false) {
		t.Error("a pose that is held goes along with the clip")
	}
}

// TestEulerAngles turns the angles back into the rotation: within 1e-7 radians, since at ±90° of y the angles lose half
// the digits.
func TestEulerAngles(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	check := func(e [3]float64) {
		t.Helper()
		q := FromEuler(e)
		back := FromEuler(Euler(q))
		if d := 2 * math.Acos(min(1, math.Abs(q.Dot(back)))); !(d <= 1e-7) {
			t.Errorf("%v comes back turned by %g radians, expected 1e-7 at most", e, d)
		}
	}
	for range 2000 {
		check([3]float64{rng.NormFloat64() * 3, rng.NormFloat64() * 3, rng.NormFloat64() * 3})
	}
	for _, y := range []float64{math.Pi / 2, -math.Pi / 2} {
		check([3]float64{0.3, y, -1.2})
		check([3]float64{0, y, 0})
	}
	// X acts first: it takes y to z, which z leaves there.
	if v := FromEuler([3]float64{math.Pi / 2, 0, math.Pi / 2}).Rotate(mgl64.Vec3{0, 1,
		0}); !(v.Sub(mgl64.Vec3{0, 0, 1}).Len() <= 1e-12) {
		t.Errorf("90° about x, then 90° about z, take y to %v, expected z", v)
	}
}
