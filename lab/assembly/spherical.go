package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// spherical emits spherical blend skinning (SBS, Kavan and Žára 2005): one sum of entries has both the matrix, which
// moves the rotation centre, and the quaternion, which turns the vertex about it.
func spherical(l *lanes) { sphericalAbout(l, "spherical", true) }

// sphericalOwn emits the same about a centre of each vertex.
func sphericalOwn(l *lanes) { sphericalAbout(l, "sphericalOwn", false) }

func sphericalAbout(l *lanes, name string, sets bool) {
	s := l.loop(name)
	if sets {
		s.sets = l.local(l.field(s.vertices, "Vertices.Sets"))
	}
	s.centers = l.local(l.field(s.vertices, "Vertices.Centers"))
	b := l.newBlend(4, s.palette)
	bytes := s.sumBytes()
	if !l.wide {
		bytes += 6 * 32 // for what is turned, and where the matrix moves the centre to
	}
	s.pipelined(bytes, pipeline{
		pieces: func(v int, to operand.Mem) []piece { return s.wholeEntry(s.palette, v, to) },
		pose:   func(from operand.Mem) (normals, after func()) { return s.poseSpherical(b, from), nil },
	})
}

// poseSpherical is the second stage of the pipeline.
func (s *loop) poseSpherical(b *blend, from operand.Mem) (normals func()) {
	kept := from.Offset(s.sumBytes())
	center := s.loadCenters()
	arm := s.loadVec3(s.rest) // from the centre to the rest position
	for k := range arm {
		s.asm.VSUBPS(center[k], arm[k], arm[k])
	}
	arm = s.keep(arm, kept)
	moved, places := make([]op, 3), s.places(kept.Offset(96), 3)
	var d *motion
	b.rowsFrom(from, func(r int, columns []op) {
		if r == 3 {
			d = s.motion(columns, nil)
			return
		}
		for k := range center {
			s.add(columns[3], center[k], columns[k])
		}
		moved[r] = columns[3]
		if !s.wide {
			s.asm.VMOVAPS(columns[3], places[r])
			moved[r] = places[r]
		}
	})
	p := d.vector(s.fromKept(arm), arm)
	for k := range p {
		s.asm.VADDPS(moved[k], p[k], p[k])
	}
	s.storeVec3(s.positions, p)
	return func() {
		rest := s.loadVec3(s.restNormals)
		s.storeVec3(s.normals, d.vector(rest, s.keep(rest, kept)))
	}
}

// loadCenters loads the rotation centres of the vertices or of their sets, four floats each.
func (s *loop) loadCenters() (center []op) {
	table := s.load(s.centers)
	var set reg.GPVirtual
	if s.sets.Base != nil {
		set = s.load(s.sets)
	}
	entry := func(v int) operand.Mem {
		if s.sets.Base == nil {
			return at(table, 16*v)
		}
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
	return s.transpose4(four)[:3]
}
