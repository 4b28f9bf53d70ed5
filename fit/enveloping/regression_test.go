package enveloping

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
	"gonum.org/v1/gonum/mat"

	"skinlab/skinning/geom"
	"skinlab/skinning/rig"
)

// chain returns poses of a chain of joints that all turn at random, the root too, up to the given angle each.
func chain(r *rand.Rand, joints, n int, angle float64) (parent []int, pairs []Example) {
	for j := range joints {
		parent = append(parent, j-1)
	}
	for range n {
		e := Example{Matrices: make([]geom.Affine, joints)}
		q := geom.IdentityQuat()
		for j := range joints {
			axis := mgl64.Vec3{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
			q = q.Mul(geom.AxisAngle(axis, angle*r.Float64()))
			e.Matrices[j] = geom.NewAffine(q.Mat3(), mgl64.Vec3{r.NormFloat64(), 0, 0})
		}
		pairs = append(pairs, e)
	}
	return parent, pairs
}

func allOf(parent []int) (joints []int) {
	for j := range parent {
		joints = append(joints, j)
	}
	return joints
}

func angleBetween(a, b geom.Quat) float64 {
	d := a.Conjugate().Mul(b)
	return 2 * math.Atan2(math.Sqrt(d[0]*d[0]+d[1]*d[1]+d[2]*d[2]), math.Abs(d[3]))
}

// TestKnownField makes rotations by a known u and W of a known joint, with a known scale beside, and asks for them
// back: u within 1e-6 and W, S within 1e-5 (the ridge of H moves S by less).
func TestKnownField(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for round := range 30 {
		parent, pairs := chain(r, 5, 8, 1.5)
		_, l := newLesson(&Examples{Parent: parent, Pairs: pairs}, published{})
		poses := l.poses
		joint := 1 + r.IntN(4)
		want := rig.RotationTerm{Joint: joint, U: 0.2 + 0.9*r.Float64(),
			W: geom.AxisAngle(mgl64.Vec3{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}, r.Float64())}
		s := geom.Mat3{1.2, 0.1, 0, 0.1, 0.9, 0, 0, 0, 1}
		gradients := make([]geom.Mat3, len(poses))
		for i := range poses {
			gradients[i] = want.Turn(parent, &poses[i], true).Mat3().Mul(s)
		}
		p, _ := l.fitKey(allOf(parent), gradients)
		if len(p.Terms) != 1 || p.Terms[0].Joint != joint {
			t.Fatalf("round %d: terms %+v, expected joint %d alone", round, p.Terms, joint)
		}
		got := p.Terms[0]
		if !(math.Abs(got.U-want.U) <= 1e-6) || !(angleBetween(got.W, want.W) <= 1e-5) {
			t.Errorf("round %d: u = %g and W off by %g rad, expected u = %g", round, got.U, angleBetween(got.W, want.W), want.U)
		}
		for i := range poses {
			d := p.At(parent, &poses[i])
			for k := range d {
				if !(math.Abs(d[k]-gradients[i][k]) <= 1e-5) {
					t.Fatalf("round %d, pose %d: %v, expected %v", round, i, d, gradients[i])
				}
			}
		}
	}
}

// TestPastHalfTurn: a joint that turns to 250 degrees takes the surface half as far, all the way.
func TestPastHalfTurn(t *testing.T) {
	parent := []int{-1, 0}
	var pairs []Example
	twist := func(angle float64) Example {
		q := geom.AxisAngle(mgl64.Vec3{1, 0, 0}, angle)
		return Example{Matrices: []geom.Affine{geom.IdentityAffine(), geom.NewAffine(q.Mat3(), mgl64.Vec3{})}}
	}
	const most = 250 * math.Pi / 180
	for i := range 6 {
		pairs = append(pairs, twist(most*float64(i)/5))
	}
	mid, l := newLesson(&Examples{Parent: parent, Pairs: pairs}, published{})
	poses := l.poses
	gradients := make([]geom.Mat3, len(poses))
	for i := range gradients {
		gradients[i] = geom.AxisAngle(mgl64.Vec3{1, 0, 0}, most*float64(i)/10).Mat3()
	}
	p, _ := l.fitKey(allOf(parent), gradients)
	var pose rig.JointRotations
	for _, angle := range []float64{0.1, 1, 2, 3, 3.3, 4, most} {
		pose.Set(parent, mid, rotations(twist(angle).Matrices))
		want := geom.AxisAngle(mgl64.Vec3{1, 0, 0}, angle/2)
		if d := angleBetween(p.Rotation(parent, &pose), want); !(d <= 1e-6) {
			t.Errorf("at %g rad the surface is off by %g rad", angle, d)
		}
	}
}

// TestBranches: a joint seen at every 50 degrees up to 250, in no order, is counted on past the half turn; one seen by
// itself at 110 degrees about many axes did not turn past it.
func TestBranches(t *testing.T) {
	const degree = math.Pi / 180
	axis := mgl64.Vec3{1, 0, 0}
	at := func(angle float64) mgl64.Vec3 {
		return geom.RotationVector(geom.AxisAngle(axis, angle*degree))
	}
	var far []mgl64.Vec3
	for _, angle := range []float64{150, 0, 250, 100, 200, 50} {
		far = append(far, at(angle))
	}
	continuous(far, nearestSteps(far))
	for i, angle := range []float64{150, 0, 250, 100, 200, 50} {
		if d := far[i].Sub(axis.Mul(angle * degree)).Len(); !(d <= 1e-12) {
			t.Errorf("%g degrees: counted as %v", angle, far[i])
		}
	}
	rng := rand.New(rand.NewPCG(4, 4))
	var wide, same []mgl64.Vec3
	for range 12 {
		wide = append(wide, mgl64.Vec3{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}.Normalize().Mul(110*degree))
	}
	same = append(same, wide...)
	continuous(wide, nearestSteps(wide))
	for i := range wide {
		if wide[i] != same[i] {
			t.Errorf("pose %d: %v is counted as %v", i, same[i], wide[i])
		}
	}
}

// TestShearRidge: the ridge that is taken predicts poses left out better than the others do, held against leaving each
// out and solving again, within 1e-6 of the sum: the constant's 1e-9 is not scaled with the poses.
func TestShearRidge(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 2))
	parent, pairs := chain(rng, 3, 9, 1)
	_, l := newLesson(&Examples{Parent: parent, Pairs: pairs}, published{})
	key := rig.GradientKey{Terms: []rig.RotationTerm{{Joint: 1}}, First: 1, Second: 2}
	scale := make([]geom.Mat3, len(l.poses))
	for i := range scale {
		for k := range scale[i] {
			scale[i][k] = rng.NormFloat64()
		}
	}
	l.fitShear(&key, scale)
	square := 0.0
	for i := range l.poses {
		for _, v := range key.Features(&l.poses[i]) {
			square += v * v
		}
		square-- // the constant
	}
	best, least := 0.0, math.Inf(1)
	for _, ridge := range shearRidges {
		missed := 0.0
		for out := range l.poses {
			a, b := mat.NewDense(7, 7, nil), mat.NewDense(7, 9, nil)
			for i := range l.poses {
				f := key.Features(&l.poses[i])
				if row := mat.NewVecDense(7, f[:]); i != out {
					a.RankOne(a, 1, row, row)
					b.RankOne(b, 1, row, mat.NewVecDense(9, scale[i][:]))
				}
			}
			for k := range 6 {
				a.Set(k, k, a.At(k, k)+ridge*square/6+1e-9)
			}
			var h mat.Dense
			if err := h.Solve(a, b); err != nil {
				t.Fatal(err)
			}
			f := key.Features(&l.poses[out])
			for k := range 9 {
				e := -scale[out][k]
				for n := range f {
					e += h.At(n, k) * f[n]
				}
				missed += e * e
			}
		}
		if missed < least {
			best, least = ridge, missed
		}
	}
	a, b := mat.NewDense(7, 7, nil), mat.NewVecDense(7, nil)
	for i := range l.poses {
		f := key.Features(&l.poses[i])
		row := mat.NewVecDense(7, f[:])
		a.RankOne(a, 1, row, row)
		b.AddScaledVec(b, scale[i][0], row)
	}
	for k := range 6 {
		a.Set(k, k, a.At(k, k)+best*square/6+1e-9)
	}
	var want mat.VecDense
	if err := want.SolveVec(a, b); err != nil {
		t.Fatal(err)
	}
	for k := range 7 {
		if !(math.Abs(key.Shear[0][k]-want.AtVec(k)) <= 1e-6) {
			t.Fatalf("entry %d of H is %g, with the ridge %g that is best left out %g", k, key.Shear[0][k], best, want.AtVec(k))
		}
	}
}

// TestNearest keeps the rotation and comes within half a turn of what it is to be near to.
func TestNearest(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 1))
	for range 1000 {
		v := mgl64.Vec3{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
		to := v.Mul(4 * r.NormFloat64())
		got := rig.NearestRotationVector(v, to)
		if d := angleBetween(geom.AxisAngle(v, v.Len()), geom.AxisAngle(got, got.Len())); !(d <= 1e-6) {
			t.Fatalf("%v becomes %v, another rotation by %g rad", v, got, d)
		}
		if !(got.Sub(to).Len() <= v.Sub(to).Len()+1e-12) || !(got.Sub(to).Len() <= math.Pi+1e-9) {
			t.Fatalf("%v near %v: %v", v, to, got)
		}
	}
	got := rig.NearestRotationVector(mgl64.Vec3{}, mgl64.Vec3{6, 0, 0})
	if !(got.Sub(mgl64.Vec3{2 * math.Pi, 0, 0}).Len() <= 1e-12) {
		t.Errorf("no turn near 6 rad: %v, expected a full one", got)
	}
}
