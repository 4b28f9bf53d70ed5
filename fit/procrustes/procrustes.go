// Package procrustes finds the rotation that takes one set of vectors nearest to another (the orthogonal Procrustes
// problem with determinant +1; Eggert, Lorusso and Fisher 1997 compare its solutions).
package procrustes

import (
	"math"

	"skinlab/skinning/geom"
)

// tie is the distance from the largest eigenvalue, relative to the size of the matrix, below which others count as
// equal to it. Then the data do not determine the rotation about some axis.
const tie = 1e-9

// Rotation returns the unit quaternion q that maximises tr(R(q)ᵀ·m), with m = Σ target·sourceᵀ. Of all proper
// rotations, R takes the sources nearest to the targets in the sum of squares, also where m has a reflection. Where
// several rotations are optimal (all sources on a line, m = 0), it returns the one nearest to the identity.
//
// It is Davenport's method: the quaternion is the eigenvector of the largest eigenvalue of a symmetric 4×4 matrix.
func Rotation(m geom.Mat3) geom.Quat {
	trace := m[0] + m[4] + m[8]
	x, y, z := m[7]-m[5], m[2]-m[6], m[3]-m[1]
	k := [16]float64{
		2*m[0] - trace, m[1] + m[3], m[2] + m[6], x,
		0, 2*m[4] - trace, m[5] + m[7], y,
		0, 0, 2*m[8] - trace, z,
		0, 0, 0, trace,
	}
	vectors := [16]float64{0: 1, 5: 1, 10: 1, 15: 1}
	geom.Diagonalize(k[:], vectors[:], 4, 1e-18)
	values := [4]float64{k[0], k[5], k[10], k[15]}
	most, size := values[0], 0.0
	for _, v := range values {
		most, size = math.Max(most, v), math.Max(size, math.Abs(v))
	}
	// The projection of the identity (0, 0, 0, 1) on the space of the largest eigenvalue.
	var q geom.Quat
	best := geom.IdentityQuat()
	share := -1.0
	for c, v := range values {
		if v < most-tie*size {
			continue
		}
		column := geom.Quat{vectors[c], vectors[4+c], vectors[8+c], vectors[12+c]}
		q = q.Add(column.Scale(column[3]))
		if v > share {
			best, share = column, v
		}
	}
	if q.Dot(q) < 1e-12 { // all of the space are half turns, equally far from the identity: take any
		q = best
	}
	return q.Normalize()
}
