package main

import (
	"github.com/mmcloughlin/avo/operand"
)

// iterative emits dual quaternion iterative blending (DIB, Kavan et al. 2008): the intrinsic mean of the motions in
// every lane, after the blended scale. The method is derived at kernel's intrinsicMean: Newton's method for the
// rotation, then the dual part, which is linear.
func iterative(l *lanes) {
	s := l.loop("iterative")
	// Each step of the mean waits for the one before it: the passes of two groups go side by side, so that one works
	// while others wait.
	ms := s.newMeans(2 * groupVertices / s.width())
	scales := s.newBlend(3, s.load(s.field(s.vertices, "Vertices.Scales")))
	s.eachPair(ms, func() {
		if !l.wide { // the loops take influences by twos: three are four, the last of weight 0
			four := l.asm.GP64()
			l.asm.MOVQ(operand.U32(4), four)
			l.asm.CMPQ(s.most, operand.I8(3))
			l.asm.CMOVQEQ(four, s.most)
		}
		ms.eachPass("bind", func(m *mean) {
			m.scale(scales, m.weights)
			m.gather()
			step := l.load(m.step.vec3)
			l.asm.ADDQ(step, s.rest)
			l.asm.ADDQ(step, s.restNormals) // which is not read where it is nil
			l.asm.ADDQ(m.step.binding, s.bindings)
		})
		if l.wide {
			l.byInfluences("mean", s.most, ms.solve)
		} else {
			ms.solve(0)
		}
		ms.eachPass("pose", func(m *mean) {
			m.move()
			l.asm.ADDQ(m.step.vec3, s.positions)
		})
	})
}

// stride is the bytes from a pass to the next one: in streams of vectors and in the bindings.
type stride struct{ vec3, binding operand.Mem }

// eachPair emits the loop over pairs of groups around body, which takes all passes of two groups and steps from each to
// the next by the stride of its mean, and ends the function. Where the number of groups is odd, the last group is taken
// twice.
func (s *loop) eachPair(ms means, body func()) {
	w := s.width()
	again := groupVertices - w // with AVX2 from the last pass of a group back to its first
	set := func(pass, vertices int) {
		step := ms[0].step
		s.asm.MOVQ(operand.I32(vertices*vec3Bytes), step.vec3.Offset(ms[pass].shift))
		s.asm.MOVQ(operand.I32(vertices*bindingBytes), step.binding.Offset(ms[pass].shift))
	}
	s.ifZero(s.groups, "done")
	for pass := range ms {
		set(pass, w)
	}
	s.label("group")
	s.asm.MOVBQZX(at(s.counts, 0), s.most)
	s.asm.CMPQ(s.groups, operand.I8(1))
	s.asm.JNE(operand.LabelRef("two"))
	set(len(ms)/2-1, -again)
	s.jump("counted")
	s.label("two")
	second := s.asm.GP64()
	s.asm.MOVBQZX(at(s.counts, 1), second)
	s.asm.CMPQ(second, s.most)
	s.asm.CMOVQGT(second, s.most)
	s.label("counted")
	body()
	s.asm.ADDQ(operand.U8(2), s.counts)
	s.asm.SUBQ(operand.U8(2), s.groups)
	s.asm.JG(operand.LabelRef("group"))
	s.done()
}

// means are the intrinsic means of the vertices of several passes.
type means []*mean

// mean is the intrinsic mean of the motions of the vertices of a pass, one vertex per lane. What lives longer than a
// step lies in memory: what is posed, a record for each influence, then the quantities of the mean.
type mean struct {
	*loop
	base     operand.Mem // the first mean's memory; [means.eachPass] moves its register
	step     stride      // to the next pass; of the first mean alone
	shift    int         // bytes from the first mean's memory to this one's
	position operand.Mem // three vectors, scaled or at rest
	normal   operand.Mem
	records  operand.Mem
	b        []op        // the rotation
	inverse  []op        // cofactors of M: the diagonal, then xy, xz, yz
	sums     []op        // of a step: how far the mean is off, then the matrix, in the order of inverse
	out      []op        // the blended motions
	det      operand.Mem // of M
	more     operand.Mem // where the mean is off
	total    operand.Mem // the sum of the weights
	left     operand.Mem // influences of a loop
}

// Vectors of a record: the motion, the weight, and what the last step weighted the motion by, odd and even functions of
// it.
const (
	recordWeight = 8
	recordOdd    = 9
	recordEven   = 10
	recordVector = 11 // with AVX2 the vector and the cosine of the motion as the mean sees it
)

func (l *lanes) recordBytes() int {
	if l.wide {
		return recordVector * 4 * l.width()
	}
	return (recordVector + 4) * 4 * l.width()
}

