package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// iterative emits dual quaternion iterative blending: the intrinsic mean of the motions in every lane, after the
// blended scale. The method is that of skinning's intrinsicMean, where it is derived: Newton's method for the rotation,
// then the linear dual part.
func iterative(l *lanes) {
	s := l.loop("iterative")
	// Each step of the mean waits for the one before it: the passes of two groups go side by side, so that one works
	// while others wait.
	ms := s.newMeans(2 * groupVertices / s.width())
	c := s.newScale(ms[0].base)
	s.eachPair(ms, func() {
		if !l.wide { // which takes influences by twos, but for those of one alone
			four := l.asm.GP64()
			l.asm.MOVQ(operand.U32(4), four)
			l.asm.CMPQ(s.most, operand.I8(3))
			l.asm.CMOVQEQ(four, s.most)
		}
		ms.eachPass("bind", func(m *mean) {
			c.blendOrNone("scale", func() {
				if l.wide {
					m.offsets()
				}
				m.weights()
			})
			if !l.wide {
				m.gather("gather")
			}
			step := l.asm.GP64()
			l.asm.MOVQ(m.step.vec3, step)
			l.asm.ADDQ(step, s.rest)
			l.asm.ADDQ(step, s.restNormals) // not read where it is none
			l.asm.ADDQ(m.step.binding, s.bindings)
		})
		if l.wide {
			l.byInfluences("mean", s.most, ms.solveUnrolled)
		} else {
			ms.solve()
		}
		ms.eachPass("pose", func(m *mean) {
			c.move("move", m)
			l.asm.ADDQ(m.step.vec3, s.positions)
		})
	})
}

// move writes the positions and normals by the mean motions.
func (c *scale) move(label string, m *mean) {
	s := c.loop
	real, dual := m.result()
	d := s.motion(real, dual)
	p, n := [3]operand.Op{c.moved[0], c.moved[1], c.moved[2]}, c.normals
	point, vector := d.point, d.vector
	if !s.wide {
		point = func(p [3]operand.Op) [3]reg.VecVirtual { return d.pointKept(s.unspill(p), p) }
		vector = func(n [3]operand.Op) [3]reg.VecVirtual { return d.vectorKept(s.unspill(n), n) }
	}
	o := point(p)
	s.storeVec3(at(s.positions, 0), o[0], o[1], o[2])
	s.asm.TESTQ(s.normals, s.normals)
	s.asm.JZ(operand.LabelRef(label + "_posed"))
	o = vector(n)
	s.storeVec3(at(s.normals, 0), o[0], o[1], o[2])
	s.asm.ADDQ(m.step.vec3, s.normals)
	s.asm.Label(label + "_posed")
}

// means are those of the vertices of several passes.
type means []*mean

// newMeans takes the stack of so many passes: of each first what its scale phase keeps, then its mean, then how far it
// is to the next one.
func (s *loop) newMeans(passes int) means {
	bytes := s.scaleBytes() + s.meanBytes() + 64
	base := s.stack(passes * bytes)
	step := base.Offset(bytes - 64)
	ms := means{s.newMean(base.Offset(s.scaleBytes()))}
	ms[0].base, ms[0].step = base, stride{step, step.Offset(8)}
	for h := 1; h < passes; h++ {
		ms = append(ms, ms[0].beside(h*bytes))
	}
	return ms
}

// eachPass emits a loop over the passes, for all that is not interleaved. Body runs with the first one's memory moved
// to each: it is to ask for nothing but of the mean that it is given and of what lies on the same stack.
func (ms means) eachPass(label string, body func(m *mean)) {
	m, bytes := ms[0], ms[1].shift
	left := m.asm.AllocLocal(8)
	m.asm.MOVQ(operand.U32(uint32(len(ms))), left)
	m.asm.Label(label)
	body(m)
	m.asm.ADDQ(operand.I32(bytes), m.base.Base)
	m.asm.DECQ(left)
	m.asm.JNZ(operand.LabelRef(label))
	m.asm.SUBQ(operand.I32(len(ms)*bytes), m.base.Base)
}

