package main

import "github.com/mmcloughlin/avo/operand"

// scaleDual emits dual quaternion skinning with scales: vertices are scaled as linear blending would, then moved by the
// blended motion.
func scaleDual(l *lanes) {
	s := l.loop("scaleDual")
	scales := s.load(s.field(s.vertices, "Vertices.Scales"))
	sums := s.sumBytes() + s.motionBytes()
	bytes, scale := sums+10*32, s.scaleNarrow // with room for what is read once more: positions, normals and dual parts
	if l.wide {
		bytes, scale = sums, s.scaleWide(s.newBlend(3, scales))
	}
	s.pipelined(bytes, pipeline{
		pieces: func(v int, to operand.Mem) []piece {
			return append([]piece{s.motionPiece(v, to.Offset(s.sumBytes()))}, s.wholeEntry(scales, v, to)...)
		},
		pose: func(from operand.Mem) normals {
			kept := from.Offset(sums)
			position, normal := scale(from, kept)
			d := s.motionFrom(from.Offset(s.sumBytes()), kept.Offset(192))
			s.storeVec3(s.positions, d.point(s.fromKept(position, position), position))
			return func() func() {
				s.storeVec3(s.normals, d.vector(s.fromKept(normal, normal), normal))
				return nil
			}
		},
	})
}

// scaleWide returns the scaled positions and normals with AVX-512. Normals are scaled where none are wanted as well:
// their turn is short that way.
func (s *loop) scaleWide(b *blend) func(from, _ operand.Mem) (position, normal []op) {
	return func(from, _ operand.Mem) (position, normal []op) {
		rest := s.loadVec3(s.rest)
		b.sumsFrom(from)
		m := b.movePoint(rest)
		return []op{m[0][3], m[1][3], m[2][3]}, s.transformNormal(m, s.loadVec3(s.restNormals))
	}
}

// scaleNarrow is scaleWide with AVX2, which keeps both at kept: later there are not registers enough for normals.
func (s *loop) scaleNarrow(from, kept operand.Mem) (position, normal []op) {
	position = s.spill(s.loadVec3(s.rest), kept)
	scale := s.symmetricFrom(from)
	scale.movePoint(position)
	position = s.spill(scale.last, kept)
	kept = kept.Offset(96)
	normal = s.spill(s.loadVec3(s.restNormals), kept)
	return position, s.spill(scale.transformNormal(normal), kept)
}

// symmetric is a matrix of three rows and four columns whose first three are symmetric: a blend of scales. Of what is
// twice in it, only one is transposed and multiplied.
type symmetric struct {
	*lanes
	xx, xy, xz, yy, yz, zz op
	last                   []op // the fourth column
}

// symmetricFrom returns, with AVX2, the sums of scales at from.
func (l *lanes) symmetricFrom(from operand.Mem) *symmetric {
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

// movePoint makes the last column into m·p.
func (m *symmetric) movePoint(p []op) {
	for r, row := range [][]op{{m.xx, m.xy, m.xz}, {m.xy, m.yy, m.yz}, {m.xz, m.yz, m.zz}} {
		for k := range p {
			m.add(m.last[r], p[k], row[k])
		}
	}
}

// transformNormal is [lanes.transformNormal].
func (m *symmetric) transformNormal(n []op) (out []op) {
	first := []op{m.minor(m.yy, m.yz, m.yz, m.zz), m.minor(m.yz, m.xy, m.zz, m.xz), m.minor(m.xy, m.yy, m.xz, m.yz)}
	det := m.dot([]op{m.xx, m.xy, m.xz}, first)
	for k := range first {
		out = append(out, m.mul(n[0], first[k]))
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
