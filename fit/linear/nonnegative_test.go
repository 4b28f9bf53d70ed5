package linear

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The conditions of Karush, Kuhn and Tucker: x ≥ 0, the slope g − Hx is zero where x is positive and not positive where
// x is zero. Half of the problems have two columns that are alike. 1e-7 of the largest slope: the ridge of 1e-13 over
// the smallest pivots.
func TestNonNegative(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var s NonNegative
	held := 0
	for round := range 400 {
		rows, n := 12, 2+round%7
		a, b := make([]float64, rows*n), make([]float64, rows)
		for i := range a {
			a[i] = rng.NormFloat64()
		}
		for r := range b {
			b[r] = rng.NormFloat64()
			if round%2 == 0 {
				a[r*n+1] = a[r*n] * (1 + 1e-6*rng.NormFloat64())
			}
		}
		h, g, x := make([]float64, n*n), make([]float64, n), make([]float64, n)
		most := 0.0
		for i := range n {
			for r := range rows {
				g[i] += a[r*n+i] * b[r]
				for j := range n {
					h[i*n+j] += a[r*n+i] * a[r*n+j]
				}
			}
			most = math.Max(most, math.Abs(g[i]))
		}
		s.Minimize(h, n, g, x)
		for i := range n {
			slope := g[i]
			for j := range n {
				slope -= h[i*n+j] * x[j]
			}
			if x[i] == 0 {
				held++
			}
			if !(x[i] >= 0) || !(slope <= 1e-7*most) || x[i] > 0 && !(slope >= -1e-7*most) {
				t.Fatalf("round %d: x_%d = %g, slope %g", round, i, x[i], slope)
			}
		}
	}
	if held == 0 {
		t.Error("no unknown is held at zero: the problems do not test it")
	}
}
