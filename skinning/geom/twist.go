package geom

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"
)

// A twist fades out for swings of more than 150 degrees. twistFades is the cosine of half that angle, the sine of 15
// degrees.
var twistFades = math.Sin(15 * math.Pi / 180)

// halfTurn is the largest scalar part at which a unit quaternion counts as half a turn. Both directions of half a turn
// are equally long. Without a fixed choice, rounding would decide in every frame.
const halfTurn = 1e-6

// HalfTwist returns half the angle by which the unit quaternion r turns about a unit axis, radians, from −π/2 to π/2:
// its twist, before its swing turns the axis away. Half a turn is positive. The twist of a swing of 180 degrees is
// undefined, so from 150 degrees on it fades to 0 by t²(3 − 2t), with t the cosine of half the swing over that at 150
// degrees.
func HalfTwist(r Quat, axis mgl64.Vec3) float64 {
	s, w, _ := shorterWay(r[0]*axis[0]+r[1]*axis[1]+r[2]*axis[2], r[3])
	return fadedTwist(s, w, math.Sqrt(s*s+w*w))
}

// SincosHalfTwist returns the sine and the cosine of [HalfTwist] of the rotation p⁻¹·q: sin·axis and cos are the
// twist's quaternion. Opposite says that the twist was taken from −p⁻¹·q, the same rotation by less than half a turn.
// Where a number is NaN, it returns no twist.
func SincosHalfTwist(p, q *Quat, axis *mgl64.Vec3) (sin, cos float64, opposite bool) {
	a, b, c, d := p[0], p[1], p[2], p[3]
	i, j, k, h := q[0], q[1], q[2], q[3]
	s := axis[0]*(d*i-h*a+c*j-b*k) + axis[1]*(d*j-h*b+a*k-c*i) + axis[2]*(d*k-h*c+b*i-a*j)
	s, w, opposite := shorterWay(s, a*i+b*j+c*k+d*h)
	length := math.Sqrt(s*s + w*w)
	if length >= twistFades {
		over := 1 / length
		return s * over, w * over, opposite
	}
	if math.IsNaN(length) {
		return 0, 1, false
	}
	sin, cos = math.Sincos(fadedTwist(s, w, length))
	return sin, cos, opposite
}

// shorterWay returns the vector part of a quaternion along an axis, and its scalar part. If it turns by more than half
// a turn, it returns those of the negated quaternion.
func shorterWay(s, w float64) (shortS, shortW float64, opposite bool) {
	if w < -halfTurn || w <= halfTurn && s < 0 {
		return -s, -w, true
	}
	return s, w, false
}

// fadedTwist returns the half twist of parts whose length is c.
func fadedTwist(s, w, c float64) float64 {
	half := math.Atan2(s, w)
	if c >= twistFades {
		return half
	}
	t := c / twistFades
	return half * t * t * (3 - 2*t)
}

// HalfTwistRates returns [HalfTwist] and its derivatives: turn by a small rotation vector, whose rotation follows r,
// and lean by the axis. Both are zero where the twist is undefined.
func HalfTwistRates(r Quat, axis mgl64.Vec3) (half float64, turn, lean mgl64.Vec3) {
	if r[3] < 0 {
		r = r.Scale(-1)
	}
	x, w := mgl64.Vec3{r[0], r[1], r[2]}, r[3]
	s := x.Dot(axis)
	half, c := math.Atan2(s, w), math.Hypot(s, w)
	if c < 1e-100 {
		return 0, turn, lean
	}
	// A turn ω changes x by (w·ω + ω×x)/2 and w by −ω·x/2, so s by ω·(w·axis + x×axis)/2.
	ds := axis.Mul(w).Add(x.Cross(axis)).Mul(0.5)
	dw := x.Mul(-0.5)
	turn = ds.Mul(w / c).Sub(dw.Mul(s / c)).Mul(1 / c)
	lean = x.Mul(w / c / c)
	if c >= twistFades {
		return half, turn, lean
	}
	t := c / twistFades
	fade, slope := t*t*(3-2*t), half*6*t*(1-t)/twistFades
	turn = turn.Mul(fade).Add(ds.Mul(s / c).Add(dw.Mul(w / c)).Mul(slope))
	lean = lean.Mul(fade).Add(x.Mul(slope * s / c))
	return half * fade, turn, lean
}

// SetTwisted sets d to p times a rotation about a line, of the unit quaternion (sin·axis, cos). The line's moment is a
// point of it × the axis.
func (d *DualQuat) SetTwisted(p *DualQuat, axis, moment *mgl64.Vec3, sin, cos float64) {
	i, j, k := sin*axis[0], sin*axis[1], sin*axis[2]
	l, m, n := sin*moment[0], sin*moment[1], sin*moment[2]
	x, y, z, w := p.Real[0], p.Real[1], p.Real[2], p.Real[3]
	e, f, g, h := p.Dual[0], p.Dual[1], p.Dual[2], p.Dual[3]
	d.Real = Quat{x*cos + w*i + y*k - z*j, y*cos + w*j + z*i - x*k, z*cos + w*k + x*j - y*i, w*cos - x*i - y*j - z*k}
	d.Dual = Quat{e*cos + h*i + f*k - g*j + w*l + y*n - z*m, f*cos + h*j + g*i - e*k + w*m + z*l - x*n,
		g*cos + h*k + e*j - f*i + w*n + x*m - y*l, h*cos - e*i - f*j - g*k - x*l - y*m - z*n}
}

// SetWithout sets m to c·t⁻¹, with t a unit dual quaternion: c is t followed by m.
func (m *Affine) SetWithout(c *Affine, t *DualQuat) {
	x, y, z, w := t.Real[0], t.Real[1], t.Real[2], t.Real[3]
	e, f, g, h := t.Dual[0], t.Dual[1], t.Dual[2], t.Dual[3]
	r0, r1, r2 := 1-2*(y*y+z*z), 2*(x*y-w*z), 2*(x*z+w*y)
	r3, r4, r5 := 2*(x*y+w*z), 1-2*(x*x+z*z), 2*(y*z-w*x)
	r6, r7, r8 := 2*(x*z-w*y), 2*(y*z+w*x), 1-2*(x*x+y*y)
	u, v, s := 2*(w*e-h*x+g*y-f*z), 2*(w*f-h*y+e*z-g*x), 2*(w*g-h*z+f*x-e*y)
	for k := 0; k < 12; k += 4 { // C·Rᵀ, and c's translation less C·Rᵀ times t's
		a, b, d := c[k], c[k+1], c[k+2]
		l0, l1, l2 := a*r0+b*r1+d*r2, a*r3+b*r4+d*r5, a*r6+b*r7+d*r8
		m[k], m[k+1], m[k+2], m[k+3] = l0, l1, l2, c[k+3]-(l0*u+l1*v+l2*s)
	}
}
