package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
)

// spherical emits spherical blend skinning: one sum of an entry per joint has both the matrix, which moves the rotation
// centre, and the quaternion, which turns about it. A vertex of one joint is its own centre, so that the matrix alone
// moves it; its normal goes as in linear blending.
func spherical(l *lanes) {
	s := l.loop("spherical")
	s.sets = l.local(l.field(s.vertices, "Vertices.Sets"))
	s.centers = l.local(l.field(s.vertices, "Vertices.Centers"))
	bytes, pose := sphericalBytes, s.poseSphericalNarrow
	if l.wide {
		b := l.newBlend(4, s.palette)
		bytes, pose = l.sumBytes(), func(from operand.Mem) normals { return s.poseSpherical(b, from) }
	}
	s.pipelined(bytes, pipeline{
		pieces: func(v int, to operand.Mem) []piece { return s.wholeEntry(s.palette, v, to) },
		pose:   pose,
	})
}

// With AVX2, where things lie besides the sums of a pass.
const (
	sphericalArm    = 8 * 64               // what is turned: from the centre to the rest position, then the normal
	sphericalMoved  = sphericalArm + 96    // where the matrix moves the centre to, then the turned normal
	sphericalSingle = sphericalMoved + 96  // negative in the lanes of vertices of one joint
	sphericalBytes  = sphericalSingle + 64 // of all
)

// poseSpherical is the second stage of the form for AVX-512.
func (s *loop) poseSpherical(b *blend, from operand.Mem) normals {
	center, single := s.loadCenters(operand.Mem{})
	arm := s.arm(center, single)
	b.sumsFrom(from)
	var m [][]op
	var d *motion
	b.transposed(func(r int, columns []op) {
		if r == 3 {
			d = s.motion(columns, nil)
			return
		}
		for k := range 3 {
			s.add(columns[3], center[k], columns[k])
		}
		m = append(m, columns)
	})
	p := d.vector(arm, arm)
	for k := range p {
		s.asm.VADDPS(m[k][3], p[k], p[k])
	}
	s.storeVec3(s.positions, p)
	return func() func() {
		rest := s.loadVec3(s.restNormals)
		n := d.vector(rest, rest)
		return func() {
			s.storeNormals(n, single, func() {
				for k, linear := range s.transformNormal(m, rest) {
					single.put(linear, n[k])
				}
			})
		}
	}
}

// poseSphericalNarrow is poseSpherical with AVX2. Together with the sums it takes all registers, so it writes what it
// needs again and reads it once more.
func (s *loop) poseSphericalNarrow(from operand.Mem) normals {
	moved := from.Offset(sphericalMoved)
	center, single := s.loadCenters(from.Offset(sphericalSingle))
	kept := s.spill(s.arm(center, single), from.Offset(sphericalArm))
	var rows [4][]op
	for r := range 3 {
		if r%2 == 0 {
			rows[r], rows[r+1] = s.columnsFrom(from.Offset(16*r), sumSlot)
		}
		for k := range 3 {
			s.add(rows[r][3], center[k], rows[r][k])
		}
		s.asm.VMOVAPS(rows[r][3], moved.Offset(32*r))
	}
	d := s.motion(rows[3], nil)
	p := d.vector(s.copies(kept), kept)
	for k := range p {
		s.asm.VADDPS(moved.Offset(32*k), p[k], p[k])
	}
	s.storeVec3(s.positions, p)
	return func() func() {
		rest := s.loadVec3(s.restNormals)
		kept = s.spill(rest, from.Offset(sphericalArm))
		n := d.vector(rest, kept)
		return func() {
			s.storeNormals(n, single, func() {
				turned := s.spill(n, moved)
				first, second := s.columnsFrom(from, sumSlot)
				third, _ := s.columnsFrom(from.Offset(32), sumSlot)
				linear := s.transformNormal([][]op{first, second, third}, kept)
				for k := range n {
					s.asm.VMOVAPS(turned[k], n[k])
					single.put(linear[k], n[k])
				}
			})
		}
	}
}

// arm returns from where to where vertices are turned, from the centre to the rest position, and makes the centre of
// those of one joint the rest position.
func (s *loop) arm(center []op, single mask) []op {
	arm := s.loadVec3(s.rest)
	for k := range arm {
		single.put(arm[k], center[k])
		s.asm.VSUBPS(center[k], arm[k], arm[k])
	}
	return arm
}

// storeNormals writes normals, and emits before it what puts those of vertices of one joint in, where there are any.
func (s *loop) storeNormals(n []op, single mask, put func()) {
	s.turned++
	label := fmt.Sprintf("turned%d", s.turned)
	single.ifNowhere(label)
	put()
	s.label(label)
	s.storeVec3(s.normals, n)
}

// loadCenters loads the rotation centres of the vertices' sets, four floats each, and tells where the last is negative:
// for a set of one joint. With AVX2 that lies at sign.
func (s *loop) loadCenters(sign operand.Mem) (center []op, single mask) {
	set, table := s.load(s.sets), s.load(s.centers)
	entry := func(v int) operand.Mem {
		index := s.asm.GP64()
		s.asm.MOVL(at(set, 4*v), index.As32())
		s.asm.SHLQ(operand.U8(4), index)
		return operand.Mem{Base: table, Index: index, Scale: 1}
	}
	var four []op
	for i := range 4 { // vertices i, i+4, … side by side
		d := s.vec()
		s.asm.VMOVUPS(entry(i), d.AsX())
		if s.wide {
			for k := 1; k < 4; k++ {
				s.asm.VINSERTF32X4(operand.U8(k), entry(i+4*k), d, d)
			}
		} else { // as joinFirst, but for reading past the last centre
			other := s.vec()
			s.asm.VBROADCASTF128(entry(i+4), other)
			s.asm.VBLENDPS(operand.U8(0xf0), other, d, d)
		}
		four = append(four, d)
	}
	columns := s.transpose4(four)
	if s.wide {
		return columns[:3], s.negative(columns[3])
	}
	s.asm.VMOVAPS(columns[3], sign)
	return columns[:3], mask{lanes: s.lanes, v: sign}
}
