package skinning

import (
	"cmp"
	"slices"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning/geom"
	"skinlab/skinning/kernel"
	"skinlab/skinning/parallel"
)

// Reference poses a skin as others should: a direct method, or a deformer that is no blend of joints. Methods are
// measured against its shapes, and fits learn them.
type Reference interface {
	String() string
	// Positions returns the shape of a posed model, one position per vertex, metres. Several goroutines may call it.
	Positions(f *Frame) []mgl64.Vec3
}

// Positions is [Frame.Positions] by the method.
func (m Method) Positions(f *Frame) []mgl64.Vec3 { return f.Positions(m) }

// Share is one joint's share of a blend, in float64.
type Share struct {
	Joint  uint16
	Weight float64
}

// SharesOf returns the influences of all vertices, each vertex's strongest first.
func SharesOf(in *Influences) [][]Share {
	all := make([][]Share, len(in.Bindings))
	for v, buf := range in.All() {
		all[v] = make([]Share, 0, len(buf))
		for _, w := range buf {
			all[v] = append(all[v], Share{w.Joint, float64(w.Weight)})
		}
	}
	return all
}

// InfluencesOf returns the weights of all vertices as a skin stores them. Joint returns the joint of a share; nil where
// shares name joints. Vertices without weights follow joint 0.
func InfluencesOf(weights [][]Share, joint func(share uint16) int) Influences {
	in := Influences{Bindings: make([]Binding, 0, len(weights))}
	var raw []Influence
	for _, shares := range weights {
		raw = raw[:0]
		for _, s := range shares {
			j := s.Joint
			if joint != nil {
				j = uint16(joint(j))
			}
			raw = append(raw, Influence{Joint: j, Weight: float32(s.Weight)})
		}
		in.Append(raw, 0)
	}
	return in
}

// AppendShares appends the positive weights of joints, the largest first. The list is sorted with those before.
func AppendShares(dst []Share, joints []int, weights []float64) []Share {
	for k, w := range weights {
		if w > 0 {
			dst = append(dst, Share{uint16(joints[k]), w})
		}
	}
	slices.SortStableFunc(dst, func(a, b Share) int { return cmp.Compare(b.Weight, a.Weight) })
	return dst
}

// Blend returns Φ(w; C), the 3×4 matrix that a method gives a vertex with these influences (ALNS section 3), in
// float64. It is the independent answer that the fast kernels and the shaders are held against. Influences are sorted
// as [Influences.Of] returns them: the first is the pivot. Set is the vertex's centre set, where the method reads
// rotation centres.
func (f *Frame) Blend(method Method, influences []Influence, set int) geom.Affine {
	return f.blend(method, appendShares(make([]Share, 0, len(influences)), influences), set)
}

// BlendVertex is [Frame.Blend] of a vertex of the model's skin, by all its influences and the inputs that the
// method reads.
func (f *Frame) BlendVertex(method Method, v int) geom.Affine {
	f.need(method.Reads())
	return new(vertexShares).blend(f, method, v)
}

// vertexShares is room for the shares of a vertex.
type vertexShares struct {
	influences     []Influence
	shares, second []Share
}

// blend is BlendVertex where the forms that the method reads are current.
func (s *vertexShares) blend(f *Frame, method Method, v int) geom.Affine {
	mesh := &f.Model.Skin
	s.influences = mesh.Of(s.influences[:0], v)
	s.shares = appendShares(s.shares[:0], s.influences)
	row := method.row()
	if row.vertex == nil {
		return f.blend(method, s.shares, int(f.Centers.OfVertex[v]))
	}
	s.second = append(s.second[:0], s.shares...)
	if set := mesh.Second(method); set != nil {
		s.influences = set.Of(s.influences[:0], v)
		s.second = appendShares(s.second[:0], s.influences)
	}
	var values [valuesPerVertex]float32
	if all := f.values(method); all != nil {
		values = all[v]
	}
	return row.vertex(f, s.shares, s.second, values)
}

