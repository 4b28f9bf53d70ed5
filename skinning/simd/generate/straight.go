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

// value is a step and, where it has one, its result.
type value struct {
	kind     kind
	args     []*value
	choice   uint8 // of a comparison or a permutation
	places   [2]operand.Mem
	register func() reg.Register // of places that are only known when the step is emitted
	act      func(reg.VecVirtual)

	uses   []int          // the steps that read it, ascending
	in     reg.VecVirtual // nil where it is in memory alone
	memory *operand.Mem   // nil where it is in a register alone
	slot   bool           // memory is a slot of the stack
}

type kind int

const (
	memoryKind kind = iota // a vector in memory, read when it is needed
	joinKind               // 16 bytes at each of two places
	mulKind
	addKind
	subKind
	divKind
	rootKind
	maxKind
	andKind
	orKind
	xorKind
	lessKind   // all ones where a < b, else none
	lessEqKind // where a ≤ b; a NaN is neither
	chooseKind // b where the first is set, else a
	fmaKind    // a·b + c
	fnmaKind   // c − a·b
	lowKind    // elements 0 and 2 of a and of b, by turns
	highKind   // elements 1 and 3
	halvesKind // halves of a and b by a choice
	narrowKind // rounded to float32, in the low half
	storeKind
	actKind
)

// stackSlots are 32 bytes each of a function's stack, taken by who needs one and given back.
type stackSlots struct {
	base  operand.Mem
	free  []int
	count int
	most  int
}

func (s *stackSlots) take() int {
	if n := len(s.free); n > 0 {
		k := s.free[n-1]
		s.free = s.free[:n-1]
		return k
	}
	if s.count == s.most {
		panic(fmt.Sprintf("generate: more than %d values on the stack", s.most))
	}
	s.count++
	return s.count - 1
}

func (s *stackSlots) at(k int) operand.Mem { return s.base.Offset(32 * k) }

// room takes a slot for good: what one run leaves for another.
func (s *stackSlots) room() operand.Mem { return s.at(s.take()) }

func (l *lanes) straight(stack *stackSlots) *straight { return &straight{lanes: l, stack: stack} }

func (s *straight) step(k kind, args ...*value) *value {
	v := &value{kind: k, args: args}
	for _, a := range args {
		a.uses = append(a.uses, len(s.steps))
	}
	s.steps = append(s.steps, v)
	return v
}

// from is a vector in memory. Nothing of this run may write there before its last use.
func (s *straight) from(m operand.Mem) *value { return &value{kind: memoryKind, memory: &m} }

// constant is x in every lane.
func (s *straight) constant(x float64) *value {
	bits := math.Float64bits(x)
	var words []uint32
	for range 4 {
		words = append(words, uint32(bits), uint32(bits>>32))
	}
	return s.from(s.table(fmt.Sprintf("double%016x", bits), words))
}

// join is 16 bytes at low and 16 at high.
func (s *straight) join(low, high operand.Mem) *value {
	v := s.step(joinKind)
	v.places = [2]operand.Mem{low, high}
	return v
}

func (s *straight) times(a, b *value) *value  { return s.step(mulKind, a, b) }
func (s *straight) plus(a, b *value) *value   { return s.step(addKind, a, b) }
func (s *straight) minus(a, b *value) *value  { return s.step(subKind, a, b) }
func (s *straight) over(a, b *value) *value   { return s.step(divKind, a, b) }
func (s *straight) root(a *value) *value      { return s.step(rootKind, a) }
func (s *straight) larger(a, b *value) *value { return s.step(maxKind, a, b) }
func (s *straight) both(a, b *value) *value   { return s.step(andKind, a, b) }
func (s *straight) either(a, b *value) *value { return s.step(orKind, a, b) }
func (s *straight) flip(a, b *value) *value   { return s.step(xorKind, a, b) }
func (s *straight) less(a, b *value) *value   { return s.step(lessKind, a, b) }
func (s *straight) atMost(a, b *value) *value { return s.step(lessEqKind, a, b) }

// choose is yes where a comparison holds, else no.
func (s *straight) choose(where, yes, no *value) *value { return s.step(chooseKind, no, yes, where) }

// plusTimes is c + a·b, and minusTimes c − a·b.
func (s *straight) plusTimes(c, a, b *value) *value  { return s.step(fmaKind, a, b, c) }
func (s *straight) minusTimes(c, a, b *value) *value { return s.step(fnmaKind, a, b, c) }

func (s *straight) low(a, b *value) *value  { return s.step(lowKind, a, b) }
func (s *straight) high(a, b *value) *value { return s.step(highKind, a, b) }
func (s *straight) narrow(a *value) *value  { return s.step(narrowKind, a) }
func (s *straight) halves(a, b *value, choice uint8) *value {
	v := s.step(halvesKind, a, b)
	v.choice = choice
	return v
}

// store writes a value, 16 bytes of one that is narrow. Where says where, when it is emitted.
func (s *straight) store(v *value, where func() []operand.Mem) {
	s.do(func(r reg.VecVirtual) {
		for _, m := range where() {
			if v.kind == narrowKind {
				s.asm.VMOVUPS(r.AsX(), m)
			} else {
				s.asm.VMOVUPD(r, m)
			}
		}
	}, v)
}

// keep writes a value to a place.
func (s *straight) keep(v *value, to operand.Mem) {
	s.store(v, func() []operand.Mem { return []operand.Mem{to} })
}