// solve finds all of them with AVX2. The groups whose vertices have one influence each have none to find.
func (ms means) solve() {
	m := ms[0]
	m.asm.CMPQ(m.most, operand.I8(1))
	m.asm.JE(operand.LabelRef("alone"))
	ms.inTurns(func(i int) { ms[i].start() })
	ms.iterate()
	ms.eachPass("finish", func(m *mean) { m.finish("dual") })
	m.asm.JMP(operand.LabelRef("blended"))
	m.asm.Label("alone")
	ms.eachPass("finishalone", (*mean).alone)
	m.asm.Label("blended")
}

// mean is the intrinsic mean of the motions of the vertices of a pass, one vertex per lane. What lives longer than a
// step lies in memory: a record for each influence, then the quantities of the mean.
type mean struct {
	*loop
	base    operand.Mem // of the first mean alone: its pass's memory, and the steps to the next pass
	step    stride
	records operand.Mem
	b       [4]operand.Mem // the rotation
	inverse [6]operand.Mem // cofactors of M: the diagonal, then xy, xz, yz
	det     operand.Mem
	sums    [9]operand.Mem // of a step: the mean's three, and with AVX2 those of the matrix
	more    operand.Mem    // where the mean is off
	total   operand.Mem    // AVX2: the sum of the weights
	out     [8]operand.Mem // the blended motions
	left    operand.Mem    // influences of a loop, or with AVX-512 steps
	shift   int            // bytes of the stack from the first mean's memory to this one's
}

// Of a record, in vectors: the motion, the weight, what the last step weighted the motion by (odd and even functions of
// it); then the palette's byte offset for every lane.
const (
	recordWeight  = 8
	recordOdd     = 9
	recordEven    = 10
	recordOffsets = 11
	recordVector  = 12 // with AVX2 the vector and the cosine of the motion as the mean sees it
)

// meanBytes is what newMean needs of the stack.
func (l *lanes) meanBytes() int { return 4*l.recordBytes() + 30*4*l.width() }

// newMean takes memory aligned to 64 bytes.
func (s *loop) newMean(records operand.Mem) *mean {
	m := &mean{loop: s, records: records, left: s.asm.AllocLocal(8)}
	m.place()
	return m
}

// beside is another mean, so many bytes farther on the stack.
func (m *mean) beside(shift int) *mean {
	other := *m
	other.shift, other.records = shift, m.records.Offset(shift)
	other.place()
	return &other
}

// place finds room for what is not in the records.
func (m *mean) place() {
	bytes := 4 * m.width()
	at := m.records.Offset(4 * m.recordBytes())
	take := func(to []operand.Mem) {
		for k := range to {
			to[k] = at
			at = at.Offset(bytes)
		}
	}
	take(m.b[:])
	take(m.inverse[:])
	take(m.sums[:])
	take(m.out[:])
	for _, to := range []*operand.Mem{&m.det, &m.more, &m.total} {
		*to = at
		at = at.Offset(bytes)
	}
}

func (m *lanes) recordBytes() int {
	if m.wide {
		return (recordOffsets + 1) * 4 * m.width()
	}
	return (recordVector + 4) * 4 * m.width()
}

// field is vector i of the record that r points to, of the first mean's records.
func (m *mean) field(r reg.Register, i int) operand.Mem { return at(r, m.shift+i*4*m.width()) }

// fields is field of a record, n behind.
func (m *mean) fields(r reg.Register, n int) func(i int) operand.Mem {
	return func(i int) operand.Mem { return m.field(r, i).Offset(n * m.recordBytes()) }
}

// offsets writes for every vertex and influence where its motion begins in the palette, with AVX-512.
func (m *mean) offsets() {
	for v := range m.width() {
		to := m.records.Offset(recordOffsets*4*m.width() + 4*v)
		for k := range 4 {
			o := m.offset(at(m.bindings, v*bindingBytes), k)
			m.asm.MOVL(o.As32(), to.Offset(k*m.recordBytes()))
		}
	}
}

