package main

import (
	"math"

	"github.com/mmcloughlin/avo/operand"
)

// The arithmetic of the intrinsic mean, each function for one influence or for one mean, with the symbols of kernel's
// intrinsicMean. The loops over influences and steps are in iterate.go.

// relative returns b*·q of a quaternion q, component by component: the conjugate of b times q.
func (m *mean) relative(b []op, q func(i int) op) (out []op) {
	// By component of the product and component of q: which component of b it is multiplied by, counted from 1, and
	// negative where the product is subtracted.
	terms := [4][4]int{{4, 3, -2, -1}, {-3, 4, 1, -2}, {2, -1, 4, -3}, {1, 2, 3, 4}}
	for i := range 4 {
		d := m.copy(q(i))
		for o, row := range terms {
			switch t := row[i]; {
			case i == 0: // which begins y with the wrong sign
				out = append(out, m.mul(b[max(t, -t)-1], d))
			case o == 1 && i == 1:
				m.asm.VFMSUB231PS(b[t-1], d, out[o]) // less what is there: the right sign
			case t > 0:
				m.add(out[o], b[t-1], d)
			default:
				m.sub(out[o], b[-t-1], d)
			}
		}
	}
	return out
}

// start normalises b.
func (m *mean) start() {
	b := m.copies(m.b)
	square := m.dot(b, b)
	m.asm.VMAXPS(m.every("tiny", 1e-30), square, square)
	n := m.overRoot(square)
	for i := range b {
		m.asm.VMULPS(n, b[i], b[i])
		m.asm.VMOVAPS(b[i], m.b[i])
	}
}

// Names of the constants of [nearKappa] and the other polynomials.
var (
	nearRatios = []string{"nearkappa", "neargamma"}
	allRatios  = []string{"kappa", "gamma"}
)

// belowOne returns 1 − |c|.
func (m *mean) belowOne(c op) op {
	y := m.every("one", 1)
	m.asm.VSUBPS(m.absolute(c), y, y)
	return y
}

// farRatios replaces κ and γ of cosines c below nearCosine, of relative rotations with vectors v.
func (m *mean) farRatios(y, c, kappa, gamma op) {
	ratios := m.polynomials(allRatios, []op{y}, [][]float64{kappaSeries, gammaSeries})
	far := m.greater(m.every("nearcosine", nearCosine), c)
	far.put(ratios[0][0], kappa)
	far.put(ratios[1][0], gamma)
}

