package kernel

import (
	"github.com/go-gl/mathgl/mgl32"

	"skinlab/skinning/geom"
	"skinlab/skinning/simd"
)

// Spherical poses a stream by spherical blend skinning: Q(v − r_c) + Σ w_k·C_k·r_c (SBS equation 9), Q the normalised
// sum of the joints' quaternions, flipped to the pivot's hemisphere unless the palette is unrolled. C_k are the rigid
// parts of the joints' matrices: scales are dropped. The kernel reads these and one rotation centre r_c per set of
// [Stream.Sets].
func Spherical(p *Palette, s Stream, level simd.Level) {
	s.check("Spherical")
	if s.Sets == nil && len(s.Rest) > 0 {
		panic("kernel: Spherical: no centre sets")
	}
	if level == simd.Scalar || !p.packedRigid.serve(&s) {
		for v := range s.Rest {
			s.sphericalOne(v, p, false)
		}
		return
	}
	s.groups(&groupCall{level: level, joints: p.Packed.joints(), form: spherical, palette: p.spherical.entries,
		rigid: p.packedRigid, centers: p.spherical.centers})
	for v := range s.moreThanFour {
		s.sphericalOne(v, p, false)
	}
}

// SphericalAverage is [Spherical] with the true spherical average of the rotations for Q, their intrinsic mean, which
// SBS section 5 holds its normalised sum against. It has no form in assembly.
func SphericalAverage(p *Palette, s Stream) {
	s.check("SphericalAverage")
	for v := range s.Rest {
		s.sphericalOne(v, p, true)
	}
}

// sphericalOne poses vertex v with any number of influences, by the true average of their rotations or their sum.
func (s *Stream) sphericalOne(v int, of *Palette, average bool) {
	var n *mgl32.Vec3
	if s.Normals != nil {
		n = &s.RestNormals[v]
	}
	s.turnAbout(v, of, &of.Centers[s.Sets[v]], &s.Rest[v], n, average)
}

// turnAbout is sphericalOne about a centre c, of a rest position p and its normal, nil for none.
func (s *Stream) turnAbout(v int, of *Palette, c, p, n *mgl32.Vec3, average bool) {
	var m geom.Mat34
	b := &s.Bindings[v]
	s.blendMatrix(&m, v, b, of.Motions)
	if b.Weights[1] == 0 { // about any centre
		s.Positions[v] = apply(&m, p)
		if n != nil {
			transformNormal(&s.Normals[v], &m, n)
		}
		return
	}
	var q geom.DualQuat32
	s.blendReal(&q, v, b, of.Rigid, of.unrolled)
	if average {
		s.solveMean(&q, v, b, of.Rigid, of.unrolled)
	}
	k := twiceOverSquare(&q)
	moved := apply(&m, c)
	r := turn(&q, k, p[0]-c[0], p[1]-c[1], p[2]-c[2])
	s.Positions[v] = mgl32.Vec3{r[0] + moved[0], r[1] + moved[1], r[2] + moved[2]}
	if n != nil {
		s.Normals[v] = turn(&q, k, n[0], n[1], n[2])
	}
}

func apply(m *geom.Mat34, p *mgl32.Vec3) mgl32.Vec3 {
	return mgl32.Vec3{
		m[0]*p[0] + m[1]*p[1] + m[2]*p[2] + m[3],
		m[4]*p[0] + m[5]*p[1] + m[6]*p[2] + m[7],
		m[8]*p[0] + m[9]*p[1] + m[10]*p[2] + m[11],
	}
}

// blendReal sets the real part of q to Σ ±w_k·q_k over all influences of vertex v (SBS section 4.2).
func (s *Stream) blendReal(q *geom.DualQuat32, v int, b *Binding, rigid []geom.DualQuat32, unrolled bool) {
	a := &rigid[b.Joints[0]]
	w := b.Weights[0]
	q[0], q[1], q[2], q[3] = w*a[0], w*a[1], w*a[2], w*a[3]
	for k := 1; k < 4; k++ {
		w = b.Weights[k]
		if w == 0 {
			return
		}
		addReal(q, a, &rigid[b.Joints[k]], w, unrolled)
	}
	for _, in := range s.extraOf(v) {
		addReal(q, a, &rigid[in.Joint], in.Weight, unrolled)
	}
}

func addReal(q, pivot, d *geom.DualQuat32, w float32, unrolled bool) {
	if !unrolled && pivot[0]*d[0]+pivot[1]*d[1]+pivot[2]*d[2]+pivot[3]*d[3] < HemisphereTie {
		w = -w
	}
	q[0] += w * d[0]
	q[1] += w * d[1]
	q[2] += w * d[2]
	q[3] += w * d[3]
}
