package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// spherical emits spherical blend skinning: one sum of an entry per joint has both the matrix, which moves the rotation
// centre, and the quaternion, which turns about it. A vertex of one joint is its own centre, so that the matrix alone
// moves it; its normal goes as in linear blending.
func spherical(l *lanes) {
	l.forms(sphericalForm)
	largestSet(l)
}

// With AVX2, what is there besides the sums of a pass.
const (
	sphericalArm   = 8 * 64              // what is turned: from the centre to the rest position, then the normal
	sphericalMoved = sphericalArm + 96   // where the matrix moves the centre to, then the turned normal
	sphericalAlone = sphericalMoved + 96 // see alone
	sphericalBytes = sphericalAlone + 64
)

func sphericalForm(l *lanes) {
	s := l.loop("spherical")
	b := l.newBlend(4, s.palette)
	bytes, pose := sphericalBytes, s.poseSphericalNarrow
	if l.wide {
		bytes = l.sumBytes()
		pose = func(from operand.Mem) normals { return s.poseSpherical(b, from) }
	}
	s.sets = l.local(l.fieldOf(s.vertices, "Vertices.Sets"))
	s.centerTable = l.local(l.fieldOf(s.vertices, "Vertices.Centers"))
	s.pipelined(bytes, pipeline{
		sum:  func(v, n int, to operand.Mem) { b.sumTo(to, v, n, s.bindings) },
		pose: pose,
	})
}

// poseSpherical is the second stage of the form for AVX-512.
func (s *loop) poseSpherical(b *blend, from operand.Mem) normals {
	center, single := s.centers(operand.Mem{})
	x, y, z := s.loadVec3(at(s.rest, 0))
	arm := [3]reg.VecVirtual{x, y, z}
	var about, from3 [3]operand.Op
	for k := range arm {
		single.choose(arm[k], center[k])
		s.asm.VSUBPS(center[k], arm[k], arm[k])
		about[k], from3[k] = center[k], arm[k]
	}
	b.sumsFrom(from)
	var m [3][4]reg.VecVirtual
	var d *motion
	b.transposed(func(r int, columns [4]reg.VecVirtual) {
		if r == 3 {
			d = s.motion(columns, [4]operand.Op{})
			return
		}
		for k := range 3 {
			s.add(columns[3], about[k], columns[k])
		}
		m[r] = columns
	})
	p := d.vector(from3)
	for k := range p {
		s.asm.VADDPS(m[k][3], p[k], p[k])
	}
	s.storeVec3(at(s.positions, 0), p[0], p[1], p[2])
	return func() func() {
		x, y, z := s.loadVec3(at(s.restNormals, 0))
		rest := [3]operand.Op{x, y, z}
		n := d.vector(rest)
		return func() {
			s.normalsAlone++
			label := fmt.Sprintf("turned%d", s.normalsAlone)
			single.jumpIfNone(label)
			for k, linear := range s.transformNormal(m, rest) {
				single.choose(linear, n[k])
			}
			s.asm.Label(label)
			s.storeVec3(at(s.normals, 0), n[0], n[1], n[2])
		}
	}
}

// poseSphericalNarrow is poseSpherical with AVX2. Together with the sums it takes all registers, so it writes what it
// needs again and reads it once more.
func (s *loop) poseSphericalNarrow(from operand.Mem) normals {
	moved := from.Offset(sphericalMoved)
	center, single := s.centers(from.Offset(sphericalAlone))
	x, y, z := s.loadVec3(at(s.rest, 0))
	arm := [3]reg.VecVirtual{x, y, z}
	for k := range arm {
		single.choose(arm[k], center[k])
		s.asm.VSUBPS(center[k], arm[k], arm[k])
	}
	kept := s.spill(arm, from.Offset(sphericalArm))
	var rows [4][4]reg.VecVirtual
	for r := range rows {
		if r%2 == 0 {
			rows[r], rows[r+1] = s.rowsFrom(from, r)
		}
		if r == 3 {
			break
		}
		for k := range 3 {
			s.add(rows[r][3], center[k], rows[r][k])
		}
		s.asm.VMOVAPS(rows[r][3], moved.Offset(32*r))
	}
	d := s.motion(rows[3], [4]operand.Op{})
	p := d.vectorKept(s.unspill(kept), kept)
	for k := range p {
		s.asm.VADDPS(moved.Offset(32*k), p[k], p[k])
	}
	s.storeVec3(at(s.positions, 0), p[0], p[1], p[2])
	return func() func() {
		x, y, z := s.loadVec3(at(s.restNormals, 0))
		rest := [3]reg.VecVirtual{x, y, z}
		kept = s.spill(rest, from.Offset(sphericalArm))
		n := d.vectorKept(rest, kept)
		return func() {
			s.normalsAlone++
			label := fmt.Sprintf("turned%d", s.normalsAlone)
			single.jumpIfNone(label)
			turned := s.spill(n, moved)
			var m [3][4]reg.VecVirtual
			m[0], m[1] = s.rowsFrom(from, 0)
			m[2], _ = s.rowsFrom(from, 2)
			linear := s.transformNormal(m, kept)
			for k := range n {
				s.asm.VMOVAPS(turned[k], n[k])
				single.choose(linear[k], n[k])
			}
			s.asm.Label(label)
			s.storeVec3(at(s.normals, 0), n[0], n[1], n[2])
		}
	}
}

