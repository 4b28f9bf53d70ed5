package main

import (
	"fmt"
	"math"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// mask is a truth per lane: a mask register with AVX-512, the sign of every lane with AVX2.
type mask struct {
	*lanes
	k reg.Register
	v op // a register, or in memory
}

// greater tells where a > b; never where either is not a number.
func (l *lanes) greater(a, b op) mask { return l.compare(0x1e, a, b) }

// zero tells where a is 0.
func (l *lanes) zero(a op) mask { return l.compare(0, l.none(), a) }

func (l *lanes) compare(predicate uint8, a, b op) mask {
	m := mask{lanes: l}
	if l.wide {
		m.k = l.asm.K()
		l.asm.VCMPPS(operand.U8(predicate), b, a, m.k)
	} else {
		m.v = l.vec()
		l.asm.VCMPPS(operand.U8(predicate), b, a, m.v)
	}
	return m
}

// negative tells where the sign of a is set.
func (l *lanes) negative(a op) mask {
	m := mask{lanes: l, v: a}
	if l.wide {
		m.k = l.asm.K()
		l.asm.VPMOVD2M(a, m.k)
	}
	return m
}

// signs is the register of a mask with AVX2.
func (m mask) signs() op {
	if _, memory := m.v.(operand.Mem); memory {
		return m.copy(m.v)
	}
	return m.v
}

// save writes the mask to memory, from where saved reads it.
func (m mask) save(to operand.Mem) {
	if m.wide {
		m.asm.KMOVQ(m.k, to)
	} else {
		m.asm.VMOVAPS(m.v, to)
	}
}

func (l *lanes) saved(from operand.Mem) mask {
	if !l.wide {
		return mask{lanes: l, v: l.copy(from)}
	}
	k := l.asm.K()
	l.asm.KMOVQ(from, k)
	return mask{lanes: l, k: k}
}

// choose returns yes where the mask holds, else no.
func (m mask) choose(yes, no op) op {
	d := m.vec()
	if m.wide {
		m.asm.VBLENDMPS(yes, no, m.k, d)
	} else {
		m.asm.VBLENDVPS(m.signs(), yes, no, d)
	}
	return d
}

// put puts v into d where the mask holds.
func (m mask) put(v, d op) {
	if m.wide {
		m.asm.VMOVAPS(v, m.k, d)
	} else {
		m.asm.VBLENDVPS(m.signs(), v, d, d)
	}
}

// ifNowhere jumps where the mask holds in no lane.
func (m mask) ifNowhere(label string) {
	if m.wide {
		m.asm.KORTESTW(m.k, m.k)
	} else {
		bits := m.asm.GP32()
		m.asm.VMOVMSKPS(m.signs(), bits)
		m.asm.TESTL(bits, bits)
	}
	m.asm.JZ(operand.LabelRef(label))
}

// polynomials returns Σ c_i·y^i of several polynomials, each of several y, by Horner's rule: all side by side, as each
// step waits for the one before it. It returns them by polynomial and y.
func (l *lanes) polynomials(names []string, y []op, c [][]float64) [][]op {
	out := make([][]op, len(names))
	most := 0
	for p := range out {
		most = max(most, len(c[p]))
	}
	for i := most - 1; i >= 0; i-- {
		for p, name := range names {
			if i >= len(c[p]) {
				continue
			}
			constant := l.every(constantName(name, i), float32(c[p][i]))
			for k := range y {
				if i == len(c[p])-1 {
					out[p] = append(out[p], l.copy(constant))
				} else {
					l.asm.VFMADD213PS(constant, y[k], out[p][k])
				}
			}
		}
	}
	return out
}

func constantName(name string, i int) string { return fmt.Sprintf("%s%d", name, i) }

// overRoot returns 1/√a.
func (l *lanes) overRoot(a op) op {
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
func (l *lanes) over(a op) op {
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
func (l *lanes) absolute(a op) op {
	d := l.every("absolute", math.Float32frombits(1<<31-1))
	l.asm.VANDPS(a, d, d)
	return d
}
