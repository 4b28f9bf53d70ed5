package main

import "github.com/mmcloughlin/avo/operand"

// scaleDual emits dual quaternion skinning with scales: vertices are scaled as linear blending would, then moved by the
// blended motion.
func scaleDual(l *lanes) {
	s := l.loop("scaleDual")
	scales := s.load(s.field(s.vertices, "Vertices.Scales"))
	b := s.newBlend(3, scales)
	b.upper = true
	sums := s.sumBytes() + s.motionBytes()
	bytes := sums
	if !l.wide {
		bytes += 10 * 32 // for what is read once more: positions, normals and dual parts
	}
	s.pipelined(bytes, pipeline{
		pieces: func(v int, to operand.Mem) []piece {
			return append([]piece{s.motionPiece(v, to.Offset(s.sumBytes()))}, s.wholeEntry(scales, v, to)...)
		},
		pose: func(from operand.Mem) (normals, after func()) {
			kept, keptNormal := from.Offset(sums), from.Offset(sums+96)
			rest := s.keep(s.loadVec3(s.rest), kept)
			scale := s.symmetricFrom(b, from)
			scale.movePoint(rest)
			position := s.keep(scale.last, kept)
			// Normals are scaled even where none are wanted: later there are not registers enough with AVX2, and with
			// AVX-512 the second run of the turn is short that way.
			rest = s.keep(s.loadVec3(s.restNormals), keptNormal)
			normal := s.keep(scale.transformNormal(rest), keptNormal)
			d := s.motionFrom(from.Offset(s.sumBytes()), from.Offset(sums+192))
			s.storeVec3(s.positions, d.point(position))
			return func() { s.storeVec3(s.normals, d.vector(s.fromKept(normal), normal)) }, nil
		},
	})
}

// symmetric is a matrix of three rows and four columns whose first three are symmetric: a blend of scales. Of two equal
// elements one is transposed and multiplied.
type symmetric struct {
	*lanes
	xx, xy, xz, yy, yz, zz op
	last                   []op // the fourth column
}

// symmetricFrom returns the sums of scales at from.
func (l *lanes) symmetricFrom(b *blend, from operand.Mem) *symmetric {
	if l.wide {
		var m [][]op
		b.rowsFrom(from, func(_ int, columns []op) { m = append(m, columns) })
		return &symmetric{l, m[0][0], m[0][1], m[0][2], m[1][1], m[1][2], m[2][2], []op{m[0][3], m[1][3], m[2][3]}}
	}
	x, y := l.pairsFrom(from, sumSlot)
	row := l.transposeFrom(0, x)
	m := &symmetric{lanes: l, xx: row[0], xy: row[1], xz: row[2], last: row[3:]}
	row = l.transposeFrom(1, y)
	m.yy, m.yz, m.last = row[1], row[2], append(m.last, row[3])
	var z []op
	for i := range 4 {
		z = append(z, l.joinFirst(from.Offset(sumSlot(i)+32), from.Offset(sumSlot(i+4)+32)))
	}
	row = l.transposeFrom(2, z)
	m.zz, m.last = row[2], append(m.last, row[3])
	return m
}

// rows are the first three columns.
func (m *symmetric) rows() [][]op {
	return [][]op{{m.xx, m.xy, m.xz}, {m.xy, m.yy, m.yz}, {m.xz, m.yz, m.zz}}
}

// movePoint makes the last column into m·p.
func (m *symmetric) movePoint(p []op) {
	for r, row := range m.rows() {
		for k := range p {
			m.add(m.last[r], p[k], row[k])
		}
	}
}

// vector returns the first three columns times v.
func (m *symmetric) vector(v []op) (out []op) {
	for _, row := range m.rows() {
		out = append(out, m.dot(v, row))
	}
	return out
}

// transformNormal is [lanes.transformNormal].
func (m *symmetric) transformNormal(n []op) (out []op) {
	first := []op{m.minor(m.yy, m.yz, m.yz, m.zz), m.minor(m.yz, m.xy, m.zz, m.xz), m.minor(m.xy, m.yy, m.xz, m.yz)}
	det := m.dot([]op{m.xx, m.xy, m.xz}, first)
	out = append(out, m.dot(n, first)) // one after the other: with AVX2 registers are short
	out = append(out, m.mul(n[0], first[1]))
	m.add(out[1], n[1], m.minor(m.xx, m.xz, m.xz, m.zz))
	out = append(out, m.mul(n[0], first[2]))
	yz := m.minor(m.xz, m.xx, m.yz, m.xy)
	m.add(out[1], n[2], yz)
	m.add(out[2], n[1], yz)
	m.add(out[2], n[2], m.minor(m.xx, m.xy, m.xy, m.yy))
	m.copySign(det, out)
	return out
}
