package kernel

import (
	"github.com/go-gl/mathgl/mgl32"

	"skinlab/skinning/geom"
	"skinlab/skinning/simd"
)

// Linear poses a stream by linear blend skinning: position Σ_k w_k·C_k·v (ALNS section 3, Φ_LBS), normal by the inverse
// transpose of the same blend. It reads the matrices.
func Linear(p *Palette, s Stream, level simd.Level) {
	s.check("Linear")
	if level != simd.Scalar {
		s.groups(&groupCall{level: level, joints: p.Packed.joints(), form: linear, palette: p.Packed})
		for v := range s.moreThanFour {
			s.linearOne(v, p.Matrices)
		}
		return
	}
	for v := 0; v < len(s.Rest); {
		if s.ExtraStart == nil {
			v = s.linearFour(v, p.Matrices)
		}
		v = s.linearAny(v, p.Matrices)
	}
}

// linearFour poses vertices from v on as long as they have two to four influences, and returns the next vertex. This is
// the usual case. Unused slots have weight 0, which costs less than distinguishing two influences from four. The code
// has no calls and computes row by row, so that a row stays in registers. The speed of plain Go depends on it.
func (s *Stream) linearFour(v int, palette []geom.Mat34) int {
	rest, normals := s.Rest, s.Normals
	out, bind, restNormals := s.Positions[:len(rest)], s.Bindings[:len(rest)], s.RestNormals[:len(normals)]
	for ; v < len(rest); v++ {
		b := &bind[v]
		w0, w1, w2, w3 := b.Weights[0], b.Weights[1], b.Weights[2], b.Weights[3]
		if w1 == 0 {
			break
		}
		p := &rest[v]
		x, y, z := p[0], p[1], p[2]
		a, c, d, e := &palette[b.Joints[0]], &palette[b.Joints[1]], &palette[b.Joints[2]], &palette[b.Joints[3]]
		m0 := w0*a[0] + w1*c[0] + w2*d[0] + w3*e[0]
		m1 := w0*a[1] + w1*c[1] + w2*d[1] + w3*e[1]
		m2 := w0*a[2] + w1*c[2] + w2*d[2] + w3*e[2]
		px := m0*x + m1*y + m2*z + (w0*a[3] + w1*c[3] + w2*d[3] + w3*e[3])
		m4 := w0*a[4] + w1*c[4] + w2*d[4] + w3*e[4]
		m5 := w0*a[5] + w1*c[5] + w2*d[5] + w3*e[5]
		m6 := w0*a[6] + w1*c[6] + w2*d[6] + w3*e[6]
		py := m4*x + m5*y + m6*z + (w0*a[7] + w1*c[7] + w2*d[7] + w3*e[7])
		m8 := w0*a[8] + w1*c[8] + w2*d[8] + w3*e[8]
		m9 := w0*a[9] + w1*c[9] + w2*d[9] + w3*e[9]
		ma := w0*a[10] + w1*c[10] + w2*d[10] + w3*e[10]
		pz := m8*x + m9*y + ma*z + (w0*a[11] + w1*c[11] + w2*d[11] + w3*e[11])
		q := &out[v]
		q[0], q[1], q[2] = px, py, pz
		if v >= len(normals) {
			continue
		}
		r := &restNormals[v]
		rx, ry, rz := r[0], r[1], r[2]
		c0, c1, c2 := m5*ma-m6*m9, m6*m8-m4*ma, m4*m9-m5*m8
		nx := c0*rx + c1*ry + c2*rz
		ny := (m2*m9-m1*ma)*rx + (m0*ma-m2*m8)*ry + (m1*m8-m0*m9)*rz
		nz := (m1*m6-m2*m5)*rx + (m2*m4-m0*m6)*ry + (m0*m5-m1*m4)*rz
		if m0*c0+m1*c1+m2*c2 < 0 {
			nx, ny, nz = -nx, -ny, -nz
		}
		n := &normals[v]
		n[0], n[1], n[2] = nx, ny, nz
	}
	return v
}

// linearAny poses vertex v and those after it with any number of influences, up to the next that linearFour takes.
func (s *Stream) linearAny(v int, palette []geom.Mat34) int {
	for ; v < len(s.Rest) && (s.ExtraStart != nil || s.Bindings[v].Weights[1] == 0); v++ {
		s.linearOne(v, palette)
	}
	return v
}

