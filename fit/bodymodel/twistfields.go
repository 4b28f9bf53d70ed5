package bodymodel

import (
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning/geom"
)

// axisRate is the derivative of a limb's bone axis by one joint.
type axisRate struct {
	joint int
	rate  geom.Mat3
}

// axisRates returns the derivatives of the bone axes, which are sums of directions from joint to joint.
func axisRates(b *Body) [][]axisRate {
	out := make([][]axisRate, len(b.Joints))
	for k, spans := range b.boneSpans() {
		var sum mgl64.Vec3
		for _, s := range spans {
			sum = sum.Add(b.Joints[s.To].Sub(b.Joints[s.From]).Normalize())
		}
		for _, s := range spans {
			way := b.Joints[s.To].Sub(b.Joints[s.From])
			rate := normalizeRate(sum).Mul(normalizeRate(way))
			out[k] = append(out[k], axisRate{s.To, rate})
			for i := range rate {
				rate[i] = -rate[i]
			}
			out[k] = append(out[k], axisRate{s.From, rate})
		}
	}
	return out
}

// normalizeRate returns the derivative of v/|v|: (1 − u·uᵀ)/|v| with u the direction.
func normalizeRate(v mgl64.Vec3) (m geom.Mat3) {
	n := v.Len()
	u := v.Mul(1 / n)
	for r := range 3 {
		for c := range 3 {
			m[3*r+c] = -u[r] * u[c] / n
		}
		m[4*r] += 1 / n
	}
	return m
}

// These are the fields of a limb's twist T_k, a rotation by θ about the axis u through a_k. The first belongs to a
// change of θ. If joints move, there are four more, which are proportional to θ. The axis leans by δu in two directions
// across it, which turns T_k by sin θ·δu + (1 − cos θ)·u×δu. The joint shifts by δa in these directions, which moves
// T_k by (1 − T_k)·δa.
const (
	angleField = iota
	leanFields
	_
	shiftFields
	_
	jointFields
	angleFields = leanFields // what there is where joints stay
)

// twistFields sets the fields of all limbs.
func twistFields(fields []screw, b *Body, r *PoseRates) {
	each := len(fields) / len(b.Joints)
	for k, parent := range b.Parents {
		out := fields[k*each:][:each]
		clear(out)
		u := b.Axes[k]
		if parent < 0 || u == (mgl64.Vec3{}) {
			continue
		}
		out[angleField] = r.axes[k]
		if each == 1 {
			continue
		}
		above := r.palette.Twists[parent].Affine()
		twist := geom.AxisAngle(u, r.angles[k])
		for i, e := range across(u) {
			// sin θ·e + (1 − cos θ)·u×e is s − T·s with s = u×e.
			side := u.Cross(e)
			turn := side.Sub(twist.Rotate(side))
			lean := screw{turn, b.Joints[k].Cross(turn)}
			out[leanFields+i] = lean.carried(&above)
			shift := screw{move: e.Sub(twist.Rotate(e))}
			out[shiftFields+i] = shift.carried(&above)
		}
	}
}

// across returns two unit vectors that are perpendicular to the unit vector u and to each other.
func across(u mgl64.Vec3) [2]mgl64.Vec3 {
	e := geom.Perpendicular(u)
	return [2]mgl64.Vec3{e, u.Cross(e)}
}
