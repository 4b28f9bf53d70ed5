package main

import (
	"strings"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// What drives blend bones (ALNS section 3), in float64 and four at a time: split takes joints' matrices apart, the
// others sample an operator. Every one writes which it could not do; package skinning then does those.

// driver is the frame of a kernel of blend bones.
type driver struct {
	*lanes
	stack                             *stackSlots
	groups, count, records, matrices  reg.GPVirtual
	rounded, packed, failed, centered reg.GPVirtual // nil where the kernel has none
}

// drive emits all kernels of blend bones.
func drive(l *lanes) {
	splitJoints(l)
	blendDual(l, false)
	blendDual(l, true)
	blendMean(l)
	blendCenter(l)
}

// driver begins a kernel of groups of that type, with more parameters, and takes room on the stack for so many values.
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

// slots takes so many slots of the stack.
func (l *lanes) slots(values int) *stackSlots {
	return &stackSlots{base: l.stack(32 * values), most: values}
}

// member is vector i of a field of the group that the kernel is at.
func (d *driver) member(path string, i int) operand.Mem {
	base := d.groups
	if strings.HasPrefix(path, "CenterGroup.") {
		base = d.centered
	}
	return d.field(base, path).Offset(32 * i)
}

// each emits the loop over the groups, of so many bytes each, around body, which jumps to the label "failed" with
// what to note in rejected.
func (d *driver) each(bytes int, body func(rejected reg.GPVirtual)) {
	d.asm.TESTQ(d.count, d.count)
	d.asm.JZ(operand.LabelRef("done"))
	d.asm.Label("group")
	rejected := d.asm.GP32()
	body(rejected)
	d.asm.Label("failed")
	d.asm.MOVB(rejected.As8(), operand.Mem{Base: d.failed})
	d.asm.INCQ(d.failed)
	d.asm.ADDQ(operand.I32(bytes), d.groups)
	if d.centered != nil {
		d.asm.ADDQ(operand.I32(d.layout.size("CenterGroup")), d.centered)
	}
	d.asm.DECQ(d.count)
	d.asm.JNZ(operand.LabelRef("group"))
	d.asm.Label("done")
	d.asm.VZEROUPPER()
	d.asm.RET()
}

// reject sets rejected to the lanes where a comparison does not hold.
func (d *driver) reject(s *straight, holds *value, rejected reg.GPVirtual) {
	s.do(func(r reg.VecVirtual) {
		d.asm.VMOVMSKPD(r, rejected)
		d.asm.XORL(operand.U8(15), rejected)
	}, holds)
}

// columns loads so many doubles, an even number, of four places whose offsets from base lie in a group: one place per
// lane.
func (d *driver) columns(s *straight, base reg.Register, offsets operand.Mem, from, number int) (out []*value) {
	at := make([]reg.GPVirtual, 4)
	for i := range at {
		at[i] = d.asm.GP64()
	}
	s.do(func(reg.VecVirtual) {
		for i, r := range at {
			d.asm.MOVQ(offsets.Offset(8*i), r)
		}
	})
	for n := 0; n < number; n += 2 {
		place := func(i int) operand.Mem {
			return operand.Mem{Base: base, Index: at[i], Scale: 1, Disp: from + 8*n}
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
			s.store(v, func() []operand.Mem {
				d.asm.MOVQ(d.member("BlendGroup.Joint", 0).Offset(8*lane), once)
				d.asm.LEAQ(operand.Mem{Base: once, Index: once, Scale: 2}, thrice)
				return []operand.Mem{{Base: d.matrices, Index: thrice, Scale: 2, Disp: 32 * row}}
			})
			s.store(s.narrow(v), func() []operand.Mem {
				to := []operand.Mem{
					{Base: d.rounded, Index: thrice, Scale: 1, Disp: 16 * row},
					{Base: d.packed, Index: once, Scale: 4, Disp: 16 * row},
				}
				if row == 0 {
					to = append(to, operand.Mem{Base: d.packed, Index: once, Scale: 4, Disp: 48})
				}
				return to
			})
		}
	}
}

// dot returns the sum of products.
func (s *straight) dot(a, b []*value) *value {
	sum := s.times(a[0], b[0])
	for k := range a[1:] {
		sum = s.plusTimes(sum, a[k+1], b[k+1])
	}
	return sum
}
