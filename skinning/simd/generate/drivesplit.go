package main

import (
	"math"

	"github.com/mmcloughlin/avo/reg"
)

// splitJoints emits the parting of matrices into rigid motion and scale, as package skinning's setRigidPart and
// setScalePart do, of upright joints near rigid, where the rotation is a series (polarRotation); others are rejected.
func splitJoints(l *lanes, scaled bool) {
	name := "splitAVX2"
	if scaled {
		name = "splitScaledAVX2"
	}
	d := l.driver(name, "takes matrices apart for package simd's Split.", 60)
	record := l.asm.GP64()
	l.asm.MOVQ(d.records, record)
	d.each(splitBytes, func(rejected reg.GPVirtual) {
		s := l.straight(d.stack)
		c := d.columns(s, d.matrices, at(d.groups, 0), 0, 12)
		m := []*value{c[0], c[1], c[2], c[4], c[5], c[6], c[8], c[9], c[10]}
		r, near := nearRotation(s, m)
		d.reject(s, near, rejected)
		var p [3]*value
		for k := range p {
			p[k] = d.group(s, splitPosition+32*k)
		}
		out := rotationQuaternion(s, r)
		out = append(out, dualPart(s, out, r, c, p[:])...)
		if scaled {
			out = append(out, scaleRows(s, r, m, p[:])...)
		}
		for k := 0; k < len(out); k += 2 {
			low, high := s.low(out[k], out[k+1]), s.high(out[k], out[k+1])
			s.storeHalves(low, at(record, 8*k), at(record, 2*jointBytes+8*k))
			s.storeHalves(high, at(record, jointBytes+8*k), at(record, 3*jointBytes+8*k))
		}
		s.emit()
		l.asm.ADDQ(operandI32(4*jointBytes), record)
	})
}

// nearRotation returns the rotation of c = R·S by R = C·(CᵀC)^(−½), a series in E = CᵀC − I, and where it holds:
// where E is small and the determinant positive.
func nearRotation(s *straight, c []*value) (r []*value, near *value) {
	column := func(k int) []*value { return []*value{c[k], c[3+k], c[6+k]} }
	one := s.constant(1)
	var e [3][3]*value
	for i := range 3 {
		for j := i; j < 3; j++ {
			e[i][j] = s.dot(column(i), column(j))
			if i == j {
				e[i][j] = s.minus(e[i][j], one)
			}
			e[j][i] = e[i][j]
		}
	}
	square := func(i, j int) *value { return s.dot(e[i][:], e[j][:]) } // of E²
	size := s.plus(s.plus(square(0, 0), square(1, 1)), square(2, 2))
	minor := func(i, j, k, l int) *value { return s.minusTimes(s.times(c[i], c[l]), c[j], c[k]) }
	det := s.dot(c[:3], []*value{minor(4, 5, 7, 8), minor(5, 3, 8, 6), minor(3, 4, 6, 7)})
	near = s.both(s.less(size, s.constant(polarNear*polarNear)), s.less(s.constant(0), det))

	var f [3][3]*value // −E/2 + 3/8·E²
	for i := range 3 {
		for j := i; j < 3; j++ {
			f[i][j] = s.minusTimes(s.times(s.constant(0.375), square(i, j)), s.constant(0.5), e[i][j])
			f[j][i] = f[i][j]
		}
	}
	for i := range 3 {
		for j := range 3 {
			sum := c[3*i+j]
			for k := range 3 {
				sum = s.plusTimes(sum, c[3*i+k], f[k][j])
			}
			r = append(r, sum)
		}
	}
	return r, near
}

// As in package skinning.
const polarNear = 1e-5

// rotationQuaternion returns the unit quaternion of a rotation matrix by its largest component, with w ≥ 0 but for
// half turns.
func rotationQuaternion(s *straight, m []*value) (q []*value) {
	one := s.constant(1)
	trace := s.plus(s.plus(m[0], m[4]), m[8])
	byW := s.atMost(s.larger(s.larger(m[0], m[4]), m[8]), trace)
	byX := s.atMost(s.larger(m[4], m[8]), m[0])
	byY := s.atMost(m[8], m[4])
	choose := func(w, x, y, z *value) *value { return s.choose(byW, w, s.choose(byX, x, s.choose(byY, y, z))) }
	diagonal := func(a, b, c *value) *value { return s.minus(s.minus(s.plus(one, a), b), c) }
	xy, xz, yz := s.plus(m[1], m[3]), s.plus(m[2], m[6]), s.plus(m[5], m[7])
	wx, wy, wz := s.minus(m[7], m[5]), s.minus(m[2], m[6]), s.minus(m[3], m[1])
	q = []*value{
		choose(wx, diagonal(m[0], m[4], m[8]), xy, xz),
		choose(wy, xy, diagonal(m[4], m[0], m[8]), yz),
		choose(wz, xz, yz, diagonal(m[8], m[0], m[4])),
		choose(s.plus(one, trace), wx, wy, wz),
	}
	unit := s.over(one, s.root(s.dot(q, q)))
	// w < −1e-9 flips; of a half turn the largest component is positive as it is.
	sign := s.both(s.plus(s.times(q[3], unit), s.constant(1e-9)), s.constant(math.Copysign(0, -1)))
	unit = s.flip(unit, sign)
	for k := range q {
		q[k] = s.times(q[k], unit)
	}
	return q
}

// dualPart returns the dual part of the rigid motion x -> R(x − p) + C(p), as NewDualQuat of the translation (C − R)p.
func dualPart(s *straight, q, r, c, p []*value) []*value {
	var t [3]*value // half the translation
	for i := range t {
		sum := c[4*i+3]
		for k := range 3 {
			sum = s.plusTimes(sum, s.minus(c[4*i+k], r[3*i+k]), p[k])
		}
		t[i] = s.times(s.constant(0.5), sum)
	}
	var out []*value
	for i := range 3 {
		j, k := (i+1)%3, (i+2)%3
		out = append(out, s.minusTimes(s.plusTimes(s.times(t[i], q[3]), t[j], q[k]), t[k], q[j]))
	}
	return append(out, s.minus(s.constant(0), s.dot(t[:], q[:3])))
}

// scaleRows returns the scale x -> p + S(x − p), S = RᵀC.
func scaleRows(s *straight, r, c, p []*value) (out []*value) {
	column := func(m []*value, k int) []*value { return []*value{m[k], m[3+k], m[6+k]} }
	var l [3][3]*value
	for i := range 3 {
		for j := i; j < 3; j++ {
			l[i][j] = s.dot(column(r, i), column(c, j))
			l[j][i] = l[i][j]
		}
	}
	for i := range 3 {
		out = append(out, l[i][:]...)
		out = append(out, s.minus(p[i], s.dot(l[i][:], p)))
	}
	return out
}
