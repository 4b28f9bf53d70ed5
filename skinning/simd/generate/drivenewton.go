package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The runs of Newton's method are those of package skinning's blendMean, which has the formulas.

// blendWideReach is how far the kernel goes where a motion is past blendReach: turned by 168 degrees from the mean.
const blendWideReach = 0.9

// all reads values of the state.
func (s *straight) all(places []operand.Mem) (out []*value) {
	for _, m := range places {
		out = append(out, s.from(m))
	}
	return out
}

// start brings the motions into one hemisphere and b to their linear blend.
func (m *meanDriver) start(s *straight) (holds *value) {
	w := m.weights(s)
	var pivot []*value
	sum := make([]*value, 4)
	for k := range masters {
		q := m.motion(s, k, 8)
		if k == 0 {
			pivot = q[:4]
		} else {
			sign := opposite(s, pivot, q)
			for i := range q {
				q[i] = s.flip(q[i], sign)
			}
		}
		for i, v := range q {
			s.keep(v, m.motions[k][i])
			switch {
			case i > 3:
			case k == 0:
				sum[i] = s.times(w[k], v)
			default:
				sum[i] = s.plusTimes(sum[i], w[k], v)
			}
		}
	}
	square := s.dot(sum, sum)
	unit := s.over(s.constant(1), s.root(square))
	for i, v := range sum {
		s.keep(s.times(v, unit), m.b[i])
	}
	return s.less(s.constant(1e-30), square)
}

// conjugateTimes returns the vector part of b*·q.
func conjugateTimes(s *straight, b, q []*value) (out []*value) {
	for i := range 3 {
		j, k := (i+1)%3, (i+2)%3
		sum := s.minusTimes(s.times(b[3], q[i]), b[i], q[3])
		out = append(out, s.minusTimes(s.plusTimes(sum, b[k], q[j]), b[j], q[k]))
	}
	return out
}

// sum sums the mean and its derivative at b, and notes the lanes where a motion is past blendReach: what they have is
// worth nothing.
func (m *meanDriver) sum(s *straight) {
	det, farthest, there := m.sumBy(s, func(t *value) (kappa, gamma *value) {
		t2 := s.times(t, t)
		t4 := s.times(t2, t2)
		return polynomial8(s, blendKappa, t, t2, t4), polynomial8(s, blendGamma, t, t2, t4)
	})
	wide := m.asm.GP32()
	m.reject(s, s.atMost(farthest, s.constant(blendReach)), wide)
	s.do(func(reg.VecVirtual) { m.asm.ORB(wide.As8(), m.wide) })
	regular := s.less(s.constant(blendRegular), det)
	m.settle(s, s.either(regular, s.less(s.constant(blendReach), farthest)), there)
}

// sumWide is sum up to blendWideReach. That is sound where no motion is farther and the derivative is regular.
func (m *meanDriver) sumWide(s *straight) {
	det, farthest, there := m.sumBy(s, func(t *value) (kappa, gamma *value) {
		t2 := s.times(t, t)
		return evenAndOdd(s, blendWideKappa, t, t2), evenAndOdd(s, blendWideGamma, t, t2)
	})
	regular := s.less(s.constant(blendRegular), det)
	m.settle(s, s.both(regular, s.atMost(farthest, s.constant(blendWideReach))), there)
}

// sumBy keeps the mean and its derivative at b, by the functions of 1 − cos, and returns the derivative's determinant,
// the largest 1 − cos and where the mean is within the tolerance.
func (m *meanDriver) sumBy(s *straight, functions func(t *value) (kappa, gamma *value)) (det, farthest, there *value) {
	w := m.weights(s)
	b := s.all(m.b[:])
	var mean [3]*value
	var matrix [6]*value
	var slope *value
	add := func(sum **value, a, b *value) {
		if *sum == nil {
			*sum = s.times(a, b)
		} else {
			*sum = s.plusTimes(*sum, a, b)
		}
	}
	for k := range masters {
		q := s.all(m.motions[k][:4])
		v := conjugateTimes(s, b, q)
		cos := s.dot(b, q)
		t := s.minus(s.constant(1), cos)
		if farthest == nil {
			farthest = t
		} else {
			farthest = s.larger(farthest, t)
		}
		kappa, gamma := functions(t)
		kappa, gamma = s.times(w[k], kappa), s.times(w[k], gamma)
		s.keep(kappa, m.kappa[k])
		s.keep(gamma, m.gamma[k])
		add(&slope, kappa, cos)
		var e [3]*value
		for i := range e {
			add(&mean[i], kappa, v[i])
			e[i] = s.times(gamma, v[i])
		}
		for n, ij := range [6][2]int{{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}} {
			add(&matrix[n], e[ij[0]], v[ij[1]])
		}
	}
	for i := range 3 {
		matrix[i] = s.plus(matrix[i], slope)
	}
	var inverse [6]*value
	inverse, det = cofactors(s, matrix)
	for i := range mean {
		s.keep(mean[i], m.mean[i])
	}
	for i := range inverse {
		s.keep(inverse[i], m.inverse[i])
	}
	s.keep(det, m.det)
	return det, farthest, s.atMost(s.dot(mean[:], mean[:]), s.constant(blendTolerance*blendTolerance))
}

