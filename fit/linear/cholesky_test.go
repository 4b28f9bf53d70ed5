package linear

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// definite returns a random A = BᵀB + I/10, row-major; the answers of its systems grow by no more than 10.
func definite(r *rand.Rand, n int) []float64 {
	b, a := make([]float64, n*n), make([]float64, n*n)
	for i := range b {
		b[i] = r.NormFloat64()
	}
	for i := range n {
		for j := range n {
			for k := range n {
				a[i*n+j] += b[k*n+i] * b[k*n+j]
			}
		}
		a[i*n+i] += 0.1
	}
	return a
}

// TestSolve multiplies the answer back: within 1e-11 of the right side, whose entries are about 1; A's are up to 100
// and the answer's up to 10, so that rounding is about 1e-13.
func TestSolve(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := 1; n <= 40; n++ {
		a := definite(r, n)
		l, b := append([]float64(nil), a...), make([]float64, n)
		for i := range b {
			b[i] = r.NormFloat64()
			for j := i + 1; j < n; j++ {
				l[i*n+j] = math.NaN() // not read
			}
		}
		x := append([]float64(nil), b...)
		if !Cholesky(l, n, 0) {
			t.Fatalf("n = %d: not definite", n)
		}
		Solve(l, n, x)
		for i := range n {
			sum := -b[i]
			for j := range n {
				sum += a[i*n+j] * x[j]
			}
			if !(math.Abs(sum) <= 1e-11) {
				t.Errorf("n = %d: row %d is off by %g", n, i, sum)
			}
		}
	}
}

// TestNotDefinite: pivots that are not above the bound are raised to it, and numbers that are none stay none.
func TestNotDefinite(t *testing.T) {
	a := []float64{4, 0, 2, 1} // the second pivot is 1 − 2·2/4 = 0
	if Cholesky(a, 2, 0.25) {
		t.Error("a singular matrix is definite")
	}
	if a[0] != 1./2 || a[2] != 1 || a[3] != 1/math.Sqrt(0.25) {
		t.Errorf("the factor is %v, expected the second pivot to be 0.25", a)
	}
	a = []float64{4, 0, math.NaN(), 1}
	if Cholesky(a, 2, 0.25) || !math.IsNaN(a[3]) {
		t.Errorf("NaN gives the factor %v", a)
	}
}

func BenchmarkCholesky(b *testing.B) {
	for _, n := range []int{4, 7, 38} {
		a := definite(rand.New(rand.NewPCG(1, 2)), n)
		l, x := make([]float64, n*n), make([]float64, n)
		b.Run(fmt.Sprintf("linear/n=%d", n), func(b *testing.B) {
			for b.Loop() {
				copy(l, a)
				Cholesky(l, n, 0)
				x[0] = 1
				Solve(l, n, x)
			}
		})
		b.Run(fmt.Sprintf("gonum/n=%d", n), func(b *testing.B) {
			s := mat.NewSymDense(n, append([]float64(nil), a...))
			right, out := mat.NewVecDense(n, x), mat.NewVecDense(n, nil)
			var c mat.Cholesky
			for b.Loop() {
				x[0] = 1
				if !c.Factorize(s) || c.SolveVecTo(out, right) != nil {
					b.Fatal("not definite")
				}
			}
		})
	}
}