// linearOne poses vertex v with any number of influences.
func (s *Stream) linearOne(v int, palette []geom.Mat34) {
	var blend geom.Mat34
	b, m := &s.Bindings[v], &blend
	if b.Weights[1] == 0 && b.Weights[0] == 1 {
		m = &palette[b.Joints[0]]
	} else {
		s.blendMatrix(m, v, b, palette)
	}
	s.Positions[v] = apply(m, &s.Rest[v])
	if s.Normals != nil {
		transformNormal(&s.Normals[v], m, &s.RestNormals[v])
	}
}

// blendMatrix sets m to Σ w_k·M_k over all influences of vertex v. Weights fall, so a zero ends them.
func (s *Stream) blendMatrix(m *geom.Mat34, v int, b *Binding, palette []geom.Mat34) {
	w0 := b.Weights[0]
	a := &palette[b.Joints[0]]
	switch {
	case b.Weights[1] == 0:
		if w0 == 1 {
			*m = *a
			return
		}
		for k := range m {
			m[k] = w0 * a[k]
		}
	case b.Weights[2] == 0:
		w1 := b.Weights[1]
		c := &palette[b.Joints[1]]
		m[0], m[1], m[2], m[3] = w0*a[0]+w1*c[0], w0*a[1]+w1*c[1], w0*a[2]+w1*c[2], w0*a[3]+w1*c[3]
		m[4], m[5], m[6], m[7] = w0*a[4]+w1*c[4], w0*a[5]+w1*c[5], w0*a[6]+w1*c[6], w0*a[7]+w1*c[7]
		m[8], m[9], m[10], m[11] = w0*a[8]+w1*c[8], w0*a[9]+w1*c[9], w0*a[10]+w1*c[10], w0*a[11]+w1*c[11]
	default:
		w1, w2, w3 := b.Weights[1], b.Weights[2], b.Weights[3]
		c, d, e := &palette[b.Joints[1]], &palette[b.Joints[2]], &palette[b.Joints[3]]
		m[0] = w0*a[0] + w1*c[0] + w2*d[0] + w3*e[0]
		m[1] = w0*a[1] + w1*c[1] + w2*d[1] + w3*e[1]
		m[2] = w0*a[2] + w1*c[2] + w2*d[2] + w3*e[2]
		m[3] = w0*a[3] + w1*c[3] + w2*d[3] + w3*e[3]
		m[4] = w0*a[4] + w1*c[4] + w2*d[4] + w3*e[4]
		m[5] = w0*a[5] + w1*c[5] + w2*d[5] + w3*e[5]
		m[6] = w0*a[6] + w1*c[6] + w2*d[6] + w3*e[6]
		m[7] = w0*a[7] + w1*c[7] + w2*d[7] + w3*e[7]
		m[8] = w0*a[8] + w1*c[8] + w2*d[8] + w3*e[8]
		m[9] = w0*a[9] + w1*c[9] + w2*d[9] + w3*e[9]
		m[10] = w0*a[10] + w1*c[10] + w2*d[10] + w3*e[10]
		m[11] = w0*a[11] + w1*c[11] + w2*d[11] + w3*e[11]
		if s.ExtraStart != nil {
			for _, in := range s.extraOf(v) {
				c := &palette[in.Joint]
				for k := range m {
					m[k] += in.Weight * c[k]
				}
			}
		}
	}
}

// transformNormal sets n to sign(det)·cof(M)·r, the inverse transpose up to length. It is zero where M collapses to a
// line.
func transformNormal(n *mgl32.Vec3, m *geom.Mat34, r *mgl32.Vec3) {
	a, b, c, d, e, f, g, h, i := m[0], m[1], m[2], m[4], m[5], m[6], m[8], m[9], m[10]
	c0, c1, c2 := e*i-f*h, f*g-d*i, d*h-e*g
	rx, ry, rz := r[0], r[1], r[2]
	x := c0*rx + c1*ry + c2*rz
	y := (c*h-b*i)*rx + (a*i-c*g)*ry + (b*g-a*h)*rz
	z := (b*f-c*e)*rx + (c*d-a*f)*ry + (a*e-b*d)*rz
	if a*c0+b*c1+c*c2 < 0 {
		x, y, z = -x, -y, -z
	}
	n[0], n[1], n[2] = x, y, z
}