// beyond replaces κ and γ of half angles past a right angle: κ(c) = π/√(1−c²) − κ(−c).
func (m *mean) beyond(v []op, c, kappa, gamma op) {
	far := m.negative(c)
	length := m.dot(v, v)
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

// addStep adds to a step's sums an influence whose relative rotation has the vector v: w·κ·v, and w·γ·v·vᵀ.
func (m *mean) addStep(sums, v []op, odd, even op) {
	for k := range v {
		m.sum(&sums[k], odd, v[k])
	}
	for i, row := range [3][]int{{3, 6, 7}, {4, 8}, {5}} {
		scaled := m.mul(even, v[i])
		for j, k := range row {
			m.sum(&sums[k], scaled, v[i+j])
		}
	}
}

// isOff tells where a mean is off by more than the tolerance.
func (m *mean) isOff(off []op) mask {
	return m.greater(m.dot(off, off), m.every("tolerance", intrinsicTolerance*intrinsicTolerance))
}

// invert writes the cofactors of M and its determinant from the matrix Σ w·γ·v·vᵀ. M's diagonal has Σ w·κ·c besides,
// which is the sum of the weights less the trace of that matrix, as γ·|v|² = 1 − κ·c.
func (m *mean) invert(sums []op) {
	diagonal := m.copy(m.total)
	a := sums
	if _, memory := sums[0].(operand.Mem); memory {
		a = nil
		for k, sum := range sums {
			a = append(a, m.copy(sum))
			if k < 3 {
				m.asm.VSUBPS(a[k], diagonal, diagonal)
			}
		}
	} else {
		for k := range 3 {
			m.asm.VSUBPS(a[k], diagonal, diagonal)
		}
	}
	for k := range 3 {
		m.asm.VADDPS(diagonal, a[k], a[k])
	}
	var det op
	for k, i := range [6][4]int{{1, 5, 5, 2}, {0, 4, 4, 2}, {0, 3, 3, 1}, {4, 3, 2, 5}, {3, 4, 1, 5}, {3, 0, 5, 4}} {
		cofactor := m.minor(a[i[0]], a[i[1]], a[i[2]], a[i[3]])
		if k == 0 || k == 3 || k == 4 {
			m.sum(&det, cofactor, a[k])
		}
		m.asm.VMOVAPS(cofactor, m.inverse[k])
	}
	m.asm.VMOVAPS(det, m.det)
}

// solveFor returns M⁻¹·v where the determinant is above least, else v. Where the determinant may have either sign its
// absolute value is compared.
func (m *mean) solveFor(v []op, least float32, name string, either bool) (out []op) {
	det := m.copy(m.det)
	size := det
	if either {
		size = m.absolute(det)
	}
	regular := m.greater(size, m.every(name, least))
	scale := m.over(det)
	in := m.copies(v)
	for _, row := range [3][3]int{{0, 3, 4}, {3, 1, 5}, {4, 5, 2}} {
		x := m.dot([]op{m.inverse[row[0]], m.inverse[row[1]], m.inverse[row[2]]}, in)
		m.asm.VMULPS(scale, x, x)
		out = append(out, x)
	}
	for i := range out {
		out[i] = regular.choose(out[i], in[i])
	}
	return out
}

// newton moves b to b·exp(δ) where the mean is off: M·δ is the sum that should be 0, or δ is where M is near singular.
// A lane that is there stays as it is, so that it does not depend on its neighbours.
func (m *mean) newton() {
	v := m.solveFor(m.sums[:3], intrinsicSingular, "singular", false)
	tangents := m.polynomials([]string{"tangent"}, []op{m.dot(v, v)}, [][]float64{{1, 1. / 3, 2. / 15, 17. / 315}})
	length := m.every("one", 1)
	for k := range v {
		m.asm.VMULPS(tangents[0][0], v[k], v[k])
		m.add(length, v[k], v[k])
	}
	n := m.overRoot(length)
	for k := range v {
		m.asm.VMULPS(n, v[k], v[k])
	}
	b := m.rotation()
	var out []op
	for k := range b {
		out = append(out, m.mul(b[k], n))
	}
	m.timesVector(out, b, v)
	where := m.saved(m.more)
	for k := range out {
		m.asm.VMOVAPS(where.choose(out[k], m.copy(m.b[k])), m.b[k])
	}
}

// rotation returns b: in registers, but with AVX2 in memory.
func (m *mean) rotation() []op {
	if m.wide {
		return m.copies(m.b)
	}
	return m.b
}

// timesVector adds to sum the product of b and the quaternion (v, 0).
func (m *mean) timesVector(sum, b, v []op) {
	for i := range 3 {
		j, k := (i+1)%3, (i+2)%3
		m.add(sum[i], b[3], v[i])
		m.add(sum[i], b[j], v[k])
		m.sub(sum[i], b[k], v[j])
		m.sub(sum[3], b[i], v[i])
	}
}

// addDual adds an influence to the sum from which the dual part is solved: w·κ·e − w·γ·(b·e)·d for a motion d + ε·e.
// Its record is read vector by vector.
func (m *mean) addDual(rest, b []op, record func(i int) op) {
	var slope op
	for k := range b {
		m.sum(&slope, b[k], m.copy(record(4+k)))
	}
	m.asm.VMULPS(record(recordEven), slope, slope)
	odd := m.copy(record(recordOdd))
	for k := range rest {
		m.sum(&rest[k], record(4+k), odd)
		m.sub(rest[k], record(k), slope)
	}
}

// write solves for the dual parts with the M of the last step, and writes the blended motions. Vertices of one
// influence take its motion as it is.
func (m *mean) write(b, rest []op) {
	x := m.relative(b, func(i int) op { return rest[i] })
	v := m.solveFor(x[:3], intrinsicFlat, "flat", true)
	dual := []op{m.none(), m.none(), m.none(), m.none()}
	m.timesVector(dual, b, v)
	single := m.zero(m.record(1, recordWeight))
	for i := range 4 {
		real := m.copy(m.b[i])
		m.asm.VMOVAPS(single.choose(m.record(0, i), real), m.out[i])
		m.asm.VMOVAPS(single.choose(m.record(0, 4+i), dual[i]), m.out[4+i])
	}
}

// writeSingle writes the motions of a group whose vertices have one influence each.
func (m *mean) writeSingle() {
	for i, to := range m.out {
		m.asm.VMOVAPS(m.copy(m.record(0, i)), to)
	}
}
