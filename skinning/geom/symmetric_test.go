package geom

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// symmetricOf returns a random symmetric matrix with entries of about 1, and the identity.
func symmetricOf(r *rand.Rand, n int) (a, v []float64) {
	a, v = make([]float64, n*n), make([]float64, n*n)
	for i := range n {
		v[i*n+i] = 1
		for j := range i + 1 {
			x := r.NormFloat64()
			a[i*n+j], a[j*n+i] = x, x
		}
	}
	return a, v
}

// TestDiagonalize composes V·D·Vᵀ again and multiplies VᵀV. Tolerances: hundreds of roundings of entries, of a up to 16
// and of V up to 1.
func TestDiagonalize(t *testing.T) {
	const tolerance = 1e-13 // of V
	r := rand.New(rand.NewPCG(5, 6))
	for trial := range 400 {
		n := 3 + trial%2
		a, v := symmetricOf(r, n)
		switch trial % 5 {
		case 3: // of rank 1
			for i := range n {
				for j := range n {
					a[i*n+j] = float64(i+1) * float64(j+1)
				}
			}
		case 4: // nothing on the diagonal
			for i := range n {
				a[i*n+i] = 0
			}
		}
		d := append([]float64(nil), a...)
		for i := range n {
			for j := range i {
				d[i*n+j] = math.NaN() // not read
			}
		}
		Diagonalize(d, v, n, 1e-17)
		for i := range n {
			for j := range n {
				sum, unit := -a[i*n+j], 0.0
				if i == j {
					unit = -1
				}
				for k := range n {
					sum += v[i*n+k] * d[k*n+k] * v[j*n+k]
					unit += v[k*n+i] * v[k*n+j]
				}
				if !(math.Abs(sum) <= tolerance*16 && math.Abs(unit) <= tolerance) {
					t.Fatalf("trial %d: entry %d, %d of V·D·Vᵀ is off by %g, of VᵀV by %g", trial, i, j, sum, unit)
				}
			}
		}
	}
}

// TestDiagonalizeKeeps: entries within the tolerance stay, and V does not move.
func TestDiagonalizeKeeps(t *testing.T) {
	a, v := []float64{1, 1e-10, 0, 0, 1, 0, 0, 0, 1}, []float64{1, 0, 0, 0, 1, 0, 0, 0, 1}
	Diagonalize(a, v, 3, 1e-9)
	if a[1] != 1e-10 || v[0] != 1 || v[1] != 0 {
		t.Errorf("a is %v, v is %v", a, v)
	}
}

func BenchmarkDiagonalize(b *testing.B) {
	for _, n := range []int{3, 4} {
		a, v := symmetricOf(rand.New(rand.NewPCG(7, 8)), n)
		d, to := make([]float64, n*n), make([]float64, n*n)
		b.Run(fmt.Sprintf("jacobi/n=%d", n), func(b *testing.B) {
			for b.Loop() {
				copy(d, a)
				copy(to, v)
				Diagonalize(d, to, n, 1e-17)
			}
		})
		b.Run(fmt.Sprintf("gonum/n=%d", n), func(b *testing.B) {
			s := mat.NewSymDense(n, a)
			var e mat.EigenSym
			var out mat.Dense
			for b.Loop() {
				if !e.Factorize(s, true) {
					b.Fatal("it does not converge")
				}
				e.VectorsTo(&out)
			}
		})
	}
}