// appendShares appends influences with weights normalised to sum 1 in float64. Weights in float32 sum to 1 within 1e-7,
// an error that a distant rotation centre would multiply.
func appendShares(shares []Share, influences []Influence) []Share {
	first, sum := len(shares), 0.0
	for _, in := range influences {
		sum += float64(in.Weight)
		shares = append(shares, Share{in.Joint, float64(in.Weight)})
	}
	for i := range shares[first:] {
		shares[first+i].Weight /= sum
	}
	return shares
}

// blend is Blend of shares.
func (f *Frame) blend(method Method, shares []Share, set int) geom.Affine {
	var center mgl64.Vec3
	if method.Reads()&Centers != 0 {
		center = f.Center()[set]
	}
	return f.Phi(method, shares, center)
}

// Phi is [Frame.Blend] with float64 weights, as fits sample it; the first share is the pivot. Center is the shares'
// rotation centre, where the method reads it: see [RotationCenter]. It allocates nothing.
func (f *Frame) Phi(method Method, shares []Share, center mgl64.Vec3) geom.Affine {
	f.need(method.Reads() &^ Centers)
	return method.row().reference(f, shares, center)
}

// linearReference is Φ_LBS.
func linearReference(f *Frame, shares []Share, _ mgl64.Vec3) geom.Affine {
	return blendLinear(f.Matrices, shares)
}

// dualReference is Φ_DQS.
func dualReference(f *Frame, shares []Share, _ mgl64.Vec3) geom.Affine {
	return f.blendDual(shares).Affine()
}

// scaleDualReference is Φ_SDQS.
func scaleDualReference(f *Frame, shares []Share, _ mgl64.Vec3) geom.Affine {
	return f.blendDual(shares).Affine().Mul(blendLinear(f.scale, shares))
}

// iterativeReference is Φ_DIB.
func iterativeReference(f *Frame, shares []Share, _ mgl64.Vec3) geom.Affine {
	return f.blendIterative(shares).Affine().Mul(blendLinear(f.scale, shares))
}

// blendLinear returns Σ w_j·M_j.
func blendLinear(m []geom.Affine, shares []Share) geom.Affine {
	var sum geom.Affine
	for _, in := range shares {
		a := &m[in.Joint]
		for k := range sum {
			sum[k] += in.Weight * a[k]
		}
	}
	return sum
}

// Sign returns −1 where joint j's quaternion lies in the other hemisphere than the pivot's and is to be flipped, else
// 1.
func (f *Frame) Sign(pivot, j uint16) float64 {
	f.need(RigidParts)
	return f.sign(pivot, j)
}

func (f *Frame) sign(pivot, j uint16) float64 {
	if !f.Unrolled && f.rigid[j].Real.Dot(f.rigid[pivot].Real) < kernel.HemisphereTie {
		return -1
	}
	return 1
}

// blendDual returns Ψ = Σ ±w_j·q̂_j, not normalised (ALNS appendix A). Blend bones are sampled by it in every frame, so
// it sums in place.
func (f *Frame) blendDual(shares []Share) geom.DualQuat {
	var sum geom.DualQuat
	for _, in := range shares {
		d, w := &f.rigid[in.Joint], in.Weight*f.sign(shares[0].Joint, in.Joint)
		for k := range 4 {
			sum.Real[k] += w * d.Real[k]
			sum.Dual[k] += w * d.Dual[k]
		}
	}
	return sum
}

// dibLimit bounds the iterations; a blend of antipodal motions has no mean to converge to.
const dibLimit = 100

