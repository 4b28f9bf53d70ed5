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

// Evaluate gives what the twin, Phi, does, for masters turned against each other by anything from nothing to half a
// turn, scaled, reflected, in one hemisphere or two, of some weight or none.
func TestEvaluateMatchesPhi(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	evaluated := 0
	for round := range 3000 {
		m := skinningtest.RandomModel(1, 6, 1, uint64(round%7))
		p := m.NewPose()
		angle := []float64{0, 1e-9, 1e-4, 0.3, 1, 2, math.Pi}[round%7]
		for i := range p.Local {
			axis := mgl64.Vec3{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
			p.Local[i].Rotation = geom.AxisAngle(axis, angle*(2*r.Float64()-1))
			if round%3 == 1 {
				p.Local[i].Scale = mgl64.Vec3{0.8 + r.Float64(), 0.8 + r.Float64(), 0.8 + r.Float64()}
			}
			if round%12 == 1 {
				p.Local[i].Scale[1] *= -1
			}
		}
		f := skinning.NewFrame(m, nil)
		f.SetPose(p)
		for j := range f.Rigid() {
			if round%5 == 3 && j%2 == 1 {
				f.Rigid()[j] = f.Rigid()[j].Scale(-1)
			}
		}
		joints := [][]uint16{{2}, {1, 2}, {0, 4}, {0, 2, 5}, {1, 2, 3, 4}, {0, 1, 2, 3, 4, 5}}[r.IntN(6)]
		u, sum := make([]float64, len(joints)), 0.0
		for k := range u {
			u[k] = r.Float64()
			if k > 0 && r.IntN(8) == 0 {
				u[k] = 0
			}
			sum += u[k]
		}
		var shares []skinning.Share
		most := 0
		for k := range u {
			u[k] /= sum
			shares = append(shares, skinning.Share{Joint: joints[k], Weight: u[k]})
			if u[k] > u[most] {
				most = k
			}
		}
		shares[0], shares[most] = shares[most], shares[0]
		center := f.RotationCenter(joints)
		for _, method := range skinning.Methods() {
			got, want := f.Evaluate(method, joints, u), f.Phi(method, shares, center)
			// The chain is a metre long and grows by the scales; a rotation centre may be far.
			size := 1 + center.Len()
			for _, j := range joints {
				size = max(size, f.Matrices[j].Translation().Len())
			}
			limit := 1e-14 * size
			if method == skinning.DIB {
				limit = 1e-9 * size // see blendTolerance
				if f.IsEvaluated(joints, u) {
					evaluated++
				}
			}
			if d := skinningtest.MaxDiff(got[:], want[:]); !(d <= limit) {
				t.Fatalf("round %d, %v of %v by %v: off by %g of %g", round, method, joints, u, d, size)
			}
		}
	}
	// Only masters turned far from each other are left to the twin.
	if evaluated < 2000 {
		t.Errorf("of 3000 means %d were evaluated without the twin", evaluated)
	}
}
