package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// spherical emits spherical blend skinning (SBS, Kavan and Žára 2005): one sum of entries has both the matrix, which
// moves the rotation centre, and the quaternion, which turns the vertex about it.
func spherical(l *lanes) { sphericalAbout(l, "spherical", true, false) }

// sphericalOwn emits the same about a centre of each vertex, and sphericalScaled with the vertex, its centre and its
// normal scaled before, as linear blending of the scales would.
func sphericalOwn(l *lanes)    { sphericalAbout(l, "sphericalOwn", false, false) }
func sphericalScaled(l *lanes) { sphericalAbout(l, "sphericalScaled", false, true) }

func sphericalAbout(l *lanes, name string, sets, scaled bool) {
	s := l.loop(name)
	if sets {
		s.sets = l.local(l.field(s.vertices, "Vertices.Sets"))
	}
	s.centers = l.local(l.field(s.vertices, "Vertices.Centers"))
	b := l.newBlend(4, s.palette)
	sums := s.sumBytes()
	var scales *blend
	if scaled {
		scales = s.newBlend(3, s.load(s.field(s.vertices, "Vertices.Scales")))
		scales.upper = true
		sums *= 2
	}
	s.pipelined(sums+12*4*l.width(), pipeline{ // room for what is read once more
		pieces: func(v int, to operand.Mem) []piece {
			entries := s.wholeEntry(s.palette, v, to)
			if scaled {
				entries = append(entries, s.wholeEntry(scales.palette, v, to.Offset(s.sumBytes()))...)
			}
			return entries
		},
		pose: func(from operand.Mem) (normals, after func()) {
			return s.poseSpherical(b, scales, from, s.places(from.Offset(sums), 12)), nil
		},
	})
}

// poseSpherical is the second stage of the pipeline. Scales is nil for none.
func (s *loop) poseSpherical(b, scales *blend, from operand.Mem, kept []op) (normals func()) {
	center := s.loadCenters()
	arm := s.loadVec3(s.rest) // from the centre to the rest position
	for k := range arm {
		s.asm.VSUBPS(center[k], arm[k], arm[k])
	}
	arm = s.keepAt(arm, kept[:3])
	var normal []op
	if scales != nil {
		center = s.keepAt(center, kept[6:9])
		scale := s.symmetricFrom(scales, from.Offset(s.sumBytes()))
		scale.movePoint(center)
		center = s.keepAt(scale.last, kept[6:9])
		arm = s.keepAt(scale.vector(arm), kept[:3])
		normal = s.keepAt(scale.transformNormal(s.keepAt(s.loadVec3(s.restNormals), kept[9:])), kept[9:])
	}
	moved, places := make([]op, 3), kept[3:6]
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
	p := d.vector(arm, arm)
	for k := range p {
		s.asm.VADDPS(moved[k], p[k], p[k])
	}
	s.storeVec3(s.positions, p)
	return func() {
		if normal == nil {
			rest := s.loadVec3(s.restNormals)
			s.storeVec3(s.normals, d.vector(rest, rest))
		} else {
			s.storeVec3(s.normals, d.vector(normal, normal))
		}
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
		switch {
		case s.wide:
			d := s.vec()
			s.asm.VMOVUPS(entry(i), d.AsX())
			for k := 1; k < 4; k++ {
				s.asm.VINSERTF32X4(operand.U8(k), entry(i+4*k), d, d)
			}
			four = append(four, d)
		case s.sets.Base == nil:
			four = append(four, s.joinFirst(entry(i), entry(i+4)))
		default: // the same, but for reading past the last centre
			d, other := s.vec(), s.vec()
			s.asm.VMOVUPS(entry(i), d.AsX())
			s.asm.VBROADCASTF128(entry(i+4), other)
			s.asm.VBLENDPS(operand.U8(0xf0), other, d, d)
			four = append(four, d)
		}
	}
	return s.transpose4(four)[:3]
}
