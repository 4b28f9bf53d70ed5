package demo

import (
	"math"

	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// groundedHips returns the translation of the pelvis that keeps the feet in place while linear keys turn the joints. It
// is a cubic spline through the keys, which is fitted on each interval to the motion that would keep the feet exactly
// in place. Support has the share of the body's weight on each foot at each key.
func (b *body) groundedHips(times []float32, keys [][]geom.Quat, support [][2]float64) skinning.Channel {
	const steps = 16
	hips := b.joint["hips"]
	c := skinning.Channel{Node: jointNode(hips), Path: skinning.PathTranslation, Interpolation: skinning.CubicSpline,
		Width: 3, Times: times}
	tangents := make([][2]vec3, len(times)) // in, out; metres per second
	values := make([]vec3, len(times))
	for i := range times {
		values[i] = b.grounded(keys[i], support[i])
	}
	for i := 0; i+1 < len(times); i++ {
		dt := float64(times[i+1] - times[i])
		samples := make([]vec3, steps+1)
		q := make([]geom.Quat, len(keys[i]))
		for k := range samples {
			u := float64(k) / steps
			for j := range q {
				q[j] = geom.Slerp(keys[i][j], keys[i+1][j], u)
			}
			samples[k] = b.grounded(q, [2]float64{
				support[i][0] + u*(support[i+1][0]-support[i][0]),
				support[i][1] + u*(support[i+1][1]-support[i][1]),
			})
		}
		m0, m1 := fitHermite(samples)
		tangents[i][1], tangents[i+1][0] = m0.Mul(1/dt), m1.Mul(1/dt)
	}
	for i := range times {
		for _, v := range [3]vec3{tangents[i][0], values[i], tangents[i][1]} {
			c.Values = append(c.Values, float32(v[0]), float32(v[1]), float32(v[2]))
		}
	}
	return c
}

// fitHermite returns the end slopes of the cubic through the first and the last sample that comes closest to those
// between, by least squares. The samples are evenly spaced over one unit.
func fitHermite(samples []vec3) (m0, m1 vec3) {
	n := len(samples) - 1
	var a, b, d float64 // normal equations, [a b; b d]
	var x, y vec3
	for k, s := range samples {
		u := float64(k) / float64(n)
		u2, u3 := u*u, u*u*u
		h0, h1 := u3-2*u2+u, u3-u2
		rest := s.Sub(samples[0].Mul(2*u3 - 3*u2 + 1)).Sub(samples[n].Mul(3*u2 - 2*u3))
		a, b, d = a+h0*h0, b+h0*h1, d+h1*h1
		x, y = x.Add(rest.Mul(h0)), y.Add(rest.Mul(h1))
	}
	det := a*d - b*b
	return x.Mul(d).Sub(y.Mul(b)).Mul(1 / det), y.Mul(a).Sub(x.Mul(b)).Mul(1 / det)
}

// grounded returns the translation of the pelvis at which the lowest point of the feet is on the ground, and the feet
// that bear weight are where they are at rest.
func (b *body) grounded(q []geom.Quat, support [2]float64) vec3 {
	local := make([]geom.Transform, len(b.skeleton.Nodes))
	for i := range local {
		local[i] = b.skeleton.Nodes[i].Rest
	}
	for j := range q {
		local[jointNode(j)].Rotation = q[j]
	}
	hips := jointNode(b.joint["hips"])
	local[hips].Translation = vec3{}
	globals := make([]geom.Affine, len(local))
	b.skeleton.Globals(globals, &skinning.Pose{Local: local})

	lowest := math.Inf(1)
	var shift vec3
	for side, name := range sides {
		for _, s := range b.soles(side) {
			p := globals[jointNode(s.joint)].Apply(s.at.Sub(b.skeleton.Joints[s.joint].Position))
			lowest = math.Min(lowest, p[1])
		}
		ankle := b.joint[name+"foot"]
		stands := b.at(name + "foot").Sub(globals[jointNode(ankle)].Translation())
		shift = shift.Add(stands.Mul(support[side]))
	}
	shift[1] = -lowest
	return shift
}

// sole is a point under a foot, at rest, with the joint that carries it.
type sole struct {
	joint int
	at    vec3
}

// soles are the points on which a foot may stand: heel, both sides of the ball, toes.
func (b *body) soles(side int) []sole {
	foot, toes := b.joint[sides[side]+"foot"], b.joint[sides[side]+"toes"]
	ankle, ball := b.at(sides[side]+"foot"), b.at(sides[side]+"toes")
	ankle[1], ball[1] = 0, 0
	return []sole{
		{foot, ankle.Add(vec3{0, 0, -0.060})},
		{foot, ball.Add(vec3{0.040, 0, -0.010})},
		{foot, ball.Add(vec3{-0.040, 0, -0.010})},
		{toes, ball.Add(vec3{0, 0, 0.045})},
	}
}
