package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// splitter is a kernel that takes matrices apart.
type splitter struct {
	*driver
	c    []operand.Mem   // the matrices, 12 values
	gram [][]operand.Mem // CᵀC − I, symmetric
	r    []operand.Mem   // the rotations, 9 values
}

// symmetric3 returns a symmetric matrix whose upper elements are those.
func symmetric3[T any](upper func(i, j int) T) [][]T {
	m := [][]T{make([]T, 3), make([]T, 3), make([]T, 3)}
	for i := range 3 {
		for j := i; j < 3; j++ {
			m[i][j] = upper(i, j)
			m[j][i] = m[i][j]
		}
	}
	return m
}

// splitJoints emits the parting of matrices into rigid motion and scale, as package geom's SetRigidPart and
// SetScalePart do. Matrices too uneven or too near singular for the closed form of the rotation are rejected.
func splitJoints(l *lanes) {
	d := &splitter{driver: l.driver("split", "SplitGroup", ", scaled int", 100)}
	for range 12 {
		d.c = append(d.c, d.stack.room())
	}
	for range 9 {
		d.r = append(d.r, d.stack.room())
	}
	d.gram = symmetric3(func(i, j int) operand.Mem { return d.stack.room() })
	record := l.asm.GP64()
	l.asm.MOVQ(d.records, record)
	run := func(build func(s *straight)) { d.run(d.stack, build) }
	d.each(l.layout.size("SplitGroup"), func(rejected reg.GPVirtual) {
		run(func(s *straight) { d.reject(s, d.load(s), rejected) })
		l.asm.TESTL(rejected, rejected)
		l.asm.JZ(operand.LabelRef("near"))
		run(func(s *straight) { d.reject(s, d.rotate(s), rejected) })
		l.jump("rotated")
		l.label("near")
		run(d.rotateNear)
		l.label("rotated")
		run(func(s *straight) { d.motionPart(s, record) })
		l.asm.CMPQ(l.inMemory("scaled"), operand.I8(0))
		l.asm.JEQ(operand.LabelRef("parted"))
		run(func(s *straight) { d.scalePart(s, record) })
		l.label("parted")
		l.asm.ADDQ(operand.I32(4*l.layout.size("JointRecord")), record)
	})
}

// linear returns the linear part of the matrices, of 12 values.
func linearPart[T any](c []T) []T {
	return []T{c[0], c[1], c[2], c[4], c[5], c[6], c[8], c[9], c[10]}
}

// load reads matrices, and returns where they are upright and so near rigid that the series of rotateNear holds.
func (d *splitter) load(s *straight) (near *value) {
	all := d.columns(s, d.matrices, d.member("SplitGroup.Matrix", 0), 0, 12)
	s.keepAll(all, d.c)
	c := linearPart(all)
	var size *value
	symmetric3(func(i, j int) *value {
		e := s.dot(column(c, i), column(c, j))
		square := e
		if i == j {
			e = s.minus(e, s.constant(1))
			square = s.times(e, e)
		} else {
			square = s.times(s.plus(e, e), e)
		}
		s.keep(e, d.gram[i][j])
		if size == nil {
			size = square
		} else {
			size = s.plus(size, square)
		}
		return e
	})
	det := s.dot(c[:3], s.cofactorRow(c, 0))
	reach := d.layout.constant("../geom", "polarNear")
	return s.both(s.less(size, s.constant(reach*reach)), s.less(s.constant(0), det))
}

func column(c []*value, k int) []*value { return []*value{c[k], c[3+k], c[6+k]} }

// cofactorRow returns row i of the cofactors of a 3×3 matrix.
func (s *straight) cofactorRow(c []*value, i int) (f []*value) {
	a, b := c[3*((i+1)%3):], c[3*((i+2)%3):]
	for j := range 3 {
		k, l := (j+1)%3, (j+2)%3
		f = append(f, s.minusTimes(s.times(a[k], b[l]), a[l], b[k]))
	}
	return f
}

// symmetric returns CᵀC − I.
func (d *splitter) symmetric(s *straight) [][]*value {
	return symmetric3(func(i, j int) *value { return s.from(d.gram[i][j]) })
}

// rotateNear writes the rotation of C = R·S by R = C·(CᵀC)^(−½), a series in CᵀC − I.
func (d *splitter) rotateNear(s *straight) {
	c, e := s.all(linearPart(d.c)), d.symmetric(s)
	f := symmetric3(func(i, j int) *value { // −E/2 + 3/8·E²
		return s.minusTimes(s.times(s.constant(0.375), s.dot(e[i], e[j])), s.constant(0.5), e[i][j])
	})
	for i := range 3 {
		for j := range 3 {
			sum := c[3*i+j]
			for k := range 3 {
				sum = s.plusTimes(sum, c[3*i+k], f[k][j])
			}
			s.keep(sum, d.r[3*i+j])
		}
	}
}

