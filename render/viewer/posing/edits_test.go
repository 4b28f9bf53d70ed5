package posing

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/internal/assetstest"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/rig"
)

func turned(x, y, z float64) geom.Transform {
	t := geom.IdentityTransform()
	t.Rotation = FromEuler([3]float64{x, y, z})
	return t
}

// TestCopies: random edits are restored from their copies, bit for bit; what is the same has one copy.
func TestCopies(t *testing.T) {
	m := assetstest.Open(t, "demo:figure")
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
	other := NewEdits(assetstest.Open(t, "demo:tube"))
	other.Restore(copies[5])
	if other.Active() {
		t.Error("a pose of another model is restored")
	}
}

// TestPoseIsDroppedWithTheClip holds the rule of the interface: a pose lasts while the clip stands still, or is held.
func TestPoseIsDroppedWithTheClip(t *testing.T) {
	p := NewEdits(assetstest.Open(t, "demo:tube"))
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

// TestGimbalAxes turns about each of the axes: only its own angle changes, within 1e-12 radians.
func TestGimbalAxes(t *testing.T) {
	e := [3]float64{0.3, -1.1, 2}
	for k, axis := range GimbalAxes(e) {
		want := e
		want[k] += 0.2
		q := FromEuler(e).Mul(geom.AxisAngle(axis, 0.2))
		if off := math.Abs(q.Dot(FromEuler(want))); !(off >= 1-1e-12) {
			t.Errorf("a turn about axis %d changes %v to %v", k, e, Euler(q))
		}
	}
}

// TestEulerNear turns a joint by small steps twice round each axis: the other two angles stay, within 1e-5 radians since
// at ±90° of y the angles lose half the digits.
func TestEulerNear(t *testing.T) {
	for axis := range 3 {
		now, worst := [3]float64{}, 0.0
		for k := 0; k <= 720; k++ {
			want := [3]float64{}
			want[axis] = float64(k) * math.Pi / 180
			now = EulerNear(FromEuler(want), now)
			for i := range now {
				worst = max(worst, math.Abs(now[i]-want[i]))
			}
		}
		if !(worst <= 1e-5) {
			t.Errorf("turned about axis %d, an angle is off by %g radians, expected 1e-5 at most", axis, worst)
		}
	}
	rng := rand.New(rand.NewPCG(5, 6))
	for range 2000 {
		e := [3]float64{rng.NormFloat64() * 3, rng.NormFloat64() * 3, rng.NormFloat64() * 3}
		for _, y := range []float64{e[1], math.Pi / 2, -math.Pi / 2} {
			q := FromEuler([3]float64{e[0], y, e[2]})
			near := EulerNear(q, [3]float64{e[2], e[0], e[1]})
			if d := 2 * math.Acos(min(1, math.Abs(q.Dot(FromEuler(near))))); !(d <= 1e-5) {
				t.Errorf("%v at y %g comes back turned by %g radians, expected 1e-5 at most", e, y, d)
			}
		}
	}
}

// TestHeldMorphs: a weight that is held stays while the clip moves on and when the pose is dropped, the others are the
// clip's; a model with the same targets shows it too, undo gives it back, and a pose that is loaded stands above it.
func TestHeldMorphs(t *testing.T) {
	m := assetstest.Open(t, "demo:leg")
	other := *m // as a fitted model: the same nodes and targets, in another order
	other.MorphSlots = append(m.MorphSlots[1:len(m.MorphSlots):len(m.MorphSlots)], m.MorphSlots[0])
	other.Skin.Morphs, other.Clips = nil, nil
	e := NewEdits(m)
	s, o := NewSubject(m, nil), NewSubject(&other, nil)
	s.Under(e)
	o.Under(e)
	clip, err := m.ClipIndex("examples")
	if err != nil {
		t.Fatal(err)
	}
	check := func(when string, time, want float64) {
		t.Helper()
		s.Set(Instant{Clip: clip, Time: time, OK: true})
		o.Set(Instant{Clip: -1, Time: time, OK: true})
		free := m.NewPose()
		m.SamplePose(free, clip, time)
		for k, x := range s.Frame.Morphs {
			if k == 5 {
				free.Morphs[k] = want
			}
			if x != free.Morphs[k] {
				t.Errorf("%s at %g s: target %d is at %g, expected %g", when, time, k, x, free.Morphs[k])
			}
		}
		if got := o.Frame.Morphs[4]; e.HoldsMorph(5) && got != want {
			t.Errorf("%s: the other model's target is at %g, expected %g", when, got, want)
		}
	}
	e.HoldMorph(5, 0.75)
	check("held", 5, 0.75)
	check("held", 9, 0.75)
	e.Put(0, turned(0.1, 0, 0))
	e.Drop()
	check("after the pose is dropped", 9, 0.75)
	newer := NewEdits(&other)
	newer.Carry(e)
	if !newer.HoldsMorph(4) || newer.HoldsMorph(5) {
		t.Error("a newer version of the model does not hold what was held")
	}
	held := e.Copy()
	e.Restore(nil)
	if e.HoldsMorph(-1) || e.Copy() != nil {
		t.Error("held after undo")
	}
	if _, _, posed := held.Place(); posed {
		t.Error("a weight that is held stands at a place of the clip")
	}
	e.Restore(held)
	check("done again", 5, 0.75)
	was := m.NewPose()
	s.CopyPose(was)
	pose := m.NewPose()
	pose.Morphs[5] = 0.25
	e.PutPose(pose, was)
	s.Set(Instant{Clip: clip, Time: 5, OK: true})
	if got := s.Frame.Morphs[5]; got != 0.25 {
		t.Errorf("a pose that is shown has the target at %g, expected 0.25", got)
	}
}

// TestLongWay: where the long way is asked for, or a rig was fitted so, a box turned by 350 degrees is blended by all
// of these.
func TestLongWay(t *testing.T) {
	m := assetstest.Open(t, "demo:box")
	clip, err := m.ClipIndex("full-turn")
	if err != nil {
		t.Fatal(err)
	}
	fitted, err := (&rig.BlendBones{Operator: skinning.DIB, LongWay: true, Bones: []rig.BlendBone{
		{Masters: []uint16{0, 1}, Weights: []float64{0.5, 0.5}}}}).On(m, m.Skin.Influences)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		model      *skinning.Model
		asked, far bool
	}{{m, false, false}, {m, true, true}, {fitted, false, true}} {
		s := NewSubject(c.model, nil)
		s.Set(Instant{Clip: clip, Time: m.Clips[clip].Seconds, LongWay: c.asked, OK: true})
		q := s.Frame.Evaluate(skinning.DIB, []uint16{0, 1}, []float64{0.5, 0.5})
		if far := q[5] < 0; far != c.far || s.Frame.Unrolled != c.far { // the cosine of 175 or of −5 degrees
			t.Errorf("long way asked %v, of a rig %v: half-way is %v, unrolled %v", c.asked, c.model == fitted, q, s.Frame.Unrolled)
		}
	}
}

// TestPlain: the plain frame is the frame in the same pose, in a clip of examples without its morph targets, which the
// frame keeps; in other clips the two are one.
func TestPlain(t *testing.T) {
	m := assetstest.Open(t, "demo:arm")
	clip, err := m.ClipIndex("examples")
	if err != nil {
		t.Fatal(err)
	}
	s := NewSubject(m, nil)
	for _, at := range []float64{10, 12} {
		s.Set(Instant{Clip: clip, Time: at, OK: true})
		if b := s.Plain(); slices.Max(b.Morphs) != 0 || slices.Max(s.Frame.Morphs) == 0 ||
			!slices.Equal(b.Matrices, s.Frame.Matrices) {
			t.Errorf("at %g s: morph weights %v without them, %v with", at, b.Morphs, s.Frame.Morphs)
		}
	}
	if s.Set(Instant{Clip: 0, OK: true}); s.Plain() != s.Frame {
		t.Errorf("the plain frame of the clip %q is another", m.Clips[0].Name)
	}
}
