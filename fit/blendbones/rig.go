package blendbones

import "skinlab/skinning"

// Rig is a fit's outcome: blend bones, numbered behind the master joints, and weights over both.
type Rig struct {
	Operator   skinning.Method
	Bones      []skinning.BlendBone
	Influences skinning.Influences // w'-weights; indices from the number of master joints on are blend bones
}

// Model returns m with the rig's bones and weights: plain linear blending of it looks like the operator on m.
func (r *Rig) Model(m *skinning.Model) (*skinning.Model, error) {
	return m.WithBlendBones(r.Operator, r.Bones, r.Influences)
}
