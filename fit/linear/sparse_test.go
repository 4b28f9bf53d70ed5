package linear

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// TestSparseCholesky holds the factor against gonum's dense one on random graphs of several parts, of 1 to 60 vertices:
// a graph's Laplacian plus a diagonal. Within 1e-10 of the solution, whose condition is below 1e3.
func TestSparseCholesky(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 5))
	for n := 1; n <= 60; n++ {
		var entries []Entry
		dense := mat.NewSymDense(n, nil)
		add := func(i, j int, v float64) {
			if rng.IntN(2) == 0 {
				i, j = j, i // an entry may be on either side
			}
			entries = append(entries, Entry{i, j, v})
			dense.SetSym(i, j, dense.At(i, j)+v)
		}
		for i := range n {
			add(i, i, 0.5)
		}
		for range 2 * n {
			i, j := rng.IntN(n), rng.IntN(n)
			if i == j || i%2 != j%2 { // two parts at least
				continue
			}
			w := rng.Float64()
			add(i, i, w)
			add(j, j, w)
			add(i, j, -w)
		}
		c, definite := NewSparseCholesky(n, entries)
		if !definite {
			t.Fatalf("%d unknowns: not definite", n)
		}
		b := make([]float64, n)
		for i := range b {
			b[i] = rng.NormFloat64()
		}
		var factor mat.Cholesky
		want := mat.NewVecDense(n, nil)
		if !factor.Factorize(dense) || factor.SolveVecTo(want, mat.NewVecDense(n, append([]float64(nil), b...))) != nil {
			t.Fatal("the dense matrix is not definite")
		}
		c.Solve(b, make([]float64, n))
		for i, v := range b {
			if !(math.Abs(v-want.AtVec(i)) <= 1e-10) {
				t.Fatalf("%d unknowns: number %d is %g, expected %g", n, i, v, want.AtVec(i))
			}
		}
	}
	if _, definite := NewSparseCholesky(2, []Entry{{0, 0, 1}, {1, 1, 1}, {1, 0, -2}}); definite {
		t.Error("a matrix with a negative eigenvalue is definite")
	}
}
