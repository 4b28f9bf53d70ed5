// Package simplex minimises convex quadratics over the unit simplex. That is the exact form of the weight problems of
// skinning, whose weights are non-negative and sum to 1.
//
// The algorithm is a primal active set method: NNLS of Lawson and Hanson 1974, with the sum kept exactly (compare Wolfe
// 1976 for the minimum norm point). ALNS equation (5) has a soft row for the sum instead. On vertex problems the soft
// row raises the squared error by about 1 % (TestExactAgainstSoftConstraint logs it). Problems are small, a handful of
// weights.
package simplex

import (
	"fmt"
	"math"

	"skinlab/fit/linear"
)

// Solver holds scratch memory, so that solving allocates nothing once warm. The zero value is ready. Only one goroutine
// may use it.
type Solver struct {
	// Fill is called with an index before its row of Q is read, maybe more than once; nil where Q is whole. Few of
	// many unknowns are ever above 0, and the rows of others are never read, but for the diagonal, which must always
	// be there.
	Fill func(i int)

	support  []int     // indices with x > 0 or about to be
	solved   bool      // factor, y, total and added are those of the support
	factor   []float64 // of Q over the support, by [linear.Cholesky]
	y        []float64 // the minimiser over the affine hull of the support
	total    float64   // 1/yᵀQy, with the ridge
	added    float64   // the ridge
	inverse  []float64 // a column of the factor's inverse
	gradient []float64 // Qx, see evaluate
	old      []float64 // x before an exchange
}

// ridge is added to the diagonal, relative to its mean. Bones that move alike make Q singular, and then any split of
// weight between them is equally good.
const ridge = 1e-13

// Minimize finds x ≥ 0 with Σx = 1 that minimises xᵀQx, and returns xᵀQx. Q is symmetric positive semidefinite, n×n,
// row-major. X has length n and holds the answer on return. If x is feasible on entry it is the start; otherwise the
// best vertex of the simplex is.
func (s *Solver) Minimize(q []float64, n int, x []float64) float64 {
	if len(q) != n*n || len(x) != n || n == 0 {
		panic(fmt.Sprintf("simplex: Minimize: n = %d, %d entries, %d unknowns", n, len(q), len(x)))
	}
	s.start(q, n, x)
	return s.descend(q, n, x)
}

// Hold adds hold·‖x − to‖² to xᵀQx over the simplex: where Σx = 1, that is hold·xᵀ(I − to·1ᵀ − 1·toᵀ + ‖to‖²·1·1ᵀ)x.
func Hold(q []float64, n int, to []float64, hold float64) {
	if len(q) != n*n || len(to) != n {
		panic(fmt.Sprintf("simplex: Hold: n = %d, %d entries, %d unknowns", n, len(q), len(to)))
	}
	square := 0.0
	for _, w := range to {
		square += w * w
	}
	for a := range n {
		for b := range n {
			q[a*n+b] += hold * (square - to[a] - to[b])
		}
		q[a*n+a] += hold
	}
}

// start fills the support from x, or from the vertex of least cost where x is not feasible.
func (s *Solver) start(q []float64, n int, x []float64) {
	s.support, s.solved = s.support[:0], false
	sum := 0.0
	for i, v := range x {
		if !(v >= 0) {
			sum = math.NaN()
			break
		}
		if v > 0 {
			s.enter(i)
			sum += v
		}
	}
	if math.Abs(sum-1) < 1e-6 {
		for _, i := range s.support {
			x[i] /= sum
		}
		return
	}
	best := 0
	for i := range n {
		x[i] = 0
		if q[i*n+i] < q[best*n+best] {
			best = i
		}
	}
	x[best] = 1
	s.support = s.support[:0]
	s.enter(best)
}

// enter appends an index to the support.
func (s *Solver) enter(i int) {
	if s.Fill != nil {
		s.Fill(i)
	}
	s.support, s.solved = append(s.support, i), false
}