// blendIterative returns the intrinsic mean b of Kavan et al. 2008, DIB: the b with Σ w_j·log(b̄·d_j) = 0, from the
// linear blend until the step that would follow is below 1e-13. The paper's iteration b <- b·exp(Σ w_j·log(b̄·d_j))
// converges linearly; this is Newton's (see newton).
func (f *Frame) blendIterative(shares []Share) geom.DualQuat {
	var buf [8]Share
	some := buf[:0]
	for _, in := range shares { // blend bones have joints of no weight
		if in.Weight > 0 {
			some = append(some, in)
		}
	}
	shares = some
	if len(shares) == 2 {
		return between(f.rigid[shares[0].Joint], f.rigid[shares[1].Joint].Scale(f.sign(shares[0].Joint, shares[1].Joint)),
			shares[1].Weight/(shares[0].Weight+shares[1].Weight))
	}
	b := f.blendDual(shares).Normalize()
	before := 1.0
	for range dibLimit {
		var n newton
		back := b.Conjugate()
		for _, in := range shares {
			d := back.Mul(f.rigid[in.Joint])
			if f.sign(shares[0].Joint, in.Joint) < 0 {
				d = d.Scale(-1)
			}
			real, dual := d.Log()
			n.add(&real, &dual, in.Weight)
		}
		step := n.step()
		b = b.Mul(geom.ExpDual(step.real, step.dual)).Normalize()
		size := step.real.Len() + step.dual.Len()
		if !(size*min(size/before, 1) >= 1e-13) { // steps shrink faster and faster: the next would be smaller than that
			break
		}
		before = size
	}
	return b
}

// screw is the logarithm of a rigid motion: half the rotation vector and its dual part.
type screw struct{ real, dual mgl64.Vec3 }

// newton has the sums for a Newton step of the intrinsic mean: the weighted mean of the logarithms φ_k (as half
// rotation vectors with their dual parts), and its derivative by b. The derivative is −Σ w_k·J⁻¹(φ_k) with the inverse
// left Jacobian of the rotation group,
//
//	J⁻¹(φ) = I − [φ]/2 + g(θ)·[φ]²,  g(θ) = (1 − θ/2·cot(θ/2))/θ²,
//
// whose odd part vanishes with the mean, taken over dual numbers: the principle of transference.
type newton struct {
	mean       screw
	real, dual geom.Symmetric // Σ w_k·(I + g·[φ_k]²)
}

func (n *newton) add(real, dual *mgl64.Vec3, weight float64) {
	x, y, z := real[0], real[1], real[2]
	u, v, w := dual[0], dual[1], dual[2]
	n.mean.real[0] += weight * x
	n.mean.real[1] += weight * y
	n.mean.real[2] += weight * z
	n.mean.dual[0] += weight * u
	n.mean.dual[1] += weight * v
	n.mean.dual[2] += weight * w
	h2, hd := x*x+y*y+z*z, x*u+y*v+z*w
	// φ is twice the half rotation vector h: 4·g = (1 − h·cot h)/h² and its dual part, each as a series.
	g := weight * (1./3 + h2*(1./45+h2*(2./945+h2*(1./4725+h2*(2./93555)))))
	slope := weight * 2 * hd * (1./45 + h2*(4./945+h2*(3./4725+h2*(8./93555))))
	m := &n.real
	m[0] += weight + g*(x*x-h2)
	m[1] += weight + g*(y*y-h2)
	m[2] += weight + g*(z*z-h2)
	m[3] += g * x * y
	m[4] += g * x * z
	m[5] += g * y * z
	m = &n.dual
	m[0] += 2*g*(x*u-hd) + slope*(x*x-h2)
	m[1] += 2*g*(y*v-hd) + slope*(y*y-h2)
	m[2] += 2*g*(z*w-hd) + slope*(z*z-h2)
	m[3] += g*(x*v+y*u) + slope*x*y
	m[4] += g*(x*w+z*u) + slope*x*z
	m[5] += g*(y*w+z*v) + slope*y*z
}

// step solves for the step, by the cofactors of a matrix near the identity. RigidParts so far apart that it is near
// singular take the mean itself.
func (n *newton) step() screw {
	inverse, det := n.real.Cofactor()
	if !(det > 0.05) {
		return n.mean
	}
	real := inverse.Apply(n.mean.real).Mul(1 / det)
	return screw{real, inverse.Apply(n.mean.dual.Sub(n.dual.Apply(real))).Mul(1 / det)}
}

// between returns the motion at fraction t of the screw from a to b. It is the closed form of the intrinsic mean of two
// motions, to which the iteration of DIB converges.
func between(a, b geom.DualQuat, t float64) geom.DualQuat {
	real, dual := a.Conjugate().Mul(b).Log()
	return a.Mul(geom.ExpDual(real.Mul(t), dual.Mul(t)))
}

