package transfer

import (
	"fmt"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/bodymodel"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/messages"
)

// rig is a model as a body of limbs, whose rotations the fit finds. The limbs are the nodes of joints that have weight.
// If these have no common root among them, the nearest node above all of them is a limb too. Every other node keeps its
// static transform.
type rig struct {
	model *skinning.Model
	body  *bodymodel.Body
	node  []int         // of each limb
	bind  []geom.Affine // of each limb: from its node's space to rest space, in the bind pose
	mesh  *mesh
}

// newRig makes the limbs of a model's skin, posed by linear blending or by twist-swing.
func newRig(m *skinning.Model, linear bool) (*rig, error) {
	if len(m.Skin.Positions) == 0 || len(m.Skeleton.Joints) == 0 {
		return nil, fmt.Errorf("%s: no skin on a skeleton: nothing to pose", m.Name)
	}
	for _, r := range m.Rigs {
		if len(r.Joints()) > 0 {
			return nil, fmt.Errorf("%s: its %s are driven by other joints: give the model that they were fitted to", m.Name,
				r.Names().Bones())
		}
	}
	r := &rig{model: m, body: &bodymodel.Body{Linear: linear}}
	limbOf, err := r.addLimbs()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.Name, err)
	}
	b := r.body
	b.Vertices = m.Skin.RestPositions(m.NewPose().Morphs)
	for v, p := range b.Vertices {
		if !geom.IsFinite(p[:]...) {
			return nil, fmt.Errorf("%s: vertex %d is at %v, expected finite numbers", m.Name, v, p)
		}
	}
	area := 0.0
	for _, a := range vertexAreas(b.Vertices, m.Skin.Triangles) {
		area += a
	}
	if !(area > 0) {
		return nil, fmt.Errorf("%s: its skin has no surface: nothing to compare", m.Name)
	}
	b.Swing = shares(&m.Skin.Influences, limbOf)
	b.Twist = b.Swing
	if second := m.Skin.Second(skinning.TwistSwing); second != nil {
		b.Twist = shares(second, limbOf)
	}
	r.setAxes(limbOf)
	r.mesh = newMesh(b.Vertices, m.Skin.Triangles)
	return r, nil
}

// addLimbs finds the limbs, and returns the limb of each joint.
func (r *rig) addLimbs() (limbOf []int, err error) {
	s := &r.model.Skeleton
	carries := make([]bool, len(s.Joints))
	var buffer []skinning.Influence
	for _, set := range r.model.Skin.WeightSets() {
		for v := range set.Bindings {
			for _, in := range set.Of(buffer[:0], v) {
				carries[in.Joint] = true
			}
		}
	}
	isLimb := make([]bool, len(s.Nodes))
	for j := range s.Joints {
		isLimb[s.Joints[j].Node] = isLimb[s.Joints[j].Node] || carries[j]
	}
	root, err := r.rootOf(isLimb)
	if err != nil {
		return nil, err
	}
	isLimb[root] = true
	limbAt := make([]int, len(s.Nodes))
	for i := range limbAt {
		limbAt[i] = -1
	}
	for _, i := range s.Order {
		if !isLimb[i] {
			continue
		}
		parent := s.Nodes[i].Parent
		for parent >= 0 && !isLimb[parent] {
			parent = s.Nodes[parent].Parent
		}
		if parent >= 0 {
			parent = limbAt[parent]
		}
		limbAt[i] = len(r.node)
		r.node = append(r.node, i)
		r.body.Parents = append(r.body.Parents, parent)
	}
	r.bind = make([]geom.Affine, len(r.node))
	bound := make([]bool, len(r.node))
	limbOf = make([]int, len(s.Joints))
	for j := range s.Joints {
		limb := limbAt[s.Joints[j].Node]
		limbOf[j] = limb
		if limb < 0 || bound[limb] && !carries[j] {
			continue
		}
		back, ok := s.Joints[j].FromRest.Inverse()
		if !ok {
			return nil, fmt.Errorf("joint %q: its bind matrix is singular", messages.Shortened(s.Joints[j].Name))
		}
		r.bind[limb], bound[limb] = back, true
	}
	if !bound[0] { // a plain node above all joints: its rest place is its static one
		globals := make([]geom.Affine, len(s.Nodes))
		s.Globals(globals, r.model.NewPose())
		r.bind[0] = globals[root]
	}
	for limb := range r.node {
		r.body.Joints = append(r.body.Joints, r.bind[limb].Translation())
	}
	return limbOf, nil
}

