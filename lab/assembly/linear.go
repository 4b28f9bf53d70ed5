package main

import "github.com/mmcloughlin/avo/operand"

// linear emits linear blend skinning: the blended matrix once, then the position by it and the normal by
// sign(det)·cofactor.
func linear(l *lanes) {
	s := l.loop("linear")
	b := l.newBlend(3, s.palette)
	if l.wide {
		s.pipelined(s.sumBytes(), pipeline{
			pieces: func(v int, to operand.Mem) []piece { return s.wholeEntry(s.palette, v, to) },
			pose: func(from operand.Mem) (normals, after func()) {
				row, m := l.movePoint(l.loadVec3(s.rest))
				b.rowsFrom(from, row)
				l.storeVec3(s.positions, []op{m[0][3], m[1][3], m[2][3]})
				return func() { l.storeVec3(s.normals, l.transformNormal(m, l.loadVec3(s.restNormals))) }, nil
			},
		})
		return
	}
	// With AVX2 there is no pipeline: to write the sums to memory and read them again takes 1.05 of the time.
	scratch := l.stack(3 * 32)
	s.each(func() {
		rest := l.spill(l.loadVec3(s.rest), scratch) // before the sums take all registers
		b.entries("blend", s.most, s.bindings)
		row, m := l.movePoint(rest)
		b.transposed(row)
		l.storeVec3(s.positions, []op{m[0][3], m[1][3], m[2][3]})
		s.ifNormals("posed", func() {
			l.storeVec3(s.normals, l.transformNormal(m, l.spill(l.loadVec3(s.restNormals), scratch)))
		})
	})
}

// transformNormal returns sign(det)·cof(m)·n, the inverse transpose up to length. All may be in memory.
func (l *lanes) transformNormal(m [][]op, n []op) []op {
	var det op
	out := make([]op, 3)
	for r := range out {
		u, v := m[(r+1)%3], l.inRegisters(m[(r+2)%3])
		for c := range 3 {
			cofactor := l.minor(u[(c+1)%3], u[(c+2)%3], v[(c+1)%3], v[(c+2)%3])
			if r == 0 {
				l.sum(&det, m[0][c], cofactor)
			}
			l.sum(&out[r], n[c], cofactor)
		}
	}
	l.copySign(det, out)
	return out
}

// copySign turns vectors about where det is negative. It may write det.
func (l *lanes) copySign(det op, out []op) {
	sign, bit := l.vec(), l.table("signbit", 1<<31)
	if l.wide {
		l.asm.VPBROADCASTD(bit, sign)
		for _, o := range out {
			l.asm.VPTERNLOGD(operand.U8(0x78), sign, det, o) // o ^ (det & sign)
		}
		return
	}
	l.asm.VBROADCASTSS(bit, sign)
	l.asm.VANDPS(sign, det, det)
	for _, o := range out {
		l.asm.VXORPS(det, o, o)
	}
}