// blendSpherical is Φ_SBS: v -> Q(v − r_c) + Σ w_j·C_j·r_c (SBS equation 9), Q the normalised blend of the joints'
// rotations. The paper's joints do not scale: C_j is the rigid part of ours. With the full matrices, Φ would not
// converge to the matrix of joint j as its weight goes to 1: Q has no scale, so the effect of a joint's scale would
// depend on the centre.
func (f *Frame) blendSpherical(shares []Share, center mgl64.Vec3) geom.Affine {
	var s geom.Quat
	for _, in := range shares {
		s = s.Add(f.rigid[in.Joint].Real.Scale(in.Weight * f.sign(shares[0].Joint, in.Joint)))
	}
	return f.aboutCenter(s.Mat3(), shares, center)
}

// aboutCenter is equation 9 of SBS for any interpolation Q of the joints' rotations. Their weighted sum in Q's place
// gives linear blending of the rigid parts, wherever the centre is.
func (f *Frame) aboutCenter(q geom.Mat3, shares []Share, center mgl64.Vec3) geom.Affine {
	pivot := f.rigid[shares[0].Joint].Affine().Apply(center)
	m := pivot
	for _, in := range shares[1:] {
		m = m.Add(f.rigid[in.Joint].Affine().Apply(center).Sub(pivot).Mul(in.Weight)) // as differences: centres may be far
	}
	return geom.NewAffine(q, m.Sub(q.Apply(center)))
}

// Shape is vertex positions and normals in float64.
type Shape struct {
	Positions, Normals []mgl64.Vec3 // metres; normals unit
}

// RestShape returns mesh with its morph targets applied at the given weights (one per morph slot), unposed.
func (m *Mesh) RestShape(weights []float64) Shape {
	s := Shape{m.RestPositions(weights), geom.Vecs64(m.Normals)}
	for i := range m.Morphs {
		t := &m.Morphs[i]
		addMorph(s.Normals[t.FirstVertex:], t.Normals, weights[t.Slot])
	}
	return s
}

// RestPositions returns the positions of RestShape.
func (m *Mesh) RestPositions(weights []float64) []mgl64.Vec3 {
	positions := geom.Vecs64(m.Positions)
	for i := range m.Morphs {
		t := &m.Morphs[i]
		addMorph(positions[t.FirstVertex:], t.Positions, weights[t.Slot])
	}
	return positions
}

func addMorph(dst []mgl64.Vec3, by []mgl32.Vec3, weight float64) {
	if weight == 0 {
		return
	}
	for k, d := range by {
		dst[k] = dst[k].Add(geom.Vec64(d).Mul(weight))
	}
}

// Reference returns the skin of the frame's model posed by a method, in float64 throughout: morph targets first, then
// position Φ·v and normal Φ⁻ᵀ·n at unit length.
func (f *Frame) Reference(method Method) Shape {
	s := f.Model.Skin.RestShape(f.Morphs)
	f.blendShape(method, s)
	return s
}

// Positions returns the positions of [Frame.Reference]. It makes no normals.
func (f *Frame) Positions(method Method) []mgl64.Vec3 {
	s := Shape{Positions: f.Model.Skin.RestPositions(f.Morphs)}
	f.blendShape(method, s)
	return s.Positions
}

// blendShape poses a rest shape by a method. Its normals may be nil.
func (f *Frame) blendShape(method Method, s Shape) {
	f.need(method.Reads())
	parallel.Runs(len(s.Positions), func(lo, hi int) {
		var scratch vertexShares
		for v := lo; v < hi; v++ {
			phi := scratch.blend(f, method, v)
			s.Positions[v] = phi.Apply(s.Positions[v])
			if s.Normals != nil {
				s.Normals[v] = geom.UnitOr(phi.Linear().NormalMatrix().Apply(s.Normals[v]),
					geom.UnitOr(s.Normals[v], mgl64.Vec3{0, 1, 0}))
			}
		}
	})
}
