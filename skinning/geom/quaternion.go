package geom

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"
)

// Quat is a quaternion x, y, z, w. Rotations are unit quaternions; q and −q are the same rotation.
type Quat [4]float64

// IdentityQuat is no rotation.
func IdentityQuat() Quat { return Quat{0, 0, 0, 1} }

// AxisAngle returns the rotation by angle radians about axis, which need not have unit length. A zero axis gives
// identity.
func AxisAngle(axis mgl64.Vec3, angle float64) Quat {
	l := axis.Len()
	if l == 0 {
		return IdentityQuat()
	}
	s, c := math.Sincos(angle / 2)
	return Quat{axis[0] / l * s, axis[1] / l * s, axis[2] / l * s, c}
}

// Mul returns the Hamilton product p·q: as rotations, q acts first.
func (p Quat) Mul(q Quat) Quat {
	return Quat{
		p[3]*q[0] + p[0]*q[3] + p[1]*q[2] - p[2]*q[1],
		p[3]*q[1] + p[1]*q[3] + p[2]*q[0] - p[0]*q[2],
		p[3]*q[2] + p[2]*q[3] + p[0]*q[1] - p[1]*q[0],
		p[3]*q[3] - p[0]*q[0] - p[1]*q[1] - p[2]*q[2],
	}
}

// Conjugate returns the inverse of a unit quaternion.
func (p Quat) Conjugate() Quat { return Quat{-p[0], -p[1], -p[2], p[3]} }

// Dot returns the dot product in four dimensions.
func (p Quat) Dot(q Quat) float64 { return p[0]*q[0] + p[1]*q[1] + p[2]*q[2] + p[3]*q[3] }

// Scale returns s·p.
func (p Quat) Scale(s float64) Quat { return Quat{s * p[0], s * p[1], s * p[2], s * p[3]} }

// Add returns p + q.
func (p Quat) Add(q Quat) Quat { return Quat{p[0] + q[0], p[1] + q[1], p[2] + q[2], p[3] + q[3]} }

// Normalize returns p at unit length, and identity for a zero or non-finite p.
func (p Quat) Normalize() Quat {
	n := math.Sqrt(p.Dot(p))
	if !(n > 1e-300) || math.IsInf(n, 0) {
		return IdentityQuat()
	}
	return p.Scale(1 / n)
}

// Rotate rotates v by the unit quaternion p.
func (p Quat) Rotate(v mgl64.Vec3) mgl64.Vec3 { return p.Mat3().Apply(v) }

// Mat3 returns the matrix of p, divided by (p, p): right for any non-zero length (SBS section 4.2).
func (p Quat) Mat3() Mat3 {
	x, y, z, w := p[0], p[1], p[2], p[3]
	n := p.Dot(p)
	if n == 0 {
		return Identity3()
	}
	s := 2 / n
	return Mat3{
		1 - s*(y*y+z*z), s * (x*y - w*z), s * (x*z + w*y),
		s * (x*y + w*z), 1 - s*(x*x+z*z), s * (y*z - w*x),
		s * (x*z - w*y), s * (y*z + w*x), 1 - s*(x*x+y*y),
	}
}

// QuatFromMat3 returns the unit quaternion of a rotation matrix with w ≥ 0. For half a turn, where w is 0, it returns
// the one whose largest component is positive. It divides by the largest of the four components, so it stays accurate
// at 180 degrees.
func QuatFromMat3(m Mat3) (q Quat) {
	q.setRotation(&m)
	return q
}

func (q *Quat) setRotation(m *Mat3) {
	var x, y, z, w float64
	switch t := m[0] + m[4] + m[8]; {
	case t >= m[0] && t >= m[4] && t >= m[8]:
		x, y, z, w = m[7]-m[5], m[2]-m[6], m[3]-m[1], 1+t
	case m[0] >= m[4] && m[0] >= m[8]:
		x, y, z, w = 1+m[0]-m[4]-m[8], m[1]+m[3], m[2]+m[6], m[7]-m[5]
	case m[4] >= m[8]:
		x, y, z, w = m[1]+m[3], 1+m[4]-m[0]-m[8], m[5]+m[7], m[2]-m[6]
	default:
		x, y, z, w = m[2]+m[6], m[5]+m[7], 1+m[8]-m[0]-m[4], m[3]-m[1]
	}
	length := math.Sqrt(x*x + y*y + z*z + w*w)
	if !(length > 1e-150 && length <= math.MaxFloat64) {
		*q = IdentityQuat()
		return
	}
	n := 1 / length
	*q = Quat{n * x, n * y, n * z, n * w}
	if q[3] < 1e-9 && (q[3] < -1e-9 || !upper(*q)) {
		*q = q.Scale(-1)
	}
}

// upper reports whether the largest component of the axis of half a turn is positive. It makes a choice between the two
// quaternions that does not depend on the rounding of w.
func upper(q Quat) bool {
	most := 0
	for k := 1; k < 3; k++ {
		if math.Abs(q[k]) > math.Abs(q[most]) {
			most = k
		}
	}
	return q[most] > 0
}

// Slerp interpolates from p to q along the shorter arc. Nearly equal quaternions fall back to normalised linear
// interpolation, whose error there is below 1e-14.
func Slerp(p, q Quat, t float64) Quat {
	d := p.Dot(q)
	if d < 0 {
		q, d = q.Scale(-1), -d
	}
	if d > 1-1e-9 {
		return p.Scale(1 - t).Add(q.Scale(t)).Normalize()
	}
	// The angle from the chord, not from acos(d): accurate where d is near 1.
	diff := q.Add(p.Scale(-1))
	theta := 2 * math.Asin(math.Min(1, math.Sqrt(diff.Dot(diff))/2))
	s := math.Sin(theta)
	return p.Scale(math.Sin((1-t)*theta) / s).Add(q.Scale(math.Sin(t*theta) / s)).Normalize()
}

// Log returns the rotation vector of half the angle: for p = (sin θ·a, cos θ) it is θ·a with θ in [0, π]. It takes no
// shorter way round: log of a quaternion with w < 0 has θ > π/2.
func (p Quat) Log() mgl64.Vec3 {
	v := mgl64.Vec3{p[0], p[1], p[2]}
	s := v.Len()
	if s < 1e-12 {
		return v // first order; at w = −1 the axis is undefined and the vector is 0
	}
	return v.Mul(math.Atan2(s, p[3]) / s)
}

// SmallestTurn returns the smallest rotation that turns a direction into another, which need not be of unit length.
func SmallestTurn(from, to mgl64.Vec3) Quat {
	from, to = UnitOr(from, mgl64.Vec3{}), UnitOr(to, mgl64.Vec3{})
	axis, cos := from.Cross(to), from.Dot(to)
	if from.Len() == 0 || to.Len() == 0 || axis.Len() == 0 && cos > 0 {
		return IdentityQuat()
	}
	if axis.Len() == 0 {
		axis = Perpendicular(from)
	}
	return AxisAngle(axis, math.Atan2(from.Cross(to).Len(), cos))
}

// RotationVector returns axis times angle of a unit quaternion, the angle from 0 to π.
func RotationVector(q Quat) mgl64.Vec3 {
	if q[3] < 0 {
		q = q.Scale(-1)
	}
	return q.Log().Mul(2)
}