// rotate writes the rotation of C = R·S by the closed form that package geom's polarRotation explains, and returns
// where that is sound.
func (d *splitter) rotate(s *straight) (sound *value) {
	c, gram := s.all(linearPart(d.c)), d.symmetric(s)
	for i := range gram { // computed again, because CᵀC − I has no digits left if the scale is small
		gram[i][i] = s.dot(column(c, i), column(c, i))
	}
	det := s.dot(c[:3], s.cofactorRow(c, 0))
	sign := s.both(det, s.signBit())
	det = s.flip(det, sign)
	for i := range c { // a mirrored joint keeps its reflection in S
		c[i] = s.flip(c[i], sign)
	}
	var cofactors []*value
	for i := range 3 {
		cofactors = append(cofactors, s.cofactorRow(c, i)...)
	}
	size := s.plus(s.plus(gram[0][0], gram[1][1]), gram[2][2])
	trace, converged := s.largestRoot(size, det, s.dot(cofactors, cofactors))
	square := s.times(trace, trace)
	second := s.times(s.constant(0.5), s.minus(square, size))
	m := s.minus(s.times(trace, second), det)
	q := s.over(s.constant(1), m)
	p, b := s.times(trace, q), s.minus(square, second)
	for i := range 3 {
		for j := range 3 {
			sum := s.times(b, c[3*i+j])
			for k := range 3 {
				sum = s.minusTimes(sum, c[3*i+k], gram[k][j])
			}
			s.keep(s.plusTimes(s.times(p, cofactors[3*i+j]), q, sum), d.r[3*i+j])
		}
	}
	inRange := s.both(s.less(s.constant(1e-90), size), s.less(size, s.constant(1e90)))
	cube := s.times(s.times(size, size), size)
	certain := s.less(s.times(s.constant(1e-20), cube), s.times(det, det))
	even := s.less(s.times(s.constant(d.layout.constant("../geom", "polarUneven")), s.times(square, trace)), m)
	return s.both(s.both(inRange, certain), s.both(even, converged))
}

// rootSteps of Halley's method find the trace of every scale that is not far from even.
const rootSteps = 4

// largestRoot returns the largest root of (x² − size)² − 8·det·x − 4·cofactors, the trace of S, from √(3·size) down by
// Halley's method, and where its last step was small enough.
func (s *straight) largestRoot(size, det, cofactors *value) (x, converged *value) {
	x = s.root(s.times(s.constant(3), size))
	det8, cofactors4 := s.times(s.constant(8), det), s.times(s.constant(4), cofactors)
	for range rootSteps {
		square := s.times(x, x)
		d := s.minus(square, size)
		value := s.minus(s.minusTimes(s.times(d, d), det8, x), cofactors4)
		slope := s.minus(s.times(s.times(s.constant(4), x), d), det8)
		curve := s.plusTimes(s.plus(d, d), s.constant(4), square)
		step := s.over(s.times(value, slope), s.minusTimes(s.times(slope, slope), value, curve))
		x = s.minus(x, step)
		converged = s.atMost(step, s.times(s.constant(1e-6), x)) // the error is cubed
	}
	return x, converged
}

// motionPart writes the rigid motions of rotations to the records: the quaternion, and the dual part of x -> R(x − p) +
// C(p), as NewDualQuat of the translation (C − R)p.
func (d *splitter) motionPart(s *straight, record reg.Register) {
	c, r := s.all(d.c), s.all(d.r)
	q, p := s.rotationQuaternion(r), d.positions(s)
	var t []*value // half the translation
	for i := range 3 {
		sum := c[4*i+3]
		for k := range 3 {
			sum = s.plusTimes(sum, s.minus(c[4*i+k], r[3*i+k]), p[k])
		}
		t = append(t, s.times(s.constant(0.5), sum))
	}
	out := q
	for i := range 3 {
		out = append(out, s.cross(i, s.times(t[i], q[3]), t, q))
	}
	d.store(s, append(out, s.minus(s.constant(0), s.dot(t, q))), record, 0)
}

// scalePart writes their scales x -> p + S(x − p), S = RᵀC.
func (d *splitter) scalePart(s *straight, record reg.Register) {
	r, c, p := s.all(d.r), s.all(linearPart(d.c)), d.positions(s)
	var out []*value
	for i, row := range symmetric3(func(i, j int) *value { return s.dot(column(r, i), column(c, j)) }) {
		out = append(append(out, row...), s.minus(p[i], s.dot(row, p)))
	}
	d.store(s, out, record, d.layout.offset("JointRecord.Scale"))
}

// positions are those of the joints.
func (d *splitter) positions(s *straight) (p []*value) {
	for k := range 3 {
		p = append(p, s.from(d.member("SplitGroup.Position", k)))
	}
	return p
}

// store writes values, an even number, to the records from a byte on.
func (d *splitter) store(s *straight, out []*value, record reg.Register, from int) {
	bytes := d.layout.size("JointRecord")
	for k := 0; k < len(out); k += 2 {
		to := at(record, from+8*k)
		s.storeHalves(s.low(out[k], out[k+1]), to, to.Offset(2*bytes))
		s.storeHalves(s.high(out[k], out[k+1]), to.Offset(bytes), to.Offset(3*bytes))
	}
}

// rotationQuaternion returns the unit quaternion of a rotation matrix by its largest component, with w ≥ 0 but for
// half turns.
func (s *straight) rotationQuaternion(m []*value) (q []*value) {
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
	sign := s.both(s.plus(s.times(q[3], unit), s.constant(1e-9)), s.signBit())
	return s.scaled(s.flip(unit, sign), q)
}
