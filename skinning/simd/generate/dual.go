package main

import (
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// dual emits dual quaternion skinning: the blended motion, then the point and the normal by it, without normalising.
func dual(c *build.Context) {
	c.ConstraintExpr("amd64")
	formsOfMotions(c, dualForm)
}

const dualSignature = "positions, normals, rest, restNormals *float32, bindings *uint16, " +
	"palette *float32, counts *uint8, groups int, signs *uint16, row int"

func dualForm(l *lanes) {
	l.asm.Function("dual" + l.suffix())
	l.asm.Pragma("noescape")
	l.asm.Doc("dual" + l.suffix() + " is the form of [Dual] for that level" + l.withoutSigns() + ".")
	l.asm.SignatureExpr("func(" + dualSignature + ")")
	s := l.loop()
	m := s.newMotions(s.palette)
	if l.wide {
		s.pipelined(l.motionSumBytes(), pipeline{
			sums: func(n int, to operand.Mem) { m.sumsTo(to, n, s.bindings) },
			pose: func(normals bool, from operand.Mem) func() {
				real, dual := l.motionsFrom(from)
				d := l.motion(real, operands(dual))
				x, y, z := l.loadVec3(at(s.rest, 0))
				p := d.point([3]operand.Op{x, y, z})
				l.storeVec3(at(s.positions, 0), p[0], p[1], p[2])
				if normals {
					x, y, z := l.loadVec3(at(s.restNormals, 0))
					n := d.vector([3]operand.Op{x, y, z})
					l.storeVec3(at(s.normals, 0), n[0], n[1], n[2])
				}
				return nil
			},
		})
		return
	}
	if !l.near { // registers for them there are enough
		m.signs, m.row = l.asm.Load(l.asm.Param("signs"), l.asm.GP64()), l.asm.Load(l.asm.Param("row"), l.asm.GP64())
	}
	scratch := l.stack(7 * 32)
	s.each(func(label string) {
		real, dual := m.blend(label, s.most, s.bindings)
		d := l.motion(real, l.spill4(dual, scratch))
		x, y, z := l.loadVec3(at(s.rest, 0))
		p := d.point(l.spill([3]reg.VecVirtual{x, y, z}, scratch.Offset(4*32)))
		l.storeVec3(at(s.positions, 0), p[0], p[1], p[2])
		s.ifNormals(label, func() {
			x, y, z := l.loadVec3(at(s.restNormals, 0))
			n := d.vector(l.spill([3]reg.VecVirtual{x, y, z}, scratch.Offset(4*32)))
			l.storeVec3(at(s.normals, 0), n[0], n[1], n[2])
		})
	})
}

// operands are four registers as such.
func operands(v [4]reg.VecVirtual) [4]operand.Op { return [4]operand.Op{v[0], v[1], v[2], v[3]} }

// newMotions reads the table of signs from the parameters signs and row.
func (s *loop) newMotions(palette reg.Register) *motions {
	return &motions{lanes: s.lanes, palette: palette, signs: s.kept("signs"), row: s.kept("row")}
}

// parameter is where a parameter lies in memory: for those used too seldom for a register of their own.
func (l *lanes) parameter(name string) operand.Mem {
	p, err := l.asm.Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return p.Addr
}

// kept is a parameter in a register, where the form reads it at all and has one to spare, with AVX-512.
func (l *lanes) kept(name string) operand.Op {
	m := l.parameter(name)
	if !l.wide || l.near {
		return m
	}
	r := l.asm.GP64()
	l.asm.MOVQ(m, r)
	return r
}

// spill4 is [lanes.spill] of four.
func (l *lanes) spill4(v [4]reg.VecVirtual, to operand.Mem) (out [4]operand.Op) {
	first := l.spill([3]reg.VecVirtual(v[:3]), to)
	last := to.Offset(3 * 32)
	l.asm.VMOVAPS(v[3], last)
	return [4]operand.Op{first[0], first[1], first[2], last}
}
