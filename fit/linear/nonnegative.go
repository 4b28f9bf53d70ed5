package linear

import (
	"fmt"
	"math"
)

// NonNegative is NNLS, the non-negative least squares of Lawson and Hanson 1974, on the normal equations. It holds
// scratch memory, so that solving allocates nothing once warm. The zero value is ready. Only one goroutine may use it.
type NonNegative struct {
	passive []int // the unknowns that are not held at zero
	factor  []float64
	y       []float64
}

// nonNegativeRidge is added to the diagonal, relative to its largest entry: columns that are alike make H singular.
const nonNegativeRidge = 1e-13

// Minimize finds x ≥ 0 that minimises xᵀHx − 2gᵀx. H is symmetric positive semidefinite, n×n, row-major. The unknown
// that is freed next is the one along which the objective falls most steeply.
func (s *NonNegative) Minimize(h []float64, n int, g, x []float64) {
	if len(h) != n*n || len(g) != n || len(x) != n {
		panic(fmt.Sprintf("linear: NonNegative: n = %d, %d entries, %d slopes, %d unknowns", n, len(h), len(g), len(x)))
	}
	clear(x)
	s.passive = s.passive[:0]
	scale := 0.0
	for i := range n {
		scale = max(scale, h[i*n+i])
	}
	for range 10 * n {
		enter, most := -1, 1e-12*scale
		for j := range n {
			if x[j] > 0 {
				continue
			}
			fall := g[j]
			for _, i := range s.passive {
				fall -= h[j*n+i] * x[i]
			}
			if fall > most {
				enter, most = j, fall
			}
		}
		if enter < 0 {
			return
		}
		s.passive = append(s.passive, enter)
		s.descend(h, n, g, x, nonNegativeRidge*scale)
		if x[enter] == 0 { // a step of length zero, by rounding
			return
		}
	}
}

// descend moves x to the minimum over its passive unknowns, and holds those at zero that would become negative.
func (s *NonNegative) descend(h []float64, n int, g, x []float64, ridge float64) {
	for len(s.passive) > 0 {
		m := len(s.passive)
		s.factor, s.y = append(s.factor[:0], make([]float64, m*m)...), s.y[:0]
		for a, i := range s.passive {
			for b, j := range s.passive[:a+1] {
				s.factor[a*m+b] = h[i*n+j]
			}
			s.factor[a*m+a] += ridge
			s.y = append(s.y, g[i])
		}
		Cholesky(s.factor, m, ridge)
		Solve(s.factor, m, s.y)
		step := 1.0
		for k, i := range s.passive {
			if !(s.y[k] > 0) {
				step = math.Min(step, x[i]/(x[i]-s.y[k]))
			}
		}
		if !(step >= 0) { // 0/0: the entering unknown would become negative
			step = 0
		}
		kept := s.passive[:0]
		for k, i := range s.passive {
			x[i] += step * (s.y[k] - x[i])
			if step == 1 || s.y[k] > 0 || x[i] > 1e-15 {
				kept = append(kept, i)
			} else {
				x[i] = 0
			}
		}
		s.passive = kept
		if step == 1 {
			return
		}
	}
}
