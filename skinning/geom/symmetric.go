package geom

import (
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl64"
)

// Symmetric is a symmetric 3×3 matrix: its diagonal, then xy, xz, yz.
type Symmetric [6]float64

// Cofactor returns det(m)·m⁻¹ and det(m).
func (m *Symmetric) Cofactor() (Symmetric, float64) {
	c := Symmetric{
		m[1]*m[2] - m[5]*m[5], m[0]*m[2] - m[4]*m[4], m[0]*m[1] - m[3]*m[3],
		m[4]*m[5] - m[3]*m[2], m[3]*m[5] - m[4]*m[1], m[3]*m[4] - m[0]*m[5],
	}
	return c, m[0]*c[0] + m[3]*c[3] + m[4]*c[4]
}

// Apply returns m·v.
func (m *Symmetric) Apply(v mgl64.Vec3) mgl64.Vec3 {
	return mgl64.Vec3{m[0]*v[0] + m[3]*v[1] + m[4]*v[2], m[3]*v[0] + m[1]*v[1] + m[5]*v[2],
		m[4]*v[0] + m[5]*v[1] + m[2]*v[2]}
}

// Diagonalize replaces the symmetric a, n×n and row-major, by the diagonal D = Jᵀ·a·J, and v by v·J. J is a product of
// cyclic Jacobi rotations. With v = I on entry the columns of v become the eigenvectors. With the v of the last pose
// they move as little as possible. Rotations are of at most 45 degrees, in a fixed order. Entries off the diagonal that
// are at most tolerance times the largest on it stay. Only the upper half of a is read and written.
//
// It is for matrices of 3 or 4 rows, one for each key of a bone or each try of a rotation: gonum's mat.EigenSym
// takes 2.4 times as long (BenchmarkDiagonalize), allocates, and cannot start from a v.
func Diagonalize(a, v []float64, n int, tolerance float64) {
	if len(a) != n*n || len(v) != n*n {
		panic(fmt.Sprintf("geom: Diagonalize: n = %d, %d entries, %d of v", n, len(a), len(v)))
	}
	const sweeps = 30 // convergence is quadratic: 4 to 6 are needed
	for range sweeps {
		rotated := false
		for p := range n - 1 {
			for q := p + 1; q < n; q++ {
				rotated = rotate(a, v, n, p, q, tolerance) || rotated
			}
		}
		if !rotated {
			return
		}
	}
}

// rotate removes entry (p, q), p < q, and reports whether it was above the tolerance.
func rotate(a, v []float64, n, p, q int, tolerance float64) bool {
	largest := 0.0
	for k := 0; k < n*n; k += n + 1 {
		largest = max(largest, math.Abs(a[k]))
	}
	apq := a[p*n+q]
	if !(math.Abs(apq) > tolerance*largest) {
		return false
	}
	theta := (a[q*n+q] - a[p*n+p]) / (2 * apq)
	t := math.Copysign(1, theta) / (math.Abs(theta) + math.Sqrt(1+theta*theta))
	c := 1 / math.Sqrt(1+t*t)
	s := c * t
	a[p*n+p] -= t * apq
	a[q*n+q] += t * apq
	a[p*n+q] = 0
	for k := range n {
		if k != p && k != q {
			x, y := &a[min(k, p)*n+max(k, p)], &a[min(k, q)*n+max(k, q)]
			*x, *y = c**x-s**y, s**x+c**y
		}
	}
	for k := 0; k < n*n; k += n {
		v[k+p], v[k+q] = c*v[k+p]-s*v[k+q], s*v[k+p]+c*v[k+q]
	}
	return true
}
