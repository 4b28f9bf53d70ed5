package ssdr

import (
	"math"
	"testing"

	"skinlab/fit/linear"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// TestSums: what moving all helper bones changes of the squared error is what the sums say, to rounding.
func TestSums(t *testing.T) {
	p, rng := random(9, 2, 2, 5, false)
	for k := range p.weights {
		w := [3]float64{rng.Float64() / 3, rng.Float64() / 3, rng.Float64() / 3}
		p.weights[k] = []skinning.Share{{Joint: 0, Weight: w[0]}, {Joint: 1, Weight: w[1]}, {Joint: 2, Weight: w[2]},
			{Joint: 3, Weight: 1 - w[0] - w[1] - w[2]}}
	}
	p.measure()
	moments := p.Moments()
	left := p.Residuals(moments)
	cost := func() (sum float64) {
		own := p.Bones()[2:]
		for n := range left {
			for h := range own {
				sum -= 2 * left[n][h].Dot(&own[h][n])
				for i := range own {
					sum += linear.Inner(&own[h][n], &own[i][n], &moments[h][2+i])
				}
			}
		}
		return sum
	}
	before, told := p.squareError(), cost()
	moved := make([][]geom.Affine, 2)
	for h := range moved {
		for range left {
			moved[h] = append(moved[h], turned(rng, rng.Float64(), 0.5))
		}
	}
	p.Move(moved)
	after := p.squareError()
	if got, want := cost()-told, after-before; !(math.Abs(want) > 1e-3*before) || !(math.Abs(got-want) <= 1e-9*before) {
		t.Errorf("the squared error goes from %g to %g m², the sums say by %g", before, after, got)
	}
}

// TestSolverStart: a solver that starts from a decomposition is at its motions, weights and error, to rounding.
func TestSolverStart(t *testing.T) {
	x, weights, motions := knownBones(2, 2, 6)
	s, err := NewSolver(x, Options{Start: &Decomposition{Weights: weights, Motions: motions}})
	if err != nil {
		t.Fatal(err)
	}
	if e := s.RMS(); !(e <= 1e-8) { // metres: sums of squares lose half of the digits
		t.Errorf("the truth has %g m", e)
	}
	now := s.Current()
	if e := x.RMS(now.Weights, now.Motions); !(e <= 1e-9) { // metres
		t.Errorf("weights and motions have %g m", e)
	}
}
