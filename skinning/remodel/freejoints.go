package remodel

import (
	"skinlab/skinning"

	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning/geom"
)

// FreeJoint is a joint that a fit adds behind a model's own and that clips move: its motion is known at the times of a
// sequence, and no rig makes it from other joints.
type FreeJoint struct {
	Name   string
	Parent int        // the joint whose node carries its node; −1 for none
	Place  mgl64.Vec3 // where it is at rest and about which it turns: metres, rest space
}

// WithFreeJoints returns a copy of the model with free joints behind its own, in their order, and with new weights over
// all joints. At rest, a free joint's node moves with its parent. The copy shares everything else with m.
func WithFreeJoints(m *skinning.Model, free []FreeJoint, weights skinning.Influences) (*skinning.Model, error) {
	out := *m
	s := &out.Skeleton
	s.Nodes, s.Joints = slices.Clip(s.Nodes), slices.Clip(s.Joints)
	for _, f := range free {
		toParent, node, skin := geom.IdentityAffine(), -1, 0
		if f.Parent >= 0 {
			p := &m.Skeleton.Joints[f.Parent]
			toParent, node, skin = p.FromRest, p.Node, p.Skin
		}
		rest := geom.IdentityTransform()
		rest.Translation = toParent.Apply(f.Place)
		back := geom.NewAffine(geom.Identity3(), rest.Translation.Mul(-1))
		s.Joints = append(s.Joints, skinning.Joint{Name: f.Name, Node: len(s.Nodes), Skin: skin, Parent: f.Parent,
			FromRest: back.Mul(toParent), Position: f.Place, Free: true})
		s.Nodes = append(s.Nodes, skinning.Node{Name: f.Name, Parent: node, Rest: rest})
	}
	if err := s.SortNodes(); err != nil {
		return nil, err
	}
	out.Skin.SetWeights(weights)
	return &out, weights.Validate(len(s.Joints))
}

// FreeMotion returns the local transform of a free joint's node that gives the joint a skinning matrix in a frame of
// the model. It is not ok where no transform does: where the parent is scaled to zero, or unevenly across the turn.
func FreeMotion(f *skinning.Frame, joint int, matrix *geom.Affine) (local geom.Transform, ok bool) {
	j := &f.Model.Skeleton.Joints[joint]
	toRest, ok := j.FromRest.Inverse()
	global := matrix.Mul(toRest)
	if p := f.Model.Skeleton.Nodes[j.Node].Parent; ok && p >= 0 {
		var back geom.Affine
		back, ok = f.Globals[p].Inverse()
		global = back.Mul(global)
	}
	local, exact := geom.DecomposeAffine(global)
	return local, ok && exact
}
