// Package bodymodel makes a body model from registered scans (Fechteler, Hilsmann and Eisert 2016, EBM): a mesh, a
// skeleton, two sets of weights and a pose for each scan, so that twist-swing skinning comes as near as it can to all
// scans.
package bodymodel

import (
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// Body is everything that the fit finds. Parents come before their children, and limb 0 is the only root. In the bind
// pose every matrix is the identity.
type Body struct {
	Parents  []int              // of each limb, −1 for the root
	Loose    []bool             // of each limb: it follows the root but does not twist against it; nil for none
	Joints   []mgl64.Vec3       // where each limb turns about: rest space, metres
	Axes     []mgl64.Vec3       // the bone axis of each limb, [skinning.BoneAxes] of Joints
	Vertices []mgl64.Vec3       // the bind shape
	Swing    [][]skinning.Share // of each vertex: the weights of linear blending, of sum 1
	Twist    [][]skinning.Share // of each vertex: those of the dual quaternions
	Poses    []Pose             // of each scan
	// Linear says that the body is posed by linear blending, for comparisons. Its Axes are zero, and so are its twists.
	Linear bool
}

// Pose is the motion of a body to one scan.
type Pose struct {
	Place mgl64.Vec3  // where the root's joint stands, metres
	Turns []geom.Quat // of each limb about its joint, relative to its parent, in rest space; unit
}

// Palette is what a pose makes of the limbs (twist-swing.md, steps 1 to 4).
type Palette struct {
	Motions []geom.Affine   // C_j: rest space to the scan
	Twists  []geom.DualQuat // T̄_j
	Swings  []geom.Affine   // P_j = C_j·T̄_j⁻¹
}

// setAxes computes the axes anew, after joints have moved.
func (b *Body) setAxes() {
	b.Axes = make([]mgl64.Vec3, len(b.Joints))
	for j, spans := range b.boneSpans() {
		for _, s := range spans {
			b.Axes[j] = b.Axes[j].Add(b.Joints[s.To].Sub(b.Joints[s.From]).Normalize())
		}
		if len(spans) > 1 {
			b.Axes[j] = b.Axes[j].Normalize()
		}
	}
}

// boneSpans returns [skinning.BoneSpans] of the limbs. Every limb carries weight. Limbs that do not twist have none.
func (b *Body) boneSpans() [][]skinning.BoneSpan {
	if b.Linear {
		return make([][]skinning.BoneSpan, len(b.Joints))
	}
	parents := slices.Clone(b.Parents)
	for j, loose := range b.Loose {
		if loose {
			parents[j] = -1
		}
	}
	spans := skinning.BoneSpans(b.Joints, parents, slices.Repeat([]bool{true}, len(parents)))
	for j, loose := range b.Loose {
		if loose {
			spans[j] = nil
		}
	}
	return spans
}

// NewPalette makes memory for [Body.SetPalette].
func (b *Body) NewPalette() *Palette {
	n := len(b.Joints)
	return &Palette{make([]geom.Affine, n), make([]geom.DualQuat, n), make([]geom.Affine, n)}
}

// SetPalette poses the limbs. It allocates nothing.
func (b *Body) SetPalette(p *Palette, pose *Pose) {
	for j, parent := range b.Parents {
		at, q := b.Joints[j], pose.Turns[j]
		turn := q.Mat3()
		if parent < 0 {
			p.Motions[j] = geom.NewAffine(turn, pose.Place.Sub(turn.Apply(at)))
			p.Twists[j] = geom.DualQuat{Real: geom.IdentityQuat()} // a root's twist cancels
		} else {
			local := geom.NewAffine(turn, at.Sub(turn.Apply(at)))
			p.Motions[j].SetProduct(&p.Motions[parent], &local)
			twist := geom.AxisAngle(b.Axes[j], 2*geom.HalfTwist(q, b.Axes[j]))
			p.Twists[j] = p.Twists[parent].Mul(geom.NewDualQuat(twist, at.Sub(twist.Rotate(at))))
		}
		back := p.Twists[j].Conjugate().Affine()
		p.Swings[j].SetProduct(&p.Motions[j], &back)
	}
}

// shortTwist is the length of a sum of twists below which the strongest is taken alone.
const shortTwist = 1e-6

// Map returns the matrix by which a vertex with these weights moves (twist-swing.md, step 5).
func (p *Palette) Map(swing, twist []skinning.Share) (m geom.Affine) {
	blend, sum := p.swing(swing), p.twist(twist)
	turned := sum.Affine()
	m.SetProduct(&blend, &turned)
	return m
}

// swing returns the linear blend of the swings.
func (p *Palette) swing(swing []skinning.Share) (blend geom.Affine) {
	for _, s := range swing {
		m := &p.Swings[s.Joint]
		for k := range blend {
			blend[k] += s.Weight * m[k]
		}
	}
	return blend
}

// twist returns the sum of the twists, not of unit length, or the twist of the strongest where the sum is too short.
func (p *Palette) twist(twist []skinning.Share) (sum geom.DualQuat) {
	strongest := 0
	for k, s := range twist {
		t := &p.Twists[s.Joint]
		for c := range t.Real {
			sum.Real[c] += s.Weight * t.Real[c]
			sum.Dual[c] += s.Weight * t.Dual[c]
		}
		if best := twist[strongest]; s.Weight > best.Weight || s.Weight == best.Weight && s.Joint < best.Joint {
			strongest = k
		}
	}
	if sum.Real.Dot(sum.Real) < shortTwist*shortTwist {
		return p.Twists[twist[strongest].Joint]
	}
	return sum
}
