package helperbones

import (
	"math"
	"math/rand/v2"
	"testing"
)

// randomLasso makes a problem of n random rows and p standardised variables; some are nearly the same.
func randomLasso(r *rand.Rand, n, p int) (l *lasso, b []float64) {
	x := make([][]float64, p)
	for j := range x {
		x[j] = make([]float64, n)
		for i := range x[j] {
			x[j][i] = r.NormFloat64()
			if j > 0 && j%3 == 0 {
				x[j][i] = x[j-1][i] + 0.3*x[j][i]
			}
		}
		length := 0.0
		for _, v := range x[j] {
			length += v * v
		}
		for i := range x[j] {
			x[j][i] /= math.Sqrt(length)
		}
	}
	l = &lasso{gram: make([]float64, p*p)}
	b = make([]float64, p)
	y := make([]float64, n)
	for i := range y {
		y[i] = r.NormFloat64()
	}
	for j := range x {
		for i, v := range x[j] {
			b[j] += v * y[i]
		}
		for k := range x {
			for i, v := range x[j] {
				l.gram[j*p+k] += v * x[k][i]
			}
		}
	}
	return l, b
}

// The Lasso's conditions of Karush, Kuhn and Tucker: b − Gθ is λ·sign θ where θ is not 0, and within
// ±λ elsewhere. The tolerance is that of the descent, for coordinates of unit diagonal.
func TestLassoKKT(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		n, p := 5+r.IntN(40), 1+r.IntN(30)
		l, b := randomLasso(r, n, p)
		theta, gradient := make([]float64, p), make([]float64, p)
		most := l.largest(b)
		steps := 12 // to 0.004 of the largest λ
		if n < 2*p {
			steps = 6 // to 0.08: further down the descent slows, and other sets of variables explain noise as well
		}
		for step := range steps {
			lambda := most * math.Pow(0.6, float64(step))
			l.descend(b, lambda, theta, gradient)
			for j := range theta {
				g := b[j]
				for k, v := range theta {
					g -= l.gram[j*p+k] * v
				}
				limit := lambda
				off := max(0, math.Abs(g)-limit)
				if theta[j] != 0 {
					off = math.Abs(g - math.Copysign(limit, theta[j]))
				}
				if !(off <= 1e-4*most) { // p coordinates of 1e-6 each, and what their sums amplify
					t.Fatalf("%d rows, %d variables, λ %g of the largest: θ_%d = %g, gradient %g, limit %g",
						n, p, lambda/most, j, theta[j], g, limit)
				}
				if step == 0 && theta[j] != 0 {
					t.Fatalf("at the largest λ θ_%d = %g, expected 0", j, theta[j])
				}
			}
		}
	}
}

func TestPowersOf(t *testing.T) {
	for _, c := range []struct{ variables, degree, count int }{{3, 1, 3}, {3, 2, 9}, {3, 3, 19}, {1, 3, 3}, {2, 2, 5}} {
		if got := len(powersOf(c.variables, c.degree)); got != c.count { // C(n+P, P) − 1 (HBR section 5.3)
			t.Errorf("%d variables, degree %d: %d monomials, expected %d", c.variables, c.degree, got, c.count)
		}
	}
}
