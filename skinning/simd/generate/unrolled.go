package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
)

// With AVX-512 the mean of n influences is emitted without a loop over them. Of one influence every instruction waits
// for the one before it, and a core looks no farther ahead than about a hundred waiting instructions: so each stage is
// emitted for all influences before the next. There are registers enough for all that a step needs.

// solveUnrolled emits the means of n influences.
func (ms means) solveUnrolled(n int) {
	ms.eachPass(fmt.Sprintf("gather%d", n), func(m *mean) {
		sum := m.gatherUnrolled(n)
		if n == 1 {
			m.writeSingle()
			return
		}
		m.store(sum, m.b)
		m.start()
	})
	if n == 1 {
		return
	}
	ms.iterateUnrolled(n)
	ms.eachPass(fmt.Sprintf("finish%d", n), func(m *mean) {
		b, rest := m.rotation(), make([]op, 4)
		for k := range n {
			m.addDual(rest, b, func(i int) op { return m.record(k, i) })
		}
		m.write(b, rest)
	})
}

// gatherUnrolled writes the motions of all vertices and returns the sum of their real parts.
func (m *mean) gatherUnrolled(n int) []op {
	sum := make([]op, 4)
	for k := range n {
		entry := func(v int) operand.Mem {
			o := m.asm.GP64()
			m.asm.MOVL(m.record(k, recordOffsets).Offset(4*v), o.As32())
			return m.motionAt(o)
		}
		var whole []op
		for i := range 8 {
			d, v := m.vec(), i/4*8+i%4
			m.asm.VMOVUPS(entry(v), d.AsY())
			m.asm.VINSERTF64X4(operand.U8(1), entry(v+4), d, d)
			whole = append(whole, d)
		}
		real, dual := m.split(whole)
		for i := range 4 {
			m.asm.VMOVAPS(real[i], m.record(k, i))
			m.asm.VMOVAPS(dual[i], m.record(k, 4+i))
			m.sum(&sum[i], m.record(k, recordWeight), real[i])
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
		var v [][]op
		b, sums := m.rotation(), make([]op, len(m.sums))
		for k := range n {
			v = append(v, m.relative(b, func(i int) op { return m.record(k, i) }))
		}
		odd, even := m.logarithmsUnrolled(fmt.Sprintf("near%d", n), v)
		for k := range v {
			m.addStep(sums, v[k][:3], odd[k], even[k])
		}
		m.invert(sums[3:])
		asm.KMOVQ(m.isOff(sums[:3]).k, m.more)
		m.store(sums[:3], m.sums)
	})
	more := first.load(first.more)
	for _, m := range ms[1:] {
		asm.ORQ(m.more, more)
	}
	asm.JZ(operand.LabelRef(converged))
	asm.DECQ(steps)
	asm.JZ(operand.LabelRef(converged))
	ms.eachPass(fmt.Sprintf("step%d", n), func(m *mean) {
		m.newton(m.sums[:3], func() mask {
			k := asm.K()
			asm.KMOVQ(m.more, k)
			return mask{lanes: m.lanes, k: k}
		})
	})
	first.jump(again)
	asm.Label(converged)
}

// logarithmsUnrolled returns, of relative rotations, the weights times κ, and times γ. Both are kept in the records as
// well.
func (m *mean) logarithmsUnrolled(near string, v [][]op) (odd, even []op) {
	var y []op
	for k := range v {
		y = append(y, m.belowOne(v[k][3]))
	}
	ratios := m.polynomials(nearRatios, y, [][]float64{nearKappa, nearGamma})
	odd, even = ratios[0], ratios[1]
	farthest := m.vec()
	m.asm.VMINPS(v[0][3], v[1][3], farthest)
	for _, v := range v[2:] {
		m.asm.VMINPS(v[3], farthest, farthest)
	}
	m.greater(m.every("nearcosine", nearCosine), farthest).ifNowhere(near)
	for k := range v {
		m.farRatios(y[k], v[k][3], odd[k], even[k])
	}
	for k := range v {
		m.beyond(v[k][:3], v[k][3], odd[k], even[k])
	}
	m.label(near)
	for k := range v {
		m.asm.VMULPS(m.record(k, recordWeight), odd[k], odd[k])
		m.asm.VMULPS(m.record(k, recordWeight), even[k], even[k])
		m.asm.VMOVAPS(odd[k], m.record(k, recordOdd))
		m.asm.VMOVAPS(even[k], m.record(k, recordEven))
	}
	return odd, even
}
