package main

import (
	"fmt"
	"math"
	"slices"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// straight collects straight-line arithmetic in float64, four lanes to a YMM register, and emits it with a place for
// every value. There are far more values than registers: where one is short, the value whose next use is farthest
// away goes to the stack (Belady, "A study of replacement algorithms for a virtual-storage computer", 1966). Nothing
// stays in registers from one run of it to the next.
type straight struct {
	*lanes
	stack *stackSlots
	steps []*value
	live  []*value // those in registers
}

// value is a step and, where it has one, its result; or a vector in memory, which is read when it is needed.
type value struct {
	args []*value
	emit func(i int) // emits it as step i
	uses []int       // the steps that read it, ascending

	in     reg.VecVirtual // nil where it is in memory alone
	memory *operand.Mem   // nil where it is in a register alone
	slot   bool           // memory is a slot of the stack
}

// stackSlots are 32 bytes each of a function's stack, taken for a value and given back.
type stackSlots struct {
	base  operand.Mem
	free  []int
	count int
	most  int
}

// slots takes a number of slots of the stack.
func (l *lanes) slots(values int) *stackSlots {
	return &stackSlots{base: l.stack(32 * values), most: values}
}

// room takes a slot: for good, or until its number is among the free ones.
func (s *stackSlots) room() operand.Mem {
	if n := len(s.free); n > 0 {
		k := s.free[n-1]
		s.free = s.free[:n-1]
		return s.base.Offset(32 * k)
	}
	if s.count == s.most {
		panic(fmt.Sprintf("generate: more than %d values on the stack", s.most))
	}
	s.count++
	return s.base.Offset(32 * (s.count - 1))
}

// step appends a step that reads values. Emit is called with the step's number.
func (s *straight) step(emit func(v *value, i int), args ...*value) *value {
	v := &value{args: args}
	v.emit = func(i int) { emit(v, i) }
	for _, a := range args {
		a.uses = append(a.uses, len(s.steps))
	}
	s.steps = append(s.steps, v)
	return v
}

// from is a vector in memory. Nothing of this run may write there before its last use.
func (s *straight) from(m operand.Mem) *value { return &value{memory: &m} }

// all is from of several.
func (s *straight) all(places []operand.Mem) (out []*value) {
	for _, m := range places {
		out = append(out, s.from(m))
	}
	return out
}

// constant is x in every lane.
func (s *straight) constant(x float64) *value {
	bits := math.Float64bits(x)
	low, high := uint32(bits), uint32(bits>>32)
	return s.from(s.table(fmt.Sprintf("double%016x", bits), low, high, low, high, low, high, low, high))
}

// instruction is one with two operands and a result, the last operand first, as avo has them.
type instruction = func(...operand.Op)

// with is an instruction that takes a constant before its operands.
func with(constant uint8, f instruction) instruction {
	return func(ops ...operand.Op) { f(append([]operand.Op{operand.U8(constant)}, ops...)...) }
}

// binary is a step of one instruction, whose operands may change places where it commutes.
func (s *straight) binary(f instruction, commutes bool, a, b *value) *value {
	return s.step(func(v *value, i int) {
		first, second := a, b
		if commutes && a.in == nil && b.in != nil {
			first, second = b, a
		}
		x, y := s.want(first, i), s.operand(second, i)
		s.room(v, i)
		f(y, x, v.in)
	}, a, b)
}

func (s *straight) times(a, b *value) *value  { return s.binary(s.asm.VMULPD, true, a, b) }
func (s *straight) plus(a, b *value) *value   { return s.binary(s.asm.VADDPD, true, a, b) }
func (s *straight) minus(a, b *value) *value  { return s.binary(s.asm.VSUBPD, false, a, b) }
func (s *straight) over(a, b *value) *value   { return s.binary(s.asm.VDIVPD, false, a, b) }
func (s *straight) larger(a, b *value) *value { return s.binary(s.asm.VMAXPD, true, a, b) }
func (s *straight) both(a, b *value) *value   { return s.binary(s.asm.VANDPD, true, a, b) }
func (s *straight) either(a, b *value) *value { return s.binary(s.asm.VORPD, true, a, b) }
func (s *straight) flip(a, b *value) *value   { return s.binary(s.asm.VXORPD, true, a, b) }

// less is all ones where a < b, atMost where a ≤ b, else 0; a NaN is neither.
func (s *straight) less(a, b *value) *value   { return s.binary(with(1, s.asm.VCMPPD), false, a, b) }
func (s *straight) atMost(a, b *value) *value { return s.binary(with(2, s.asm.VCMPPD), false, a, b) }

// low is elements 0 and 2 of a and of b, by turns, high 1 and 3; halves are halves of both by a choice.
func (s *straight) low(a, b *value) *value  { return s.binary(s.asm.VUNPCKLPD, false, a, b) }
func (s *straight) high(a, b *value) *value { return s.binary(s.asm.VUNPCKHPD, false, a, b) }
func (s *straight) halves(a, b *value, choice uint8) *value {
	return s.binary(func(o ...operand.Op) { s.asm.VPERM2F128(operand.U8(choice), o[0], o[1], o[2]) }, false, a, b)
}

// root is √a.
func (s *straight) root(a *value) *value {
	return s.step(func(v *value, i int) {
		x := s.operand(a, i)
		s.room(v, i)
		s.asm.VSQRTPD(x, v.in)
	}, a)
}

// narrow is a rounded to float32, in the low half.
func (s *straight) narrow(a *value) *value {
	return s.step(func(v *value, i int) {
		x := s.want(a, i)
		s.room(v, i)
		s.asm.VCVTPD2PSY(x, v.in.AsX())
	}, a)
}

// choose is yes where a comparison holds, else no.
func (s *straight) choose(where, yes, no *value) *value {
	return s.step(func(v *value, i int) {
		n, w := s.want(no, i), s.want(where, i)
		y := s.operand(yes, i)
		s.room(v, i)
		s.asm.VBLENDVPD(w, y, n, v.in)
	}, no, yes, where)
}

// join is 16 bytes at low and 16 at high.
func (s *straight) join(low, high operand.Mem) *value {
	return s.step(func(v *value, i int) {
		s.room(v, i)
		s.asm.VMOVUPD(low, v.in.AsX())
		s.asm.VINSERTF128(operand.U8(1), high, v.in, v.in)
	})
}

// plusTimes is c + a·b, and minusTimes c − a·b.
func (s *straight) plusTimes(c, a, b *value) *value {
	return s.fused(s.asm.VFMADD213PD, s.asm.VFMADD231PD, c, a, b)
}
func (s *straight) minusTimes(c, a, b *value) *value {
	return s.fused(s.asm.VFNMADD213PD, s.asm.VFNMADD231PD, c, a, b)
}

// fused takes over the register of an operand that is read for the last time: the register of a factor, by one
// instruction, or that of the summand, by the other.
func (s *straight) fused(intoFactor, intoSummand instruction, c, a, b *value) *value {
	return s.step(func(v *value, i int) {
		a, b := a, b
		if a.in == nil && b.in != nil {
			a, b = b, a
		}
		dies := func(o *value) bool { return o.in != nil && o.next(i) == math.MaxInt }
		if c.in == nil && !dies(a) && dies(b) {
			a, b = b, a
		}
		if c.in == nil && dies(a) && a != b { // a becomes a·b + c
			second, third := s.want(b, i), s.operand(c, i)
			s.takeOver(v, a)
			intoFactor(third, second, v.in)
			return
		}
		first, second := s.want(a, i), s.operand(b, i)
		if dies(c) && c != a && c != b {
			s.takeOver(v, c)
		} else {
			s.room(v, i)
			s.asm.VMOVUPD(c.place(), v.in)
		}
		intoSummand(second, first, v.in)
	}, a, b, c)
}

// sum adds a·b to *d, or begins it where that is nil.
func (s *straight) sum(d **value, a, b *value) {
	if *d == nil {
		*d = s.times(a, b)
	} else {
		*d = s.plusTimes(*d, a, b)
	}
}

// dot returns Σ a_k·b_k.
func (s *straight) dot(a, b []*value) (d *value) {
	for k := range a {
		s.sum(&d, a[k], b[k])
	}
	return d
}

// scaled returns x·v of a vector v.
func (s *straight) scaled(x *value, v []*value) (out []*value) {
	for _, a := range v {
		out = append(out, s.times(x, a))
	}
	return out
}

// do acts in between: with the register of a value, or nil for none.
func (s *straight) do(act func(reg.VecVirtual), args ...*value) {
	s.step(func(_ *value, i int) {
		if len(args) == 0 {
			act(nil)
			return
		}
		act(s.want(args[0], i))
	}, args...)
}

// keep writes a value to a place.
func (s *straight) keep(v *value, to operand.Mem) {
	s.do(func(r reg.VecVirtual) { s.asm.VMOVUPD(r, to) }, v)
}

// keepAll is keep of several.
func (s *straight) keepAll(v []*value, to []operand.Mem) {
	for i := range v {
		s.keep(v[i], to[i])
	}
}

// storeHalves writes the low 16 bytes to one place, the high ones to another.
func (s *straight) storeHalves(v *value, low, high operand.Mem) {
	s.do(func(r reg.VecVirtual) {
		s.asm.VMOVUPD(r.AsX(), low)
		s.asm.VEXTRACTF128(operand.U8(1), r, high)
	}, v)
}

// run collects steps by build, gives their values places, and emits them.
func (l *lanes) run(stack *stackSlots, build func(s *straight)) {
	s := &straight{lanes: l, stack: stack}
	build(s)
	for i, v := range s.steps {
		v.emit(i)
		for _, a := range v.args {
			s.drop(a, i)
		}
		if v.in != nil {
			s.drop(v, i)
		}
	}
	if len(s.live) > 0 {
		panic(fmt.Sprintf("generate: %d values are left over", len(s.live)))
	}
}

// next is the first use of v after step i, or none.
func (v *value) next(i int) int {
	for _, u := range v.uses {
		if u > i {
			return u
		}
	}
	return math.MaxInt
}

// place is where a value is.
func (v *value) place() operand.Op {
	if v.in != nil {
		return v.in
	}
	return *v.memory
}

// drop forgets a value if step i is the last that reads it.
func (s *straight) drop(v *value, i int) {
	if v.next(i) < math.MaxInt {
		return
	}
	s.leave(v)
	if v.slot {
		s.stack.free = append(s.stack.free, (v.memory.Disp-s.stack.base.Disp)/32)
		v.slot, v.memory = false, nil
	}
}

// leave takes a value's register away.
func (s *straight) leave(v *value) {
	v.in = nil
	s.live = slices.DeleteFunc(s.live, func(o *value) bool { return o == v })
}

// takeOver gives v the register of a value that dies.
func (s *straight) takeOver(v, dying *value) {
	r := dying.in
	s.leave(dying)
	v.in = r
	s.live = append(s.live, v)
}

// straightRegisters are what values may take: all but one, which an instruction may need for itself.
const straightRegisters = 15

// room gives v a register while step i is emitted, whose own operands stay where they are.
func (s *straight) room(v *value, i int) {
	if len(s.live) >= straightRegisters {
		var far *value
		for _, o := range s.live {
			if !slices.Contains(s.steps[i].args, o) && (far == nil || o.next(i) > far.next(i)) {
				far = o
			}
		}
		if far.memory == nil {
			m := s.stack.room()
			s.asm.VMOVAPD(far.in, m)
			far.memory, far.slot = &m, true
		}
		s.leave(far)
	}
	v.in = s.asm.YMM()
	s.live = append(s.live, v)
}

// want brings a value into a register.
func (s *straight) want(v *value, i int) reg.VecVirtual {
	if v.in == nil {
		s.room(v, i)
		s.asm.VMOVUPD(*v.memory, v.in)
	}
	return v.in
}

// operand is a value wherever it is. One that is read soon again comes into a register if there is one to spare.
func (s *straight) operand(v *value, i int) operand.Op {
	if v.in == nil && v.next(i) < i+20 && len(s.live) < straightRegisters {
		s.want(v, i)
	}
	return v.place()
}