// polynomial8 evaluates a polynomial of degree 8 in t by its second and fourth powers.
func polynomial8(s *straight, c []float64, t, t2, t4 *value) *value {
	pair := func(i int) *value { return s.plusTimes(s.constant(c[i]), s.constant(c[i+1]), t) }
	high := s.plusTimes(pair(4), t2, pair(6))
	high = s.plusTimes(high, t4, s.constant(c[8]))
	return s.plusTimes(s.plusTimes(pair(0), t2, pair(2)), t4, high)
}

// evenAndOdd evaluates a polynomial in t by its even and odd parts.
func evenAndOdd(s *straight, c []float64, t, t2 *value) *value {
	part := func(i int) *value {
		last := (len(c)-1-i)/2*2 + i
		sum := s.constant(c[last])
		for k := last - 2; k >= 0; k -= 2 {
			sum = s.plusTimes(s.constant(c[k]), sum, t2)
		}
		return sum
	}
	return s.plusTimes(part(0), t, part(1))
}

// cofactors returns det·a⁻¹ and det of a symmetric matrix: its diagonal, then xy, xz, yz.
func cofactors(s *straight, a [6]*value) (c [6]*value, det *value) {
	minor := func(i, j, k, l int) *value { return s.minusTimes(s.times(a[i], a[j]), a[k], a[l]) }
	c = [6]*value{
		minor(1, 2, 5, 5), minor(0, 2, 4, 4), minor(0, 1, 3, 3),
		minor(4, 5, 3, 2), minor(3, 5, 4, 1), minor(3, 4, 0, 5),
	}
	return c, s.dot([]*value{a[0], a[3], a[4]}, []*value{c[0], c[3], c[4]})
}

// symmetricTimes returns the product of a symmetric matrix and a vector.
func symmetricTimes(s *straight, m, v []*value) []*value {
	return []*value{
		s.dot([]*value{m[0], m[3], m[4]}, v),
		s.dot([]*value{m[3], m[1], m[5]}, v),
		s.dot([]*value{m[4], m[5], m[2]}, v),
	}
}

// step moves b to b·exp(δ), M·δ = mean, and holds where that is no farther than half a radian.
func (m *meanDriver) step(s *straight) (holds *value) {
	inverse, b := s.all(m.inverse[:]), s.all(m.b[:])
	delta := symmetricTimes(s, inverse, s.all(m.mean[:]))
	scale := s.over(s.constant(1), s.from(m.det))
	for i := range delta {
		delta[i] = s.times(scale, delta[i])
	}
	h2 := s.dot(delta, delta)
	// Sine over angle and cosine, brought to unit length.
	one := s.constant(1)
	sine := s.minusTimes(one, h2, s.minusTimes(s.constant(1./6), h2, s.constant(1./120)))
	cos := s.minusTimes(s.constant(1./24), h2, s.constant(1./720))
	cos = s.minusTimes(s.constant(1./2), h2, cos)
	cos = s.minusTimes(one, h2, cos)
	square := s.plusTimes(s.times(cos, cos), s.times(sine, sine), h2)
	unit := s.minusTimes(s.constant(1.5), s.constant(0.5), square)
	cos, sine = s.times(cos, unit), s.times(sine, unit)
	for i := range delta {
		delta[i] = s.times(sine, delta[i])
	}
	product := quaternionTimes(s, b, delta)
	for i := range product {
		s.keep(s.plusTimes(product[i], cos, b[i]), m.b[i])
	}
	return s.atMost(h2, s.constant(0.25))
}

// quaternionTimes returns the product of b and the quaternion (v, 0).
func quaternionTimes(s *straight, b, v []*value) (out []*value) {
	for i := range 3 {
		j, k := (i+1)%3, (i+2)%3
		out = append(out, s.minusTimes(s.plusTimes(s.times(b[3], v[i]), b[j], v[k]), b[k], v[j]))
	}
	return append(out, s.minus(s.constant(0), s.dot(b[:3], v)))
}

// finish writes the matrices of the means, after the scales, and notes the lanes that never came there.
func (m *meanDriver) finish(s *straight) {
	s.do(func(reg.VecVirtual) {
		far := m.asm.GP32()
		m.asm.MOVL(m.far, far)
		m.asm.ORB(far.As8(), operand.Mem{Base: m.failed})
	})
	q := m.solution(s)
	matrix := motionMatrix(s, q, s.over(s.constant(2), s.dot(q[:4], q[:4])))
	m.write(s, product(s, matrix, m.sumScales(s)))
}

// solution returns the mean: b and its dual part.
func (m *meanDriver) solution(s *straight) []*value {
	b := s.all(m.b[:])
	sum := make([]*value, 4) // Σ w·(κ·e − γ·(b·e)·d)
	for k := range masters {
		real, dual := s.all(m.motions[k][:4]), s.all(m.motions[k][4:])
		kappa := s.from(m.kappa[k])
		g := s.times(s.from(m.gamma[k]), s.dot(b, dual))
		for i := range sum {
			if k == 0 {
				sum[i] = s.times(kappa, dual[i])
			} else {
				sum[i] = s.plusTimes(sum[i], kappa, dual[i])
			}
			sum[i] = s.minusTimes(sum[i], g, real[i])
		}
	}
	tau := symmetricTimes(s, s.all(m.inverse[:]), conjugateTimes(s, b, sum))
	scale := s.over(s.constant(1), s.from(m.det))
	for i := range tau {
		tau[i] = s.times(scale, tau[i])
	}
	return append(b, quaternionTimes(s, b, tau)...)
}
