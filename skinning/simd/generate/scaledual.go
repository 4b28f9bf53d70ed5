package main

import (
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// scaleDual emits dual quaternion skinning with scales: vertices are scaled as linear blending would, then moved by the blended motion.
func scaleDual(c *build.Context) {
	c.ConstraintExpr("amd64")
	forms(c, scaleDualForm)
}

func scaleDualForm(l *lanes) {
	l.Function("scaleDual" + l.suffix())
	l.Pragma("noescape")
	l.Doc("scaleDual" + l.suffix() + " is the form of [ScaleDual] for that level.")
	l.SignatureExpr("func(" + dualSignature + ", scales *float32)")
	s := l.loop(0)
	scale := s.newScale(s.stack(s.scaleBytes()))
	m := s.newMotions(s.palette, scale.sums)
	s.each(func(label string) {
		p := scale.phase(label)
		real, dual := m.blend(label+"_motion", s.most, s.bindings)
		d := l.motion(real, scale.keep(dual))
		o := d.point(p)
		l.storeVec3(at(s.positions, 0), o[0], o[1], o[2])
		s.ifNormals(label, func() {
			n := d.vector(scale.normals)
			l.storeVec3(at(s.normals, 0), n[0], n[1], n[2])
		})
	})
}

// scale is the first phase of the kernels with scales.
type scale struct {
	*loop
	*blend
	sums    operand.Mem    // of a blend, of 64 bytes a vertex, or 32; AVX2 only
	moved   [7]operand.Mem // room for three coordinates and a dual part; AVX2 only
	normals [3]operand.Op  // scaled, where there are any
}

// scaleBytes is what newScale needs of the stack.
func (l *lanes) scaleBytes() int { return 10*4*l.width() + scratchBytes }

// newScale takes memory aligned to 64 bytes, and the parameter scales.
func (s *loop) newScale(base operand.Mem) *scale {
	bytes := 4 * s.width()
	c := &scale{loop: s, sums: base.Offset(10 * bytes)}
	for k := range c.moved {
		c.moved[k] = base.Offset(k * bytes)
	}
	for k := range c.normals {
		c.normals[k] = base.Offset((7 + k) * bytes)
	}
	scales := s.GP64()
	s.Load(s.Param("scales"), scales)
	c.blend = s.newBlend(3, scales, c.sums)
	return c
}

// phase emits the blended scale and returns the scaled positions.
func (c *scale) phase(label string) (p [3]operand.Op) {
	s := c.loop
	c.entries(label, s.most, s.bindings)
	x, y, z := s.loadVec3(at(s.rest, 0))
	rest := c.spill([3]reg.VecVirtual{x, y, z})
	var m [3][4]reg.VecVirtual
	c.transposed(func(r int, columns [4]reg.VecVirtual) {
		for k := range 3 {
			s.add(columns[3], rest[k], columns[k])
		}
		m[r] = columns
	})
	p = c.spill([3]reg.VecVirtual{m[0][3], m[1][3], m[2][3]})
	s.TESTQ(s.normals, s.normals)
	s.JZ(operand.LabelRef(label + "_scaled"))
	x, y, z = s.loadVec3(at(s.restNormals, 0))
	for k, n := range s.transformNormal(m, c.into([3]reg.VecVirtual{x, y, z}, 3)) {
		s.VMOVAPS(n, c.normals[k])
	}
	s.Label(label + "_scaled")
	return p
}

// spill returns v as operands: in memory with AVX2, which has too few registers.
func (c *scale) spill(v [3]reg.VecVirtual) [3]operand.Op { return c.into(v, 0) }

func (c *scale) into(v [3]reg.VecVirtual, place int) (out [3]operand.Op) {
	for k := range v {
		out[k] = v[k]
		if !c.loop.wide {
			c.loop.VMOVAPS(v[k], c.moved[place+k])
			out[k] = c.moved[place+k]
		}
	}
	return out
}

// keep is spill for a dual part.
func (c *scale) keep(v [4]reg.VecVirtual) (out [4]operand.Op) {
	for k := range v {
		out[k] = v[k]
		if !c.loop.wide {
			c.loop.VMOVAPS(v[k], c.moved[3+k])
			out[k] = c.moved[3+k]
		}
	}
	return out
}