// storeHalves writes the low 16 bytes to one place, the high ones to another.
func (s *straight) storeHalves(v *value, low, high operand.Mem) {
	s.do(func(r reg.VecVirtual) {
		s.asm.VMOVUPD(r.AsX(), low)
		s.asm.VEXTRACTF128(operand.U8(1), r, high)
	}, v)
}

// do acts in between: with the register of a value, or nil for none.
func (s *straight) do(act func(reg.VecVirtual), args ...*value) {
	s.step(actKind, args...).act = act
}

// emit emits all steps.
func (s *straight) emit() {
	for i, v := range s.steps {
		s.emitStep(i, v)
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

// drop forgets a value that step i has read last.
func (s *straight) drop(v *value, i int) {
	if v.next(i) < math.MaxInt {
		return
	}
	s.leave(v)
	if v.slot {
		s.stack.free = append(s.stack.free, s.slotOf(v))
		v.slot, v.memory = false, nil
	}
}

func (s *straight) slotOf(v *value) int { return (v.memory.Disp - s.stack.base.Disp) / 32 }

// leave takes a value's register away.
func (s *straight) leave(v *value) {
	v.in = nil
	s.live = slices.DeleteFunc(s.live, func(o *value) bool { return o == v })
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
	if v.in != nil {
		return v.in
	}
	return *v.memory
}

func (s *straight) emitStep(i int, v *value) {
	switch v.kind {
	case joinKind:
		s.room(v, i)
		s.asm.VMOVUPD(v.places[0], v.in.AsX())
		s.asm.VINSERTF128(operand.U8(1), v.places[1], v.in, v.in)
	case actKind:
		if len(v.args) == 0 {
			v.act(nil)
			return
		}
		v.act(s.want(v.args[0], i))
	case rootKind:
		a := s.operand(v.args[0], i)
		s.room(v, i)
		s.asm.VSQRTPD(a, v.in)
	case narrowKind:
		a := s.want(v.args[0], i)
		s.room(v, i)
		s.asm.VCVTPD2PSY(a, v.in.AsX())
	case chooseKind:
		no, where := s.want(v.args[0], i), s.want(v.args[2], i)
		yes := s.operand(v.args[1], i)
		s.room(v, i)
		s.asm.VBLENDVPD(where, yes, no, v.in)
	case fmaKind, fnmaKind:
		s.emitFused(i, v)
	default:
		s.emitBinary(i, v)
	}
}

// commutes tells whether the operands may change places.
func (k kind) commutes() bool {
	return k == mulKind || k == addKind || k == maxKind || k == andKind || k == orKind || k == xorKind
}

func (s *straight) emitBinary(i int, v *value) {
	a, b := v.args[0], v.args[1]
	if v.kind.commutes() && a.in == nil && b.in != nil {
		a, b = b, a
	}
	first := s.want(a, i)
	second := s.operand(b, i)
	s.room(v, i)
	d := v.in
	switch v.kind {
	case mulKind:
		s.asm.VMULPD(second, first, d)
	case addKind:
		s.asm.VADDPD(second, first, d)
	case subKind:
		s.asm.VSUBPD(second, first, d)
	case divKind:
		s.asm.VDIVPD(second, first, d)
	case maxKind:
		s.asm.VMAXPD(second, first, d)
	case andKind:
		s.asm.VANDPD(second, first, d)
	case orKind:
		s.asm.VORPD(second, first, d)
	case xorKind:
		s.asm.VXORPD(second, first, d)
	case lessKind:
		s.asm.VCMPPD(operand.U8(1), second, first, d)
	case lessEqKind:
		s.asm.VCMPPD(operand.U8(2), second, first, d)
	case lowKind:
		s.asm.VUNPCKLPD(second, first, d)
	case highKind:
		s.asm.VUNPCKHPD(second, first, d)
	case halvesKind:
		s.asm.VPERM2F128(operand.U8(v.choice), second, first, d)
	default:
		panic(fmt.Sprintf("generate: step %d of kind %d", i, v.kind))
	}
}

// emitFused takes over the register of an operand that is read for the last time.
func (s *straight) emitFused(i int, v *value) {
	a, b, c := v.args[0], v.args[1], v.args[2]
	if a.in == nil && b.in != nil {
		a, b = b, a
	}
	last := func(o *value) bool { return o.next(i) == math.MaxInt }
	if c.in == nil && !(last(a) && a.in != nil) && last(b) && b.in != nil {
		a, b = b, a
	}
	if c.in == nil && a.in != nil && last(a) && a != b { // a becomes a·b + c
		second := s.want(b, i)
		third := s.operand(c, i)
		s.takeOver(v, a)
		if v.kind == fmaKind {
			s.asm.VFMADD213PD(third, second, v.in)
		} else {
			s.asm.VFNMADD213PD(third, second, v.in)
		}
		return
	}
	first := s.want(a, i)
	second := s.operand(b, i)
	if c.in != nil && last(c) && c != a && c != b {
		s.takeOver(v, c)
	} else {
		s.room(v, i)
		s.asm.VMOVUPD(s.source(c), v.in)
	}
	if v.kind == fmaKind {
		s.asm.VFMADD231PD(second, first, v.in)
	} else {
		s.asm.VFNMADD231PD(second, first, v.in)
	}
}

func (s *straight) source(v *value) operand.Op {
	if v.in != nil {
		return v.in
	}
	return *v.memory
}

// takeOver gives v the register of a value that dies.
func (s *straight) takeOver(v, dying *value) {
	r := dying.in
	s.leave(dying)
	v.in = r
	s.live = append(s.live, v)
}
