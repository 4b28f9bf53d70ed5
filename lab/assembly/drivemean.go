package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The kernel of DIB for blend bones: Newton's method of package kernel's MotionMean, which has the formulas.

// meanBatch is how many groups go through Newton's method side by side: with one group every run would wait for the run
// before it.
const meanBatch = 4

// blendWideReach is how far the kernel goes where a motion is past blendReach: turned by 168 degrees from the mean.
const blendWideReach = 0.9

// meanState is what one run of Newton's method leaves of a group for the next.
type meanState struct {
	motions      [masters][]operand.Mem // eight each, in the pivot's hemisphere
	kappa, gamma []operand.Mem          // by master, times the weights
	b            []operand.Mem
	mean         []operand.Mem
	inverse      []operand.Mem // cofactors of the derivative
	det          operand.Mem
	far          operand.Mem // lanes that are not within the tolerance
	bytes        int
}

// meanStateAt lays the state out from a register on.
func meanStateAt(base reg.Register) (m meanState) {
	place := func(number int) (places []operand.Mem) {
		for range number {
			places = append(places, at(base, m.bytes))
			m.bytes += 32
		}
		return places
	}
	for k := range masters {
		m.motions[k] = place(8)
		m.kappa, m.gamma = append(m.kappa, place(1)...), append(m.gamma, place(1)...)
	}
	m.b, m.mean, m.inverse = place(4), place(3), place(6)
	m.det, m.far = place(1)[0], place(1)[0]
	return m
}

// meanDriver is the kernel. All groups of a batch go through a run of Newton's method before the next run.
type meanDriver struct {
	*driver
	meanState                    // of the group that a run is at
	state       reg.GPVirtual    // where that is
	first       operand.Mem      // where that of the first group is
	batch       operand.Mem      // the number of groups of this batch
	left        operand.Mem      // the number of them that a run has not been at
	rest        operand.Mem      // the number of groups after this batch
	at          [2]operand.Mem   // where this batch's groups are, and their flags in Failed
	pointers    [2]reg.GPVirtual // the registers that point there
	unconverged operand.Mem      // not 0 while a lane of any group is not within the tolerance
	wide        operand.Mem      // not 0 if a lane of any group has a motion past blendReach
}

// meanSlots are the values of a run that may wait on the stack.
const meanSlots = 60

// blendMean emits DIB: Newton's method for the intrinsic mean, until every lane of a batch is within the tolerance.
func blendMean(l *lanes) {
	d := l.driver("blendMean", "BlendGroup", "", meanSlots+meanBatch*meanStateAt(nil).bytes/32)
	place := func() operand.Mem { return l.asm.AllocLocal(8) }
	m := &meanDriver{driver: d, state: l.asm.GP64(), first: d.stack.base.Offset(32 * meanSlots),
		batch: place(), left: place(), rest: place(), at: [2]operand.Mem{place(), place()},
		pointers: [2]reg.GPVirtual{d.groups, d.failed}, unconverged: place(), wide: place()}
	m.meanState = meanStateAt(m.state)
	d.stack.most = meanSlots
	steps := place()
	set := func(to operand.Mem, number int) { l.asm.MOVQ(operand.I32(number), to) }
	jumpIfNone := func(lanes operand.Mem, label string) {
		l.asm.CMPQ(lanes, operand.I8(0))
		l.asm.JEQ(operand.LabelRef(label))
	}
	l.asm.MOVQ(d.count, m.rest)
	m.savePointers()

	l.label("batch")
	m.beginBatch()
	m.eachGroup("start", func(s *straight) { m.note(s, m.start(s), false) })
	set(steps, blendSteps)
	set(m.wide, 0)
	l.label("iterate")
	l.asm.CMPQ(m.wide, operand.I8(0))
	l.asm.JNE(operand.LabelRef("wide"))
	set(m.unconverged, 0)
	m.eachGroup("sum", m.sum)
	jumpIfNone(m.wide, "summed")
	l.label("wide")
	set(m.unconverged, 0)
	m.eachGroup("sumwide", m.sumWide)
	l.label("summed")
	jumpIfNone(m.unconverged, "converged")
	l.asm.DECQ(steps)
	l.asm.JZ(operand.LabelRef("converged"))
	m.eachGroup("step", func(s *straight) { m.note(s, m.step(s), true) })
	l.jump("iterate")
	l.label("converged")
	m.eachGroup("finish", m.finish)
	m.savePointers()
	l.jump("batch")
	l.done()
}

func (m *meanDriver) savePointers() {
	for i, p := range m.pointers {
		m.asm.MOVQ(p, m.at[i])
	}
}