// newMeans takes the stack memory of a number of passes.
func (s *loop) newMeans(passes int) (ms means) {
	const before, after = 6, 30 // vectors besides the records
	bytes := 4*s.recordBytes() + (before+after)*4*s.width() + 64
	base := s.stack(passes * bytes)
	step, left := base.Offset(bytes-64), s.asm.AllocLocal(8)
	for h := range passes {
		m := &mean{loop: s, base: base, step: stride{step, step.Offset(8)}, shift: h * bytes, left: left}
		from := base.Offset(m.shift)
		take := func(bytes int) operand.Mem {
			taken := from
			from = from.Offset(bytes)
			return taken
		}
		vector := 4 * s.width()
		vectors := func(number int) []op { return s.places(take(number*vector), number) }
		m.position, m.normal, m.records = take(3*vector), take(3*vector), take(4*s.recordBytes())
		m.b, m.inverse, m.sums, m.out = vectors(4), vectors(6), vectors(9), vectors(8)
		m.det, m.more, m.total = take(vector), take(vector), take(vector)
		ms = append(ms, m)
	}
	return ms
}

// eachPass emits a loop over the passes. Body is emitted once, for the first mean, and runs with the register of its
// memory moved to each pass: it may read and write the mean that it is given, and no other.
func (ms means) eachPass(label string, body func(m *mean)) {
	m, bytes := ms[0], ms[1].shift
	m.repeat(label, len(ms), func() {
		body(m)
		m.asm.ADDQ(operand.I32(bytes), m.base.Base)
	})
	m.asm.SUBQ(operand.I32(len(ms)*bytes), m.base.Base)
}

// inTurns emits the same for all means, two at a time. It needs no label.
func (ms means) inTurns(_ string, body func(m *mean)) {
	for i := 0; i < len(ms); i += 2 {
		ms[i].interleave(func() { body(ms[i]) }, func() { body(ms[i+1]) })
	}
}

// scale emits a pass's positions and normals after the blended scales, or at rest where there is no palette of scales.
// Beside is emitted with it, with AVX-512 in turns.
func (m *mean) scale(scales *blend, beside func()) {
	m.ifZero(scales.palette, "rigid")
	scales.entries("scale", m.most, m.bindings)
	var matrix [][]op
	position := func() {
		var row func(int, []op)
		row, matrix = m.movePoint(m.keep(m.loadVec3(m.rest), m.position))
		scales.transposed(row)
		m.keep([]op{matrix[0][3], matrix[1][3], matrix[2][3]}, m.position)
	}
	if m.wide {
		m.interleave(position, beside)
	} else {
		position()
	}
	m.ifZero(m.normals, "scaled")
	m.spill(m.transformNormal(matrix, m.keep(m.loadVec3(m.restNormals), m.normal)), m.normal)
	m.label("scaled")
	if m.wide {
		m.spill([]op{matrix[0][3], matrix[1][3], matrix[2][3]}, m.position)
	} else {
		beside()
	}
	m.jump("ready")
	m.label("rigid")
	m.spill(m.loadVec3(m.rest), m.position)
	beside()
	m.ifZero(m.normals, "ready")
	m.spill(m.loadVec3(m.restNormals), m.normal)
	m.label("ready")
}

// move writes the positions and normals by the mean motions.
func (m *mean) move() {
	d := m.motion(m.copies(m.out[:4]), m.out[4:])
	p, n := m.places(m.position, 3), m.places(m.normal, 3)
	m.storeVec3(m.positions, d.point(p))
	m.ifZero(m.normals, "posed")
	m.storeVec3(m.normals, d.vector(m.fromKept(n), n))
	m.asm.ADDQ(m.step.vec3, m.normals)
	m.label("posed")
}

// record is vector i of record k.
func (m *mean) record(k, i int) operand.Mem {
	return m.records.Offset(k*m.recordBytes() + i*4*m.width())
}

// weights writes the weights of all vertices, and their sums.
func (m *mean) weights() {
	var four []op
	for i := range 4 {
		from := at(m.bindings, i*bindingBytes+8)
		if !m.wide {
			four = append(four, m.joinFirst(from, from.Offset(4*bindingBytes)))
			continue
		}
		d := m.vec()
		m.asm.VMOVUPS(from, d.AsX())
		for q := 1; q < 4; q++ {
			m.asm.VINSERTF32X4(operand.U8(q), from.Offset(4*q*bindingBytes), d, d)
		}
		four = append(four, d)
	}
	columns := m.transpose4(four)
	for k, w := range columns {
		m.asm.VMOVAPS(w, m.record(k, recordWeight))
	}
	for _, w := range columns[1:] {
		m.asm.VADDPS(w, columns[0], columns[0])
	}
	m.asm.VMOVAPS(columns[0], m.total)
}
