package linear

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"
)

// Conjugate gradients end at the solution that Cholesky finds, after as many iterations as there are unknowns at most,
// but for rounding: 1e-8 of numbers near 1.
func TestConjugateGradients(t *testing.T) {
	const n = 12
	rng := rand.New(rand.NewPCG(1, 1))
	var root, a [n * n]float64
	for i := range root {
		root[i] = rng.NormFloat64()
	}
	b := make([]float64, n)
	for i := range n {
		b[i] = rng.NormFloat64()
		a[i*n+i] = 1
		for k := range n {
			for l := range n {
				a[i*n+k] += root[i*n+l] * root[k*n+l]
			}
		}
	}
	times := func(out, in []float64) {
		for i := range out {
			out[i] = 0
			for k, x := range in {
				out[i] += a[i*n+k] * x
			}
		}
	}
	precondition := func(out, in []float64) {
		for i := range out {
			out[i] = in[i] / a[i*n+i]
		}
	}
	want := append([]float64(nil), b...)
	got := ConjugateGradients(context.Background(), b, times, precondition, 1e-12, 3*n)
	Cholesky(a[:], n, 0)
	Solve(a[:], n, want)
	for i := range want {
		if !(math.Abs(got[i]-want[i]) <= 1e-8) {
			t.Errorf("unknown %d: %g, expected %g", i, got[i], want[i])
		}
	}
}