// descend runs the active set method from a feasible x whose support is s.support.
func (s *Solver) descend(q []float64, n int, x []float64) float64 {
	scale := 0.0
	for i := range n {
		scale = math.Max(scale, q[i*n+i])
	}
	s.gradient = linear.Resize(s.gradient, n)
	s.equality(q, n, x)
	for range 10 * n {
		f := s.evaluate(q, n, x)
		// Optimal where no direction e_j − x descends: (Qx)_j ≥ xᵀQx.
		enter, slack := -1, 1e-12*scale+1e-9*f
		for j := range n {
			if x[j] == 0 && f-s.gradient[j] > slack {
				enter, slack = j, f-s.gradient[j]
			}
		}
		if enter < 0 {
			return f
		}
		s.enter(enter)
		s.equality(q, n, x)
		if x[enter] == 0 { // a step of length zero, by rounding
			return s.evaluate(q, n, x)
		}
	}
	return s.evaluate(q, n, x)
}

// evaluate sets the gradient Qx and returns xᵀQx.
func (s *Solver) evaluate(q []float64, n int, x []float64) (f float64) {
	clear(s.gradient)
	for _, i := range s.support {
		row, xi := q[i*n:(i+1)*n], x[i]
		for j, a := range row {
			s.gradient[j] += a * xi
		}
	}
	for _, i := range s.support {
		f += x[i] * s.gradient[i]
	}
	return math.Max(f, 0)
}

// equality moves x to the minimum over the affine hull of its support. It drops weights that would become negative.
func (s *Solver) equality(q []float64, n int, x []float64) {
	for len(s.support) > 1 {
		if !s.solve(q, n) {
			s.dropSmallest(x)
			continue
		}
		step := 1.0
		for k, i := range s.support {
			if s.y[k] <= 0 {
				step = math.Min(step, x[i]/(x[i]-s.y[k]))
			}
		}
		if math.IsNaN(step) { // 0/0: the entering weight is zero and would decrease
			step = 0
		}
		kept := s.support[:0]
		sum := 0.0
		for k, i := range s.support {
			v := x[i] + step*(s.y[k]-x[i])
			if v <= 1e-14 {
				x[i] = 0
				continue
			}
			x[i] = v
			sum += v
			kept = append(kept, i)
		}
		s.solved = len(kept) == len(s.support)
		s.support = kept
		for _, i := range s.support {
			x[i] /= sum
		}
		if step == 1 {
			return
		}
	}
	if len(s.support) == 1 {
		x[s.support[0]] = 1
	}
}

// dropSmallest removes the smallest weight from the support. It is called if Q is not positive definite over the
// support in spite of the ridge. It removes the index that has just entered, whose weight is zero.
func (s *Solver) dropSmallest(x []float64) {
	least := 0
	for k, i := range s.support {
		if x[i] <= x[s.support[least]] {
			least = k
		}
	}
	s.drop(x, least)
}

// drop takes an index, by its place in the support, out of x. Its weight goes to the others.
func (s *Solver) drop(x []float64, place int) {
	gone := s.support[place]
	s.support, s.solved = append(s.support[:place], s.support[place+1:]...), false
	rest := 1 - x[gone]
	x[gone] = 0
	for _, i := range s.support {
		x[i] /= rest
		if !(rest > 1e-12) {
			x[i] = 1 / float64(len(s.support))
		}
	}
}

// solve finds the minimiser over the affine hull of the support S by Cholesky: Q_SS·z = 1, y = z/Σz.
func (s *Solver) solve(q []float64, n int) bool {
	m := len(s.support)
	s.factor, s.y = linear.Resize(s.factor, m*m), linear.Resize(s.y, m)
	mean := 0.0
	for _, i := range s.support {
		mean += q[i*n+i]
	}
	mean /= float64(m)
	if mean == 0 {
		for i := range s.y {
			s.y[i] = 1 / float64(m)
		}
		return true
	}
	for a, i := range s.support {
		row, from := s.factor[a*m:a*m+a+1], q[i*n:(i+1)*n]
		for b := range row {
			row[b] = from[s.support[b]]
		}
		row[a] += ridge * mean
		s.y[a] = 1
	}
	if !linear.Cholesky(s.factor, m, ridge*mean/4) {
		return false
	}
	linear.Solve(s.factor, m, s.y)
	s.total, s.added = 0, ridge*mean
	for a := m - 1; a >= 0; a-- {
		s.total += s.y[a]
	}
	if !(s.total > 0) {
		return false
	}
	for a := range s.y {
		s.y[a] /= s.total
	}
	return true
}
