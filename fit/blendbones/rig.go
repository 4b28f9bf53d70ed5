package blendbones

import (
	"fmt"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
)

// Bone is one blend bone: a sample Φ(u; C) of the nonlinear operator (ALNS section 3).
type Bone struct {
	Joints  []uint16  // the master joints that drive it, ascending, at most four
	Weights []float64 // its u-weights, one per joint: non-negative, sum 1
}

// Rig is a fitted model: linear blending over the master joints and, after them in the palette, the blend bones.
type Rig struct {
	Operator   skinning.Method
	Bones      []Bone
	Influences skinning.Influences // w'-weights; indices from the number of joints on are blend bones
}

// Extend appends the matrices of the blend bones in a posed frame to dst (ALNS equation 1: the nonlinear function runs once
// per blend bone, not per vertex).
func (r *Rig) Extend(dst []skinning.Affine, f *skinning.Frame) []skinning.Affine {
	for i := range r.Bones {
		dst = append(dst, evaluate(r.Operator, f, r.Bones[i].Joints, r.Bones[i].Weights))
	}
	return dst
}

// Reference returns the skin posed by the rig in float64.
func (r *Rig) Reference(f *skinning.Frame) []mgl64.Vec3 {
	palette := r.Extend(append([]skinning.Affine(nil), f.Matrices...), f)
	rest := f.Model.Skin.RestShape(f.Morphs).Positions
	var buf []skinning.Influence
	for v := range rest {
		buf = r.Influences.Of(buf[:0], v)
		var p mgl64.Vec3
		for _, in := range buf {
			p = p.Add(palette[in.Joint].Apply(rest[v]).Mul(float64(in.Weight)))
		}
		rest[v] = p
	}
	return rest
}

// Validate checks the rig against the model that it was fitted to.
func (r *Rig) Validate(m *skinning.Model) error {
	for k, b := range r.Bones {
		if len(b.Joints) == 0 || len(b.Joints) != len(b.Weights) {
			return fmt.Errorf("blend bone %d: %d joints, %d u-weights", k, len(b.Joints), len(b.Weights))
		}
		sum := 0.0
		for i, j := range b.Joints {
			if int(j) >= len(m.Skeleton.Joints) {
				return fmt.Errorf("blend bone %d: joint %d of %d", k, j, len(m.Skeleton.Joints))
			}
			if !(b.Weights[i] >= 0) {
				return fmt.Errorf("blend bone %d: u-weight %g", k, b.Weights[i])
			}
			sum += b.Weights[i]
		}
		if !(sum > 1-1e-6 && sum < 1+1e-6) {
			return fmt.Errorf("blend bone %d: u-weights sum to %g, not 1", k, sum)
		}
	}
	if len(r.Influences.Bindings) != len(m.Skin.Positions) {
		return fmt.Errorf("weights of %d vertices for a skin of %d", len(r.Influences.Bindings), len(m.Skin.Positions))
	}
	return r.Influences.Validate(len(m.Skeleton.Joints) + len(r.Bones))
}
