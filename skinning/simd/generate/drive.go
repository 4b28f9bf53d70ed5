package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// What drives blend bones (ALNS section 3), in float64 and four at a time: split takes joints' matrices apart, the
// others sample an operator. Every one writes which it could not do; package skinning then does those.

// The layouts of package simd's SplitGroup, BlendGroup and CenterGroup, and of the record of a joint that is taken
// apart: the real part of its rigid motion, the dual part, and three rows of its scale.
const (
	splitPosition = 32
	splitBytes    = 128

	blendWeight = 128
	blendJoint  = 256
	blendBytes  = 288

	centerShare = 128
	centerCount = 256
	centerRest  = 384
	centerFixed = 480
	centerBytes = 512

	recordDual  = 32
	recordScale = 64
	jointBytes  = 160
)

// driver is the frame of a kernel of blend bones.
type driver struct {
	*lanes
	stack                             *stackSlots
	groups, count, records, matrices  reg.GPVirtual
	rounded, packed, failed, centered reg.GPVirtual // nil where there is no such parameter
}

// drive emits all kernels of blend bones.
func drive(c *build.Context) {
	c.ConstraintExpr("amd64")
	tables := make(map[string]operand.Mem)
	l := &lanes{asm: c, tables: tables}
	splitJoints(l)
	blendDual(l, false)
	blendDual(l, true)
	blendMean(l)
	blendCenter(l)
}

// driver begins a function with the parameters of all and those named more, and room on the stack for so many values.
func (l *lanes) driver(name, doc string, values int, more ...string) *driver {
	l.asm.Function(name)
	l.asm.Pragma("noescape")
	l.asm.Doc(name + " " + doc)
	signature := "func(groups *int64, count int, matrices, records *float64, failed *uint8"
	for _, m := range more {
		signature += ", " + m + " " + driverTypes[m]
	}
	l.asm.SignatureExpr(signature + ")")
	d := &driver{lanes: l}
	load := func(name string) reg.GPVirtual {
		r := l.asm.GP64()
		l.asm.Load(l.asm.Param(name), r)
		return r
	}
	d.groups, d.count, d.matrices, d.records = load("groups"), load("count"), load("matrices"), load("records")
	d.failed = load("failed")
	for _, m := range more {
		switch m {
		case "rounded":
			d.rounded = load(m)
		case "packed":
			d.packed = load(m)
		case "centered":
			d.centered = load(m)
		}
	}
	d.stack = &stackSlots{base: l.stack(32 * values), most: values}
	return d
}

// driverTypes are the types of the parameters that not all kernels have.
var driverTypes = map[string]string{"rounded": "*float32", "packed": "*float32", "centered": "*int64",
	"scaled": "int"}

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
	d.asm.ADDQ(operand.I32(int32(bytes)), d.groups)
	if d.centered != nil {
		d.asm.ADDQ(operand.I32(centerBytes), d.centered)
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
				d.asm.MOVQ(at(d.groups, blendJoint+8*lane), once)
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

// group is a value of the group: four doubles.
func (d *driver) group(s *straight, offset int) *value { return s.from(at(d.groups, offset)) }

// kernelDoc is what the kernels of operators have in common.
func kernelDoc(what string) string {
	return fmt.Sprintf("samples %s for package simd's Blend.", what)
}
