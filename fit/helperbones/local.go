package helperbones

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning/geom"
	"skinlab/skinning/rig"
)

// motions is how many numbers a [rig.HelperMotion] has.
const motions = len(rig.HelperMotion{})

// local is the frame in which a helper bone moves: its origin, see [Recipe], and the axes of its parent's
// bind frame.
type local struct {
	place mgl64.Vec3
	frame geom.Mat3 // F, from rest space into the axes
}

// motion returns the motion of L = C_parent⁻¹·S (HBR equation 9); center is the side of its rotation's logarithm.
// Without scale it is the motion of the nearest rotation.
func (l *local) motion(m *geom.Affine, center geom.Quat, scale bool) (out rig.HelperMotion) {
	t := l.frame.Apply(m.Apply(l.place).Sub(l.place))
	var r geom.Mat3
	geom.PolarRotation(&r, m)
	v := logAbout(l.rotation(m), center)
	copy(out[:3], t[:])
	copy(out[3:6], v[:])
	if scale {
		var s geom.Mat3
		geom.PolarScale(&s, &r, m)
		out[6] = (s[0]+s[4]+s[8])/3 - 1
	}
	return out
}

// rotation returns the rotation of L in the parent's bind frame.
func (l *local) rotation(m *geom.Affine) geom.Quat {
	var r geom.Mat3
	geom.PolarRotation(&r, m)
	return geom.QuatFromMat3(l.frame.Mul(r).Mul(l.frame.Transpose()))
}

// matrix returns L of a motion.
func (l *local) matrix(m *rig.HelperMotion) geom.Affine { return m.Local(l.place, l.frame) }

// tangents writes the derivatives of C·L by the seven numbers of a motion.
func (l *local) tangents(c *geom.Affine, m *rig.HelperMotion, out *[motions]geom.Affine) {
	toWorld := c.Linear().Mul(l.frame.Transpose())
	v := mgl64.Vec3(m[3:6])
	turned := geom.AxisAngle(v, v.Len()).Mat3().Mul(l.frame)
	set := func(k int, linear geom.Mat3) { // a linear part that acts on x − place
		out[k] = geom.NewAffine(linear, linear.Apply(l.place).Mul(-1))
	}
	for k := range 3 {
		out[k] = geom.Affine{3: toWorld[k], 7: toWorld[3+k], 11: toWorld[6+k]}
		// R(r + δ) = R(J(r)·δ)·R(r) to first order, with the left Jacobian J of the exponential map.
		d := leftJacobian(v, k).Mul(1 + m[6])
		cross := geom.Mat3{0, -d[2], d[1], d[2], 0, -d[0], -d[1], d[0], 0}
		set(3+k, toWorld.Mul(cross).Mul(turned))
	}
	set(6, toWorld.Mul(turned))
}

// leftJacobian returns column k of J(r) = I + (1 − cos θ)/θ²·[r]× + (θ − sin θ)/θ³·[r]×², with θ = |r|.
func leftJacobian(r mgl64.Vec3, k int) mgl64.Vec3 {
	var e mgl64.Vec3
	e[k] = 1
	theta := r.Len()
	a, b := 0.5, 1.0/6 // the limits, whose error is below 1e-9 here
	if theta > 1e-4 {
		a, b = (1-math.Cos(theta))/(theta*theta), (theta-math.Sin(theta))/(theta*theta*theta)
	}
	once := r.Cross(e)
	return e.Add(once.Mul(a)).Add(r.Cross(once).Mul(b))
}
