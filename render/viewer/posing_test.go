package viewer

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
	t.Rotation = fromEuler([3]float64{x, y, z})
	return t
}

// TestPosingUndoes walks back and forth through random edits: every state must be the one that was, exactly, since it
// is a copy.
func TestPosingUndoes(t *testing.T) {
	m := demo(t, "demo:figure")
	p := newPosing(m)
	rng := rand.New(rand.NewPCG(1, 2))
	pose := func() string {
		q := m.NewPose()
		p.apply(q, nil)
		return fmt.Sprint(q.Local, p.active())
	}
	states := []string{pose()}
	for step := range 60 {
		p.begin()
		switch step % 7 {
		case 6:
			p.drop()
		default:
			for range 1 + rng.IntN(3) {
				p.put(rng.IntN(len(m.Skeleton.Nodes)), turned(rng.Float64(), rng.Float64(), rng.Float64()))
			}
		}
		states = append(states, pose())
	}
	at := len(states) - 1
	for range 500 {
		back := rng.IntN(2) == 0
		next := at + 1
		if back {
			next = at - 1
		}
		if moved, there := p.step(back), next >= 0 && next < len(states); moved != there {
			t.Fatalf("at %d of %d: step back %v reports %v", at, len(states), back, moved)
		} else if moved {
			at = next
		}
		if got := pose(); got != states[at] {
			t.Fatalf("state %d is not what it was", at)
		}
	}
	for p.step(true) {
	}
	p.begin()
	p.put(0, turned(1, 0, 0))
	if len(p.redo) != 0 || len(p.undo) != 1 {
		t.Errorf("after an edit: %d steps back and %d forth, expected 1 and 0", len(p.undo), len(p.redo))
	}
	for range 3 * mostUndo {
		p.begin()
		p.put(0, turned(rng.Float64(), 0, 0))
	}
	if len(p.undo) != mostUndo {
		t.Errorf("%d steps are kept, expected %d", len(p.undo), mostUndo)
	}
}

// TestPoseIsDroppedWithTheClip holds the rule of the interface: a pose lasts while the clip stands still, or is held.
func TestPoseIsDroppedWithTheClip(t *testing.T) {
	p := newPosing(demo(t, "demo:tube"))
	p.clip, p.time = 0, 0.5
	if !p.keeps(0, 0.5, false) || p.keeps(0, 0.6, false) || p.keeps(1, 0.5, false) {
		t.Error("a pose lasts as long as clip and time stay")
	}
	if !p.keeps(1, 0.7, true) || !p.keeps(1, 0.7, false) || p.keeps(0, 0.5, false) {
		t.Error("a pose that is held goes along with the clip")
	}
}

// TestEulerAngles turns the angles back into the rotation: within 1e-7 radians, since at ±90° of y the angles lose half
// the digits.
func TestEulerAngles(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	check := func(e [3]float64) {
		t.Helper()
		q := fromEuler(e)
		back := fromEuler(eulerXYZ(q))
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
	if v := fromEuler([3]float64{math.Pi / 2, 0, math.Pi / 2}).Rotate(mgl64.Vec3{0, 1,
		0}); !(v.Sub(mgl64.Vec3{0, 0, 1}).Len() <= 1e-12) {
		t.Errorf("90° about x, then 90° about z, take y to %v, expected z", v)
	}
}

// TestTurnedLocal holds a turn in the world under a parent with rotation and even scale, also a reflecting one, to the
// turned matrix.
func TestTurnedLocal(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	random := func() geom.Quat {
		return geom.Quat{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}.Normalize()
	}
	for k := range 200 {
		scale := []float64{1, 0.01, -1, 30}[k%4]
		p, d, local := random().Mat3(), random().Mat3(), random()
		for i := range p {
			p[i] *= scale
		}
		if k%8 == 4 { // a mirrored limb: one axis the other way
			p = p.Mul(geom.Mat3{-1, 0, 0, 0, 1, 0, 0, 0, 1})
		}
		got := p.Mul(turnedLocal(p, d, local).Mat3())
		want := d.Mul(p).Mul(local.Mat3())
		for i := range got {
			if !(math.Abs(got[i]-want[i]) <= 1e-9*math.Abs(scale)) {
				t.Fatalf("parent %v: %v, expected %v", p, got, want)
			}
		}
	}
	for _, c := range [...][2]float64{{31, 30}, {-38, -45}, {7, 0}, {179, 180}, {-97, -90}} {
		got := stepped(geom.AxisAngle(mgl64.Vec3{1, 2, -1}, c[0]*math.Pi/180), 15)
		if want := geom.AxisAngle(mgl64.Vec3{1, 2, -1}, c[1]*math.Pi/180); !(math.Abs(got.Dot(want)) >= 1-1e-14) {
			t.Errorf("%g° in steps of 15° is %v, expected %g°", c[0], got, c[1])
		}
	}
	flat := geom.Mat3{1, 0, 0, 0, 1, 0, 0, 0, 0}
	if q := turnedLocal(flat, random().Mat3(), geom.IdentityQuat()); q != geom.IdentityQuat() {
		t.Errorf("under a parent that is squashed flat the joint turns to %v, expected no turn", q)
	}
}