// alone are the lanes whose vertex follows one joint.
type alone struct {
	*lanes
	mask reg.OpmaskVirtual // AVX-512
	sign operand.Mem       // AVX2: a vector in memory, negative in those lanes
}

// choose puts v into those lanes of d.
func (a alone) choose(v, d reg.VecVirtual) {
	if a.wide {
		a.asm.VMOVAPS(v, a.mask, d)
		return
	}
	sign := a.asm.YMM()
	a.asm.VMOVAPS(a.sign, sign)
	a.asm.VBLENDVPS(sign, v, d, d)
}

func (a alone) jumpIfNone(label string) {
	if a.wide {
		a.asm.KORTESTW(a.mask, a.mask)
	} else {
		sign, bits := a.asm.YMM(), a.asm.GP32()
		a.asm.VMOVAPS(a.sign, sign)
		a.asm.VMOVMSKPS(sign, bits)
		a.asm.TESTL(bits, bits)
	}
	a.asm.JZ(operand.LabelRef(label))
}

// centers loads the rotation centres of the vertices' sets, four floats each: the last is negative for a set of one
// joint. Sign is room for alone's.
func (s *loop) centers(sign operand.Mem) (center [3]reg.VecVirtual, single alone) {
	set, table := s.asm.GP64(), s.asm.GP64()
	s.asm.MOVQ(s.sets, set)
	s.asm.MOVQ(s.centerTable, table)
	entry := func(v int) operand.Mem {
		index := s.asm.GP64()
		s.asm.MOVL(at(set, 4*v), index.As32())
		s.asm.SHLQ(operand.U8(4), index)
		return operand.Mem{Base: table, Index: index, Scale: 1}
	}
	var four [4]reg.VecVirtual
	for i := range four { // vertices i, i+4, … side by side
		four[i] = s.vec()
		s.asm.VMOVUPS(entry(i), four[i].AsX())
		if !s.wide { // as joinFirst, but for reading past the last centre
			other := s.asm.YMM()
			s.asm.VBROADCASTF128(entry(i+4), other)
			s.asm.VBLENDPS(operand.U8(0xf0), other, four[i], four[i])
			continue
		}
		for k := 1; k < 4; k++ {
			s.insert(k, entry(i+4*k), four[i])
		}
	}
	columns := s.transpose4(four)
	single = alone{lanes: s.lanes}
	if s.wide {
		single.mask = s.asm.K()
		s.asm.VPMOVD2M(columns[3], single.mask)
	} else {
		single.sign = sign
		s.asm.VMOVAPS(columns[3], single.sign)
	}
	return [3]reg.VecVirtual(columns[:3]), single
}

// largestSet emits the look at the sets before a kernel trusts them.
func largestSet(l *lanes) {
	l.function("largestSet", "sets *uint32, groups int) (set uint32)")
	c, sets, groups := l.asm, l.param("sets"), l.param("groups")
	low, high := c.YMM(), c.YMM()
	c.VPXOR(low, low, low)
	c.VPXOR(high, high, high)
	c.TESTQ(groups, groups)
	c.JZ(operand.LabelRef("done"))
	c.Label("group")
	c.VPMAXUD(at(sets, 0), low, low)
	c.VPMAXUD(at(sets, 32), high, high)
	c.ADDQ(operand.I32(4*groupVertices), sets)
	c.DECQ(groups)
	c.JNZ(operand.LabelRef("group"))
	c.Label("done")
	c.VPMAXUD(high, low, low)
	half := c.XMM()
	c.VEXTRACTI128(operand.U8(1), low, half)
	c.VPMAXUD(half, low.AsX(), low.AsX())
	c.VPSRLDQ(operand.U8(8), low.AsX(), half)
	c.VPMAXUD(half, low.AsX(), low.AsX())
	c.VPSRLDQ(operand.U8(4), low.AsX(), half)
	c.VPMAXUD(half, low.AsX(), low.AsX())
	set := c.GP32()
	c.VMOVD(low.AsX(), set)
	c.Store(set, c.Return("set"))
	c.VZEROUPPER()
	c.RET()
}
