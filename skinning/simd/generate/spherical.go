package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
)

// spherical emits spherical blend skinning (SBS, Kavan and Žára 2005): one sum of entries has both the matrix, which
// moves the rotation centre, and the quaternion, which turns the vertex about it. A vertex of one joint is its own
// centre, so that the matrix alone moves it; its normal is transformed as in linear blending.
func spherical(l *lanes) {
	s := l.loop("spherical")
	s.sets = l.local(l.field(s.vertices, "Vertices.Sets"))
	s.centers = l.local(l.field(s.vertices, "Vertices.Centers"))
	b := l.newBlend(4, s.palette)
	bytes := s.sumBytes()
	if !l.wide {
		bytes = sphericalBytes
	}
	s.pipelined(bytes, pipeline{
		pieces: func(v int, to operand.Mem) []piece { return s.wholeEntry(s.palette, v, to) },
		pose:   func(from operand.Mem) (normals, after func()) { return s.poseSpherical(b, from) },
	})
}

// With AVX2, which has too few registers, where things lie besides the sums of a pass.
const (
	sphericalArm    = 8 * 64               // what is turned: from the centre to the rest position, then the normal
	sphericalMoved  = sphericalArm + 96    // where the matrix moves the centre to, then the turned normal
	sphericalSingle = sphericalMoved + 96  // negative in the lanes of vertices of one joint
	sphericalBytes  = sphericalSingle + 64 // of all
)

// poseSpherical is the second stage of the pipeline.
func (s *loop) poseSpherical(b *blend, from operand.Mem) (normals, after func()) {
	center, single := s.loadCenters(from.Offset(sphericalSingle))
	arm := s.arm(center, single)
	kept, places := s.keep(arm, from.Offset(sphericalArm)), s.places(from.Offset(sphericalMoved), 3)
	matrix, moved := make([][]op, 3), make([]op, 3)
	var d *motion
	b.rowsFrom(from, func(r int, columns []op) {
		if r == 3 {
			d = s.motion(columns, nil)
			return
		}
		for k := range center {
			s.add(columns[3], center[k], columns[k])
		}
		matrix[r], moved[r] = columns, columns[3]
		if !s.wide {
			s.asm.VMOVAPS(columns[3], places[r])
			moved[r] = places[r]
		}
	})
	p := d.vector(s.fromKept(kept), kept)
	for k := range p {
		s.asm.VADDPS(moved[k], p[k], p[k])
	}
	s.storeVec3(s.positions, p)
	var again, n []op
	normals = func() {
		rest := s.loadVec3(s.restNormals)
		again = s.keep(rest, from.Offset(sphericalArm))
		n = d.vector(rest, again)
	}
	return normals, func() {
		s.turned++
		label := fmt.Sprintf("turned%d", s.turned)
		single.ifNowhere(label) // else vertices of one joint have their normals by the matrix
		turned := s.keep(n, from.Offset(sphericalMoved))
		if !s.wide {
			b.rowsFrom(from, func(r int, columns []op) {
				if r < 3 {
					matrix[r] = columns
				}
			})
		}
		for k, linear := range s.transformNormal(matrix, again) {
			if !s.wide {
				s.asm.VMOVAPS(turned[k], n[k])
			}
			single.put(linear, n[k])
		}
		s.label(label)
		s.storeVec3(s.normals, n)
	}
}

// arm returns the vectors that are turned, from the centre to the rest position. The centre of vertices of one joint
// becomes the rest position.
func (s *loop) arm(center []op, single mask) []op {
	arm := s.loadVec3(s.rest)
	for k := range arm {
		single.put(arm[k], center[k])
		s.asm.VSUBPS(center[k], arm[k], arm[k])
	}
	return arm
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
