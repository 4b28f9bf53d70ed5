// Package linear solves the small dense systems of the fits, such as a vertex's weights or a proxy's features. They
// have 2 to about 40 unknowns and are solved by the million, in memory of the caller. Gonum's mat.Cholesky allocates
// its factor and estimates its condition, and takes 10 times as long for 4 unknowns; the fits use gonum for systems of
// hundreds of unknowns. [Moment] and [Form] are the 4×4 sums from which systems of points are made.
package linear

import (
	"fmt"
	"math"
)

// Cholesky replaces the lower half of a symmetric positive definite A, n×n and row-major, by the L of A = L·Lᵀ. The
// diagonal gets 1/L_ii, because divisions are slow. Entries above the diagonal are neither read nor written.
//
// Pivots are the squares of L_ii. Those at or below least are raised to it, and definite reports whether there were
// none. If a ridge was added to A's diagonal, it is a suitable least, since only rounding brings a pivot below it. NaN
// in A gives NaN and false.
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

// backward replaces b by L⁻ᵀ·b.
func backward(l []float64, n int, b []float64) {
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
	backward(l, n, b)
}

// Resize returns scratch memory of n elements with any contents. It is s if s is large enough.
func Resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, 2*n)
	}
	return s[:n]
}
