package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The intrinsic mean with AVX2, in loops over the influences: there are registers for two.
//
// Nearly every instruction of Newton's method waits for the one before it, and a core has room for about a hundred that
// wait. So two influences, or two passes, go in turns, instruction by instruction; there are not registers enough for
// more, nor for the sums meanwhile, which therefore follow.

// solve finds all means. The groups whose vertices have one influence each have none to find.
func (ms means) solve() {
	m := ms[0]
	m.asm.CMPQ(m.most, operand.I8(1))
	m.asm.JE(operand.LabelRef("alone"))
	ms.inTurns((*mean).start)
	ms.iterate()
	ms.eachPass("finish", (*mean).finish)
	m.jump("blended")
	m.label("alone")
	ms.eachPass("finishalone", (*mean).writeSingle)
	m.label("blended")
}

// field is vector i of the record that r points to, or of one that many behind, among the first mean's records.
func (m *mean) field(r reg.Register, behind, i int) operand.Mem {
	return at(r, m.shift+behind*m.recordBytes()+i*4*m.width())
}

// eachRecord emits a loop over the records, as many as the group's largest number of influences, which count divides:
// body takes so many. Record is where the first mean's is.
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

// gather writes the motions of all vertices and sums their real parts into b.
func (m *mean) gather() {
	sum := []op{m.none(), m.none(), m.none(), m.none()}
	joints := m.load(m.bindings)
	motion := func(v int) op {
		low := m.asm.YMM()
		m.asm.VMOVUPS(m.motionAt(m.entryOffset(at(joints, v*bindingBytes), 0)), low)
		return low
	}
	means{m}.eachRecord("gather", 1, func(record reg.Register) {
		var real, dual []op
		for i := range 4 { // vertices i and i+4 side by side
			r, d := m.sideBySide(motion(i), motion(i+4))
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

// iterate emits Newton's method: until no mean is off by more than the tolerance in any lane, or the limit. A lane that
// is there stays as it is, so that it does not depend on its neighbours.
func (ms means) iterate() {
	m := ms[0]
	steps := m.asm.AllocLocal(8)
	m.asm.MOVQ(operand.I32(intrinsicLimit), steps)
	m.label("iterate")
	ms.eachRecord("influences", 2, func(record reg.Register) {
		for _, m := range ms {
			m.logarithms(record)
		}
	})
	ms.eachRecord("influence", 1, ms.farLogarithms)
	ms.eachPass("sums", (*mean).sumUp)
	ms.inTurns(func(m *mean) {
		m.invert(m.sums[3:])
		m.asm.VMOVAPS(m.isOff(m.copies(m.sums[:3])).v, m.more)
	})
	more := mask{lanes: m.lanes, v: m.copy(m.more)}
	for _, other := range ms[1:] {
		m.asm.VORPS(other.more, more.v, more.v)
	}
	more.ifNowhere("converged")
	m.asm.DECQ(steps)
	m.asm.JZ(operand.LabelRef("converged"))
	ms.inTurns(func(m *mean) {
		m.newton(m.sums[:3], func() mask { return mask{lanes: m.lanes, v: m.copy(m.more)} })
	})
	m.jump("iterate")
	m.label("converged")
}

// logarithms emits of the motions in the record and the next one as the mean sees them the vectors, the cosines, the
// weights times κ, and times γ, into the records. The ratios are those of cosines from nearCosine on. What both read is
// loaded once, as loads are what limits them.
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

// farLogarithms emits all that again where a cosine of any mean is below nearCosine, with the ratios of the lanes that
// are.
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

// finish solves for the dual parts and writes the blended motions.
func (m *mean) finish() {
	b := m.copies(m.b)
	rest := []op{m.none(), m.none(), m.none(), m.none()}
	means{m}.eachRecord("dual", 2, func(record reg.Register) {
		add := func(n int) { m.addDual(rest, b, func(i int) op { return m.field(record, n, i) }) }
		m.interleave(func() { add(0) }, func() { add(1) })
	})
	m.write(m.rotation(), rest)
}
