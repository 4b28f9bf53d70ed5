package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// meanBatch is how many groups go through Newton's method side by side: of one group alone every run waits for the
// last.
const meanBatch = 4

// meanState is what one run of Newton's method leaves of a group for the next.
type meanState struct {
	motions      [masters][8]operand.Mem // in the pivot's hemisphere
	kappa, gamma [masters]operand.Mem    // times the weights
	b            [4]operand.Mem
	mean         [3]operand.Mem
	inverse      [6]operand.Mem // cofactors
	det          operand.Mem
	far          operand.Mem // lanes that are not there yet
	bytes        int
}

// meanStateAt lays the state out from a register on.
func meanStateAt(base reg.Register) (m meanState) {
	place := func(some ...*operand.Mem) {
		for _, p := range some {
			*p = at(base, m.bytes)
			m.bytes += 32
		}
	}
	for k := range masters {
		for i := range m.motions[k] {
			place(&m.motions[k][i])
		}
		place(&m.kappa[k], &m.gamma[k])
	}
	for _, some := range [][]operand.Mem{m.b[:], m.mean[:], m.inverse[:]} {
		for i := range some {
			place(&some[i])
		}
	}
	place(&m.det, &m.far)
	return m
}

// meanDriver is the kernel of DIB. All groups of a batch go through a run of Newton's method before the next run.
type meanDriver struct {
	*driver
	meanState                  // of the group that a run is at
	state     reg.GPVirtual    // where that is
	place     operand.Mem      // where that of the first group is
	batch     meanCount        // the groups of this batch, and what is left of them in a run
	rest      operand.Mem      // the groups from this batch on
	at        [2]operand.Mem   // where this batch's groups are, and what is noted of them
	pointers  [2]reg.GPVirtual // the registers that point there
	unsettled operand.Mem      // lanes of any group that are not there yet
	wide      operand.Mem      // lanes of any group with a motion past blendReach
}

type meanCount struct{ all, left operand.Mem }

// meanSlots are the values of a run that may wait on the stack.
const meanSlots = 60

// blendMean emits DIB: Newton's method for the intrinsic mean, until the last lane of a batch is there.
func blendMean(l *lanes) {
	d := l.driver("blendMean", "BlendGroup", "", meanSlots+meanBatch*meanStateAt(nil).bytes/32)
	local := func() operand.Mem { return l.asm.AllocLocal(8) }
	m := &meanDriver{driver: d, state: l.asm.GP64(), place: d.stack.base.Offset(32 * meanSlots),
		batch: meanCount{local(), local()}, rest: local(), at: [2]operand.Mem{local(), local()},
		pointers: [2]reg.GPVirtual{d.groups, d.failed}, unsettled: local(), wide: local()}
	m.meanState = meanStateAt(m.state)
	d.stack.most = meanSlots
	steps := local()
	l.asm.MOVQ(d.count, m.rest)
	m.savePointers()

	l.asm.Label("batch")
	m.beginBatch()
	m.run("start", func(s *straight) { m.note(s, m.start(s), false) })
	l.asm.MOVQ(operand.I32(blendSteps), steps)
	l.asm.MOVQ(operand.I32(0), m.wide)
	l.asm.Label("iterate")
	l.asm.CMPQ(m.wide, operand.I8(0))
	l.asm.JNE(operand.LabelRef("wide"))
	l.asm.MOVQ(operand.I32(0), m.unsettled)
	m.run("sum", m.sum)
	l.asm.CMPQ(m.wide, operand.I8(0))
	l.asm.JEQ(operand.LabelRef("summed"))
	l.asm.Label("wide")
	l.asm.MOVQ(operand.I32(0), m.unsettled)
	m.run("sumwide", m.sumWide)
	l.asm.Label("summed")
	l.asm.CMPQ(m.unsettled, operand.I8(0))
	l.asm.JEQ(operand.LabelRef("converged"))
	l.asm.DECQ(steps)
	l.asm.JZ(operand.LabelRef("converged"))
	m.run("step", func(s *straight) { m.note(s, m.step(s), true) })
	l.asm.JMP(operand.LabelRef("iterate"))
	l.asm.Label("converged")
	m.run("finish", m.finish)
	m.savePointers()
	l.asm.JMP(operand.LabelRef("batch"))

	l.asm.Label("done")
	l.asm.VZEROUPPER()
	l.asm.RET()
}

func (m *meanDriver) savePointers() {
	for i, p := range m.pointers {
		m.asm.MOVQ(p, m.at[i])
	}
}

// beginBatch takes the next groups, and ends the function where there are none.
func (m *meanDriver) beginBatch() {
	rest, n := m.asm.GP64(), m.asm.GP64()
	m.asm.MOVQ(m.rest, rest)
	m.asm.TESTQ(rest, rest)
	m.asm.JZ(operand.LabelRef("done"))
	m.asm.MOVQ(operand.I32(meanBatch), n)
	m.asm.CMPQ(rest, n)
	m.asm.CMOVQLT(rest, n)
	m.asm.SUBQ(n, rest)
	m.asm.MOVQ(rest, m.rest)
	m.asm.MOVQ(n, m.batch.all)
}

// run emits a run over the groups of the batch.
func (m *meanDriver) run(label string, build func(s *straight)) {
	for i, p := range m.pointers {
		m.asm.MOVQ(m.at[i], p)
	}
	m.asm.LEAQ(m.place, m.state)
	left := m.asm.GP64()
	m.asm.MOVQ(m.batch.all, left)
	m.asm.MOVQ(left, m.batch.left)
	m.asm.Label(label)
	s := m.straight(m.stack)
	build(s)
	s.emit()
	m.asm.ADDQ(operand.I32(m.layout.size("BlendGroup")), m.groups)
	m.asm.INCQ(m.failed)
	m.asm.ADDQ(operand.I32(m.bytes), m.state)
	m.asm.DECQ(m.batch.left)
	m.asm.JNZ(operand.LabelRef(label))
}

// note writes the lanes where a comparison does not hold, or adds them to those that are noted.
func (m *meanDriver) note(s *straight, holds *value, more bool) {
	rejected := m.asm.GP32()
	m.reject(s, holds, rejected)
	s.do(func(reg.VecVirtual) {
		if more {
			m.asm.ORB(rejected.As8(), operand.Mem{Base: m.failed})
		} else {
			m.asm.MOVB(rejected.As8(), operand.Mem{Base: m.failed})
		}
	})
}

// settle notes the lanes that are not sound, and which of the others are not there yet.
func (m *meanDriver) settle(s *straight, sound, there *value) {
	m.note(s, sound, true)
	far := m.asm.GP32()
	m.reject(s, there, far)
	s.do(func(reg.VecVirtual) {
		given := m.asm.GP32()
		m.asm.MOVBLZX(operand.Mem{Base: m.failed}, given)
		m.asm.NOTL(given)
		m.asm.ANDL(given, far)
		m.asm.MOVL(far, m.far)
		m.asm.ORB(far.As8(), m.unsettled)
	})
}
