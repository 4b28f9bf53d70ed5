package main

import (
	"math"

	"github.com/mmcloughlin/avo/reg"
)

// masters is the most masters of a blend bone.
const masters = 4

// weights loads the weights of the masters.
func (d *driver) weights(s *straight) (w [masters]*value) {
	for k := range w {
		w[k] = s.from(d.member("BlendGroup.Weight", k))
	}
	return w
}

// motion loads so many components, 4 or 8, of master k's rigid part.
func (d *driver) motion(s *straight, k, components int) []*value {
	return d.columns(s, d.records, d.member("BlendGroup.Master", k), 0, components)
}

// opposite has the sign bit set where q is to be flipped to the hemisphere of its pivot.
func opposite(s *straight, pivot, q []*value) *value {
	near := s.minus(s.dot(pivot[:4], q[:4]), s.constant(hemisphereTie))
	return s.both(near, s.constant(math.Copysign(0, -1)))
}

// As in package skinning.
const hemisphereTie = -1e-6

// sumMotions returns Σ ±w_k·q̂_k of so many components.
func (d *driver) sumMotions(s *straight, components int) []*value {
	w := d.weights(s)
	pivot := d.motion(s, 0, components)
	sum := make([]*value, components)
	for i, q := range pivot {
		sum[i] = s.times(w[0], q)
	}
	for k := 1; k < masters; k++ {
		q := d.motion(s, k, components)
		signed := s.flip(w[k], opposite(s, pivot, q))
		for i := range sum {
			sum[i] = s.plusTimes(sum[i], signed, q[i])
		}
	}
	return sum
}

// sumScales returns Σ w_k·S_k, 12 values.
func (d *driver) sumScales(s *straight) []*value {
	w := d.weights(s)
	sum := make([]*value, 12)
	for k := range masters {
		for i, m := range d.columns(s, d.records, d.member("BlendGroup.Master", k), d.layout.offset("JointRecord.Scale"), 12) {
			if k == 0 {
				sum[i] = s.times(w[k], m)
			} else {
				sum[i] = s.plusTimes(sum[i], w[k], m)
			}
		}
	}
	return sum
}

// motionMatrix returns the matrix of a dual quaternion of any length (ALNS appendix A), of a quaternion alone its
// rotation.
func motionMatrix(s *straight, q []*value, twice *value) []*value {
	one := s.constant(1)
	x, y, z, w := q[0], q[1], q[2], q[3]
	diagonal := func(a, b *value) *value {
		return s.minusTimes(one, twice, s.plusTimes(s.times(a, a), b, b))
	}
	sum := func(a, b, c, d *value) *value { return s.times(twice, s.plusTimes(s.times(a, b), c, d)) }
	less := func(a, b, c, d *value) *value { return s.times(twice, s.minusTimes(s.times(a, b), c, d)) }
	m := []*value{
		diagonal(y, z), less(x, y, w, z), sum(x, z, w, y), nil,
		sum(x, y, w, z), diagonal(x, z), less(y, z, w, x), nil,
		less(x, z, w, y), sum(y, z, w, x), diagonal(x, y), nil,
	}
	if len(q) == 4 {
		return m
	}
	d, h := q[4:7], q[7]
	for i := range 3 {
		j, k := (i+1)%3, (i+2)%3
		t := s.minusTimes(s.times(w, d[i]), h, q[i])
		m[4*i+3] = s.times(twice, s.minusTimes(s.plusTimes(t, d[k], q[j]), d[j], q[k]))
	}
	return m
}

// product returns a·b of matrices of 12 values.
func product(s *straight, a, b []*value) (out []*value) {
	for r := 0; r < 12; r += 4 {
		for c := range 4 {
			sum := s.times(a[r], b[c])
			if c == 3 {
				sum = s.plusTimes(a[r+3], a[r], b[3])
			}
			out = append(out, s.plusTimes(s.plusTimes(sum, a[r+1], b[4+c]), a[r+2], b[8+c]))
		}
	}
	return out
}

// blendDual emits DQS, and SDQS where there are scales.
func blendDual(l *lanes, scaled bool) {
	name := "blendDual"
	if scaled {
		name = "blendScaleDual"
	}
	d := l.driver(name, "BlendGroup", "", 60)
	d.each(l.layout.size("BlendGroup"), func(rejected reg.GPVirtual) {
		s := l.straight(d.stack)
		q := d.sumMotions(s, 8)
		square := s.dot(q[:4], q[:4])
		d.reject(s, s.less(s.constant(1e-300), square), rejected)
		m := motionMatrix(s, q, s.over(s.constant(2), square))
		if scaled {
			m = product(s, m, d.sumScales(s))
		}
		d.write(s, m)
		s.emit()
	})
}