// beginBatch takes the next groups, and ends the function where there are none.
func (m *meanDriver) beginBatch() {
	rest, n := m.load(m.rest), m.asm.GP64()
	m.ifZero(rest, "done")
	m.asm.MOVQ(operand.I32(meanBatch), n)
	m.asm.CMPQ(rest, n)
	m.asm.CMOVQLT(rest, n)
	m.asm.SUBQ(n, rest)
	m.asm.MOVQ(rest, m.rest)
	m.asm.MOVQ(n, m.batch)
}

// eachGroup emits a run over the groups of the batch.
func (m *meanDriver) eachGroup(label string, build func(s *straight)) {
	for i, p := range m.pointers {
		m.asm.MOVQ(m.at[i], p)
	}
	m.asm.LEAQ(m.first, m.state)
	m.asm.MOVQ(m.load(m.batch), m.left)
	m.label(label)
	m.run(m.stack, build)
	m.asm.ADDQ(operand.I32(m.layout.size("BlendGroup")), m.groups)
	m.asm.INCQ(m.failed)
	m.asm.ADDQ(operand.I32(m.bytes), m.state)
	m.untilZero(m.left, label)
}

// note writes the lanes where a comparison does not hold to Failed, or adds them to those there.
func (m *meanDriver) note(s *straight, holds *value, more bool) {
	rejected := m.asm.GP32()
	m.reject(s, holds, rejected)
	s.do(func(reg.VecVirtual) {
		if more {
			m.asm.ORB(rejected.As8(), at(m.failed, 0))
		} else {
			m.asm.MOVB(rejected.As8(), at(m.failed, 0))
		}
	})
}

// classify notes the lanes that are not sound, and which of the others are not within the tolerance.
func (m *meanDriver) classify(s *straight, sound, there *value) {
	m.note(s, sound, true)
	far := m.asm.GP32()
	m.reject(s, there, far)
	s.do(func(reg.VecVirtual) {
		given := m.asm.GP32()
		m.asm.MOVBLZX(at(m.failed, 0), given)
		m.asm.NOTL(given)
		m.asm.ANDL(given, far)
		m.asm.MOVL(far, m.far)
		m.asm.ORB(far.As8(), m.unconverged)
	})
}

// start brings the motions into one hemisphere and b to their linear blend.
func (m *meanDriver) start(s *straight) (holds *value) {
	w, sum := m.vectors(s, "BlendGroup.Weight"), make([]*value, 4)
	var pivot []*value
	for k := range masters {
		q := m.motion(s, k, 8)
		if k == 0 {
			pivot = q[:4]
		} else {
			sign := opposite(s, pivot, q)
			for i := range q {
				q[i] = s.flip(q[i], sign)
			}
		}
		for i, v := range q {
			s.keep(v, m.motions[k][i])
			if i < len(sum) {
				s.sum(&sum[i], w[k], v)
			}
		}
	}
	square := s.dot(sum, sum)
	s.keepAll(s.scaled(s.over(s.constant(1), s.root(square)), sum), m.b)
	return s.less(s.constant(1e-30), square)
}

// sum sums the mean and its derivative at b, and notes the lanes where a motion is past blendReach, whose sums are
// worth nothing.
func (m *meanDriver) sum(s *straight) {
	det, farthest, there := m.sumBy(s, func(t *value) (kappa, gamma *value) {
		t2 := s.times(t, t)
		t4 := s.times(t2, t2)
		return polynomial8(s, blendKappa, t, t2, t4), polynomial8(s, blendGamma, t, t2, t4)
	})
	wide := m.asm.GP32()
	m.reject(s, s.atMost(farthest, s.constant(blendReach)), wide)
	s.do(func(reg.VecVirtual) { m.asm.ORB(wide.As8(), m.wide) })
	regular := s.less(s.constant(blendRegular), det)
	m.classify(s, s.either(regular, s.less(s.constant(blendReach), farthest)), there)
}

// sumWide is sum up to blendWideReach. That is sound where no motion is farther and the derivative is regular.
func (m *meanDriver) sumWide(s *straight) {
	det, farthest, there := m.sumBy(s, func(t *value) (kappa, gamma *value) {
		t2 := s.times(t, t)
		return evenAndOdd(s, blendWideKappa, t, t2), evenAndOdd(s, blendWideGamma, t, t2)
	})
	regular := s.less(s.constant(blendRegular), det)
	m.classify(s, s.both(regular, s.atMost(farthest, s.constant(blendWideReach))), there)
}

