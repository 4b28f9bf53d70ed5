package main

import (
	"math"
	"strings"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// What drives blend bones (ALNS section 3), in float64 and four at a time: split takes joints' matrices apart, the
// others sample an operator. Every kernel writes which lanes it could not do; packages skinning and rig then do those.

// drive emits all of them.
func drive(l *lanes) {
	splitJoints(l)
	blendDual(l, false)
	blendDual(l, true)
	blendMean(l)
	blendCenter(l)
}

// driver is the frame of a kernel of blend bones.
type driver struct {
	*lanes
	stack                             *stackSlots
	groups, count, records, matrices  reg.GPVirtual
	rounded, packed, failed, centered reg.GPVirtual // nil where the kernel has none
}

// driver begins a kernel of groups of that type, with more parameters, and takes room on the stack for a number of
// values.
func (l *lanes) driver(name, groups, more string, values int) *driver {
	l.function(name, "groups *"+groups+", count int, d *Drive"+more+")")
	d := &driver{lanes: l, groups: l.param("groups"), count: l.param("count")}
	memory := l.param("d")
	load := func(name string) reg.GPVirtual { return l.load(l.field(memory, "Drive."+name)) }
	d.matrices, d.records, d.failed = load("Matrices"), load("Records"), load("Failed")
	if groups == "BlendGroup" {
		d.rounded, d.packed = load("Rounded"), load("Packed")
	}
	d.stack = l.slots(values)
	return d
}

// member is vector i of a field of the group that the kernel is at.
func (d *driver) member(path string, i int) operand.Mem {
	base := d.groups
	if strings.HasPrefix(path, "CenterGroup.") {
		base = d.centered
	}
	return d.field(base, path).Offset(32 * i)
}

// each emits the loop over the groups, of a number of bytes each, around body, which sets rejected to the lanes that it
// could not do, and ends the function.
func (d *driver) each(bytes int, body func(rejected reg.GPVirtual)) {
	d.ifZero(d.count, "done")
	d.label("group")
	rejected := d.asm.GP32()
	body(rejected)
	d.asm.MOVB(rejected.As8(), at(d.failed, 0))
	d.asm.INCQ(d.failed)
	d.asm.ADDQ(operand.I32(bytes), d.groups)
	if d.centered != nil {
		d.asm.ADDQ(operand.I32(d.layout.size("CenterGroup")), d.centered)
	}
	d.untilZero(d.count, "group")
	d.done()
}

// eachBlend is each for blend bones, whose matrices build returns. It says by holds in which lanes they are sound.
func (d *driver) eachBlend(build func(s *straight, holds func(*value)) []*value) {
	d.each(d.layout.size("BlendGroup"), func(rejected reg.GPVirtual) {
		d.run(d.stack, func(s *straight) {
			d.write(s, build(s, func(sound *value) { d.reject(s, sound, rejected) }))
		})
	})
}

// reject sets rejected to the lanes where a comparison does not hold.
func (d *driver) reject(s *straight, holds *value, rejected reg.GPVirtual) {
	s.do(func(r reg.VecVirtual) {
		d.asm.VMOVMSKPD(r, rejected)
		d.asm.XORL(operand.U8(15), rejected)
	}, holds)
}

// columns loads an even number of doubles of each of four places whose offsets from base lie in a group: one place per
// lane.
func (d *driver) columns(s *straight, base reg.Register, offsets operand.Mem, from, number int) (out []*value) {
	var lanes []reg.GPVirtual
	for range 4 {
		lanes = append(lanes, d.asm.GP64())
	}
	s.do(func(reg.VecVirtual) {
		for i, r := range lanes {
			d.asm.MOVQ(offsets.Offset(8*i), r)
		}
	})
	for n := 0; n < number; n += 2 {
		place := func(i int) operand.Mem {
			return operand.Mem{Base: base, Index: lanes[i], Scale: 1, Disp: from + 8*n}
		}
		even, odd := s.join(place(0), place(2)), s.join(place(1), place(3))
		out = append(out, s.low(even, odd), s.high(even, odd))
	}
	return out
}

// write writes matrices of 12 values to the joints of a group, in float64 and rounded.
func (d *driver) write(s *straight, m []*value) {
	for row := range 3 {
		a := m[4*row : 4*row+4]
		even, odd := s.low(a[0], a[1]), s.high(a[0], a[1])
		even2, odd2 := s.low(a[2], a[3]), s.high(a[2], a[3])
		for lane, v := range []*value{
			s.halves(even, even2, 0x20), s.halves(odd, odd2, 0x20),
			s.halves(even, even2, 0x31), s.halves(odd, odd2, 0x31),
		} {
			once, thrice := d.asm.GP64(), d.asm.GP64() // 16 and 48 bytes a joint
			s.do(func(r reg.VecVirtual) {
				d.asm.MOVQ(d.member("BlendGroup.Joint", 0).Offset(8*lane), once)
				d.asm.LEAQ(operand.Mem{Base: once, Index: once, Scale: 2}, thrice)
				d.asm.VMOVUPD(r, operand.Mem{Base: d.matrices, Index: thrice, Scale: 2, Disp: 32 * row})
			}, v)
			s.do(func(r reg.VecVirtual) {
				packed := operand.Mem{Base: d.packed, Index: once, Scale: 4}
				d.asm.VMOVUPS(r.AsX(), operand.Mem{Base: d.rounded, Index: thrice, Scale: 1, Disp: 16 * row})
				d.asm.VMOVUPS(r.AsX(), packed.Offset(16*row))
				if row == 0 {
					d.asm.VMOVUPS(r.AsX(), packed.Offset(48))
				}
			}, s.narrow(v))
		}
	}
}

// symmetricPairs are the elements of a symmetric matrix as its values are ordered: the diagonal, then xy, xz, yz.
var symmetricPairs = [6][2]int{{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}}

// addOuter adds the product of a column and a row, which is symmetric, to a matrix.
func (s *straight) addOuter(matrix, column, row []*value) {
	for n, ij := range symmetricPairs {
		s.sum(&matrix[n], column[ij[0]], row[ij[1]])
	}
}

// cofactors returns det·a⁻¹ and det of a symmetric matrix.
func (s *straight) cofactors(a []*value) (c []*value, det *value) {
	for _, i := range [6][4]int{{1, 2, 5, 5}, {0, 2, 4, 4}, {0, 1, 3, 3}, {4, 5, 3, 2}, {3, 5, 4, 1}, {3, 4, 0, 5}} {
		c = append(c, s.minusTimes(s.times(a[i[0]], a[i[1]]), a[i[2]], a[i[3]]))
	}
	return c, s.dot([]*value{a[0], a[3], a[4]}, []*value{c[0], c[3], c[4]})
}

// symmetricTimes returns the product of a symmetric matrix and a vector.
func (s *straight) symmetricTimes(m, v []*value) (out []*value) {
	for _, i := range [3][3]int{{0, 3, 4}, {3, 1, 5}, {4, 5, 2}} {
		out = append(out, s.dot([]*value{m[i[0]], m[i[1]], m[i[2]]}, v))
	}
	return out
}

// cross returns component i of x + a×b, where that of x is given.
func (s *straight) cross(i int, x *value, a, b []*value) *value {
	j, k := (i+1)%3, (i+2)%3
	return s.minusTimes(s.plusTimes(x, a[j], b[k]), a[k], b[j])
}

// quaternionProduct returns a·b.
func (s *straight) quaternionProduct(a, b []*value) (out []*value) {
	for i := range 3 {
		out = append(out, s.cross(i, s.plusTimes(s.times(a[3], b[i]), a[i], b[3]), a, b))
	}
	w := s.times(a[3], b[3])
	for i := range 3 {
		w = s.minusTimes(w, a[i], b[i])
	}
	return append(out, w)
}

// quaternionTimes returns the product of b and the quaternion (v, 0).
func (s *straight) quaternionTimes(b, v []*value) (out []*value) {
	for i := range 3 {
		out = append(out, s.cross(i, s.times(b[3], v[i]), b, v))
	}
	return append(out, s.minus(s.constant(0), s.dot(b[:3], v)))
}

// conjugateTimes returns the vector part of b*·q.
func (s *straight) conjugateTimes(b, q []*value) (out []*value) {
	for i := range 3 {
		out = append(out, s.cross(i, s.minusTimes(s.times(b[3], q[i]), b[i], q[3]), q, b))
	}
	return out
}

// signBit is −0: what a value is flipped by.
func (s *straight) signBit() *value { return s.constant(math.Copysign(0, -1)) }
