package skinning_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/internal/skinningtest"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/rig"
)

// twoJoints is a straight chain along x with its second joint at x = 1.
func twoJoints() *skinning.Model {
	m := &skinning.Model{}
	rest := geom.IdentityTransform()
	m.Skeleton.Nodes = []skinning.Node{{Parent: -1, Rest: rest}, {Parent: 0, Rest: rest}}
	m.Skeleton.Nodes[1].Rest.Translation = mgl64.Vec3{1, 0, 0}
	if err := m.Skeleton.SortNodes(); err != nil {
		panic(err)
	}
	m.Skeleton.Joints = []skinning.Joint{
		{Node: 0, Parent: -1, FromRest: geom.IdentityAffine()},
		{Node: 1, Parent: 0, FromRest: geom.NewAffine(geom.Identity3(), mgl64.Vec3{-1, 0, 0}), Position: mgl64.Vec3{1, 0, 0}},
	}
	return m
}

func posed(m *skinning.Model, joint int, q geom.Quat) *skinning.Frame {
	p := m.NewPose()
	p.Local[joint].Rotation = q
	f := skinning.NewFrame(m, nil)
	f.SetPose(p)
	return f
}

// ALNS figure 3: a twist by 180 degrees collapses the half-way vertex under linear blending, and every other method
// turns it by 90 degrees at full radius.
func TestTwistCollapsesOnlyLinear(t *testing.T) {
	m := twoJoints()
	twist := 179.99 * math.Pi / 180
	f := posed(m, 1, geom.AxisAngle(mgl64.Vec3{1, 0, 0}, twist))
	both, v := []skinning.Influence{{Joint: 0, Weight: 0.5}, {Joint: 1, Weight: 0.5}}, mgl64.Vec3{1, 0.2, 0}
	if r := math.Hypot(f.Blend(skinning.LBS, both, 0).Apply(v)[1], f.Blend(skinning.LBS, both, 0).Apply(v)[2]); !(r <= 1e-4) {
		t.Errorf("linear: radius %g, want a collapse", r)
	}
	want := mgl64.Vec3{1, 0.2 * math.Cos(twist/2), 0.2 * math.Sin(twist/2)}
	f.SetCenters([]mgl64.Vec3{{1, 0, 0}}) // of no vertices: one centre by hand
	for _, method := range []skinning.Method{skinning.DQS, skinning.SDQS, skinning.DIB, skinning.SBS, skinning.TwistSwing} {
		if d := f.Blend(method, both, 0).Apply(v).Sub(want).Len(); !(d <= 1e-12) { // metres; float64
			t.Errorf("%v: off by %g m", method, d)
		}
	}
}

// One influence must follow its own matrix, scale and reflection included, in every method but DQS and SBS, which drop
// the scale.
func TestOneInfluenceFollowsItsMatrix(t *testing.T) {
	m := twoJoints()
	p := m.NewPose()
	p.Local[1].Rotation = geom.AxisAngle(mgl64.Vec3{0, 1, 1}, 1)
	p.Local[1].Scale = mgl64.Vec3{-1.5, 0.5, 2}
	f := skinning.NewFrame(m, nil)
	f.SetPose(p)
	f.SetCenters([]mgl64.Vec3{{5, 5, 5}})
	v := mgl64.Vec3{1.4, 0.3, -0.2}
	want := f.Matrices[1].Apply(v)
	for _, method := range []skinning.Method{skinning.LBS, skinning.SDQS, skinning.DIB, skinning.TwistSwing} {
		if d := f.Blend(method, []skinning.Influence{{Joint: 1, Weight: 1}}, 0).Apply(v).Sub(want).Len(); !(d <= 1e-12) {
			t.Errorf("%v: off by %g m", method, d)
		}
	}
	// The others keep the joint's own position where its matrix has it, whatever its scale.
	at := m.Skeleton.Joints[1].Position
	for _, method := range []skinning.Method{skinning.DQS, skinning.SBS} {
		got := f.Blend(method, []skinning.Influence{{Joint: 1, Weight: 1}}, 0).Apply(at)
		if d := got.Sub(f.Matrices[1].Apply(at)).Len(); !(d <= 1e-12) {
			t.Errorf("%v moves the joint by %g m", method, d)
		}
	}
}

