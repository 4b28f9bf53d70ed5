package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The loops of the intrinsic mean. Nearly every instruction of Newton's method waits for the one before it, and a core
// has room for about a hundred that wait.
//
// With AVX2 two influences, or two passes, go in turns, instruction by instruction, in loops over the influences. There
// are not registers enough for more, nor for the sums meanwhile, which therefore follow.
//
// With AVX-512 there are registers enough for all that a step needs. The mean of n influences is emitted without a loop
// over them, each stage for all influences before the next.

// solve finds the means, of n influences with AVX-512. Vertices of one influence have no mean to find.
func (ms means) solve(n int) {
	m, each := ms[0], ms.eachPass
	if !m.wide {
		each = ms.inTurns
		m.asm.CMPQ(m.most, operand.I8(1))
		m.asm.JE(operand.LabelRef("single"))
	}
	name := func(label string) string { return fmt.Sprintf("%s%d", label, n) }
	if n == 1 {
		ms.eachPass(name("single"), (*mean).writeSingle)
		return
	}
	each(name("start"), (*mean).start)
	steps := m.asm.AllocLocal(8)
	m.asm.MOVQ(operand.I32(intrinsicLimit), steps)
	m.label(name("iterate"))
	if m.wide {
		ms.eachPass(name("sum"), func(m *mean) { m.sumUnrolled(n) })
	} else {
		ms.sumInLoops()
	}
	ms.ifNoneIsOff(name("converged"))
	m.asm.DECQ(steps)
	m.asm.JZ(operand.LabelRef(name("converged")))
	each(name("step"), (*mean).newton)
	m.jump(name("iterate"))
	m.label(name("converged"))
	ms.eachPass(name("finish"), func(m *mean) { m.finish(n) })
	if !m.wide {
		m.jump("solved")
		m.label("single")
		ms.eachPass("each", (*mean).writeSingle)
		m.label("solved")
	}
}

// ifNoneIsOff jumps if no mean is off by more than the tolerance in any lane.
func (ms means) ifNoneIsOff(label string) {
	m := ms[0]
	if m.wide {
		more := m.load(m.more)
		for _, other := range ms[1:] {
			m.asm.ORQ(other.more, more)
		}
		m.asm.JZ(operand.LabelRef(label))
		return
	}
	more := m.saved(m.more)
	for _, other := range ms[1:] {
		m.asm.VORPS(other.more, more.v, more.v)
	}
	more.ifNowhere(label)
}

// finish solves for the dual parts and writes the blended motions.
func (m *mean) finish(n int) {
	b, rest := m.copies(m.b), make([]op, 4)
	if m.wide {
		for k := range n {
			m.addDual(rest, b, func(i int) op { return m.record(k, i) })
		}
		m.write(b, rest)
		return
	}
	for k := range rest {
		rest[k] = m.none()
	}
	means{m}.eachRecord("dual", 2, func(record reg.Register) {
		add := func(n int) { m.addDual(rest, b, func(i int) op { return m.field(record, n, i) }) }
		m.interleave(func() { add(0) }, func() { add(1) })
	})
	m.write(m.b, rest)
}

// gather writes the motions of all vertices and the sum of their real parts into b.
func (m *mean) gather() {
	joints := m.load(m.bindings)
	motion := func(v, k int) operand.Mem {
		return operand.Mem{Base: m.palette, Index: m.entryOffset(at(joints, v*bindingBytes), k), Scale: 1}
	}
	if m.wide {
		m.byInfluences("gather", m.most, func(n int) {
			sum := make([]op, 4)
			for k := range n {
				var whole []op
				for i := range 8 {
					d, v := m.vec(), i/4*8+i%4
					m.asm.VMOVUPS(motion(v, k), d.AsY())
					m.asm.VINSERTF64X4(operand.U8(1), motion(v+4, k), d, d)
					whole = append(whole, d)
				}
				real, dual := m.split(whole)
				for i := range sum {
					m.asm.VMOVAPS(real[i], m.record(k, i))
					m.asm.VMOVAPS(dual[i], m.record(k, 4+i))
					m.sum(&sum[i], m.record(k, recordWeight), real[i])
				}
			}
			m.store(sum, m.b)
		})
		return
	}
	sum := []op{m.none(), m.none(), m.none(), m.none()}
	whole := func(v int) op {
		d := m.vec()
		m.asm.VMOVUPS(motion(v, 0), d)
		return d
	}
	means{m}.eachRecord("gather", 1, func(record reg.Register) {
		var real, dual []op
		for i := range 4 { // vertices i and i+4 side by side
			r, d := m.sideBySide(whole(i), whole(i+4))
			real, dual = append(real, r), append(dual, d)
		}
		for i, d := range m.transpose4(real) {
			m.asm.VMOVAPS(d, m.field(record, 0, i))
			m.add(sum[i], m.field(record, 0, recordWeight), d)
		}
		for i, d := range m.transpose4(dual) {
			m.asm.VMOVAPS(d, m.field(record, 0, 4+i))
		}
		m.asm.ADDQ(operand.U8(2), joints)
	})
	m.store(sum, m.b)
}

