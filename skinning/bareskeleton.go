package skinning

import (
	"github.com/go-gl/mathgl/mgl32"

	"skinlab/skinning/geom"
)

// IsSkeleton reports whether the model has no mesh to draw, only a skeleton and its motion.
func (m *Model) IsSkeleton() bool { return len(m.Skin.Positions) == 0 && len(m.Rigid) == 0 }

// JointPlaces returns the position of every joint, by the globals of a pose.
func (s *Skeleton) JointPlaces(globals []geom.Affine) []mgl32.Vec3 {
	places := make([]mgl32.Vec3, len(s.Joints))
	for j := range places {
		places[j] = geom.Vec32(globals[s.Joints[j].Node].Translation())
	}
	return places
}

// BindNodes makes joints of the nodes that isJoint marks, in node order. It serves models whose file has no skin to
// list the joints. len(isJoint) is the number of nodes. Rest space is world space, and the joints are bound where the
// static pose has them. Skeleton.Order must be there.
func (m *Model) BindNodes(isJoint []bool) {
	s := &m.Skeleton
	globals := make([]geom.Affine, len(s.Nodes))
	s.Globals(globals, m.NewPose())
	at := make([]int, len(s.Nodes)) // the joint of a node
	for i := range s.Nodes {
		at[i] = -1
		if !isJoint[i] {
			continue
		}
		at[i] = len(s.Joints)
		joint := Joint{Name: Named(s.Nodes[i].Name, "Joint", at[i]), Node: i, Parent: -1, Position: globals[i].Translation()}
		var ok bool
		joint.FromRest, ok = globals[i].Inverse()
		if !ok || !joint.FromRest.IsFinite() { // scaled to nothing
			joint.FromRest = geom.NewAffine(geom.Identity3(), joint.Position.Mul(-1))
		}
		s.Joints = append(s.Joints, joint)
	}
	near := make([]int, len(s.Nodes)) // the joint at or above a node, −1 for none
	for _, i := range s.Order {
		above := -1
		if p := s.Nodes[i].Parent; p >= 0 {
			above = near[p]
		}
		near[i] = above
		if at[i] >= 0 {
			s.Joints[at[i]].Parent = above
			near[i] = at[i]
		}
	}
}
