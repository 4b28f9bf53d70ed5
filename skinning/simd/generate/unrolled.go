package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// With AVX-512 the mean of n influences is emitted without a loop over them. Of one influence every instruction waits
// for the one before it, and a core looks no farther ahead than about a hundred waiting instructions: so each stage is
// emitted for all influences before the next. There are registers enough for all that a step needs.

// solveUnrolled emits the means of n influences.
func (ms means) solveUnrolled(n int) {
	ms.eachPass(fmt.Sprintf("gather%d", n), func(m *mean) {
		sum := m.gatherUnrolled(n)
		if n == 1 {
			m.alone()
			return
		}
		for i := range sum {
			m.asm.VMOVAPS(sum[i], m.b[i])
		}
		m.start()
	})
	if n == 1 {
		return
	}
	ms.iterateUnrolled(n)
	ms.eachPass(fmt.Sprintf("finish%d", n), func(m *mean) { m.finishUnrolled(n) })
}

// vector is vector i of record k.
func (m *mean) vector(k, i int) operand.Mem {
	return m.records.Offset(k*m.recordBytes() + i*4*m.width())
}

// gatherUnrolled writes the motions of all vertices and returns the sum of their real parts.
func (m *mean) gatherUnrolled(n int) (sum [4]reg.VecVirtual) {
	for k := range n {
		var whole [8]reg.VecVirtual
		for i := range whole {
			whole[i] = m.asm.ZMM()
			v := i/4*8 + i%4
			m.asm.VMOVUPS(m.entry(m.vector(k, recordOffsets), v), whole[i].AsY())
			m.asm.VINSERTF64X4(operand.U8(1), m.entry(m.vector(k, recordOffsets), v+4), whole[i], whole[i])
		}
		real, dual := m.split(whole)
		for i := range 4 {
			m.asm.VMOVAPS(real[i], m.vector(k, i))
			m.asm.VMOVAPS(dual[i], m.vector(k, 4+i))
			if k == 0 {
				sum[i] = m.mul(m.vector(k, recordWeight), real[i])
			} else {
				m.add(sum[i], m.vector(k, recordWeight), real[i])
			}
		}
	}
	return sum
}

// iterateUnrolled is [means.iterate].
func (ms means) iterateUnrolled(n int) {
	again, converged := fmt.Sprintf("iterate%d", n), fmt.Sprintf("converged%d", n)
	first, asm := ms[0], ms[0].asm
	steps := first.left
	asm.MOVQ(operand.I32(intrinsicLimit), steps)
	asm.Label(again)
	ms.eachPass(fmt.Sprintf("sum%d", n), func(m *mean) {
		v, c := make([][3]reg.VecVirtual, n), make([]reg.VecVirtual, n)
		b := m.rotation()
		for k := range n {
			v[k][0], v[k][1], v[k][2], c[k] = m.relative(b, func(i int) operand.Op { return m.vector(k, i) })
		}
		odd, even := m.logarithmsUnrolled(fmt.Sprintf("near%d", n), v, c)
		off := m.sumUpUnrolled(v, c, odd, even)
		asm.KMOVQ(m.isOff(off).k, m.more)
		for k := range off {
			asm.VMOVAPS(off[k], m.sums[k])
		}
	})
	more := asm.GP64()
	asm.MOVQ(first.more, more)
	for _, m := range ms[1:] {
		asm.ORQ(m.more, more)
	}
	asm.JZ(operand.LabelRef(converged))
	asm.DECQ(steps)
	asm.JZ(operand.LabelRef(converged))
	ms.eachPass(fmt.Sprintf("step%d", n), func(m *mean) {
		m.newton(m.off(), func() mask {
			k := asm.K()
			asm.KMOVQ(m.more, k)
			return mask{lanes: m.lanes, k: k}
		})
	})
	asm.JMP(operand.LabelRef(again))
	asm.Label(converged)
}

// logarithmsUnrolled is [mean.logarithms] of all influences. Both are kept in the records as well.
func (m *mean) logarithmsUnrolled(near string, v [][3]reg.VecVirtual, c []reg.VecVirtual) (odd, even []reg.VecVirtual) {
	n := len(c)
	y := make([]reg.VecVirtual, n)
	for k := range y {
		y[k] = m.every("one", 1)
		m.asm.VSUBPS(m.absolute(c[k]), y[k], y[k])
	}
	ratios := m.polynomials(nearRatios, y, [][]float64{nearKappa, nearGamma})
	odd, even = ratios[0], ratios[1]
	farthest := m.vec()
	m.asm.VMINPS(c[0], c[1], farthest)
	for _, c := range c[2:] {
		m.asm.VMINPS(c, farthest, farthest)
	}
	m.greater(m.every("nearcosine", nearCosine), farthest).ifNowhere(near)
	for k := range c {
		m.farRatios(y[k], c[k], odd[k], even[k])
	}
	for k := range c {
		m.beyond(v[k], c[k], odd[k], even[k])
	}
	m.asm.Label(near)
	for k := range c {
		m.asm.VMULPS(m.vector(k, recordWeight), odd[k], odd[k])
		m.asm.VMULPS(m.vector(k, recordWeight), even[k], even[k])
		m.asm.VMOVAPS(odd[k], m.vector(k, recordOdd))
		m.asm.VMOVAPS(even[k], m.vector(k, recordEven))
	}
	return odd, even
}

// sumUpUnrolled returns how far the mean of a step is off, and inverts M.
func (m *mean) sumUpUnrolled(v [][3]reg.VecVirtual, c, odd, even []reg.VecVirtual) (off [3]reg.VecVirtual) {
	slope := m.mul(odd[0], c[0])
	var matrix [6]reg.VecVirtual
	for i := range off {
		off[i] = m.mul(odd[0], v[0][i])
	}
	for k := 1; k < len(c); k++ {
		for i := range off {
			m.add(off[i], odd[k], v[k][i])
		}
		m.add(slope, odd[k], c[k])
	}
	pairs := [6][2]int{{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}}
	for k := range c {
		var scaled [3]reg.VecVirtual
		for i := range scaled {
			scaled[i] = m.mul(even[k], v[k][i])
		}
		for e, p := range pairs {
			if k == 0 {
				matrix[e] = m.mul(scaled[p[0]], v[k][p[1]])
			} else {
				m.add(matrix[e], scaled[p[0]], v[k][p[1]])
			}
		}
	}
	m.invert(matrix, slope)
	return off
}

// finishUnrolled is [means.finish].
func (m *mean) finishUnrolled(n int) {
	b := m.rotation()
	var rest [4]reg.VecVirtual
	for k := range n {
		var e [4]reg.VecVirtual
		slope := m.vec()
		for i := range e {
			e[i] = m.vec()
			m.asm.VMOVAPS(m.vector(k, 4+i), e[i])
			if i == 0 {
				m.asm.VMULPS(b[i], e[i], slope)
			} else {
				m.add(slope, b[i], e[i])
			}
		}
		m.asm.VMULPS(m.vector(k, recordEven), slope, slope)
		for i := range e {
			if k == 0 {
				rest[i] = m.mul(m.vector(k, recordOdd), e[i])
			} else {
				m.add(rest[i], m.vector(k, recordOdd), e[i])
			}
			m.sub(rest[i], m.vector(k, i), slope)
		}
	}
	m.write(b, rest)
}
