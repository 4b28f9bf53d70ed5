// Package procrustes finds the rotation that takes one set of vectors nearest to another (the orthogonal Procrustes
// problem with determinant +1; Eggert, Lorusso and Fisher 1997 compare its solutions).
package procrustes

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning/geom"
)

// Eigenvalues within tie of the largest one, relative to the size of the matrix, count as equal to it. Then the data do
// not determine the rotation about some axis.
const tie = 1e-9

// Rotation returns the unit quaternion q that maximises tr(R(q)ᵀ·m), with m = Σ target·sourceᵀ. R is the proper
// rotation that takes the sources nearest to the targets in the sum of squares, also where m has a reflection. Where
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

// Rigid returns the rigid motion that takes n points x nearest to their places y, in the sum of squares (Horn 1987). At
// least one point is needed.
func Rigid(n int, pair func(k int) (x, y mgl64.Vec3)) geom.Affine {
	var from, to mgl64.Vec3
	for k := range n {
		x, y := pair(k)
		from, to = from.Add(x), to.Add(y)
	}
	from, to = from.Mul(1/float64(n)), to.Mul(1/float64(n))
	var cross geom.Mat3
	for k := range n {
		x, y := pair(k)
		a, b := x.Sub(from), y.Sub(to)
		for r := range 3 {
			for c := range 3 {
				cross[3*r+c] += b[r] * a[c]
			}
		}
	}
	turn := Rotation(cross).Mat3()
	return geom.NewAffine(turn, to.Sub(turn.Apply(from)))
}

// These bound the Newton steps of Nearby, and give the square of the angle of the last step. Each step squares the
// angle.
const (
	mostSteps = 6
	smallStep = 1e-10
)

// Nearby is [Rotation] for an optimum that is probably near to the identity, as in a descent that solves the same
// rotation again and again. It uses Newton's method. If that does not converge, because the identity is too far away or
// the optimum is not unique, it returns the result of Rotation.
//
// With D the rotation, tr(Dᵀ·m) is largest where S = Dᵀ·m is symmetric and H = tr(S)·1 − S is positive definite. There
// is no other local maximum.
func Nearby(m geom.Mat3) geom.Quat {
	total := geom.IdentityQuat()
	c := m
	for range mostSteps {
		x, y, z := c[7]-c[5], c[2]-c[6], c[3]-c[1]
		hxx, hyy, hzz := c[4]+c[8], c[0]+c[8], c[0]+c[4]
		hxy, hxz, hyz := -(c[1]+c[3])/2, -(c[2]+c[6])/2, -(c[5]+c[7])/2
		// H is definite where its leading minors are positive.
		axx, axy, axz := hyy*hzz-hyz*hyz, hxz*hyz-hxy*hzz, hxy*hyz-hxz*hyy
		det := hxx*axx + hxy*axy + hxz*axz
		size := hxx + hyy + hzz
		if !(hxx > 0 && hxx*hyy > hxy*hxy && det > tie*size*size*size) {
			return Rotation(m)
		}
		ayy, ayz, azz := hxx*hzz-hxz*hxz, hxy*hxz-hxx*hyz, hxx*hyy-hxy*hxy
		step := geom.Quat{
			(axx*x + axy*y + axz*z) / (2 * det), (axy*x + ayy*y + ayz*z) / (2 * det), (axz*x + ayz*y + azz*z) / (2 * det), 1,
		}.Normalize()
		total = total.Mul(step)
		turn := step.Mat3()
		c = turn.Transpose().Mul(c)
		if square := step[0]*step[0] + step[1]*step[1] + step[2]*step[2]; square < smallStep {
			return total.Normalize()
		}
	}
	return Rotation(m)
}
