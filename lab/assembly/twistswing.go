package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// twistSwing emits twist-swing skinning (EBM, Fechteler et al. 2016): vertices are moved by the blended twist, then as
// linear blending would with the swings. Both sums of a vertex are made in one pass over its influences.
func twistSwing(l *lanes) { l.loop("twistSwing").twistSwing(nil) }

// twistSwingOfTwo emits the same for vertices whose twists have bindings of their own.
func twistSwingOfTwo(l *lanes) {
	s := l.loop("twistSwingOfTwo")
	apart := s.load(s.field(s.vertices, "Vertices.TwistBindings"))
	s.asm.SUBQ(s.bindings, apart)
	s.twistSwing(apart)
}

// twistSwing emits the kernel. Second is the bytes from a binding to that of the twists, or nil.
func (s *loop) twistSwing(second reg.Register) {
	l := s.lanes
	swings := s.load(s.field(s.vertices, "Vertices.Swings"))
	b := s.newBlend(3, swings)
	sums := s.sumBytes() + s.motionBytes()
	bytes := sums
	if !l.wide {
		bytes += (2*3 + 9) * 32 // for what is read once more: positions, normals, and dual parts or matrices
	}
	s.pipelined(bytes, pipeline{
		pieces: func(v int, to operand.Mem) []piece {
			twist := s.motionPiece(v, to.Offset(s.sumBytes()))
			twist.second = second
			return append([]piece{twist}, s.wholeEntry(swings, v, to)...)
		},
		pose: func(from operand.Mem) (normals, after func()) {
			kept, keptNormal, keptRest := from.Offset(sums), from.Offset(sums+96), from.Offset(sums+192)
			position := s.keep(s.loadVec3(s.rest), kept)
			normal := s.keep(s.loadVec3(s.restNormals), keptNormal)
			d := s.motionFrom(from.Offset(s.sumBytes()), keptRest)
			s.reportShort(d)
			position = s.keep(d.point(position), kept)
			// Normals are turned even where none are wanted, as scaleDual scales them.
			normal = s.keep(d.vector(s.fromKept(normal), normal), keptNormal)
			matrix, moved := make([][]op, 3), make([]op, 3)
			b.rowsFrom(from, func(r int, columns []op) {
				for k := range position {
					s.add(columns[3], position[k], columns[k])
				}
				matrix[r], moved[r] = s.keep(columns[:3], keptRest.Offset(96*r)), columns[3]
			})
			s.storeVec3(s.positions, moved)
			return func() { s.storeVec3(s.normals, s.transformNormal(matrix, normal)) }, nil
		},
	})
}

// reportShort sets bits of Vertices.Short if a sum of twists may be too short to have a direction. Rounding changes the
// length of a sum of four by a few 1e-7, less than the limit: what plain Go finds too short is reported.
func (s *loop) reportShort(d *motion) {
	limit := 2 * s.layout.constant("../kernel", "ShortTwist")
	short := s.greater(s.every("short", float32(limit*limit)), d.square)
	bits := s.asm.GP32()
	if s.wide {
		s.asm.KMOVW(short.k, bits)
	} else {
		s.asm.VMOVMSKPS(short.v, bits)
	}
	s.asm.ORL(bits, s.field(s.param("v"), "Vertices.Short"))
}
