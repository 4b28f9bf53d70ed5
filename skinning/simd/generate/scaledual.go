package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// scaleDual emits dual quaternion skinning with scales: vertices are scaled as linear blending would, then moved by the
// blended motion.
func scaleDual(l *lanes) {
	s := l.loop("scaleDual")
	b := s.newBlend(3, s.scales())
	m := &motions{lanes: l, palette: s.palette}
	bytes := s.sumBytes() + s.motionSumBytes()
	pose := func(from operand.Mem) normals { return s.poseScaleDual(b, from) }
	if !l.wide {
		bytes += scaleDualBytes
		pose = s.poseScaleDualNarrow
	}
	s.pipelined(bytes, pipeline{
		sum: func(v, n int, to operand.Mem) {
			motion := to.Offset(s.sumBytes() + s.motionSlot(v))
			b.vertexAnd(m, n, at(s.bindings, v*bindingBytes), to.Offset(sumSlot(v)), motion)
		},
		pose: pose,
	})
}

// poseScaleDual is the second stage of the form for AVX-512.
func (s *loop) poseScaleDual(b *blend, from operand.Mem) normals {
	x, y, z := s.loadVec3(at(s.rest, 0))
	b.sumsFrom(from)
	scaled := b.movePoint([3]operand.Op{x, y, z})
	x, y, z = s.loadVec3(at(s.restNormals, 0)) // of normals that nobody wants as well: their turn is short that way
	turned := s.transformNormal(scaled, [3]operand.Op{x, y, z})
	real, dual := s.motionsFrom(from.Offset(s.sumBytes()))
	d := s.motion(real, operands(dual))
	p := d.point([3]operand.Op{scaled[0][3], scaled[1][3], scaled[2][3]})
	s.storeVec3(at(s.positions, 0), p[0], p[1], p[2])
	return func() func() {
		n := d.vector([3]operand.Op{turned[0], turned[1], turned[2]})
		s.storeVec3(at(s.normals, 0), n[0], n[1], n[2])
		return nil
	}
}

// scales loads the palette of scales.
func (s *loop) scales() reg.GPVirtual { return s.load(s.fieldOf(s.vertices, "Vertices.Scales")) }

// With AVX2, what is there besides the sums of a pass: positions, normals and dual parts.
const scaleDualBytes = (3 + 3 + 4) * 32

// poseScaleDualNarrow is poseScaleDual with AVX2, and as [loop.poseSphericalNarrow] short of registers.
func (s *loop) poseScaleDualNarrow(from operand.Mem) normals {
	place := from.Offset(s.sumBytes() + s.motionSumBytes())
	x, y, z := s.loadVec3(at(s.rest, 0))
	p := s.spill([3]reg.VecVirtual{x, y, z}, place)
	scale := s.symmetricFrom(from)
	scale.movePoint(p)
	p = s.spill(scale.last, place)
	// Of normals that nobody wants as well: later there are not registers enough.
	x, y, z = s.loadVec3(at(s.restNormals, 0))
	n := s.spill([3]reg.VecVirtual{x, y, z}, place.Offset(96))
	n = s.spill(scale.transformNormal(n), place.Offset(96))
	real, dual := s.motionsFrom(from.Offset(s.sumBytes()))
	d := s.motion(real, s.spill4(dual, place.Offset(192)))
	moved := d.pointKept(s.unspill(p), p)
	s.storeVec3(at(s.positions, 0), moved[0], moved[1], moved[2])
	return func() func() {
		turned := d.vectorKept(s.unspill(n), n)
		s.storeVec3(at(s.normals, 0), turned[0], turned[1], turned[2])
		return nil
	}
}

// scale is the first phase of the kernels with scales.
type scale struct {
	*loop
	*blend
	moved   [7]operand.Mem // room for coordinates
	normals [3]operand.Op  // scaled, where there are any
}

// scaleBytes is what newScale needs of the stack.
func (l *lanes) scaleBytes() int { return 10 * 4 * l.width() }

// newScale takes memory aligned to 64 bytes, and the parameter scales.
func (s *loop) newScale(base operand.Mem) *scale {
	c := &scale{loop: s}
	c.place(base)
	c.blend = s.newBlend(3, s.scales())
	return c
}