// sumUnrolled writes a step's sums of n influences and the inverse of M, and where the mean is off, with AVX-512.
func (m *mean) sumUnrolled(n int) {
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
	m.isOff(sums[:3]).save(m.more)
	m.store(sums[:3], m.sums)
}

// logarithmsUnrolled returns the weights times κ and the weights times γ of relative rotations, and writes them into
// the records.
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

// field is vector i of the record that r points to, or of one that many behind, among the first mean's records.
func (m *mean) field(r reg.Register, behind, i int) operand.Mem {
	return at(r, m.shift+behind*m.recordBytes()+i*4*m.width())
}

// eachRecord emits a loop over the records, as many as the group's largest number of influences, which count divides:
// body takes count of them. Record is where the first mean's is.
func (ms means) eachRecord(label string, count int, body func(record reg.Register)) {
	m := ms[0]
	record := m.asm.GP64()
	m.asm.LEAQ(m.records.Offset(-m.shift), record)
	m.asm.MOVQ(m.most, m.left)
	m.label(label)
	body(record)
	m.asm.ADDQ(operand.I32(count*m.recordBytes()), record)
	m.asm.SUBQ(operand.I8(count), m.left)
	m.asm.JNZ(operand.LabelRef(label))
}

// sumInLoops is sumUnrolled of all means with AVX2.
func (ms means) sumInLoops() {
	ms.eachRecord("influences", 2, func(record reg.Register) {
		for _, m := range ms {
			m.logarithms(record)
		}
	})
	ms.eachRecord("influence", 1, ms.farLogarithms)
	ms.eachPass("sums", (*mean).sumUp)
	ms.inTurns("", func(m *mean) {
		m.invert(m.sums[3:])
		m.isOff(m.copies(m.sums[:3])).save(m.more)
	})
}

// logarithms writes, of the record's motion and of the next one's as the mean sees them, the vectors, the cosines, the
// weights times κ and the weights times γ into the records; κ and γ are those of cosines from nearCosine on. Loads
// limit it: what both influences read is loaded once.
func (m *mean) logarithms(record reg.Register) {
	b, y := m.copies(m.b), make([]op, 2)
	relative := func(n int) {
		r := m.relative(b, func(i int) op { return m.field(record, n, i) })
		for k := range r {
			m.asm.VMOVAPS(r[k], m.field(record, n, recordVector+k))
		}
		y[n] = m.belowOne(r[3])
	}
	m.interleave(func() { relative(0) }, func() { relative(1) })
	ratios := m.polynomials(nearRatios, y, [][]float64{nearKappa, nearGamma})
	for n := range y {
		m.weigh(record, n, ratios[0][n], ratios[1][n])
	}
}

// weigh writes the ratios times the weight into a record, n behind.
func (m *mean) weigh(record reg.Register, n int, kappa, gamma op) {
	weight := m.field(record, n, recordWeight)
	m.asm.VMULPS(weight, kappa, kappa)
	m.asm.VMULPS(weight, gamma, gamma)
	m.asm.VMOVAPS(kappa, m.field(record, n, recordOdd))
	m.asm.VMOVAPS(gamma, m.field(record, n, recordEven))
}

// farLogarithms replaces κ and γ in the lanes whose cosine is below nearCosine, if there are any in any mean.
func (ms means) farLogarithms(record reg.Register) {
	m := ms[0]
	least := m.every("nearcosine", nearCosine)
	far := m.greater(least, m.field(record, 0, recordVector+3))
	for _, m := range ms[1:] {
		m.asm.VORPS(m.greater(least, m.field(record, 0, recordVector+3)).v, far.v, far.v)
	}
	far.ifNowhere("near")
	pass := m.asm.GP64()
	m.asm.MOVQ(record, pass)
	m.repeat("far", len(ms), func() {
		c := m.copy(m.field(pass, 0, recordVector+3))
		y := m.belowOne(c)
		ratios := m.polynomials(nearRatios, []op{y}, [][]float64{nearKappa, nearGamma})
		kappa, gamma := ratios[0][0], ratios[1][0]
		m.farRatios(y, c, kappa, gamma)
		m.beyond(m.vectorOf(pass), c, kappa, gamma)
		m.weigh(pass, 0, kappa, gamma)
		m.asm.ADDQ(operand.I32(ms[1].shift), pass)
	})
	m.label("near")
}

// vectorOf returns the vector of the motion of a record as the mean sees it.
func (m *mean) vectorOf(record reg.Register) (v []op) {
	for k := range 3 {
		v = append(v, m.copy(m.field(record, 0, recordVector+k)))
	}
	return v
}

// sumUp emits the sums of a mean over a step's logarithms.
func (m *mean) sumUp() {
	var sums []op
	for range m.sums {
		sums = append(sums, m.none())
	}
	means{m}.eachRecord("sum", 1, func(record reg.Register) {
		v := m.vectorOf(record)
		m.addStep(sums, v, m.copy(m.field(record, 0, recordOdd)), m.copy(m.field(record, 0, recordEven)))
	})
	m.store(sums, m.sums)
}
