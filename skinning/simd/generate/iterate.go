package main

import (
	"math"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// sum is a running sum: a register with AVX-512, memory with AVX2, which has too few registers.
type sum struct {
	*lanes
	register reg.VecVirtual
	memory   operand.Mem
}

// sum starts at zero, in memory.
func (m *mean) sum(k int) sum {
	zero := m.vec()
	m.asm.VXORPS(zero, zero, zero)
	m.asm.VMOVAPS(zero, m.sums[k])
	return sum{lanes: m.lanes, memory: m.sums[k]}
}

// value returns the sum in a register that may be written.
func (s sum) value() reg.VecVirtual {
	if s.wide {
		return s.register
	}
	v := s.vec()
	s.asm.VMOVAPS(s.memory, v)
	return v
}

// plus adds a·b.
func (s sum) plus(a operand.Op, b reg.VecVirtual) {
	v := s.value()
	s.add(v, a, b)
	if !s.wide {
		s.asm.VMOVAPS(v, s.memory)
	}
}

// iterate emits Newton's method with AVX2: until no mean is off by more than the tolerance in any lane, or the limit. A lane that is there
// stays as it is, so that it does not depend on its neighbours.
func (ms means) iterate() {
	m := ms[0]
	steps := m.asm.AllocLocal(8)
	m.asm.MOVQ(operand.I32(intrinsicLimit), steps)
	m.asm.Label("iterate")
	type state struct {
		mean   [3]sum
		matrix [6]sum
		slope  sum
		b      [4]operand.Op
		off    [3]operand.Op
		more   mask
	}
	all := make([]state, len(ms))
	for i, m := range ms {
		s := &all[i]
		for k := range s.mean {
			s.mean[k] = m.sum(k)
		}
		for k := range s.matrix {
			s.matrix[k] = m.sum(3 + k)
		}
		s.slope = m.sum(9)
		s.b = m.rotation()
	}
	ms.eachInfluence("influence", func(i int, record reg.Register) {
		m, s := ms[i], &all[i]
		x, y, z, c := m.relative(s.b, func(i int) operand.Op { return m.field(record, i) })
		odd, even := m.logarithm(record, [3]reg.VecVirtual{x, y, z}, c)
		s.mean[0].plus(odd, x)
		s.mean[1].plus(odd, y)
		s.mean[2].plus(odd, z)
		s.slope.plus(odd, c)
		ex, ey, ez := m.mul(even, x), m.mul(even, y), m.mul(even, z)
		s.matrix[0].plus(ex, x)
		s.matrix[1].plus(ey, y)
		s.matrix[2].plus(ez, z)
		s.matrix[3].plus(ex, y)
		s.matrix[4].plus(ex, z)
		s.matrix[5].plus(ey, z)
	})
	for i, m := range ms {
		s := &all[i]
		m.invert(s.matrix, s.slope)
		s.more = m.isOff([3]reg.VecVirtual{s.mean[0].value(), s.mean[1].value(), s.mean[2].value()})
		s.off = [3]operand.Op{m.sums[0], m.sums[1], m.sums[2]}
	}
	all[0].more.ifNeither(all[1].more, "converged")
	m.asm.DECQ(steps)
	m.asm.JZ(operand.LabelRef("converged"))
	for i, m := range ms {
		m.step(all[i].more, all[i].off)
	}
	m.asm.JMP(operand.LabelRef("iterate"))
	m.asm.Label("converged")
}

// isOff tells where a mean is off by more than the tolerance.
func (m *mean) isOff(mean [3]reg.VecVirtual) mask {
	square := m.mul(mean[0], mean[0])
	m.add(square, mean[1], mean[1])
	m.add(square, mean[2], mean[2])
	return m.greater(square, m.every("tolerance", intrinsicTolerance*intrinsicTolerance))
}

// As in package skinning.
const (
	intrinsicTolerance = 4e-7
	intrinsicLimit     = 32
)

// rotation returns b as operands.
func (m *mean) rotation() (b [4]operand.Op) {
	for k := range b {
		b[k] = m.b[k]
		if m.wide {
			r := m.vec()
			m.asm.VMOVAPS(m.b[k], r)
			b[k] = r
		}
	}
	return b
}

// relative returns b*·q of a quaternion whose components are read one by one: the conjugate of b times q.
func (m *mean) relative(b [4]operand.Op, q func(i int) operand.Op) (x, y, z, c reg.VecVirtual) {
	part := func(i int) reg.VecVirtual {
		d := m.vec()
		m.asm.VMOVAPS(q(i), d)
		return d
	}
	d := part(0)
	x, y, z, c = m.vec(), m.vec(), m.vec(), m.vec()
	m.asm.VMULPS(b[3], d, x)
	m.asm.VMULPS(b[2], d, y)
	m.asm.VMULPS(b[1], d, z)
	m.asm.VMULPS(b[0], d, c)
	d = part(1)
	m.add(x, b[2], d)
	m.asm.VFMSUB231PS(b[3], d, y) // less what is there
	m.sub(z, b[0], d)
	m.add(c, b[1], d)
	d = part(2)
	m.sub(x, b[1], d)
	m.add(y, b[0], d)
	m.add(z, b[3], d)
	m.add(c, b[2], d)
	d = part(3)
	m.sub(x, b[0], d)
	m.sub(y, b[1], d)
	m.sub(z, b[2], d)
	m.add(c, b[3], d)
	return x, y, z, c
}

// Coefficients in 1 − |c| as in package skinning's logarithmRatio, first those from nearCosine on.
var (
	nearKappa   = []float32{1.000000006148536, 0.33333214316439663, 0.13337065719045435, 0.05670861294936474, 0.027761088761919968, 0.00515495649424941, 0.01318973672030224}
	nearGamma   = []float32{0.3333330320109029, 0.2667108405417729, 0.17040127147586306, 0.11011443891473338, 0.026936401498151873, 0.07882258822487204}
	kappaSeries = []float32{0.99999998850274185, 0.3333355884196168, 0.13326088351303353, 0.058037706478790037, 0.019848678892516094,
		0.030985711661458238, -0.035150959918470108, 0.052578770739390143, -0.033457436248451398, 0.01135737669442052}
	gammaSeries = []float32{0.33333366751205334, 0.26661085134055834, 0.17293470073086054, 0.086236974971647701, 0.13437774849830719,
		-0.17691252124582235, 0.33723438926110566, -0.25362858748148481, 0.099811773876614315}
)

// Names of their constants.
var (
	nearRatios = []string{"nearkappa", "neargamma"}
	allRatios  = []string{"kappa", "gamma"}
)

const nearCosine = 0.5

// logarithm returns, with AVX2, the weight times κ, and times γ, of the quaternion (v, c), and keeps both in the record.
func (m *mean) logarithm(record reg.Register, v [3]reg.VecVirtual, c reg.VecVirtual) (odd, even reg.VecVirtual) {
	y := m.every("one", 1)
	m.asm.VSUBPS(m.absolute(c), y, y)
	square := m.mul(y, y)
	odd, even = m.evenAndOdd(nearRatios[0], y, square, nearKappa), m.evenAndOdd(nearRatios[1], y, square, nearGamma)
	far := m.greater(m.every("nearcosine", nearCosine), c)
	near := "near"
	if m.shift != 0 {
		near = "high_near"
	}
	far.ifNowhere(near)
	m.farRatios(y, c, odd, even)
	m.beyond(v, c, odd, even)
	m.asm.Label(near)
	weight := m.field(record, recordWeight)
	m.asm.VMULPS(weight, odd, odd)
	m.asm.VMULPS(weight, even, even)
	m.asm.VMOVAPS(odd, m.field(record, recordOdd))
	m.asm.VMOVAPS(even, m.field(record, recordEven))
	return odd, even
}

// farRatios replaces κ and γ of cosines below nearCosine.
func (m *mean) farRatios(y, c, kappa, gamma reg.VecVirtual) {
	ratios := m.polynomials(allRatios, []reg.VecVirtual{y}, [][]float32{kappaSeries, gammaSeries})
	far := m.greater(m.every("nearcosine", nearCosine), c)
	far.put(ratios[0][0], kappa)
	far.put(ratios[1][0], gamma)
}

// beyond replaces κ and γ past a right angle, of opposite motions, which have no axis, by finite ones.
func (m *mean) beyond(v [3]reg.VecVirtual, c, kappa, gamma reg.VecVirtual) {
	far := m.negative(c)
	length := m.mul(v[0], v[0])
	m.add(length, v[1], v[1])
	m.add(length, v[2], v[2])
	m.asm.VMAXPS(m.every("axis", 1e-14), length, length)
	r := m.overRoot(length)
	k := m.mul(r, m.every("pi", math.Pi))
	m.asm.VSUBPS(kappa, k, k)
	g := m.every("one", 1)
	m.sub(g, k, c)
	m.asm.VMULPS(r, g, g)
	m.asm.VMULPS(r, g, g)
	far.put(k, kappa)
	far.put(g, gamma)
}

// invert writes the cofactors of M and its determinant.
func (m *mean) invert(matrix [6]sum, slope sum) {
	var a [6]reg.VecVirtual
	for k := range a {
		a[k] = matrix[k].value()
	}
	diagonal := slope.value()
	for k := range 3 {
		m.asm.VADDPS(diagonal, a[k], a[k])
	}
	det := m.vec()
	for k, i := range [6][4]int{{1, 5, 5, 2}, {0, 4, 4, 2}, {0, 3, 3, 1}, {4, 3, 2, 5}, {3, 4, 1, 5}, {3, 0, 5, 4}} {
		cofactor := m.minor(a[i[0]], a[i[1]], a[i[2]], a[i[3]])
		switch k {
		case 0:
			m.asm.VMULPS(cofactor, a[0], det)
		case 3, 4:
			m.add(det, cofactor, a[k])
		}
		m.asm.VMOVAPS(cofactor, m.inverse[k])
	}
	m.asm.VMOVAPS(det, m.det)
}

// solve returns M⁻¹·v where the determinant is above least, else v. Of a determinant that may be negative its absolute counts.
func (m *mean) solve(v [3]operand.Op, least float32, name string, either bool) (out [3]reg.VecVirtual) {
	det := m.vec()
	m.asm.VMOVAPS(m.det, det)
	size := det
	if either {
		size = m.absolute(det)
	}
	regular := m.greater(size, m.every(name, least))
	scale := m.over(det)
	c := &m.inverse
	var in [3]reg.VecVirtual
	for k := range in {
		in[k] = m.vec()
		m.asm.VMOVAPS(v[k], in[k])
	}
	for i, row := range [3][3]int{{0, 3, 4}, {3, 1, 5}, {4, 5, 2}} {
		out[i] = m.mul(c[row[0]], in[0])
		m.add(out[i], c[row[1]], in[1])
		m.add(out[i], c[row[2]], in[2])
		m.asm.VMULPS(scale, out[i], out[i])
	}
	for i := range out {
		out[i] = regular.choose(out[i], in[i])
	}
	return out
}

// step moves b to b·exp(δ) where more holds, M·δ = mean, or δ = mean where M is near singular.
func (m *mean) step(more mask, mean [3]operand.Op) {
	v := m.solve(mean, 0.05, "singular", false)
	square := m.mul(v[0], v[0])
	m.add(square, v[1], v[1])
	m.add(square, v[2], v[2])
	tangent := m.polynomial("tangent", square, []float32{1, 1. / 3, 2. / 15, 17. / 315})
	length := m.every("one", 1)
	for k := range v {
		m.asm.VMULPS(tangent, v[k], v[k])
		m.add(length, v[k], v[k])
	}
	n := m.overRoot(length)
	for k := range v {
		m.asm.VMULPS(n, v[k], v[k])
	}
	b := m.rotation()
	var out [4]reg.VecVirtual
	for k := range out {
		out[k] = m.mul(b[k], n)
	}
	m.timesVector(out, b, v)
	for k := range out {
		old := m.vec()
		m.asm.VMOVAPS(m.b[k], old)
		m.asm.VMOVAPS(more.choose(out[k], old), m.b[k])
	}
}

// timesVector adds to sum the product of b and the quaternion (v, 0).
func (m *mean) timesVector(sum [4]reg.VecVirtual, b [4]operand.Op, v [3]reg.VecVirtual) {
	for i := range 3 {
		j, k := (i+1)%3, (i+2)%3
		m.add(sum[i], b[3], v[i])
		m.add(sum[i], b[j], v[k])
		m.sub(sum[i], b[k], v[j])
		m.sub(sum[3], b[i], v[i])
	}
}

// finish solves for the dual parts with the M of the last step, and writes the blended motions. Vertices of one influence take its motion as
// it is.
func (ms means) finish() {
	b, rest := make([][4]operand.Op, len(ms)), make([][4]reg.VecVirtual, len(ms))
	for i, m := range ms {
		b[i] = m.rotation()
		for k := range rest[i] {
			rest[i][k] = m.vec()
			m.asm.VXORPS(rest[i][k], rest[i][k], rest[i][k])
		}
	}
	ms.eachInfluence("dual", func(i int, record reg.Register) {
		m, b, rest := ms[i], b[i], rest[i]
		var e [4]reg.VecVirtual
		slope := m.vec()
		for i := range e {
			e[i] = m.vec()
			m.asm.VMOVAPS(m.field(record, 4+i), e[i])
			if i == 0 {
				m.asm.VMULPS(b[i], e[i], slope)
			} else {
				m.add(slope, b[i], e[i])
			}
		}
		m.asm.VMULPS(m.field(record, recordEven), slope, slope)
		for i := range e {
			m.add(rest[i], m.field(record, recordOdd), e[i])
			m.sub(rest[i], m.field(record, i), slope)
		}
	})
	for i, m := range ms {
		m.write(b[i], rest[i])
	}
}

// write writes the blended motions of rotation b, rest as in skinning's intrinsicMean.
func (m *mean) write(b [4]operand.Op, rest [4]reg.VecVirtual) {
	x, y, z, _ := m.relative(b, func(i int) operand.Op { return rest[i] })
	v := m.solve([3]operand.Op{x, y, z}, 1e-6, "flat", true)
	var dual [4]reg.VecVirtual
	for i := range dual {
		dual[i] = m.vec()
		m.asm.VXORPS(dual[i], dual[i], dual[i])
	}
	m.timesVector(dual, b, v)
	bytes := 4 * m.width()
	alone := m.zero(m.records.Offset(m.recordBytes() + recordWeight*bytes))
	for i := range 4 {
		real := m.vec()
		m.asm.VMOVAPS(m.b[i], real)
		m.asm.VMOVAPS(alone.choose(m.records.Offset(i*bytes), real), m.out[i])
		m.asm.VMOVAPS(alone.choose(m.records.Offset((4+i)*bytes), dual[i]), m.out[4+i])
	}
}

// alone writes the motions of a group whose vertices have one influence each.
func (m *mean) alone() {
	for i := range m.out {
		d := m.vec()
		m.asm.VMOVAPS(m.records.Offset(i*4*m.width()), d)
		m.asm.VMOVAPS(d, m.out[i])
	}
}

// result returns the blended motions.
func (m *mean) result() (real [4]reg.VecVirtual, dual [4]operand.Op) {
	for i := range real {
		real[i] = m.vec()
		m.asm.VMOVAPS(m.out[i], real[i])
		dual[i] = m.out[4+i]
	}
	return real, dual
}
