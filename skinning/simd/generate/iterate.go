package main

import (
	"math"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// iterate emits Newton's method with AVX2: until no mean is off by more than the tolerance in any lane, or the limit. A
// lane that is there stays as it is, so that it does not depend on its neighbours.
//
// Nearly every instruction waits for the one before it, and a core has room for about a hundred that wait. So two
// influences, or two passes, go in turns, instruction by instruction; there are not registers enough for more, nor for
// the sums meanwhile, which therefore follow.
func (ms means) iterate() {
	m := ms[0]
	steps := m.asm.AllocLocal(8)
	m.asm.MOVQ(operand.I32(intrinsicLimit), steps)
	m.asm.Label("iterate")
	ms.eachRecords("influences", 2, func(record reg.Register) {
		for _, m := range ms {
			m.logarithms(record)
		}
	})
	ms.eachRecord("influence", ms.farLogarithms)
	ms.sumUp()
	ms.inTurns(func(i int) {
		m := ms[i]
		m.invertSums()
		m.asm.VMOVAPS(m.isOff(m.unspill(m.off())).v, m.more)
	})
	more := mask{lanes: m.lanes, v: m.vec()}
	m.asm.VMOVAPS(m.more, more.v)
	for _, other := range ms[1:] {
		m.asm.VORPS(other.more, more.v, more.v)
	}
	more.ifNowhere("converged")
	m.asm.DECQ(steps)
	m.asm.JZ(operand.LabelRef("converged"))
	ms.inTurns(func(i int) {
		m := ms[i]
		m.newton(m.off(), func() mask {
			v := m.vec()
			m.asm.VMOVAPS(m.more, v)
			return mask{lanes: m.lanes, v: v}
		})
	})
	m.asm.JMP(operand.LabelRef("iterate"))
	m.asm.Label("converged")
}

// inTurns emits the same for all means, two at a time.
func (ms means) inTurns(body func(i int)) {
	for i := 0; i < len(ms); i += 2 {
		ms[i].interleave(func() { body(i) }, func() { body(i + 1) })
	}
}

// sumUp emits the sums of all means with AVX2, over a step's logarithms: Σ w·κ·v, and the matrix Σ w·γ·v·vᵀ.
func (ms means) sumUp() {
	m := ms[0]
	pass, record, passes := m.asm.GP64(), m.asm.GP64(), m.asm.AllocLocal(8)
	m.asm.LEAQ(m.records, pass)
	m.asm.MOVQ(operand.U32(uint32(len(ms))), passes)
	m.asm.Label("sums")
	var sums [9]reg.VecVirtual
	for k := range sums {
		sums[k] = m.vec()
		m.asm.VXORPS(sums[k], sums[k], sums[k])
	}
	m.asm.MOVQ(pass, record)
	m.asm.MOVQ(m.most, m.left)
	m.asm.Label("sum")
	v := m.unspill([3]operand.Op{m.field(record, recordVector), m.field(record, recordVector+1),
		m.field(record, recordVector+2)})
	odd, even := m.vec(), m.vec()
	m.asm.VMOVAPS(m.field(record, recordOdd), odd)
	m.asm.VMOVAPS(m.field(record, recordEven), even)
	for k := range v {
		m.add(sums[k], odd, v[k])
	}
	for i, row := range [3][]int{{3, 6, 7}, {4, 8}, {5}} {
		scaled := m.mul(even, v[i])
		for j, k := range row {
			m.add(sums[k], scaled, v[i+j])
		}
	}
	m.asm.ADDQ(operand.I32(m.recordBytes()), record)
	m.asm.DECQ(m.left)
	m.asm.JNZ(operand.LabelRef("sum"))
	for k, sum := range sums {
		m.asm.VMOVAPS(sum, at(pass, m.sums[k].Disp-m.records.Disp))
	}
	m.asm.ADDQ(operand.I32(ms[1].shift), pass)
	m.asm.DECQ(passes)
	m.asm.JNZ(operand.LabelRef("sums"))
}

// off is how far the mean of a step is off.
func (m *mean) off() [3]operand.Op { return [3]operand.Op{m.sums[0], m.sums[1], m.sums[2]} }

// isOff tells where a mean is off by more than the tolerance.
func (m *mean) isOff(mean [3]reg.VecVirtual) mask {
	square := m.mul(mean[0], mean[0])
	m.add(square, mean[1], mean[1])
	m.add(square, mean[2], mean[2])
	return m.greater(square, m.every("tolerance", intrinsicTolerance*intrinsicTolerance))
}

// rotation returns b as operands.
func (m *mean) rotation() (b [4]operand.Op) {
	if m.wide {
		return m.held()
	}
	for k := range b {
		b[k] = m.b[k]
	}
	return b
}

// held returns b in registers.
func (m *mean) held() (b [4]operand.Op) {
	for k := range b {
		r := m.vec()
		m.asm.VMOVAPS(m.b[k], r)
		b[k] = r
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

// Names of the constants of [nearKappa] and the other tables.
var (
	nearRatios = []string{"nearkappa", "neargamma"}
	allRatios  = []string{"kappa", "gamma"}
)

// logarithms emits, with AVX2, of the motions in the record and the next one as the mean sees them the vectors, the
// cosines, the weights times κ, and times γ, into the records. The ratios are those of cosines from nearCosine on. The
// two go side by side, as of one nearly every instruction waits for the one before it; and what both read is loaded
// once, as loads are what limits them.
func (m *mean) logarithms(record reg.Register) {
	b := m.held()
	y := make([]reg.VecVirtual, 2)
	relative := func(n int) {
		field := m.fields(record, n)
		x, v, z, c := m.relative(b, func(i int) operand.Op { return field(i) })
		for k, r := range []reg.VecVirtual{x, v, z, c} {
			m.asm.VMOVAPS(r, field(recordVector+k))
		}
		y[n] = m.every("one", 1)
		m.asm.VSUBPS(m.absolute(c), y[n], y[n])
	}
	m.interleave(func() { relative(0) }, func() { relative(1) })
	ratios := m.polynomials(nearRatios, y, [][]float64{nearKappa, nearGamma})
	for n := range y {
		m.weigh(record, n, ratios[0][n], ratios[1][n])
	}
}

// nearLogarithm returns κ and γ of cosines from nearCosine on, and 1 − |c|.
func (m *mean) nearLogarithm(c reg.VecVirtual) (kappa, gamma, y reg.VecVirtual) {
	y = m.every("one", 1)
	m.asm.VSUBPS(m.absolute(c), y, y)
	return m.polynomial(nearRatios[0], y, nearKappa), m.polynomial(nearRatios[1], y, nearGamma), y
}

// weigh writes the ratios times the weight into a record, n behind.
func (m *mean) weigh(record reg.Register, n int, kappa, gamma reg.VecVirtual) {
	field := m.fields(record, n)
	weight := field(recordWeight)
	m.asm.VMULPS(weight, kappa, kappa)
	m.asm.VMULPS(weight, gamma, gamma)
	m.asm.VMOVAPS(kappa, field(recordOdd))
	m.asm.VMOVAPS(gamma, field(recordEven))
}

// farLogarithms emits all that again where a cosine of any mean is below nearCosine, with the ratios of the lanes that
// are.
func (ms means) farLogarithms(record reg.Register) {
	m := ms[0]
	least := m.every("nearcosine", nearCosine)
	var far mask
	for i, m := range ms {
		f := m.greater(least, m.field(record, recordVector+3))
		if i == 0 {
			far = f
		} else {
			m.asm.VORPS(f.v, far.v, far.v)
		}
	}
	far.ifNowhere("near")
	pass, passes := m.asm.GP64(), m.asm.AllocLocal(8)
	m.asm.MOVQ(record, pass)
	m.asm.MOVQ(operand.U32(uint32(len(ms))), passes)
	m.asm.Label("far")
	c := m.vec()
	m.asm.VMOVAPS(m.field(pass, recordVector+3), c)
	kappa, gamma, y := m.nearLogarithm(c)
	m.farRatios(y, c, kappa, gamma)
	v := m.unspill([3]operand.Op{m.field(pass, recordVector), m.field(pass, recordVector+1),
		m.field(pass, recordVector+2)})
	m.beyond(v, c, kappa, gamma)
	m.weigh(pass, 0, kappa, gamma)
	m.asm.ADDQ(operand.I32(ms[1].shift), pass)
	m.asm.DECQ(passes)
	m.asm.JNZ(operand.LabelRef("far"))
	m.asm.Label("near")
}

// farRatios replaces κ and γ of cosines below nearCosine.
func (m *mean) farRatios(y, c, kappa, gamma reg.VecVirtual) {
	ratios := m.polynomials(allRatios, []reg.VecVirtual{y}, [][]float64{kappaSeries, gammaSeries})
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
	m.asm.VMAXPS(m.every("axis", leastAxis), length, length)
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

// invertSums is invert of the sums in memory, with AVX2. As γ·|v|² = 1 − κ·c, what κ·c adds to the diagonal is the sum
// of the weights less the trace of the other sum.
func (m *mean) invertSums() {
	var a [6]reg.VecVirtual
	diagonal := m.vec()
	m.asm.VMOVAPS(m.total, diagonal)
	for k := range a {
		a[k] = m.vec()
		m.asm.VMOVAPS(m.sums[3+k], a[k])
		if k < 3 {
			m.asm.VSUBPS(a[k], diagonal, diagonal)
		}
	}
	m.invert(a, diagonal)
}

// invert writes the cofactors of M, whose diagonal lacks a sum, and its determinant.
func (m *mean) invert(a [6]reg.VecVirtual, diagonal reg.VecVirtual) {
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

// solve returns M⁻¹·v where the determinant is above least, else v. Of a determinant that may be negative its absolute
// counts.
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

// newton moves b to b·exp(δ) where more holds, M·δ = mean, or δ = mean where M is near singular.
func (m *mean) newton(mean [3]operand.Op, more func() mask) {
	v := m.solve(mean, intrinsicSingular, "singular", false)
	square := m.mul(v[0], v[0])
	m.add(square, v[1], v[1])
	m.add(square, v[2], v[2])
	tangent := m.polynomial("tangent", square, []float64{1, 1. / 3, 2. / 15, 17. / 315})
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
	where := more()
	for k := range out {
		old := m.vec()
		m.asm.VMOVAPS(m.b[k], old)
		m.asm.VMOVAPS(where.choose(out[k], old), m.b[k])
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

// finish solves for the dual parts with the M of the last step, and writes the blended motions. Vertices of one
// influence take its motion as it is.
func (m *mean) finish(label string) {
	b := m.held()
	var rest [4]reg.VecVirtual
	for k := range rest {
		rest[k] = m.vec()
		m.asm.VXORPS(rest[k], rest[k], rest[k])
	}
	means{m}.eachRecords(label, 2, func(record reg.Register) {
		add := func(n int) {
			field := m.fields(record, n)
			slope, e := m.vec(), m.vec()
			for k := range 4 {
				m.asm.VMOVAPS(field(4+k), e)
				if k == 0 {
					m.asm.VMULPS(b[k], e, slope)
				} else {
					m.add(slope, b[k], e)
				}
			}
			m.asm.VMULPS(field(recordEven), slope, slope)
			odd := m.vec()
			m.asm.VMOVAPS(field(recordOdd), odd)
			for k, sum := range rest {
				m.add(sum, field(4+k), odd)
				m.sub(sum, field(k), slope)
			}
		}
		m.interleave(func() { add(0) }, func() { add(1) })
	})
	m.write(m.rotation(), rest)
}

// write writes the blended motions of rotation b, rest as in skinning's intrinsicMean.
func (m *mean) write(b [4]operand.Op, rest [4]reg.VecVirtual) {
	x, y, z, _ := m.relative(b, func(i int) operand.Op { return rest[i] })
	v := m.solve([3]operand.Op{x, y, z}, intrinsicFlat, "flat", true)
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
