package kernel

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"

	"skinlab/skinning/geom"
	"skinlab/skinning/simd"
)

// DualQuaternion poses a stream by dual quaternion skinning: the matrix of Σ ±w_k·q̂_k over |Ψ₀|² (ALNS equation 7 and
// appendix A). It reads the rigid parts of the joints' matrices and drops their scales. Quaternions are flipped to the
// hemisphere of the vertex's pivot unless the palette is unrolled.
func DualQuaternion(p *Palette, s Stream, level simd.Level) {
	s.check("DualQuaternion")
	if level != simd.Scalar && p.packedRigid.serve(&s) {
		s.groups(&groupCall{level: level, joints: p.Packed.joints(), form: dual, palette: p.packedRigid.entries,
			rigid: p.packedRigid})
		for v := range s.moreThanFour {
			s.dualOne(v, p.Rigid, p.unrolled)
		}
		return
	}
	for v := 0; v < len(s.Rest); {
		if s.ExtraStart == nil && !p.unrolled {
			v = s.dualFour(v, p.Rigid)
		}
		v = s.dualAny(v, p.Rigid, p.unrolled)
	}
}

// dualFour poses vertices from v on as long as they have two to four influences, and returns the next vertex. Signs are
// set without a branch, because branches on random signs are mispredicted.
func (s *Stream) dualFour(v int, rigid []geom.DualQuat32) int {
	rest, normals := s.Rest, s.Normals
	out, bind, restNormals := s.Positions[:len(rest)], s.Bindings[:len(rest)], s.RestNormals[:len(normals)]
	for ; v < len(rest); v++ {
		b := &bind[v]
		w0, w1, w2, w3 := b.Weights[0], b.Weights[1], b.Weights[2], b.Weights[3]
		if w1 == 0 {
			break
		}
		a, q, r, t := &rigid[b.Joints[0]], &rigid[b.Joints[1]], &rigid[b.Joints[2]], &rigid[b.Joints[3]]
		a0, a1, a2, a3 := a[0], a[1], a[2], a[3]
		w1 = withSignOf(w1, a0*q[0]+a1*q[1]+a2*q[2]+a3*q[3]-HemisphereTie)
		w2 = withSignOf(w2, a0*r[0]+a1*r[1]+a2*r[2]+a3*r[3]-HemisphereTie)
		w3 = withSignOf(w3, a0*t[0]+a1*t[1]+a2*t[2]+a3*t[3]-HemisphereTie)
		i := w0*a0 + w1*q[0] + w2*r[0] + w3*t[0]
		j := w0*a1 + w1*q[1] + w2*r[1] + w3*t[1]
		k := w0*a2 + w1*q[2] + w2*r[2] + w3*t[2]
		w := w0*a3 + w1*q[3] + w2*r[3] + w3*t[3]
		p := &rest[v]
		x, y, z := p[0], p[1], p[2]
		s := 2 / (i*i + j*j + k*k + w*w)
		d := w0*a[4] + w1*q[4] + w2*r[4] + w3*t[4]
		e := w0*a[5] + w1*q[5] + w2*r[5] + w3*t[5]
		f := w0*a[6] + w1*q[6] + w2*r[6] + w3*t[6]
		h := w0*a[7] + w1*q[7] + w2*r[7] + w3*t[7]
		tx, ty, tz := j*z-k*y+w*x+d, k*x-i*z+w*y+e, i*y-j*x+w*z+f
		o := &out[v]
		o[0] = x + s*(j*tz-k*ty+w*d-h*i)
		o[1] = y + s*(k*tx-i*tz+w*e-h*j)
		o[2] = z + s*(i*ty-j*tx+w*f-h*k)
		if v >= len(normals) {
			continue
		}
		p = &restNormals[v]
		x, y, z = p[0], p[1], p[2]
		tx, ty, tz = j*z-k*y+w*x, k*x-i*z+w*y, i*y-j*x+w*z
		o = &normals[v]
		o[0], o[1], o[2] = x+s*(j*tz-k*ty), y+s*(k*tx-i*tz), z+s*(i*ty-j*tx)
	}
	return v
}

// withSignOf returns w with its sign flipped where d is negative.
func withSignOf(w, d float32) float32 {
	return math.Float32frombits(math.Float32bits(w) ^ math.Float32bits(d)&(1<<31))
}

