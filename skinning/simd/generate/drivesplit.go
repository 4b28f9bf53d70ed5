package main

import (
	"math"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// splitter is a kernel that takes matrices apart.
type splitter struct {
	*driver
	c    [12]operand.Mem   // the matrices
	gram [3][3]operand.Mem // CᵀC − I, symmetric
	r    [9]operand.Mem    // the rotations
}

// splitJoints emits the parting of matrices into rigid motion and scale, as package skinning's setRigidPart and
// setScalePart do. Matrices too uneven or too near singular for the closed form of the rotation are rejected.
func splitJoints(l *lanes) {
	d := &splitter{driver: l.driver("split", "SplitGroup", ", scaled int", 100)}
	for i := range d.c {
		d.c[i] = d.stack.room()
	}
	for i := range d.r {
		d.r[i] = d.stack.room()
	}
	for i := range 3 {
		for j := i; j < 3; j++ {
			d.gram[i][j] = d.stack.room()
			d.gram[j][i] = d.gram[i][j]
		}
	}
	record := l.asm.GP64()
	l.asm.MOVQ(d.records, record)
	d.each(l.layout.size("SplitGroup"), func(rejected reg.GPVirtual) {
		d.run(func(s *straight) { d.reject(s, d.load(s), rejected) })
		l.asm.TESTL(rejected, rejected)
		l.asm.JZ(operand.LabelRef("near"))
		d.run(func(s *straight) { d.reject(s, d.rotate(s), rejected) })
		l.asm.JMP(operand.LabelRef("rotated"))
		l.asm.Label("near")
		d.run(d.rotateNear)
		l.asm.Label("rotated")
		d.run(func(s *straight) { d.motionPart(s, record) })
		l.asm.CMPQ(l.inMemory("scaled"), operand.I8(0))
		l.asm.JEQ(operand.LabelRef("parted"))
		d.run(func(s *straight) { d.scalePart(s, record) })
		l.asm.Label("parted")
		l.asm.ADDQ(operand.I32(4*l.layout.size("JointRecord")), record)
	})
}

func (d *splitter) run(build func(s *straight)) {
	s := d.straight(d.stack)
	build(s)
	s.emit()
}

// linear returns the linear part of the matrices.
func (d *splitter) linear(s *straight) (c []*value) {
	for i := range 9 {
		c = append(c, s.from(d.c[i/3*4+i%3]))
	}
	return c
}

// symmetric returns CᵀC − I.
func (d *splitter) symmetric(s *straight) (e [3][3]*value) {
	for i := range 3 {
		for j := i; j < 3; j++ {
			e[i][j] = s.from(d.gram[i][j])
			e[j][i] = e[i][j]
		}
	}
	return e
}

func (d *splitter) keepRotation(s *straight, r []*value) {
	for i, v := range r {
		s.keep(v, d.r[i])
	}
}

// load reads matrices, and returns where they are upright and so near rigid that the series of rotateNear holds.
func (d *splitter) load(s *straight) (near *value) {
	all := d.columns(s, d.matrices, d.member("SplitGroup.Matrix", 0), 0, 12)
	for i, v := range all {
		s.keep(v, d.c[i])
	}
	c := []*value{all[0], all[1], all[2], all[4], all[5], all[6], all[8], all[9], all[10]}
	size := (*value)(nil)
	for i := range 3 {
		for j := i; j < 3; j++ {
			e := s.dot(column(c, i), column(c, j))
			square := (*value)(nil)
			if i == j {
				e = s.minus(e, s.constant(1))
				square = s.times(e, e)
			} else {
				square = s.times(s.plus(e, e), e)
			}
			if s.keep(e, d.gram[i][j]); size == nil {
				size = square
			} else {
				size = s.plus(size, square)
			}
		}
	}
	det := s.dot(c[:3], cofactorRow(s, c, 0))
	return s.both(s.less(size, s.constant(polarNear*polarNear)), s.less(s.constant(0), det))
}

func column(c []*value, k int) []*value { return []*value{c[k], c[3+k], c[6+k]} }

// cofactorRow returns row i of the cofactors of a 3×3 matrix.
func cofactorRow(s *straight, c []*value, i int) (f []*value) {
	a, b := c[3*((i+1)%3):], c[3*((i+2)%3):]
	for j := range 3 {
		k, l := (j+1)%3, (j+2)%3
		f = append(f, s.minusTimes(s.times(a[k], b[l]), a[l], b[k]))
	}
	return f
}

// rotateNear writes the rotation of C = R·S by R = C·(CᵀC)^(−½), a series in CᵀC − I.
func (d *splitter) rotateNear(s *straight) {
	c, e := d.linear(s), d.symmetric(s)
	var f [3][3]*value // −E/2 + 3/8·E²
	for i := range 3 {
		for j := i; j < 3; j++ {
			square := s.dot(e[i][:], e[j][:])
			f[i][j] = s.minusTimes(s.times(s.constant(0.375), square), s.constant(0.5), e[i][j])
			f[j][i] = f[i][j]
		}
	}
	var r []*value
	for i := range 3 {
		for j := range 3 {
			sum := c[3*i+j]
			for k := range 3 {
				sum = s.plusTimes(sum, c[3*i+k], f[k][j])
			}
			r = append(r, sum)
		}
	}
	d.keepRotation(s, r)
}

// rotate writes the rotation of C = R·S by the closed form that package skinning's polarRotation explains, and
// returns where that is sound.
func (d *splitter) rotate(s *straight) (sound *value) {
	c, gram := d.linear(s), d.symmetric(s)
	for i := range gram { // anew: of a small scale CᵀC − I has no digits left
		gram[i][i] = s.dot(column(c, i), column(c, i))
	}
	det := s.dot(c[:3], cofactorRow(s, c, 0))
	sign := s.both(det, s.constant(math.Copysign(0, -1)))
	det = s.flip(det, sign)
	for i := range c { // a mirrored joint keeps its reflection in S
		c[i] = s.flip(c[i], sign)
	}
	var cofactors []*value
	for i := range 3 {
		cofactors = append(cofactors, cofactorRow(s, c, i)...)
	}
	size := s.plus(s.plus(gram[0][0], gram[1][1]), gram[2][2])
	trace, settled := largestRoot(s, size, det, s.dot(cofactors, cofactors))
	square := s.times(trace, trace)
	second := s.times(s.constant(0.5), s.minus(square, size))
	m := s.minus(s.times(trace, second), det)
	q := s.over(s.constant(1), m)
	p, b := s.times(trace, q), s.minus(square, second)
	var r []*value
	for i := range 3 {
		for j := range 3 {
			sum := s.times(b, c[3*i+j])
			for k := range 3 {
				sum = s.minusTimes(sum, c[3*i+k], gram[k][j])
			}
			r = append(r, s.plusTimes(s.times(p, cofactors[3*i+j]), q, sum))
		}
	}
	d.keepRotation(s, r)
	inRange := s.both(s.less(s.constant(1e-90), size), s.less(size, s.constant(1e90)))
	cube := s.times(s.times(size, size), size)
	certain := s.less(s.times(s.constant(1e-20), cube), s.times(det, det))
	even := s.less(s.times(s.constant(polarUneven), s.times(square, trace)), m)
	return s.both(s.both(inRange, certain), s.both(even, settled))
}

// rootSteps of Halley's method find the trace of every scale that is not far from even.
const rootSteps = 4

// largestRoot returns the largest root of (x² − size)² − 8·det·x − 4·cofactors, the trace of S, from √(3·size) down by
// Halley's method, and where its last step was small enough.
func largestRoot(s *straight, size, det, cofactors *value) (x, settled *value) {
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
		settled = s.atMost(step, s.times(s.constant(1e-6), x)) // the error is cubed
	}
	return x, settled
}

// motionPart writes the rigid motions of rotations to the records.
func (d *splitter) motionPart(s *straight, record reg.Register) {
	var c []*value
	for _, m := range d.c {
		c = append(c, s.from(m))
	}
	r := s.all(d.r[:])
	q := rotationQuaternion(s, r)
	d.store(s, append(q, dualPart(s, q, r, c, d.positions(s))...), record, 0)
}

// scalePart writes their scales.
func (d *splitter) scalePart(s *straight, record reg.Register) {
	d.store(s, scaleRows(s, s.all(d.r[:]), d.linear(s), d.positions(s)), record, d.layout.offset("JointRecord.Scale"))
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
		low, high := s.low(out[k], out[k+1]), s.high(out[k], out[k+1])
		to := at(record, from+8*k)
		s.storeHalves(low, to, to.Offset(2*bytes))
		s.storeHalves(high, to.Offset(bytes), to.Offset(3*bytes))
	}
}

// As in package skinning.
const (
	polarNear   = 1e-5
	polarUneven = 0.15
)

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
