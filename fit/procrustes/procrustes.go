// Package procrustes finds the rotation that takes one set of vectors nearest to another (the orthogonal Procrustes
// problem with determinant +1; Eggert, Lorusso and Fisher 1997 compare its solutions).
package procrustes

import (
	"math"

	"skinlab/skinning/geom"
)

// tie is how near to the largest eigenvalue, relative to the size of the matrix, others count as equal: the data then
// leave a rotation about some axis free.
const tie = 1e-9

// Rotation returns the unit quaternion q that maximises tr(R(q)ᵀ·m), with m = Σ target·sourceᵀ: of all proper
// rotations, R takes the sources nearest to the targets in the sum of squares. Reflections in m do not matter. Where
// the data leave a freedom (all sources on a line, m = 0) it is the optimum nearest to no rotation.
//
// It is Davenport's method: the quaternion is the eigenvector of the largest eigenvalue of a symmetric 4×4 matrix.
func Rotation(m geom.Mat3) geom.Quat {
	trace := m[0] + m[4] + m[8]
	x, y, z := m[7]-m[5], m[2]-m[6], m[3]-m[1]
	k := [4][4]float64{
		{2*m[0] - trace, m[1] + m[3], m[2] + m[6], x},
		{m[1] + m[3], 2*m[4] - trace, m[5] + m[7], y},
		{m[2] + m[6], m[5] + m[7], 2*m[8] - trace, z},
		{x, y, z, trace},
	}
	values, vectors := eigen4(k)
	most, size := values[0], 0.0
	for _, v := range values {
		most, size = math.Max(most, v), math.Max(size, math.Abs(v))
	}
	// The projection of no rotation, (0, 0, 0, 1), on the space of the largest eigenvalue.
	var q geom.Quat
	best := geom.IdentityQuat()
	share := -1.0
	for c, v := range values {
		if v < most-tie*size {
			continue
		}
		column := geom.Quat{vectors[0][c], vectors[1][c], vectors[2][c], vectors[3][c]}
		q = q.Add(column.Scale(column[3]))
		if v > share {
			best, share = column, v
		}
	}
	if q.Dot(q) < 1e-12 { // a half turn is the best of the space: any of its vectors
		q = best
	}
	return q.Normalize()
}

// eigen4 returns the eigenvalues of a symmetric matrix and its eigenvectors as columns, by Jacobi's rotations.
func eigen4(a [4][4]float64) (values [4]float64, v [4][4]float64) {
	for i := range v {
		v[i][i] = 1
	}
	for range 60 {
		off := 0.0
		for i := range 4 {
			for j := range i {
				off = math.Max(off, math.Abs(a[i][j]))
			}
		}
		if off < 1e-300 {
			break
		}
		for p := range 3 {
			for q := p + 1; q < 4; q++ {
				if math.Abs(a[p][q]) <= 1e-18*(math.Abs(a[p][p])+math.Abs(a[q][q])) {
					a[p][q], a[q][p] = 0, 0
					continue
				}
				zeta := (a[q][q] - a[p][p]) / (2 * a[p][q])
				t := math.Copysign(1, zeta) / (math.Abs(zeta) + math.Sqrt(1+zeta*zeta))
				c := 1 / math.Sqrt(1+t*t)
				s := c * t
				for k := range 4 {
					a[k][p], a[k][q] = c*a[k][p]-s*a[k][q], s*a[k][p]+c*a[k][q]
				}
				for k := range 4 {
					a[p][k], a[q][k] = c*a[p][k]-s*a[q][k], s*a[p][k]+c*a[q][k]
					v[k][p], v[k][q] = c*v[k][p]-s*v[k][q], s*v[k][p]+c*v[k][q]
				}
			}
		}
	}
	for i := range values {
		values[i] = a[i][i]
	}
	return values, v
}
