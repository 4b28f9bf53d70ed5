package posing

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning/geom"
)

// Euler returns the angles in radians about x, y and z of a rotation about x first, then about the fixed y axis, then
// about the fixed z axis: R = Rz·Ry·Rx, called XYZ by animation programs. The angle about y lies in −π/2 … π/2. At its
// ends x and z rotate about the same axis, and z is set to 0.
func Euler(q geom.Quat) [3]float64 {
	m := q.Mat3() // rows
	sy := min(max(-m[6], -1), 1)
	if math.Abs(sy) > 1-1e-12 {
		return [3]float64{math.Atan2(-m[5], m[4]), math.Asin(sy), 0}
	}
	return [3]float64{math.Atan2(m[7], m[8]), math.Asin(sy), math.Atan2(m[3], m[0])}
}

// EulerNear returns the angles of a rotation as [Euler] does, but of all triples of angles that give it those nearest to
// others: a turn about one axis changes the angle about that axis, past 90° and past 180° too.
func EulerNear(q geom.Quat, near [3]float64) [3]float64 {
	e := Euler(q)
	if e[2] == 0 && math.Abs(e[1]) > math.Pi/2-2e-6 { // x and z turn about the same axis: x stays
		e[0], e[2] = near[0], math.Copysign(near[0]-e[0], e[1]*(near[0]-e[0]))
	}
	other := [3]float64{e[0] + math.Pi, math.Pi - e[1], e[2] + math.Pi}
	var off, otherOff float64
	for k := range e {
		e[k] += 2 * math.Pi * math.Round((near[k]-e[k])/(2*math.Pi))
		other[k] += 2 * math.Pi * math.Round((near[k]-other[k])/(2*math.Pi))
		off += math.Abs(e[k] - near[k])
		otherOff += math.Abs(other[k] - near[k])
	}
	if otherOff < off {
		return other
	}
	return e
}

// FromEuler is the inverse of Euler, for any angles.
func FromEuler(e [3]float64) geom.Quat {
	half := func(axis int) geom.Quat {
		s, c := math.Sincos(e[axis] / 2)
		q := geom.Quat{3: c}
		q[axis] = s
		return q
	}
	return half(2).Mul(half(1)).Mul(half(0)).Normalize()
}

// GimbalAxes returns the unit axes about which the angles turn. The second is perpendicular to the others.
func GimbalAxes(e [3]float64) [3]mgl64.Vec3 {
	sx, cx := math.Sincos(e[0])
	sy, cy := math.Sincos(e[1])
	return [...]mgl64.Vec3{{1, 0, 0}, {0, cx, -sx}, {-sy, cy * sx, cy * cx}}
}

// SameRotation reports whether two unit quaternions are the same rotation within a billionth of a radian.
func SameRotation(a, b geom.Quat) bool {
	r := a.Mul(b.Conjugate())
	return math.Hypot(math.Hypot(r[0], r[1]), r[2]) < 5e-10
}
