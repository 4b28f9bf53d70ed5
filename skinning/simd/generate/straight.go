package main

import (
	"fmt"
	"math"

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
	kind   kind
	args   []*value
	choice uint8 // of a comparison or a permutation
	places [2]operand.Mem
	act    func(reg.VecVirtual)

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
	actKind    // of a value, or of none: what the emitter knows nothing of
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
	return s.from(s.table(fmt.Sprintf("double%016x", bits), words...))
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
