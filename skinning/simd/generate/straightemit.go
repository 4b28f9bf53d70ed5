package main

import (
	"fmt"
	"math"
	"slices"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// This file gives the values of straight-line arithmetic their places, and emits it.

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