// weights writes the weights of all vertices.
func (m *mean) weights() {
	var four [4]reg.VecVirtual
	for i := range four {
		from := at(m.bindings, i*bindingBytes+8)
		if !m.wide {
			four[i] = m.joinFirst(from, from.Offset(4*bindingBytes))
			continue
		}
		four[i] = m.vec()
		m.asm.VMOVUPS(from, four[i].AsX())
		for q := 1; 4*q < m.width(); q++ {
			m.insert(q, from.Offset(4*q*bindingBytes), four[i])
		}
	}
	columns := m.transpose4(four)
	for k, w := range columns {
		m.asm.VMOVAPS(w, m.records.Offset(k*m.recordBytes()+recordWeight*4*m.width()))
	}
	if !m.wide {
		for _, w := range columns[1:] {
			m.asm.VADDPS(w, columns[0], columns[0])
		}
		m.asm.VMOVAPS(columns[0], m.total)
	}
}

// insert sets quarter q of d.
func (l *lanes) insert(q int, from operand.Mem, d reg.VecVirtual) {
	l.asm.VINSERTF32X4(operand.U8(q), from, d, d)
}

// eachRecord emits a loop over the records, as many as the group's largest number of influences. Record is where the
// first mean's is.
func (ms means) eachRecord(label string, body func(record reg.Register)) {
	ms.eachRecords(label, 1, body)
}

// eachRecords is eachRecord for a body that takes so many of them, by which their number divides.
func (ms means) eachRecords(label string, count int, body func(record reg.Register)) {
	m := ms[0]
	record := m.asm.GP64()
	m.asm.LEAQ(m.records.Offset(-m.shift), record)
	m.asm.MOVQ(m.most, m.left)
	m.asm.Label(label)
	body(record)
	m.asm.ADDQ(operand.I32(count*m.recordBytes()), record)
	m.asm.SUBQ(operand.I8(count), m.left)
	m.asm.JNZ(operand.LabelRef(label))
}

// gather writes the motions of all vertices and sums their real parts into b, with AVX2.
func (m *mean) gather(label string) {
	var sum [4]reg.VecVirtual
	for i := range sum {
		sum[i] = m.vec()
		m.asm.VXORPS(sum[i], sum[i], sum[i])
	}
	joints := m.asm.GP64()
	m.asm.MOVQ(m.bindings, joints)
	motion := func(v int) operand.Mem {
		return operand.Mem{Base: m.palette, Index: m.offset(at(joints, v*bindingBytes), 0), Scale: 1}
	}
	means{m}.eachRecord(label, func(record reg.Register) {
		var real, dual [4]reg.VecVirtual
		for i := range 4 { // vertices i and i+4 side by side
			low, high := m.asm.YMM(), m.asm.YMM()
			m.asm.VMOVUPS(motion(i), low)
			m.asm.VMOVUPS(motion(i+4), high)
			real[i], dual[i] = m.sideBySide(low, high)
		}
		for i, d := range m.transpose4(real) {
			m.asm.VMOVAPS(d, m.field(record, i))
			m.add(sum[i], m.field(record, recordWeight), d)
		}
		for i, d := range m.transpose4(dual) {
			m.asm.VMOVAPS(d, m.field(record, 4+i))
		}
		m.asm.ADDQ(operand.U8(2), joints)
	})
	for i := range sum {
		m.asm.VMOVAPS(sum[i], m.b[i])
	}
}

// entry is the motion of vertex v, whose offsets are there.
func (m *mean) entry(offsets operand.Mem, v int) operand.Mem {
	o := m.asm.GP64()
	m.asm.MOVL(offsets.Offset(4*v), o.As32())
	return operand.Mem{Base: m.palette, Index: o, Scale: 1}
}

// start normalises b.
func (m *mean) start() {
	var b [4]reg.VecVirtual
	square := m.vec()
	for i := range b {
		b[i] = m.vec()
		m.asm.VMOVAPS(m.b[i], b[i])
		if i == 0 {
			m.asm.VMULPS(b[i], b[i], square)
		} else {
			m.add(square, b[i], b[i])
		}
	}
	m.asm.VMAXPS(m.every("tiny", 1e-30), square, square)
	n := m.overRoot(square)
	for i := range b {
		m.asm.VMULPS(n, b[i], b[i])
		m.asm.VMOVAPS(b[i], m.b[i])
	}
}
