package fitted

import (
	"slices"

	"skinlab/skinning"
)

// SameShape reports whether two versions of a model have the same vertices and the same joints, so that a fit of one is
// a fit of the other. Clips, materials and weights may differ.
func SameShape(a, b *skinning.Model) bool {
	mesh := func(a, b *skinning.Mesh) bool {
		return slices.Equal(a.Positions, b.Positions) && slices.Equal(a.Triangles, b.Triangles) &&
			len(a.Morphs) == len(b.Morphs)
	}
	same := mesh(&a.Skin, &b.Skin) && len(a.Rigid) == len(b.Rigid) && len(a.MorphSlots) == len(b.MorphSlots) &&
		slices.Equal(a.Skeleton.Joints, b.Skeleton.Joints) &&
		slices.EqualFunc(a.Skeleton.Nodes, b.Skeleton.Nodes, func(a, b skinning.Node) bool {
			return a.Name == b.Name && a.Parent == b.Parent
		})
	for i := 0; same && i < len(a.Rigid); i++ {
		same = mesh(&a.Rigid[i], &b.Rigid[i])
	}
	return same
}

// Onto returns a fitted model with the clips, the materials and the rest of another version of the model that was
// fitted, which has its shape: see SameShape. A model with a mesh of its own, or with joints that only its own clips
// move, is returned as it is. The result shares its data with the models.
func Onto(m, of, now *skinning.Model) *skinning.Model {
	nodes, joints := len(of.Skeleton.Nodes), len(of.Skeleton.Joints)
	if of == now || len(m.Skin.Positions) == 0 || len(of.Skin.Positions) == 0 ||
		&m.Skin.Positions[0] != &of.Skin.Positions[0] || len(m.Skeleton.Joints) < joints || len(m.Skeleton.Nodes) < nodes ||
		slices.ContainsFunc(m.Skeleton.Joints[joints:], func(j skinning.Joint) bool { return j.Free }) {
		return m
	}
	out := *now
	out.Rigs, out.Fit, out.Skin.Influences = m.Rigs, m.Fit, m.Skin.Influences
	if len(m.Skin.Inputs) > 0 && (len(of.Skin.Inputs) == 0 || &m.Skin.Inputs[0] != &of.Skin.Inputs[0]) {
		out.Skin.Inputs = m.Skin.Inputs // those of the fit
	}
	if len(m.Skin.Morphs) == 0 {
		out.Skin.Morphs = nil // which the fit has learnt
	}
	s := &out.Skeleton
	s.Nodes = slices.Concat(s.Nodes, m.Skeleton.Nodes[nodes:])
	s.Joints = slices.Concat(s.Joints, m.Skeleton.Joints[joints:])
	s.Order = m.Skeleton.Order // the nodes have the same parents
	return &out
}
