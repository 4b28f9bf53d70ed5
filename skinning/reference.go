package skinning

import (
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl64"
)

// Blend returns Φ(w; C), the 3×4 matrix that a method gives a vertex with these influences (ALNS section 3), in float64. It is
// the independent answer that the fast kernels and the shaders are held against, and the operator that fits sample.
// Influences are sorted as [Influences.Of] returns them: the first is the pivot. Set is the vertex's centre set, used by
// SBS alone. It allocates nothing.
func (f *Frame) Blend(method Method, influences []Influence, set int) Affine {
	switch method {
	case LBS:
		return blendLinear(f.Matrices, influences)
	case DQS:
		return f.blendDual(influences).Affine()
	case SDQS:
		return f.blendDual(influences).Affine().Mul(blendLinear(f.Scale, influences))
	case DIB:
		return f.blendIterative(influences).Affine().Mul(blendLinear(f.Scale, influences))
	case SBS:
		return f.blendSpherical(influences, f.Center[set])
	}
	panic(fmt.Sprintf("skinning: Blend: %v", method))
}

// blendLinear returns Σ w_j·M_j.
func blendLinear(m []Affine, influences []Influence) Affine {
	var sum Affine
	for _, in := range influences {
		w, a := float64(in.Weight), &m[in.Joint]
		for k := range sum {
			sum[k] += w * a[k]
		}
	}
	return sum
}

// sign returns −1 where joint j's quaternion lies in the other hemisphere than the pivot's, else 1.
func (f *Frame) sign(pivot, j uint16) float64 {
	if !f.Unrolled && f.Rigid[j].Real.Dot(f.Rigid[pivot].Real) < 0 {
		return -1
	}
	return 1
}

// blendDual returns Ψ = Σ ±w_j·q̂_j, not normalised (ALNS appendix A).
func (f *Frame) blendDual(influences []Influence) DualQuat {
	var sum DualQuat
	for _, in := range influences {
		sum = sum.Add(f.Rigid[in.Joint].Scale(float64(in.Weight) * f.sign(influences[0].Joint, in.Joint)))
	}
	return sum
}

// dibLimit bounds the iterations; a blend of antipodal motions has no mean to converge to.
const dibLimit = 100

// blendIterative returns the intrinsic mean b of Kavan et al. 2008, DIB: b <- b·exp(Σ w_j·log(b̄·d_j)) from the linear blend
// until the step is below 1e-12.
func (f *Frame) blendIterative(influences []Influence) DualQuat {
	b := f.blendDual(influences).Normalize()
	for range dibLimit {
		var real, dual mgl64.Vec3
		for _, in := range influences {
			s := f.sign(influences[0].Joint, in.Joint)
			lr, ld := b.Conjugate().Mul(f.Rigid[in.Joint].Scale(s)).Log()
			w := float64(in.Weight)
			real, dual = real.Add(lr.Mul(w)), dual.Add(ld.Mul(w))
		}
		b = b.Mul(ExpDual(real, dual)).Normalize()
		if !(math.Sqrt(real.Dot(real)+dual.Dot(dual)) >= 1e-12) {
			break
		}
	}
	return b
}

// blendSpherical returns v -> Q(v − r_c) + Σ w_j·C_j·r_c (SBS equation 9), Q the normalised blend of the joints' rotations.
func (f *Frame) blendSpherical(influences []Influence, center mgl64.Vec3) Affine {
	if len(influences) == 1 {
		return f.Matrices[influences[0].Joint]
	}
	var s Quat
	var m mgl64.Vec3
	for _, in := range influences {
		w := float64(in.Weight)
		s = s.Add(f.Rigid[in.Joint].Real.Scale(w * f.sign(influences[0].Joint, in.Joint)))
		m = m.Add(f.Matrices[in.Joint].Apply(center).Mul(w))
	}
	q := s.Mat3()
	return NewAffine(q, m.Sub(q.Apply(center)))
}

// Shape is vertex positions and normals in float64.
type Shape struct {
	Positions, Normals []mgl64.Vec3 // metres; normals unit
}

// RestShape returns mesh with its morph targets applied at the given weights (one per morph slot), unposed.
func (m *Mesh) RestShape(weights []float64) Shape {
	s := Shape{make([]mgl64.Vec3, len(m.Positions)), make([]mgl64.Vec3, len(m.Positions))}
	for v := range m.Positions {
		s.Positions[v], s.Normals[v] = Vec64(m.Positions[v]), Vec64(m.Normals[v])
	}
	for i := range m.Morphs {
		t := &m.Morphs[i]
		w := weights[t.Slot]
		if w == 0 {
			continue
		}
		for k, d := range t.Positions {
			s.Positions[t.FirstVertex+k] = s.Positions[t.FirstVertex+k].Add(Vec64(d).Mul(w))
		}
		for k, d := range t.Normals {
			s.Normals[t.FirstVertex+k] = s.Normals[t.FirstVertex+k].Add(Vec64(d).Mul(w))
		}
	}
	return s
}

// Reference returns the skin of the frame's model posed by a method, in float64 throughout: morph targets first, then
// position Φ·v and normal Φ⁻ᵀ·n at unit length.
func (f *Frame) Reference(method Method) Shape {
	mesh := &f.Model.Skin
	s := mesh.RestShape(f.Morphs)
	var buf []Influence
	for v := range s.Positions {
		buf = mesh.Of(buf[:0], v)
		phi := f.Blend(method, buf, int(f.Centers.OfVertex[v]))
		s.Positions[v] = phi.Apply(s.Positions[v])
		s.Normals[v] = unitOr(phi.Linear().NormalMatrix().Apply(s.Normals[v]), unitOr(s.Normals[v], mgl64.Vec3{0, 1, 0}))
	}
	return s
}