// As the weight of a joint goes to 1, a vertex goes to where that joint alone takes it, in every method: joints that
// scale, shear and mirror leave no seam.
func TestNoSeamAtFullWeight(t *testing.T) {
	m := skinningtest.RandomModel(1, 9, 1, 3)
	f := skinningtest.ScaledFrame(m, 5)
	r := rand.New(rand.NewPCG(5, 99))
	const little = 1e-7
	for range 300 {
		order := r.Perm(9)[:2+r.IntN(3)]
		joints, shares := []uint16(nil), []skinning.Share(nil)
		for k, j := range order {
			w := 1 - little
			if k > 0 {
				w = little / float64(len(order)-1)
			}
			joints, shares = append(joints, uint16(j)), append(shares, skinning.Share{Joint: uint16(j), Weight: w})
		}
		alone, v := shares[0], mgl64.Vec3{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
		alone.Weight = 1
		slices.Sort(joints)
		center := f.RotationCenter(joints)
		for _, method := range skinning.Methods() {
			got := f.Phi(method, shares, center).Apply(v)
			want := f.Phi(method, []skinning.Share{alone}, f.RotationCenter(joints[:1])).Apply(v)
			// Metres: the little weight of joints that are some metres apart, about a centre that may be as far.
			if d := got.Sub(want).Len(); !(d <= 10*little*(1+center.Len())) {
				t.Fatalf("%v: %v at a weight of %g: %g m from where joint %d alone takes a vertex", method, order, 1-little, d, order[0])
			}
		}
	}
}

// DIB of two motions is the exact halfway screw, where the linear blend is only close to it away from weights of a
// half.
func TestIterativeIsTheIntrinsicMean(t *testing.T) {
	m := twoJoints()
	f := posed(m, 1, geom.AxisAngle(mgl64.Vec3{1, 0, 0}, 2))
	for _, w := range []float32{0.125, 0.25, 0.5, 0.75} {
		influences := []skinning.Influence{{Joint: 0, Weight: 1 - w}, {Joint: 1, Weight: w}}
		if w > 0.5 {
			influences[0], influences[1] = influences[1], influences[0]
		}
		got := f.Blend(skinning.DIB, influences, 0).Linear()
		want := geom.AxisAngle(mgl64.Vec3{1, 0, 0}, 2*float64(w)).Mat3()
		if d := skinningtest.MaxDiff(got[:], want[:]); !(d <= 1e-11) {
			t.Errorf("weight %g: off by %g", w, d)
		}
		linear := f.Blend(skinning.DQS, influences, 0).Linear()
		if d := skinningtest.MaxDiff(linear[:], want[:]); w != 0.5 && !(d > 1e-3) {
			t.Errorf("weight %g: the linear blend is not told apart (%g)", w, d)
		}
	}
}

// SBS: a pair of neighbours turns about the child; nearly parallel joints leave the centre where it is of minimum norm
// instead of throwing it away; and the centre of a triple solves the normal equations.
func TestRotationCenters(t *testing.T) {
	parallel := []geom.Affine{
		geom.IdentityAffine(),
		geom.NewAffine(geom.AxisAngle(mgl64.Vec3{0, 0, 1}, 5e-4).Mat3(), mgl64.Vec3{0.3, 0, 0}),
	}
	if c := skinning.RotationCenterOf([]uint16{0, 1}, parallel); !(c.Len() <= 1e-12) {
		t.Errorf("nearly parallel joints: centre %v, want the origin", c)
	}
	turned := []geom.Affine{
		geom.IdentityAffine(),
		geom.NewAffine(geom.AxisAngle(mgl64.Vec3{0, 0, 1}, 1).Mat3(), mgl64.Vec3{0.3, 0.1, 0.2}),
		geom.NewAffine(geom.AxisAngle(mgl64.Vec3{1, 0, 1}, 0.5).Mat3(), mgl64.Vec3{-0.1, 0.4, 0}),
	}
	joints := []uint16{0, 1, 2}
	c := skinning.RotationCenterOf(joints, turned)
	cost := func(p mgl64.Vec3) (sum float64) {
		for i := range joints {
			for k := i + 1; k < len(joints); k++ {
				d := turned[i].Apply(p).Sub(turned[k].Apply(p))
				sum += d.Dot(d)
			}
		}
		return sum
	}
	for k := range 3 { // the objective must not fall in any direction
		for _, h := range []float64{1e-4, -1e-4} {
			p := c
			p[k] += h
			if cost(p) < cost(c) {
				t.Errorf("centre %v: the objective falls along axis %d by %g", c, k, cost(c)-cost(p))
			}
		}
	}
}

// The closed form for two motions is a fixed point of DIB's iteration: Σ w·log(b̄·d) = 0, to float64.
func TestTwoMotionsInClosedForm(t *testing.T) {
	f := skinningtest.RandomFrame(skinningtest.RandomModel(10, 12, 2, 5), 6)
	for j := uint16(0); j+1 < 12; j++ {
		for _, w := range []float64{0.05, 0.3, 0.5} {
			shares := []skinning.Share{{Joint: j, Weight: 1 - w}, {Joint: j + 1, Weight: w}}
			b := f.BlendIterative(shares)
			var sum mgl64.Vec3
			for _, in := range shares {
				real, dual := b.Conjugate().Mul(f.Rigid()[in.Joint].Scale(f.Sign(j, in.Joint))).Log()
				sum = sum.Add(real.Mul(in.Weight)).Add(dual.Mul(in.Weight))
			}
			if !(sum.Len() <= 1e-12) {
				t.Errorf("joints %d and %d at %g: the mean is off by %g", j, j+1, w, sum.Len())
			}
		}
	}
}

// The intrinsic mean of three to five motions is a fixed point of DIB's iteration, Σ w·log(b̄·d) = 0 within 1e-11: the
// last step is below 1e-12, and a motion's dual part has the size of the model.
func TestIntrinsicMean(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for round := range 200 {
		angle := []float64{0.3, 1, 2}[round%3]
		f := skinningtest.RandomFrame(skinningtest.RandomModel(1, 5, 1, 9), 6)
		var shares []skinning.Share
		for j := range 3 + round%3 {
			axis := mgl64.Vec3{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}.Normalize()
			f.Rigid()[j] = geom.NewDualQuat(geom.AxisAngle(axis, angle*r.Float64()),
				mgl64.Vec3{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}.Mul(0.3))
			shares = append(shares, skinning.Share{Joint: uint16(j), Weight: 0.05 + r.Float64()})
		}
		total := 0.0
		for _, in := range shares {
			total += in.Weight
		}
		for k := range shares {
			shares[k].Weight /= total
		}
		b := f.BlendIterative(shares)
		var sumReal, sumDual mgl64.Vec3
		for _, in := range shares {
			real, dual := b.Conjugate().Mul(f.Rigid()[in.Joint].Scale(f.Sign(shares[0].Joint, in.Joint))).Log()
			sumReal, sumDual = sumReal.Add(real.Mul(in.Weight)), sumDual.Add(dual.Mul(in.Weight))
		}
		if off := math.Hypot(sumReal.Len(), sumDual.Len()); !(off <= 1e-11) {
			t.Errorf("%d motions of up to %g rad: the mean is off by %.3g", len(shares), angle, off)
		}
	}
}

// The centre that is solved for at once is the one by eigenvectors, down to directions so weak that these take over;
// and the sum over differences from the mean is that over all pairs.
func TestRotationCentersByBothWays(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	axis := func() mgl64.Vec3 { return mgl64.Vec3{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()} }
	joints := []uint16{0, 1, 2, 3, 4}
	for round := range 500 {
		angle := math.Pow(10, -4*r.Float64()) * math.Pi
		c := make([]geom.Affine, len(joints))
		one := axis()
		for j := range c {
			about := axis()
			if round%3 == 0 { // all about one axis
				about = one.Mul(1 + r.Float64())
				angle *= 0.8
			}
			c[j] = geom.NewAffine(geom.AxisAngle(about, angle).Mat3(), axis().Mul(0.1*angle))
		}
		some := joints[:2+round%4]
		normal, rhs := skinning.CenterEquations(some, c)
		got, want := skinning.RotationCenterOf(some, c), skinning.LeastCenter(&normal, rhs)
		// Rounding over the least share of an eigenvalue, 2e-6, and ten for what cofactors add.
		if d := got.Sub(want).Len(); !(d <= 1e-9*(1+want.Len())) {
			t.Fatalf("round %d: centre %v, by eigenvectors %v: %g apart", round, got, want, d)
		}
		sum := 0.0
		for i, a := range some {
			for _, b := range some[i+1:] {
				for k := 0; k < 12; k += 4 {
					d := c[a][k] - c[b][k]
					sum += d * d
				}
			}
		}
		if !(math.Abs(sum-normal[0]) <= 1e-14*float64(len(some)*len(some))) { // entries are at most 2
			t.Fatalf("round %d: Σ over pairs is %g, from the mean %g", round, sum, normal[0])
		}
	}
}

// A model with blend bones leaves its rotation centres until SBS asks; then they are those of a frame that never
// waited.
func TestCentersOfBlendBonesOnDemand(t *testing.T) {
	m := skinningtest.RandomModel(50, 6, 3, 4)
	fitted, err := rig.WithBlendBones(m, skinning.DQS, []rig.BlendBone{{Masters: []uint16{1, 2}, Weights: []float64{0.5, 0.5}}},
		m.Skin.Influences)
	if err != nil {
		t.Fatal(err)
	}
	want, got := skinningtest.RandomFrame(m, 3), skinningtest.RandomFrame(fitted, 3)
	a, b := want.Reference(skinning.SBS), got.Reference(skinning.SBS)
	for v := range a.Positions {
		if a.Positions[v] != b.Positions[v] {
			t.Fatalf("vertex %d: %v, without blend bones %v", v, b.Positions[v], a.Positions[v])
		}
	}
}
