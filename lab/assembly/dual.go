package main

import "github.com/mmcloughlin/avo/operand"

// dual emits dual quaternion skinning: the blended motion, then the point and the normal by it, without normalising.
func dual(l *lanes) {
	s := l.loop("dual")
	bytes := s.motionBytes()
	if !l.wide {
		bytes += 10 * 32 // for what is read once more: positions, dual parts and normals
	}
	s.pipelined(bytes, pipeline{
		pieces: func(v int, to operand.Mem) []piece { return []piece{s.motionPiece(v, to)} },
		pose: func(from operand.Mem) (normals, after func()) {
			kept := from.Offset(s.motionBytes())
			again := s.keep(s.loadVec3(s.rest), kept)
			d := s.motionFrom(from, kept.Offset(96))
			s.storeVec3(s.positions, d.point(again))
			return func() {
				rest := s.loadVec3(s.restNormals)
				s.storeVec3(s.normals, d.vector(rest, s.keep(rest, kept.Offset(224))))
			}, nil
		},
	})
}

// motionPiece is the sum of the motion of vertex v: the dual quaternion that an entry of the palette begins with, real
// part first.
func (s *loop) motionPiece(v int, to operand.Mem) piece {
	return piece{palette: s.palette, sum: s.asm.YMM(), to: to.Offset(motionSlot(v))}
}

// motionBytes is the size of these sums of a pass.
func (l *lanes) motionBytes() int { return l.width() * 32 }

// motionSlot is where the sum of vertex v goes: of every eight vertices v and v+4 are side by side.
func motionSlot(v int) int { return v/8*256 + v%4*sumStride + v%8/4*32 }

// motionFrom returns the motions of the sums at from. With AVX2 their dual parts lie at kept.
func (l *lanes) motionFrom(from, kept operand.Mem) *motion {
	if !l.wide {
		real, dual := l.columnsFrom(from, motionSlot)
		return l.motion(real, l.spill(dual, kept))
	}
	return l.motion(l.split(l.copies(l.places(from, 8))))
}

// split transposes the dual quaternions of 16 vertices, in each register those of v and v+4.
func (l *lanes) split(sum []op) (real, dual []op) {
	low, high := l.transpose4(sum[:4]), l.transpose4(sum[4:])
	for c := range 4 {
		real = append(real, l.quarters(low[c], high[c], 0, 2))
		dual = append(dual, l.quarters(low[c], high[c], 1, 3))
	}
	return real, dual
}

// motion is the rigid motion of a dual quaternion of any length, one per lane.
type motion struct {
	*lanes
	real, dual []op
	square     op // |real|², but not less than 1e-30
	twice      op // 2/|real|²
}

// motion divides by the length instead of normalising. A blend of no length, whose motion is undefined, is the
// identity.
func (l *lanes) motion(real, dual []op) *motion {
	square := l.dot(real, real)
	l.asm.VMAXPS(l.every("tiny", 1e-30), square, square)
	var twice op
	if l.wide {
		twice = l.over(square)
		l.asm.VADDPS(twice, twice, twice)
	} else {
		twice = l.every("two", 2)
		l.asm.VDIVPS(square, twice, twice)
	}
	return &motion{l, real, dual, square, twice}
}

// point moves points p: p + 2/|r|²·(v×t + w·d − h·v) with t = v×p + w·p + d, real part r = (v, w) and dual part (d, h).
// They are as keep has returned them.
func (m *motion) point(p []op) (out []op) {
	t := m.turned(m.fromKept(p), true)
	for i := range 3 {
		j, k := (i+1)%3, (i+2)%3
		o := m.minor(t[k], t[j], m.real[k], m.real[j])
		m.add(o, m.dual[i], m.real[3])
		m.sub(o, m.dual[3], m.real[i])
		out = append(out, o)
	}
	return m.from(p, out)
}

// vector turns vectors n: n + 2/|r|²·v×(v×n + w·n). Again is n once more, from memory where registers are short.
func (m *motion) vector(n, again []op) (out []op) {
	t := m.turned(n, false)
	for i := range 3 {
		j, k := (i+1)%3, (i+2)%3
		out = append(out, m.minor(t[k], t[j], m.real[k], m.real[j]))
	}
	return m.from(again, out)
}

// from returns p + 2/|r|²·out.
func (m *motion) from(p, out []op) []op {
	for i := range out {
		m.asm.VFMADD213PS(p[i], m.twice, out[i])
	}
	return out
}

// turned returns v×p + w·p, or more by d.
func (m *motion) turned(p []op, moved bool) (t []op) {
	for i := range 3 {
		j, k := (i+1)%3, (i+2)%3
		var sum op
		if moved {
			sum = m.copy(m.dual[i])
		}
		m.sum(&sum, p[i], m.real[3])
		m.add(sum, p[k], m.real[j])
		m.sub(sum, p[j], m.real[k])
		t = append(t, sum)
	}
	return t
}