// place says where what a pass keeps lies.
func (c *scale) place(base operand.Mem) {
	bytes := 4 * c.loop.width()
	for k := range c.moved {
		c.moved[k] = base.Offset(k * bytes)
	}
	for k := range c.normals {
		c.normals[k] = base.Offset((7 + k) * bytes)
	}
}

// vertexAnd emits the blended entry and the blended motion of one vertex to memory, of n influences: both by the same
// weights.
func (b *blend) vertexAnd(m *motions, n int, binding, toEntry, toMotion operand.Mem) {
	motion, sums := b.asm.YMM(), []reg.VecVirtual{b.vec()}
	if !b.wide {
		sums = append(sums, b.vec())
	}
	for k := range n {
		weight := b.vec()
		b.asm.VBROADCASTSS(binding.Offset(8+4*k), weight)
		joint := b.offset(binding, k)
		emit := b.asm.VFMADD231PS
		if k == 0 {
			emit = b.asm.VMULPS
		}
		emit(m.at(joint), weight.AsY(), motion)
		for i, sum := range sums {
			emit(b.entry(joint).Offset(32*i), weight, sum)
		}
	}
	for i, sum := range sums {
		b.asm.VMOVAPS(sum, toEntry.Offset(32*i))
	}
	b.asm.VMOVAPS(motion, toMotion)
}

// phase scales by the sums of [blend.entries] or vertexAnd, and returns the scaled positions. With AVX-512 beside is
// interleaved.
func (c *scale) phase(label string, beside func()) (p [3]operand.Op) {
	s := c.loop
	var m [3][4]reg.VecVirtual
	positions := func() {
		x, y, z := s.loadVec3(at(s.rest, 0))
		rest := c.spill([3]reg.VecVirtual{x, y, z})
		m = c.movePoint(rest)
		p = c.spill([3]reg.VecVirtual{m[0][3], m[1][3], m[2][3]})
	}
	if beside != nil && s.wide {
		s.interleave(positions, beside)
	} else {
		positions()
	}
	s.asm.TESTQ(s.normals, s.normals)
	s.asm.JZ(operand.LabelRef(label + "_scaled"))
	x, y, z := s.loadVec3(at(s.restNormals, 0))
	for k, n := range s.transformNormal(m, c.into([3]reg.VecVirtual{x, y, z}, 3)) {
		s.asm.VMOVAPS(n, c.normals[k])
	}
	s.asm.Label(label + "_scaled")
	return p
}

// blendOrNone is a whole phase, or none where scales is nil: then the positions and normals are those at rest. The
// positions go to moved. It emits beside as well.
func (c *scale) blendOrNone(label string, beside func()) {
	s := c.loop
	s.asm.TESTQ(c.blend.palette, c.blend.palette)
	s.asm.JZ(operand.LabelRef(label + "_rigid"))
	c.entries(label, s.most, s.bindings)
	p := c.phase(label, beside)
	if s.wide {
		for k := range p {
			s.asm.VMOVAPS(p[k], c.moved[k])
		}
	} else {
		beside()
	}
	s.asm.JMP(operand.LabelRef(label + "_ready"))
	s.asm.Label(label + "_rigid")
	x, y, z := s.loadVec3(at(s.rest, 0))
	for k, v := range [3]reg.VecVirtual{x, y, z} {
		s.asm.VMOVAPS(v, c.moved[k])
	}
	beside()
	s.asm.TESTQ(s.normals, s.normals)
	s.asm.JZ(operand.LabelRef(label + "_ready"))
	x, y, z = s.loadVec3(at(s.restNormals, 0))
	for k, n := range [3]reg.VecVirtual{x, y, z} {
		s.asm.VMOVAPS(n, c.normals[k])
	}
	s.asm.Label(label + "_ready")
}

// spill returns v as operands: in memory with AVX2, which has too few registers.
func (c *scale) spill(v [3]reg.VecVirtual) [3]operand.Op { return c.into(v, 0) }

func (c *scale) into(v [3]reg.VecVirtual, place int) (out [3]operand.Op) {
	for k := range v {
		out[k] = v[k]
		if !c.loop.wide {
			c.loop.asm.VMOVAPS(v[k], c.moved[place+k])
			out[k] = c.moved[place+k]
		}
	}
	return out
}
