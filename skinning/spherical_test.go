package skinning_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/internal/skinningtest"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// The Q of SBS is their normalised sum and that of DIB the true spherical average. Of two rotations p and q, they turn
// p about one axis, by angles that are less than 8.15 degrees apart: 2·d(t) with d(t) = atan(t/(1 − t)) − t·π/2, whose
// extremes are at t = 1/2 ± √(1/π − 1/4) and a half turn from p to q (SBS section 4.1).
func TestSumOfTwoRotations(t *testing.T) {
	m := twoJoints()
	// apart returns the rotation vectors from p to both, where q is by angle about axis from p.
	apart := func(p geom.Quat, axis mgl64.Vec3, angle, at float64) (sum, average mgl64.Vec3) {
		pose := m.NewPose()
		pose.Local[0].Rotation, pose.Local[1].Rotation = p, geom.AxisAngle(axis, angle)
		f := skinning.NewFrame(m, nil)
		f.SetPose(pose)
		shares := []skinning.Share{{Joint: 0, Weight: 1 - at}, {Joint: 1, Weight: at}}
		from := func(method skinning.Method) mgl64.Vec3 {
			q := p.Conjugate().Mul(geom.QuatFromMat3(f.Phi(method, shares, mgl64.Vec3{1, 0, 0}).Linear()))
			if q[3] < 0 {
				q = q.Scale(-1)
			}
			return q.Log().Mul(2)
		}
		return from(skinning.SBS), from(skinning.DIB)
	}
	worst := 0.5 + math.Sqrt(1/math.Pi-0.25)
	bound := 2 * (math.Atan(worst/(1-worst)) - worst*math.Pi/2)
	if degrees := bound * 180 / math.Pi; !(math.Abs(degrees-8.15) <= 0.005) { // as the paper rounds it
		t.Errorf("the bound is %g degrees", degrees)
	}
	sum, average := apart(geom.IdentityQuat(), mgl64.Vec3{0, 1, 0}, math.Pi-1e-5, worst)
	if d := math.Abs(sum.Len() - average.Len()); !(math.Abs(d-bound) <= 1e-4) { // radians: 1e-5 short of a half turn
		t.Errorf("%g radians apart where they are the most, expected %g", d, bound)
	}
	r := rand.New(rand.NewPCG(41, 8))
	for range 2000 {
		p := geom.Quat{r.NormFloat64(), r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}.Normalize()
		axis := mgl64.Vec3{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}.Normalize()
		sum, average := apart(p, axis, math.Pi*r.Float64(), r.Float64())
		if d := math.Abs(sum.Len() - average.Len()); !(d < bound) {
			t.Errorf("%g radians apart, more than %g", d, bound)
		}
		// Both along the axis, within float64's rounding of a rotation near a half turn.
		if off := max(sum.Cross(axis).Len(), average.Cross(axis).Len()); !(off <= 1e-7) {
			t.Errorf("off the axis by %g radians", off)
		}
	}
}

// Linear blending is equation 9 of SBS with the weighted sum of the matrices' linear parts for Q, about any centre (SBS
// section 4.2).
func TestLinearBlendingIsEquation9(t *testing.T) {
	m := skinningtest.RandomModel(40, 9, 4, 7)
	r := rand.New(rand.NewPCG(9, 9))
	f := skinningtest.RandomFrame(m, 3)
	for v := range m.Skin.Positions {
		var shares []skinning.Share
		var q geom.Mat3
		rest := 1.0 // of the weights, whose float32 sum to 1 within 1e-7
		for k, in := range m.Skin.Of(nil, v) {
			w := float64(in.Weight)
			rest -= w
			if k == 3 {
				w += rest
			}
			shares = append(shares, skinning.Share{Joint: in.Joint, Weight: w})
			for k, x := range f.Matrices[in.Joint].Linear() {
				q[k] += w * x
			}
		}
		center := mgl64.Vec3{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}.Mul(5)
		got, want := f.AboutCenter(q, shares, center), f.Phi(skinning.LBS, shares, center)
		if d := skinningtest.MaxDiff(got[:], want[:]); !(d <= 1e-13) { // metres: rounding of a centre 5 m off
			t.Fatalf("vertex %d: off by %g", v, d)
		}
	}
}
