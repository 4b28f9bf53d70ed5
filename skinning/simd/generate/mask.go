package main

import (
	"math"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// mask is a truth per lane: a mask register with AVX-512, the sign of every lane with AVX2.
type mask struct {
	*lanes
	k reg.Register
	v reg.VecVirtual
}

// greater tells where a > b; never where either is not a number.
func (l *lanes) greater(a reg.VecVirtual, b operand.Op) mask { return l.compare(0x1e, a, b) }

// zero tells where a is 0.
func (l *lanes) zero(a operand.Op) mask {
	none := l.vec()
	l.asm.VXORPS(none, none, none)
	return l.compare(0, none, a)
}

func (l *lanes) compare(predicate uint8, a reg.VecVirtual, b operand.Op) mask {
	if l.wide {
		k := l.asm.K()
		l.asm.VCMPPS(operand.U8(predicate), b, a, k)
		return mask{lanes: l, k: k}
	}
	v := l.asm.YMM()
	l.asm.VCMPPS(operand.U8(predicate), b, a, v)
	return mask{lanes: l, v: v}
}

// negative tells where the sign of a is set.
func (l *lanes) negative(a reg.VecVirtual) mask {
	if l.wide {
		k := l.asm.K()
		l.asm.VPMOVD2M(a, k)
		return mask{lanes: l, k: k}
	}
	return mask{lanes: l, v: a}
}

// choose returns yes where the mask holds, else no.
func (m mask) choose(yes operand.Op, no reg.VecVirtual) reg.VecVirtual {
	d := m.vec()
	if m.wide {
		m.asm.VBLENDMPS(yes, no, m.k, d)
	} else {
		m.asm.VBLENDVPS(m.v, yes, no, d)
	}
	return d
}

// put puts v into d where the mask holds.
func (m mask) put(v, d reg.VecVirtual) {
	if m.wide {
		m.asm.VMOVAPS(v, m.k, d)
	} else {
		m.asm.VBLENDVPS(m.v, v, d, d)
	}
}

// ifNowhere jumps where the mask holds in no lane.
func (m mask) ifNowhere(label string) {
	if m.wide {
		m.asm.KORTESTW(m.k, m.k)
	} else {
		bits := m.asm.GP32()
		m.asm.VMOVMSKPS(m.v, bits)
		m.asm.TESTL(bits, bits)
	}
	m.asm.JZ(operand.LabelRef(label))
}

// timesPlus makes d into d·a + c, for a constant c.
func (l *lanes) timesPlus(d, a reg.VecVirtual, name string, c float32) {
	if l.wide {
		l.asm.VFMADD213PS_BCST(l.table(name, []uint32{math.Float32bits(c)}), a, d)
		return
	}
	words := make([]uint32, 8)
	for i := range words {
		words[i] = math.Float32bits(c)
	}
	l.asm.VFMADD213PS(l.table(name+"x8", words), a, d)
}

// polynomial returns Σ c_i·y^i by Horner's rule.
func (l *lanes) polynomial(name string, y reg.VecVirtual, c []float64) reg.VecVirtual {
	last := len(c) - 1
	d := l.every(constantName(name, last), float32(c[last]))
	for i := last - 1; i >= 0; i-- {
		l.timesPlus(d, y, constantName(name, i), float32(c[i]))
	}
	return d
}

// polynomials is polynomial of several of several y, all side by side: that way none waits for itself.
func (l *lanes) polynomials(names []string, y []reg.VecVirtual, c [][]float64) [][]reg.VecVirtual {
	out := make([][]reg.VecVirtual, len(names))
	most := 0
	for p := range out {
		out[p] = make([]reg.VecVirtual, len(y))
		most = max(most, len(c[p]))
	}
	for i := most - 1; i >= 0; i-- {
		for p, name := range names {
			if i >= len(c[p]) {
				continue
			}
			constant := l.every(constantName(name, i), float32(c[p][i]))
			for k := range y {
				if i < len(c[p])-1 {
					l.asm.VFMADD213PS(constant, y[k], out[p][k])
				} else {
					out[p][k] = l.vec()
					l.asm.VMOVAPS(constant, out[p][k])
				}
			}
		}
	}
	return out
}

func constantName(name string, i int) string { return name + string(rune('0'+i)) }

// overRoot returns 1/√a.
func (l *lanes) overRoot(a reg.VecVirtual) reg.VecVirtual {
	d := l.vec()
	if !l.wide {
		l.asm.VSQRTPS(a, d)
		return l.over(d)
	}
	// A root and a division of 16 lanes burden a pipe of the multiply-adds for 40 cycles. An estimate of 14 bits and a
	// step of Newton's method err as little: d·(1 + (1 − a·d²)/2).
	l.asm.VRSQRT14PS(a, d)
	off, half := l.mul(a, d), l.mul(d, l.every("half", 0.5))
	l.asm.VFNMADD213PS(l.every("one", 1), d, off)
	l.add(d, half, off)
	return d
}

// over returns 1/a: NaN, not an infinity, of 0 with AVX-512.
func (l *lanes) over(a reg.VecVirtual) reg.VecVirtual {
	d := l.every("one", 1)
	if !l.wide {
		l.asm.VDIVPS(a, d, d)
		return d
	}
	estimate := l.vec() // as in overRoot: e + e·(1 − a·e)
	l.asm.VRCP14PS(a, estimate)
	l.sub(d, a, estimate)
	l.add(estimate, d, estimate)
	return estimate
}

// absolute returns |a|.
func (l *lanes) absolute(a reg.VecVirtual) reg.VecVirtual {
	d := l.every("absolute", math.Float32frombits(1<<31-1))
	l.asm.VANDPS(a, d, d)
	return d
}
