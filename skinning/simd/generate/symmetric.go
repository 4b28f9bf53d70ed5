package main

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// symmetric is a matrix of three rows and four columns whose first three are symmetric: a blend of scales. Of what is
// twice in it, only one is transposed and multiplied.
type symmetric struct {
	*lanes
	xx, xy, xz, yy, yz, zz reg.VecVirtual
	last                   [3]reg.VecVirtual // the fourth column
}

// symmetricFrom returns, with AVX2, the sums of [blend.sumTo] that are there.
func (l *lanes) symmetricFrom(from operand.Mem) *symmetric {
	x, y := l.pairsFrom(from, sumSlot)
	row := l.transposeFrom(0, x)
	m := &symmetric{lanes: l, xx: row[0], xy: row[1], xz: row[2]}
	m.last[0] = row[3]
	row = l.transposeFrom(1, y)
	m.yy, m.yz, m.last[1] = row[1], row[2], row[3]
	var z [4]reg.VecVirtual
	for i := range z {
		z[i] = l.joinFirst(from.Offset(64*i+32), from.Offset(64*(i+4)+32))
	}
	row = l.transposeFrom(2, z)
	m.zz, m.last[2] = row[2], row[3]
	return m
}

// movePoint makes the last column into m·p.
func (m *symmetric) movePoint(p [3]operand.Op) {
	for r, row := range [3][3]reg.VecVirtual{{m.xx, m.xy, m.xz}, {m.xy, m.yy, m.yz}, {m.xz, m.yz, m.zz}} {
		for k := range p {
			m.add(m.last[r], p[k], row[k])
		}
	}
}

// transformNormal is [lanes.transformNormal].
func (m *symmetric) transformNormal(n [3]operand.Op) (out [3]reg.VecVirtual) {
	first := [3]reg.VecVirtual{m.minor(m.yy, m.yz, m.yz, m.zz), m.minor(m.yz, m.xy, m.zz, m.xz),
		m.minor(m.xy, m.yy, m.xz, m.yz)}
	det := m.mul(m.xx, first[0])
	m.add(det, m.xy, first[1])
	m.add(det, m.xz, first[2])
	for k := range out {
		out[k] = m.mul(n[0], first[k])
	}
	m.add(out[0], n[1], first[1])
	m.add(out[0], n[2], first[2])
	m.add(out[1], n[1], m.minor(m.xx, m.xz, m.xz, m.zz))
	yz := m.minor(m.xz, m.xx, m.yz, m.xy)
	m.add(out[1], n[2], yz)
	m.add(out[2], n[1], yz)
	m.add(out[2], n[2], m.minor(m.xx, m.xy, m.xy, m.yy))
	m.copySign(det, out)
	return out
}
