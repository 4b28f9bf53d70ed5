package enveloping

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/training"
	"skinlab/internal/assetstest"
	"skinlab/skinning"
	"skinlab/skinning/compare"
	"skinlab/skinning/geom"
)

// taughtExamples are poses of a clip with the shapes of dual quaternions.
func taughtExamples(t *testing.T, m *skinning.Model, name string, n int) *Examples {
	t.Helper()
	clip, err := m.ClipIndex(name)
	if err != nil {
		t.Fatal(err)
	}
	x, err := FromSet(m, &training.Set{Teacher: skinning.DQS, Clip: clip, Times: compare.Times(m.Clips[clip].Seconds, n)})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// TestOtherMotion: what was learnt from one motion is better than trained SSD on another one, in which joints turn that
// did not, or not by themselves. Measured: 55 % against 65 %, 53 against 69 and 22 against 54.
func TestOtherMotion(t *testing.T) {
	onlyNumbers(t)
	m := assetstest.Open(t, "demo:figure")
	for _, clips := range [][2]string{{"walk", "twist"}, {"exercise", "twist"}, {"exercise", "walk"}} {
		r, err := Fit(context.Background(), taughtExamples(t, m, clips[0], 12), Options{})
		if err != nil {
			t.Fatal(err)
		}
		other := taughtExamples(t, m, clips[1], 15)
		base, got := r.Trained.Measure(other), r.Model.Measure(other)
		t.Logf("%s to %s: training: SSD %.1f %%, fit %.1f %%; unseen: SSD %.1f %% ± %.1f, fit %.1f %% ± %.1f", clips[0],
			clips[1], r.SSD.EE, r.Fit.EE, base.EE, base.Dev, got.EE, got.Dev)
		if !(got.EE < base.EE) || !(got.Dev < base.Dev) || !(r.Fit.EE < 0.7*r.SSD.EE) {
			t.Errorf(
				"%s to %s: training: EE %.1f %%, trained SSD %.1f %%; unseen: EE %.1f %% ± %.1f, trained SSD %.1f %% ± %.1f",
				clips[0], clips[1],
				r.Fit.EE, r.SSD.EE, got.EE, got.Dev, base.EE, base.Dev)
		}
	}
}

// TestPriorPairs: prior pairs come last, weigh little, hold what dual quaternions make of the rig's weights and the
// rest pose, and leave the given pairs as they are.
func TestPriorPairs(t *testing.T) {
	x := armExamples(t).pick(func(i int) bool { return i < 3 })
	welded, of := x.welded()
	y := welded.withPriorPoses()
	if y.given() != 3 || len(y.Pairs) != 3+priorPoses+1 || len(welded.Pairs) != 3 {
		t.Fatalf("%d of %d pairs are given", y.given(), len(y.Pairs))
	}
	w := y.weights()
	if w[2] != 1 || w[3] != priorWeight || w[len(w)-2] != priorWeight || w[len(w)-1] != restWeight {
		t.Errorf("weights %v", w)
	}
	for i, f := range training.RangeOfMotionPoses(x.model, priorPoses)[:2] {
		// 1e-6 of the size: the rig's weights are float32.
		for v, p := range f.Positions(skinning.SDQS) {
			if d := p.Sub(y.Pairs[3+i].Target[of[v]]).Len(); !(d <= 1e-6*y.diagonal()) {
				t.Fatalf("prior pair %d, vertex %d: off by %g m", i, v, d)
			}
		}
	}
	if last := y.Pairs[len(y.Pairs)-1]; last.Matrices[1] != geom.IdentityAffine() ||
		!slices.Equal(last.Target, y.Rest) {
		t.Error("the last pair is not the rest pose")
	}
	x.model = nil
	if x.withPriorPoses() != x {
		t.Error("there are priors of an unknown skeleton")
	}
}

// TestUnseenJoint: a group that the rig binds to a joint that never turned in the examples turns with it, not with one
// that turned alike in all of them. By how far is held to 5 degrees in the middle of the prior range: its weight
// against the examples is not all.
func TestUnseenJoint(t *testing.T) {
	m := assetstest.Open(t, "demo:figure")
	x := taughtExamples(t, m, "twist", 6)
	still := slices.Clone(x.Pairs[:1]) // the rest pose, over and over: nothing turns
	for range 5 {
		still = append(still, still[0])
	}
	x.Pairs = still
	y := x.withPriorPoses()
	_, l := newLesson(y, published{})
	for j, joint := range m.Skeleton.Joints {
		if joint.Parent < 0 {
			continue
		}
		gradients := make([]geom.Mat3, len(y.Pairs))
		for i := range gradients {
			gradients[i] = y.Pairs[i].Matrices[j].Linear()
		}
		k, _ := l.fitKey(allOf(x.Parent), gradients)
		for i := range gradients {
			if d := angleBetween(k.Rotation(x.Parent, &l.poses[i]), l.poses[i].Q[j]); !(d <= 5*math.Pi/180) {
				t.Errorf("joint %d, pose %d: off by %g rad", j, i, d)
			}
		}
	}
}

// TestDrivers: a group bound to one joint of a chain may be predicted from it, its parent and its child, not from the
// rest; where nobody knows what binds it, from any.
func TestDrivers(t *testing.T) {
	x := patch(3, 2)
	x.Parent = []int{-1, 0, 1, 2, 3, 0}
	x.Rigged = make([][]skinning.Share, len(x.Rest))
	for v := range x.Rigged {
		x.Rigged[v] = []skinning.Share{{Joint: 2, Weight: 0.995}, {Joint: 5, Weight: 0.005}}
	}
	r := &reduction{transforms: make([][]geom.Affine, 1)}
	of := make([]int32, len(x.Triangles))
	r.findDrivers(x, of)
	if !slices.Equal(r.drivers[0], []int{1, 2, 3}) {
		t.Errorf("drivers %v, expected 1, 2 and 3", r.drivers[0])
	}
	x.Rigged = nil
	if r.findDrivers(x, of); len(r.drivers[0]) != 6 {
		t.Errorf("drivers %v, expected all six", r.drivers[0])
	}
}

// TestCarried: where the joints of a flat rig hang together they carry each other, exactly; a rig that is a tree is
// posed as it was.
func TestCarried(t *testing.T) {
	m := assetstest.Open(t, "demo:arm")
	frames := training.RangeOfMotionPoses(m, 1)
	x := &Examples{model: m}
	for _, j := range m.Skeleton.Joints {
		x.Parent = append(x.Parent, j.Parent)
	}
	if got := x.carried(frames[0].Matrices); !slices.Equal(got, frames[0].Matrices) {
		t.Error("the pose of a tree is another")
	}
	flat := *m
	flat.Skeleton.Joints = slices.Clone(m.Skeleton.Joints)
	for j := range flat.Skeleton.Joints {
		flat.Skeleton.Joints[j].Parent = -1
	}
	x.model = &flat
	got := x.carried(frames[0].Matrices)
	for j, p := range x.Parent {
		want := frames[0].Matrices[j]
		if p >= 0 {
			want = got[p].Mul(want)
		}
		if got[j] != want {
			t.Errorf("joint %d is not carried by %d", j, p)
		}
	}
}

// TestUntaught: of a joint that turns by 1 radian about one axis in an example, ε²/(1 + ε²) of the part is left about
// that axis, all of it about others, and the limbs hang together. Within 1e-9: rounding of turns of about 1, and of
// metres.
func TestUntaught(t *testing.T) {
	m := assetstest.Open(t, "demo:figure")
	const joint = 8
	q := geom.AxisAngle(mgl64.Vec3{0, 0, 1}, 1)
	x := taughtExamples(t, m, "twist", 2)
	x.Pairs = x.Pairs[:1]
	turned := func(theta mgl64.Vec3) []geom.Affine { // the joint alone, and what hangs on it
		out := make([]geom.Affine, len(x.Parent))
		for j := range out {
			out[j] = geom.IdentityAffine()
			for p := j; p >= 0; p = x.Parent[p] {
				if p == joint {
					r := geom.AxisAngle(theta, theta.Len()).Mat3()
					at := m.Skeleton.Joints[joint].Position
					out[j] = geom.NewAffine(r, at.Sub(r.Apply(at)))
				}
			}
		}
		return out
	}
	axis := geom.RotationVector(q)
	x.Pairs[0].Matrices = turned(axis)
	for _, c := range []struct {
		theta mgl64.Vec3
		left  float64
	}{
		{axis, priorTurnPart * taughtAngle * taughtAngle / (1 + taughtAngle*taughtAngle)},
		{mgl64.Vec3{0.7, 0, 0}, priorTurnPart},
	} {
		got, want := x.untaught(turned(c.theta), x.taughtTurns()), turned(c.theta.Mul(c.left))
		for j := range got {
			for k := range got[j] {
				if !(math.Abs(got[j][k]-want[j][k]) <= 1e-9) {
					t.Fatalf("turned by %v, joint %d: %v, expected %v", c.theta, j, got[j], want[j])
				}
			}
		}
	}
}

// TestTrust: what is supposed is trusted whole of examples that are just that, not at all of those that trained SSD is
// nearer to, and by half between; pairs of small rotations come only with trust, between the prior ones and the
// rest pose. Within 1e-6: the rig's weights are float32.
func TestTrust(t *testing.T) {
	m := assetstest.Open(t, "demo:figure")
	x, _ := taughtExamples(t, m, "twist", 4).welded()
	y := x.withPriorPoses()
	if got := y.trustIn(1); !(math.Abs(got-1) <= 1e-6) {
		t.Errorf("trust %g in what is shown", got)
	}
	off := 0.0
	for i := range y.given() {
		target := slices.Clone(y.Pairs[i].Target)
		for v := range target {
			target[v][0] += 0.1
			off += 0.1 * 0.1
		}
		y.Pairs[i].Target = target
	}
	if got := y.trustIn(2 * off); !(math.Abs(got-0.5) <= 1e-6) {
		t.Errorf("trust %g in what misses by half as much as trained SSD", got)
	}
	if got := y.withPriorTurns(off / 2); got != y {
		t.Error("there are pairs of small rotations without trust")
	}
	if got := x.withPriorTurns(2 * off); got != x {
		t.Error("there are pairs of small rotations without prior ones")
	}
	z := y.withPriorTurns(2 * off)
	if z.given() != 4 || len(z.Pairs) != len(y.Pairs)+priorTurnPoses || z.turns.first != 4+priorPoses ||
		z.turns.rest != len(z.Pairs)-1 {
		t.Fatalf("%d of %d pairs are given, %+v", z.given(), len(z.Pairs), z.turns)
	}
	if !slices.Equal(z.Pairs[z.turns.rest].Target, x.Rest) || z.weights()[z.turns.rest] != restWeight {
		t.Error("the last pair is not the rest pose")
	}
	if z.turns.has(z.turns.first-1) || !z.turns.has(z.turns.first) || z.turns.has(z.turns.rest) {
		t.Error("pairs of small rotations are others")
	}
}

// TestPriorTurns: joints that only twisted in the examples, or never moved, bend in a walk. There a fit is at most a
// tenth worse than trained SSD, which is good at small bends: measured 29.0 % for 26.9 %. Before there were pairs of small
// rotations, EE was 33.7 %.
func TestPriorTurns(t *testing.T) {
	onlyNumbers(t)
	r, err := Fit(context.Background(), taught("demo:figure", "twist", 12, skinning.DQS, 0)(t), Options{})
	if err != nil {
		t.Fatal(err)
	}
	walk := taught("demo:figure", "walk", 15, skinning.DQS, 0)(t)
	base, got := r.Trained.Measure(walk), r.Model.Measure(walk)
	t.Logf("training: trained SSD %.1f %%, fit %.1f %%; walk: trained SSD %.2f %%, fit %.2f %%",
		r.SSD.EE, r.Fit.EE, base.EE, got.EE)
	if !(got.EE < 1.1*base.EE) || !(r.Fit.EE < 0.2*r.SSD.EE) {
		t.Errorf("training: EE %.1f %%, trained SSD %.1f %%; walk: EE %.2f %%, trained SSD %.2f %%",
			r.Fit.EE, r.SSD.EE, got.EE, base.EE)
	}
}