// sumBy keeps the mean and its derivative at b, by the functions of 1 − cos, and returns the derivative's determinant,
// the largest 1 − cos and where the mean is within the tolerance.
func (m *meanDriver) sumBy(s *straight, functions func(t *value) (kappa, gamma *value)) (det, farthest, there *value) {
	w, b := m.vectors(s, "BlendGroup.Weight"), s.all(m.b)
	mean, matrix := make([]*value, 3), make([]*value, 6)
	var slope *value
	for k := range masters {
		q := s.all(m.motions[k][:4])
		v := s.conjugateTimes(b, q)
		cos := s.dot(b, q)
		t := s.minus(s.constant(1), cos)
		if farthest == nil {
			farthest = t
		} else {
			farthest = s.larger(farthest, t)
		}
		kappa, gamma := functions(t)
		kappa, gamma = s.times(w[k], kappa), s.times(w[k], gamma)
		s.keep(kappa, m.kappa[k])
		s.keep(gamma, m.gamma[k])
		s.sum(&slope, kappa, cos)
		for i := range mean {
			s.sum(&mean[i], kappa, v[i])
		}
		s.addOuter(matrix, s.scaled(gamma, v), v)
	}
	for i := range mean {
		matrix[i] = s.plus(matrix[i], slope)
	}
	inverse, det := s.cofactors(matrix)
	s.keepAll(mean, m.mean)
	s.keepAll(inverse, m.inverse)
	s.keep(det, m.det)
	return det, farthest, s.atMost(s.dot(mean, mean), s.constant(blendTolerance*blendTolerance))
}

// polynomial8 evaluates a polynomial of degree 8 in t by its second and fourth powers.
func polynomial8(s *straight, c []float64, t, t2, t4 *value) *value {
	pair := func(i int) *value { return s.plusTimes(s.constant(c[i]), s.constant(c[i+1]), t) }
	high := s.plusTimes(pair(4), t2, pair(6))
	high = s.plusTimes(high, t4, s.constant(c[8]))
	return s.plusTimes(s.plusTimes(pair(0), t2, pair(2)), t4, high)
}

// evenAndOdd evaluates a polynomial in t by its even and odd parts.
func evenAndOdd(s *straight, c []float64, t, t2 *value) *value {
	part := func(i int) *value {
		last := (len(c)-1-i)/2*2 + i
		sum := s.constant(c[last])
		for k := last - 2; k >= 0; k -= 2 {
			sum = s.plusTimes(s.constant(c[k]), sum, t2)
		}
		return sum
	}
	return s.plusTimes(part(0), t, part(1))
}

// step moves b to b·exp(δ), M·δ = mean, and holds where that is no farther than half a radian.
func (m *meanDriver) step(s *straight) (holds *value) {
	inverse, b := s.all(m.inverse), s.all(m.b)
	delta := s.symmetricTimes(inverse, s.all(m.mean))
	delta = s.scaled(s.over(s.constant(1), s.from(m.det)), delta)
	h2 := s.dot(delta, delta)
	// Sine over angle and cosine, brought to unit length.
	one := s.constant(1)
	sine := s.minusTimes(one, h2, s.minusTimes(s.constant(1./6), h2, s.constant(1./120)))
	cos := s.minusTimes(s.constant(1./24), h2, s.constant(1./720))
	cos = s.minusTimes(s.constant(1./2), h2, cos)
	cos = s.minusTimes(one, h2, cos)
	square := s.plusTimes(s.times(cos, cos), s.times(sine, sine), h2)
	unit := s.minusTimes(s.constant(1.5), s.constant(0.5), square)
	cos, sine = s.times(cos, unit), s.times(sine, unit)
	product := s.quaternionTimes(b, s.scaled(sine, delta))
	for i := range product {
		s.keep(s.plusTimes(product[i], cos, b[i]), m.b[i])
	}
	return s.atMost(h2, s.constant(0.25))
}

// finish writes the matrices of the means, after the scales, and notes the lanes that never came within the tolerance.
func (m *meanDriver) finish(s *straight) {
	s.do(func(reg.VecVirtual) {
		far := m.asm.GP32()
		m.asm.MOVL(m.far, far)
		m.asm.ORB(far.As8(), at(m.failed, 0))
	})
	q := m.solution(s)
	matrix := s.motionMatrix(q, s.over(s.constant(2), s.dot(q[:4], q[:4])))
	m.write(s, s.product(matrix, m.sumScales(s)))
}

// solution returns the mean: b and its dual part.
func (m *meanDriver) solution(s *straight) []*value {
	b, sum := s.all(m.b), make([]*value, 4) // Σ w·(κ·e − γ·(b·e)·d)
	for k := range masters {
		real, dual := s.all(m.motions[k][:4]), s.all(m.motions[k][4:])
		kappa, g := s.from(m.kappa[k]), s.times(s.from(m.gamma[k]), s.dot(b, dual))
		for i := range sum {
			s.sum(&sum[i], kappa, dual[i])
			sum[i] = s.minusTimes(sum[i], g, real[i])
		}
	}
	tau := s.symmetricTimes(s.all(m.inverse), s.conjugateTimes(b, sum))
	tau = s.scaled(s.over(s.constant(1), s.from(m.det)), tau)
	return append(b, s.quaternionTimes(b, tau)...)
}
