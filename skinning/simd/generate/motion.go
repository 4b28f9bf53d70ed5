package main

import (
	"fmt"
	"math"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// motionBytes is what an entry of a packed palette begins with: a dual quaternion, real part first.
const motionBytes = 32

// motions reads dual quaternions of the vertices of a pass.
type motions struct {
	*lanes
	palette reg.Register
}

// vertex emits Σ w_k·q̂_k of one vertex, of n influences.
func (m *motions) vertex(sum reg.VecVirtual, n int, binding operand.Mem) {
	for k := range n {
		weight := m.asm.YMM()
		m.asm.VBROADCASTSS(binding.Offset(8+4*k), weight)
		motion := m.at(m.offset(binding, k))
		if k == 0 {
			m.asm.VMULPS(motion, weight, sum)
		} else {
			m.asm.VFMADD231PS(motion, weight, sum)
		}
	}
}

// at is the motion at an offset.
func (m *motions) at(offset reg.Register) operand.Mem {
	return operand.Mem{Base: m.palette, Index: offset, Scale: 1}
}

// motionSumBytes is what sumTo writes for a pass.
func (l *lanes) motionSumBytes() int { return l.width() * motionBytes }

// sumTo emits the sum of vertex v, of n influences, to memory, where motionSlot says.
func (m *motions) sumTo(to operand.Mem, v, n int, from reg.Register) {
	sum := m.asm.YMM()
	m.vertex(sum, n, at(from, v*bindingBytes))
	m.asm.VMOVAPS(sum, to.Offset(m.motionSlot(v)))
}

// motionSlot is where the sum of vertex v goes: of every eight vertices v and v+4 are side by side.
func (l *lanes) motionSlot(v int) int { return v/8*256 + v%4*sumStride + v%8/4*motionBytes }

// motionsFrom returns the components of the sums there.
func (l *lanes) motionsFrom(from operand.Mem) (real, dual [4]reg.VecVirtual) {
	if !l.wide {
		return l.columnsFrom(from, l.motionSlot)
	}
	var sums [8]reg.VecVirtual
	for i := range sums {
		sums[i] = l.vec()
	}
	for i, sum := range sums {
		l.asm.VMOVAPS(from.Offset(64*i), sum)
	}
	return l.split(sums)
}

// split transposes the sums of 16 vertices.
func (m *lanes) split(sum [8]reg.VecVirtual) (real, dual [4]reg.VecVirtual) {
	low, high := m.transpose4([4]reg.VecVirtual(sum[:4])), m.transpose4([4]reg.VecVirtual(sum[4:]))
	for c := range 4 {
		real[c] = m.quarters(low[c], high[c], 0, 2)
		dual[c] = m.quarters(low[c], high[c], 1, 3)
	}
	return real, dual
}

// byInfluences emits body for one to four influences, chosen by the largest number in the group. Fewer cost less, and
// because a weight of 0 adds exactly nothing, a vertex does not depend on its neighbours. The label must be unique in
// the function.
func (l *lanes) byInfluences(label string, most reg.Register, body func(n int)) {
	for n := 1; n <= 4; n++ {
		if n < 4 {
			l.asm.CMPQ(most, operand.I8(n))
			l.asm.JNE(operand.LabelRef(fmt.Sprintf("%s_not%d", label, n)))
		}
		body(n)
		if n < 4 {
			l.asm.JMP(operand.LabelRef(label + "_summed"))
			l.asm.Label(fmt.Sprintf("%s_not%d", label, n))
		}
	}
	l.asm.Label(label + "_summed")
}

// every returns a register with a constant in every lane.
func (l *lanes) every(name string, value float32) reg.VecVirtual {
	d := l.vec()
	l.asm.VBROADCASTSS(l.table(name, []uint32{math.Float32bits(value)}), d)
	return d
}

// motion is the rigid motion of a dual quaternion of any length, one per lane.
type motion struct {
	*lanes
	a, b, c, w reg.VecVirtual // the real part
	dual       [4]operand.Op
	twice      reg.VecVirtual // 2/|real|²
}

// motion divides by the length instead of normalising. A blend of no length, whose motion is undefined, is the
// identity.
func (l *lanes) motion(real [4]reg.VecVirtual, dual [4]operand.Op) *motion {
	square := l.mul(real[0], real[0])
	for _, r := range real[1:] {
		l.add(square, r, r)
	}
	l.asm.VMAXPS(l.every("tiny", 1e-30), square, square)
	var twice reg.VecVirtual
	if l.wide {
		twice = l.over(square)
		l.asm.VADDPS(twice, twice, twice)
	} else {
		twice = l.every("two", 2)
		l.asm.VDIVPS(square, twice, twice)
	}
	return &motion{l, real[0], real[1], real[2], real[3], dual, twice}
}

// point moves points: p + 2/|r|²·(v×t + w·d − h·v) with t = v×p + w·p + d, real part (v, w) and dual part (d, h).
func (m *motion) point(p [3]operand.Op) [3]reg.VecVirtual {
	return m.pointOf(m.turned(p, m.dual[:3]), p)
}

// pointKept is point of what is in memory as well, so that its registers are free before the end.
func (m *motion) pointKept(p [3]reg.VecVirtual, kept [3]operand.Op) [3]reg.VecVirtual {
	return m.pointOf(m.turned([3]operand.Op{p[0], p[1], p[2]}, m.dual[:3]), kept)
}

// pointOf is the rest of point.
func (m *motion) pointOf(t [3]reg.VecVirtual, p [3]operand.Op) (out [3]reg.VecVirtual) {
	v := [3]reg.VecVirtual{m.a, m.b, m.c}
	for i := range out {
		j, k := (i+1)%3, (i+2)%3
		out[i] = m.mul(t[k], v[j])
		m.sub(out[i], t[j], v[k])
		m.add(out[i], m.dual[i], m.w)
		m.sub(out[i], m.dual[3], v[i])
	}
	for i := range out {
		m.asm.VFMADD213PS(p[i], m.twice, out[i])
	}
	return out
}

// vector turns vectors: n + 2/|r|²·v×(v×n + w·n).
func (m *motion) vector(n [3]operand.Op) [3]reg.VecVirtual { return m.vectorOf(m.turned(n, nil), n) }

// vectorKept is vector of what is in memory as well, so that its registers are free before the end.
func (m *motion) vectorKept(n [3]reg.VecVirtual, kept [3]operand.Op) [3]reg.VecVirtual {
	return m.vectorOf(m.turned([3]operand.Op{n[0], n[1], n[2]}, nil), kept)
}

// vectorOf returns n + 2/|r|²·v×t.
func (m *motion) vectorOf(t [3]reg.VecVirtual, n [3]operand.Op) (out [3]reg.VecVirtual) {
	v := [3]reg.VecVirtual{m.a, m.b, m.c}
	for i := range out {
		j, k := (i+1)%3, (i+2)%3
		out[i] = m.mul(t[k], v[j])
		m.sub(out[i], t[j], v[k])
	}
	for i := range out {
		m.asm.VFMADD213PS(n[i], m.twice, out[i])
	}
	return out
}

// turned returns v×p + w·p + d.
func (m *motion) turned(p [3]operand.Op, d []operand.Op) (t [3]reg.VecVirtual) {
	v := [3]reg.VecVirtual{m.a, m.b, m.c}
	for i := range t {
		j, k := (i+1)%3, (i+2)%3
		if d == nil {
			t[i] = m.mul(p[i], m.w)
		} else {
			t[i] = m.vec()
			m.asm.VMOVAPS(d[i], t[i])
			m.add(t[i], p[i], m.w)
		}
		m.add(t[i], p[k], v[j])
		m.sub(t[i], p[j], v[k])
	}
	return t
}