// dualAny poses vertex v and those after it with any number of influences, up to the next that dualFour takes.
func (s *Stream) dualAny(v int, rigid []geom.DualQuat32, unrolled bool) int {
	for ; v < len(s.Rest) && (s.ExtraStart != nil || unrolled || s.Bindings[v].Weights[1] == 0); v++ {
		s.dualOne(v, rigid, unrolled)
	}
	return v
}

// dualOne poses vertex v with any number of influences.
func (s *Stream) dualOne(v int, rigid []geom.DualQuat32, unrolled bool) {
	var blend geom.DualQuat32
	b, d := &s.Bindings[v], &blend
	if b.Weights[1] == 0 {
		d = &rigid[b.Joints[0]]
	} else {
		s.blendDual(d, v, b, rigid, unrolled)
	}
	p := &s.Rest[v]
	k := twiceOverSquare(d)
	s.Positions[v] = moveDual(d, k, p[0], p[1], p[2])
	if s.Normals != nil {
		n := &s.RestNormals[v]
		s.Normals[v] = turn(d, k, n[0], n[1], n[2])
	}
}

// ScaleDualQuaternion is two-phase skinning (ALNS appendix A, Φ_SDQS = Φ_DQS·Φ_LBS): the joints' scales are blended
// linearly, then the rigid parts as [DualQuaternion] does. Normals take the inverse transpose of the blended scale
// first. Assembly leaves the scale phase out where no joint has a scale.
func ScaleDualQuaternion(p *Palette, s Stream, level simd.Level) {
	s.check("ScaleDualQuaternion")
	switch {
	case level == simd.Scalar || !p.packedRigid.serve(&s):
		for v := range s.Rest {
			s.scaleDualOne(v, p)
		}
	case p.unscaled:
		DualQuaternion(p, s, level)
	default:
		s.groups(&groupCall{level: level, joints: p.Packed.joints(), form: scaleDual, palette: p.packedRigid.entries,
			rigid: p.packedRigid, scales: p.packedScales})
		for v := range s.moreThanFour {
			s.scaleDualOne(v, p)
		}
	}
}

func (s *Stream) scaleDualOne(v int, p *Palette) {
	var d geom.DualQuat32
	var m geom.Mat34
	b := &s.Bindings[v]
	s.blendDual(&d, v, b, p.Rigid, p.unrolled)
	s.blendMatrix(&m, v, b, p.Scales)
	s.poseScaled(v, &m, &d)
}

// Iterative is two-phase skinning with the intrinsic mean of the rigid parts (DIB, Kavan et al. 2008): the b with
// Σ w_k·log(b̄·d_k) = 0, by Newton's method from the normalised linear blend until it is off by less than 4e-7 radians.
// Assembly leaves the scale phase out where no joint has a scale.
func Iterative(p *Palette, s Stream, level simd.Level) {
	s.check("Iterative")
	if level == simd.Scalar || !p.packedRigid.serve(&s) {
		for v := range s.Rest {
			s.iterativeOne(v, p)
		}
		return
	}
	c := groupCall{level: level, joints: p.Packed.joints(), form: iterative, palette: p.packedRigid.entries,
		rigid: p.packedRigid}
	if !p.unscaled {
		c.scales = p.packedScales
	}
	s.groups(&c)
	for v := range s.moreThanFour {
		s.iterativeOne(v, p)
	}
}

func (s *Stream) iterativeOne(v int, p *Palette) {
	var d geom.DualQuat32
	var m geom.Mat34
	b := &s.Bindings[v]
	s.blendDual(&d, v, b, p.Rigid, p.unrolled)
	if b.Weights[1] != 0 {
		s.solveMean(&d, v, b, p.Rigid, p.unrolled)
	}
	s.blendMatrix(&m, v, b, p.Scales)
	s.poseScaled(v, &m, &d)
}

// poseScaled writes vertex v: scale phase m, then the motion d of any length.
func (s *Stream) poseScaled(v int, m *geom.Mat34, d *geom.DualQuat32) {
	p := &s.Rest[v]
	x := m[0]*p[0] + m[1]*p[1] + m[2]*p[2] + m[3]
	y := m[4]*p[0] + m[5]*p[1] + m[6]*p[2] + m[7]
	z := m[8]*p[0] + m[9]*p[1] + m[10]*p[2] + m[11]
	k := twiceOverSquare(d)
	s.Positions[v] = moveDual(d, k, x, y, z)
	if s.Normals != nil {
		var n mgl32.Vec3
		transformNormal(&n, m, &s.RestNormals[v])
		s.Normals[v] = turn(d, k, n[0], n[1], n[2])
	}
}

