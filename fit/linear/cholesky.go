// Package linear solves the small dense systems of fits: a vertex's weights, a row of a key gradient's shear, a proxy's
// features. They have 2 to about 40 unknowns and are solved by the million, in memory that the caller holds; gonum's
// mat.Cholesky allocates its factor and finds its condition too, and takes 10 times as long for 4 unknowns. Systems of
// hundreds of unknowns are gonum's. [Moment] and [Form] are the 4×4 sums that the systems of points are made of.
package linear

import (
	"fmt"
	"math"
)

// Cholesky replaces the lower half of a symmetric positive definite A, n×n and row-major, by the L of A = L·Lᵀ, and its
// diagonal by 1/L_ii: divisions are slow. What is above the diagonal is neither read nor written.
//
// Pivots, the squares of L_ii, that are not above least are raised to it; it reports whether all were above. A ridge on
// A's diagonal is such a bound: only rounding gets below it. NaN in A gives NaN, and false.
func Cholesky(a []float64, n int, least float64) (definite bool) {
	if len(a) != n*n {
		panic(fmt.Sprintf("linear: Cholesky: n = %d, %d entries", n, len(a)))
	}
	definite = true
	for i := range n {
		row := a[i*n:][:i+1]
		pivot := row[i]
		for j := range row[:i] {
			sum, other := row[j], a[j*n:][:j+1]
			for k, v := range row[:j] {
				sum -= v * other[k]
			}
			sum *= other[j]
			row[j] = sum
			pivot -= sum * sum
		}
		if !(pivot > least) {
			pivot, definite = max(pivot, least), false
		}
		row[i] = 1 / math.Sqrt(pivot)
	}
	return definite
}

// Forward replaces b by L⁻¹·b, with L as [Cholesky] leaves it.
func Forward(l []float64, n int, b []float64) {
	for i := range b[:n] {
		row, v := l[i*n:][:i+1], b[i]
		for k, x := range row[:i] {
			v -= x * b[k]
		}
		b[i] = v * row[i]
	}
}

// Backward replaces b by L⁻ᵀ·b.
func Backward(l []float64, n int, b []float64) {
	for i := n - 1; i >= 0; i-- {
		v := b[i]
		for k, at := i+1, (i+1)*n+i; k < n; k, at = k+1, at+n {
			v -= l[at] * b[k]
		}
		b[i] = v * l[i*n+i]
	}
}

// Solve replaces b by A⁻¹·b.
func Solve(l []float64, n int, b []float64) {
	Forward(l, n, b)
	Backward(l, n, b)
}
