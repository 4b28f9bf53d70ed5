package kernel_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/internal/skinningtest"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/kernel"
	"skinlab/skinning/simd"
)

// randomMotions gives every joint of a frame a motion of its own, turned by up to angle radians, and no scale.
func randomMotions(f *skinning.Frame, r *rand.Rand, angle float64) {
	rigid, scale := f.Rigid(), f.Scale()
	for j := range rigid {
		axis := mgl64.Vec3{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
		q := geom.AxisAngle(axis, angle*(2*r.Float64()-1))
		if r.IntN(2) == 0 {
			q = q.Scale(-1)
		}
		rigid[j] = geom.NewDualQuat(q, mgl64.Vec3{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}.Mul(0.3))
		scale[j] = geom.IdentityAffine()
	}
	p := f.Float32(skinning.RigidParts | skinning.Scales)
	p.SetRigid(rigid, false)
	p.SetScales(scale)
}

// The kernels' Newton iteration in float32, rotation first, ends where the twin's over dual numbers in float64 does:
// for motions up to a right angle apart from the pivot, past which a mean of several need not be the only one.
func TestIntrinsicMeanKernel(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, angle := range []float64{0, 1e-4, 0.01, 0.5, 1.5, math.Pi / 2} {
		for influences := 1; influences <= 6; influences++ {
			m := skinningtest.RandomModel(300, 6, influences, 9)
			f := skinningtest.RandomFrame(m, 6)
			randomMotions(f, r, angle)
			for _, level := range simd.Levels() {
				out := poseIn(offsetMemory(0), f, skinning.DIB, level, true)
				// Of the diagonal, and in radians: the rounding of some thirty operations.
				position, turn := deviation(m, &out, f.Reference(skinning.DIB))
				if !(position <= kernelTolerance) || !(turn <= 2e-6) {
					t.Errorf("%v: %d motions turned by up to %g rad: positions off by %.3g of the diagonal, normals by %.3g rad",
						level, influences, angle, position, turn)
				}
			}
		}
	}
}

// Motions whose mean is undefined, opposite quaternions of an unrolled clip, give numbers.
func TestIntrinsicMeanOfOpposites(t *testing.T) {
	m := skinningtest.RandomModel(300, 6, 3, 9)
	f := skinningtest.RandomFrame(m, 6)
	randomMotions(f, rand.New(rand.NewPCG(7, 9)), 2)
	for j := 1; j < 6; j++ {
		f.Rigid()[j] = f.Rigid()[j-1].Scale(-1)
	}
	f.Float32(skinning.RigidParts).SetRigid(f.Rigid(), true)
	for _, weights := range [][4]float32{{0.4, 0.35, 0.25, 0}, {0.5, 0.25, 0.25, 0}, {0.5, 0.5, 0, 0}} {
		for v := range m.Skin.Bindings {
			m.Skin.Bindings[v].Weights = weights
		}
		for _, level := range simd.Levels() {
			for _, method := range []skinning.Method{skinning.DQS, skinning.SDQS, skinning.DIB} {
				out := poseIn(offsetMemory(0), f, method, level, true)
				for v, p := range out.Positions {
					for k, x := range p {
						// Metres, of a model of 2; normals' coordinates are below 1.
						if !(math.Abs(float64(x)) <= 1e6) || !(math.Abs(float64(out.Normals[v][k])) <= 2) {
							t.Fatalf("%v/%v: weights %v: vertex %d at %v, normal %v", level, method, weights, v, p, out.Normals[v])
						}
					}
				}
			}
		}
	}
}

// κ and γ of every cosine down to −0.9, in fractions of themselves: rounding allows κ 3e-7 and γ 2e-6, of which 1.1e-6
// is the polynomials'. Past a right angle γ is a difference, which costs it a digit.
func TestLogarithmRatio(t *testing.T) {
	for i := range 19_000 {
		c := float32(1 - 1e-4*float64(i))
		y := 1 - float64(c)
		kappa := math.Acos(float64(c)) / math.Sqrt(y*(2-y))
		gamma := (1 - float64(c)*kappa) / (y * (2 - y))
		if y < 0.1 { // where these are 0/0: their power series, κ = Σ a_n·yⁿ with a_n = a_{n−1}·n/(2n+1), and γ its derivative
			kappa, gamma = 0, 0
			for n, a, power := 0, 1., 1.; n < 30; n++ {
				kappa += a * power
				a *= float64(n+1) / float64(2*n+3)
				gamma += float64(n+1) * a * power
				power *= y
			}
		}
		k, g := kernel.LogarithmRatio(c, float32(1-float64(c)*float64(c)))
		loose := 1.
		if c < 0 {
			loose = 10
		}
		if d := math.Abs(float64(k)/kappa - 1); !(d <= 3e-7*loose) {
			t.Fatalf("cosine %g: κ is %g, expected %g: off by %.2g", c, k, kappa, d)
		}
		if d := math.Abs(float64(g)/gamma - 1); !(d <= 2e-6*loose) {
			t.Fatalf("cosine %g: γ is %g, expected %g: off by %.2g", c, g, gamma, d)
		}
	}
}