// blendDual sets d to Σ ±w_k·q̂_k over all influences of vertex v.
func (s *Stream) blendDual(d *geom.DualQuat32, v int, b *Binding, rigid []geom.DualQuat32, unrolled bool) {
	a := &rigid[b.Joints[0]]
	if b.Weights[1] == 0 {
		*d = *a
		return
	}
	w0, w1 := b.Weights[0], b.Weights[1]
	q := &rigid[b.Joints[1]]
	if !unrolled {
		w1 = withSignOf(w1, a[0]*q[0]+a[1]*q[1]+a[2]*q[2]+a[3]*q[3]-HemisphereTie)
	}
	if b.Weights[2] == 0 {
		d[0], d[1], d[2], d[3] = w0*a[0]+w1*q[0], w0*a[1]+w1*q[1], w0*a[2]+w1*q[2], w0*a[3]+w1*q[3]
		d[4], d[5], d[6], d[7] = w0*a[4]+w1*q[4], w0*a[5]+w1*q[5], w0*a[6]+w1*q[6], w0*a[7]+w1*q[7]
		return
	}
	w2, w3 := b.Weights[2], b.Weights[3]
	r, t := &rigid[b.Joints[2]], &rigid[b.Joints[3]]
	if !unrolled {
		w2 = withSignOf(w2, a[0]*r[0]+a[1]*r[1]+a[2]*r[2]+a[3]*r[3]-HemisphereTie)
		w3 = withSignOf(w3, a[0]*t[0]+a[1]*t[1]+a[2]*t[2]+a[3]*t[3]-HemisphereTie)
	}
	d[0] = w0*a[0] + w1*q[0] + w2*r[0] + w3*t[0]
	d[1] = w0*a[1] + w1*q[1] + w2*r[1] + w3*t[1]
	d[2] = w0*a[2] + w1*q[2] + w2*r[2] + w3*t[2]
	d[3] = w0*a[3] + w1*q[3] + w2*r[3] + w3*t[3]
	d[4] = w0*a[4] + w1*q[4] + w2*r[4] + w3*t[4]
	d[5] = w0*a[5] + w1*q[5] + w2*r[5] + w3*t[5]
	d[6] = w0*a[6] + w1*q[6] + w2*r[6] + w3*t[6]
	d[7] = w0*a[7] + w1*q[7] + w2*r[7] + w3*t[7]
	if s.ExtraStart != nil {
		for _, in := range s.extraOf(v) {
			w, e := in.Weight, &rigid[in.Joint]
			if !unrolled && a[0]*e[0]+a[1]*e[1]+a[2]*e[2]+a[3]*e[3] < HemisphereTie {
				w = -w
			}
			for k := range d {
				d[k] += w * e[k]
			}
		}
	}
}

// twiceOverSquare returns 2/|real|². A blend of opposite motions that has no length, and no meaning, becomes the
// identity.
func twiceOverSquare(d *geom.DualQuat32) float32 {
	return 2 / max(d[0]*d[0]+d[1]*d[1]+d[2]*d[2]+d[3]*d[3], 1e-30)
}

// moveDual returns the point x, y, z moved by a dual quaternion of any length, k = 2/|real|²:
// p + k·(v × (v × p + w·p) + w·d − w_d·v + v × d) with real = (v, w) and dual = (d, w_d).
func moveDual(q *geom.DualQuat32, k, x, y, z float32) mgl32.Vec3 {
	a, b, c, w := q[0], q[1], q[2], q[3]
	d, e, f, h := q[4], q[5], q[6], q[7]
	tx, ty, tz := b*z-c*y+w*x+d, c*x-a*z+w*y+e, a*y-b*x+w*z+f
	return mgl32.Vec3{
		x + k*(b*tz-c*ty+w*d-h*a),
		y + k*(c*tx-a*tz+w*e-h*b),
		z + k*(a*ty-b*tx+w*f-h*c),
	}
}

// turn rotates a vector by the real part, k = 2/|real|², and keeps its length.
func turn(q *geom.DualQuat32, k, x, y, z float32) mgl32.Vec3 {
	a, b, c, w := q[0], q[1], q[2], q[3]
	tx, ty, tz := b*z-c*y+w*x, c*x-a*z+w*y, a*y-b*x+w*z
	return mgl32.Vec3{x + k*(b*tz-c*ty), y + k*(c*tx-a*tz), z + k*(a*ty-b*tx)}
}