// setAxes gives the limbs the bone axes of their joints.
func (r *rig) setAxes(limbOf []int) {
	b := r.body
	b.Axes = make([]mgl64.Vec3, len(r.node))
	if b.Linear {
		return
	}
	axes, _ := r.model.BoneAxes()
	for j, limb := range limbOf {
		if limb >= 0 && b.Axes[limb] == (mgl64.Vec3{}) {
			b.Axes[limb] = axes[j]
		}
	}
}

// rootOf returns the lowest node that is above, or equal to, every node of a set.
func (r *rig) rootOf(set []bool) (int, error) {
	s := &r.model.Skeleton
	total := 0
	for _, in := range set {
		if in {
			total++
		}
	}
	below := make([]int, len(s.Nodes)) // the number of nodes of the set at or below the node
	for _, i := range slices.Backward(s.Order) {
		if set[i] {
			below[i]++
		}
		if below[i] == total {
			return i, nil // the first from below: all others that have as many are above it
		}
		if p := s.Nodes[i].Parent; p >= 0 {
			below[p] += below[i]
		}
	}
	return 0, fmt.Errorf("the skeleton has several roots, and no node above them that could carry the whole body")
}

// shares lists the weights of vertices over limbs. Their sums are 1 in float64.
func shares(in *skinning.Influences, limbOf []int) [][]skinning.Share {
	out := skinning.SharesOf(in)
	for _, all := range out {
		sum := 0.0
		for _, s := range all {
			sum += s.Weight
		}
		for k, s := range all {
			all[k] = skinning.Share{Joint: uint16(limbOf[s.Joint]), Weight: s.Weight / sum}
		}
	}
	return out
}

// poseOf returns the pose of the limbs in a frame of the model. Scales, and translations of limbs against their
// parents, are lost.
func (r *rig) poseOf(f *skinning.Frame) bodymodel.Pose {
	motions := make([]geom.Affine, len(r.node))
	turns := make([]geom.Quat, len(r.node))
	pose := bodymodel.Pose{Turns: make([]geom.Quat, len(r.node))}
	for limb, node := range r.node {
		back, _ := r.bind[limb].Inverse()
		motions[limb] = f.Globals[node].Mul(back)
		rotation, _ := geom.PolarDecompose(motions[limb].Linear())
		turns[limb] = geom.QuatFromMat3(rotation)
		pose.Turns[limb] = turns[limb]
		if p := r.body.Parents[limb]; p >= 0 {
			pose.Turns[limb] = turns[p].Conjugate().Mul(turns[limb]).Normalize()
		}
	}
	pose.Place = motions[0].Apply(r.body.Joints[0])
	return pose
}

// rest returns the bind pose.
func (r *rig) rest() bodymodel.Pose {
	pose := bodymodel.Pose{Place: r.body.Joints[0], Turns: make([]geom.Quat, len(r.node))}
	for limb := range pose.Turns {
		pose.Turns[limb] = geom.IdentityQuat()
	}
	return pose
}

// clonePose returns a copy that shares nothing.
func clonePose(p *bodymodel.Pose) bodymodel.Pose {
	return bodymodel.Pose{Place: p.Place, Turns: slices.Clone(p.Turns)}
}

// moved returns the pose after a rigid motion of the whole body: v becomes turn·v + by.
func moved(p *bodymodel.Pose, turn geom.Quat, by mgl64.Vec3) bodymodel.Pose {
	out := clonePose(p)
	out.Place = turn.Rotate(p.Place).Add(by)
	out.Turns[0] = turn.Mul(p.Turns[0]).Normalize()
	return out
}
