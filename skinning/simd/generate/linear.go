package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// linear emits linear blend skinning: the blended matrix once, then the position by it and the normal by
// sign(det)·cofactor.
func linear(l *lanes) {
	s := l.loop("linear")
	b := l.newBlend(3, s.palette)
	if l.wide {
		s.pipelined(s.sumBytes(), pipeline{
			sum: func(v, n int, to operand.Mem) { b.sumTo(to, v, n, s.bindings) },
			pose: func(from operand.Mem) normals {
				x, y, z := l.loadVec3(at(s.rest, 0))
				b.sumsFrom(from)
				m := b.movePoint([3]operand.Op{x, y, z})
				l.storeVec3(at(s.positions, 0), m[0][3], m[1][3], m[2][3])
				return func() func() {
					x, y, z := l.loadVec3(at(s.restNormals, 0))
					n := l.transformNormal(m, [3]operand.Op{x, y, z})
					l.storeVec3(at(s.normals, 0), n[0], n[1], n[2])
					return nil
				}
			},
		})
		return
	}
	// Not in a pipeline: all that it would write and read again takes 1.05 of the time.
	scratch := l.stack(3 * 32)
	s.each(func(label string) {
		// Before the sums take all registers.
		x, y, z := l.loadVec3(at(s.rest, 0))
		at3 := l.spill([3]reg.VecVirtual{x, y, z}, scratch)
		b.entries(label, s.most, s.bindings)
		m := b.movePoint(at3)
		l.storeVec3(at(s.positions, 0), m[0][3], m[1][3], m[2][3])
		s.ifNormals(label, func() {
			x, y, z := l.loadVec3(at(s.restNormals, 0))
			n := l.transformNormal(m, l.spill([3]reg.VecVirtual{x, y, z}, scratch))
			l.storeVec3(at(s.normals, 0), n[0], n[1], n[2])
		})
	})
}

// movePoint returns the blended matrices, whose last column has become Σ w_k·M_k·p.
func (b *blend) movePoint(p [3]operand.Op) (m [3][4]reg.VecVirtual) {
	b.transposed(func(r int, columns [4]reg.VecVirtual) {
		for k := range 3 {
			b.add(columns[3], p[k], columns[k])
		}
		m[r] = columns
	})
	return m
}

// transformNormal returns sign(det)·cof(m)·n, the inverse transpose up to length.
func (l *lanes) transformNormal(m [3][4]reg.VecVirtual, n [3]operand.Op) (out [3]reg.VecVirtual) {
	var det reg.VecVirtual
	for r := range 3 {
		u, v := m[(r+1)%3], m[(r+2)%3]
		for c := range 3 {
			cofactor := l.minor(u[(c+1)%3], u[(c+2)%3], v[(c+1)%3], v[(c+2)%3])
			if r == 0 {
				if c == 0 {
					det = l.mul(cofactor, m[0][0])
				} else {
					l.add(det, cofactor, m[0][c])
				}
			}
			if c == 0 {
				out[r] = l.mul(n[0], cofactor)
			} else {
				l.add(out[r], n[c], cofactor)
			}
		}
	}
	l.copySign(det, out)
	return out
}

// copySign turns vectors about where det is negative. It may write det.
func (l *lanes) copySign(det reg.VecVirtual, out [3]reg.VecVirtual) {
	sign := l.vec()
	if l.wide {
		l.asm.VPBROADCASTD(l.table("signbit", []uint32{1 << 31}), sign)
		for _, o := range out {
			l.asm.VPTERNLOGD(operand.U8(0x78), sign, det, o) // o ^ (det & sign)
		}
		return
	}
	l.asm.VBROADCASTSS(l.table("signbit", []uint32{1 << 31}), sign)
	l.asm.VANDPS(sign, det, det)
	for _, o := range out {
		l.asm.VXORPS(det, o, o)
	}
}
