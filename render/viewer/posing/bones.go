package posing

import (
	"cmp"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
)

// Bone is a joint as the user sees and picks it. If two skins use the same node, both their joints are one bone.
type Bone struct {
	Joint  int // the node's joint with the largest weights on the skin
	Node   int
	Parent int  // index of the nearest bone above in the hierarchy, −1 for a root
	Depth  int  // number of bones above
	End    int  // the bones below are the next ones up to this index, exclusive
	Moves  bool // it is a root, or a clip moves it against its parent
	Unused bool // neither it nor a bone below moves anything visible: an animator's handle
	Name   string
}

// Skeleton is the list of a model's bones, depth first: a bone comes before the bones below it.
type Skeleton struct {
	Bones   []Bone
	ofJoint []int // bone of each joint, −1 for a joint that is not listed
}

// NewSkeleton lists a model's bones without its added joints: these follow their masters and cannot be posed.
func NewSkeleton(m *skinning.Model, added []skinning.Added) *Skeleton {
	rig := &m.Skeleton
	hidden := make([]bool, len(rig.Joints))
	for i := range added {
		if j := added[i].Joint; j < len(hidden) {
			hidden[j] = true
		}
	}
	share := jointShares(m)
	best := make([]int, len(rig.Nodes)) // per node, 1 + its joint
	for j := range rig.Joints {
		if n := rig.Joints[j].Node; !hidden[j] && (best[n] == 0 || share[j] > share[best[n]-1]) {
			best[n] = j + 1
		}
	}
	s := &Skeleton{ofJoint: make([]int, len(rig.Joints))}
	s.order(rig, best)
	s.findIdle(m, share)
	s.findMoving(m)
	at := make([]int, len(rig.Nodes))
	for i := range s.Bones {
		at[s.Bones[i].Node] = i + 1
	}
	for j := range s.ofJoint {
		s.ofJoint[j] = at[rig.Joints[j].Node] - 1
		if hidden[j] {
			s.ofJoint[j] = -1
		}
	}
	return s
}

// findIdle marks the bones that move nothing visible.
func (s *Skeleton) findIdle(m *skinning.Model, share []float64) {
	rig := &m.Skeleton
	moves := make([]bool, len(rig.Nodes))
	for j := range rig.Joints {
		moves[rig.Joints[j].Node] = moves[rig.Joints[j].Node] || share[j] > 0 || m.IsSkeleton()
	}
	for i := range m.Rigid {
		for k := range m.Rigid[i].Parts {
			moves[m.Rigid[i].Parts[k].Node] = true
		}
	}
	for k := len(rig.Order) - 1; k >= 0; k-- { // children before their parents
		if i := rig.Order[k]; moves[i] && rig.Nodes[i].Parent >= 0 {
			moves[rig.Nodes[i].Parent] = true
		}
	}
	for i := range s.Bones {
		s.Bones[i].Unused = !moves[s.Bones[i].Node]
	}
}

// findMoving marks the bones that may move. Many files have keys of translations that are those of the rest pose.
func (s *Skeleton) findMoving(m *skinning.Model) {
	const still = 1e-3 // of the length of a translation
	moves := make([]bool, len(m.Skeleton.Nodes))
	for i := range m.Clips {
		for k := range m.Clips[i].Channels {
			c := &m.Clips[i].Channels[k]
			if c.Path != skinning.PathTranslation || moves[c.Node] {
				continue
			}
			rest := m.Skeleton.Nodes[c.Node].Rest.Translation
			first, step := 0, 3
			if c.Interpolation == skinning.CubicSpline { // between its tangents
				first, step = 3, 9
			}
			for at := first; at+3 <= len(c.Values); at += step {
				v := mgl64.Vec3{float64(c.Values[at]), float64(c.Values[at+1]), float64(c.Values[at+2])}
				moves[c.Node] = moves[c.Node] || v.Sub(rest).Len() > still*max(v.Len(), rest.Len())
			}
		}
	}
	for i := range s.Bones {
		s.Bones[i].Moves = s.Bones[i].Parent < 0 || moves[s.Bones[i].Node]
	}
}

// DepthFirst yields nodes, parents before children, in the file's order. It does not recurse, at any depth.
func DepthFirst(nodes []skinning.Node) func(yield func(node int) bool) {
	return func(yield func(node int) bool) {
		roots := 0
		first, next := make([]int, len(nodes)), make([]int, len(nodes)) // 1 + first child, 1 + next sibling
		for i := range slices.Backward(nodes) {
			head := &roots
			if p := nodes[i].Parent; p >= 0 {
				head = &first[p]
			}
			next[i], *head = *head, i+1
		}
		for node := roots - 1; node >= 0; {
			if !yield(node) {
				return
			}
			if first[node] > 0 {
				node = first[node] - 1
				continue
			}
			for node >= 0 && next[node] == 0 {
				node = nodes[node].Parent
			}
			if node >= 0 {
				node = next[node] - 1
			}
		}
	}
}

// order fills the list depth first.
func (s *Skeleton) order(rig *skinning.Skeleton, best []int) {
	above := make([]int, len(rig.Nodes)) // 1 + the bone of a node or of the nearest node above that has one
	for node := range DepthFirst(rig.Nodes) {
		if p := rig.Nodes[node].Parent; p >= 0 {
			above[node] = above[p]
		}
		if best[node] > 0 {
			s.Bones = append(s.Bones, s.made(rig, best[node]-1, above[node]-1))
			above[node] = len(s.Bones)
		}
	}
	for i := range slices.Backward(s.Bones) {
		e := &s.Bones[i]
		e.End = max(e.End, i+1)
		if e.Parent >= 0 {
			p := &s.Bones[e.Parent]
			p.End = max(p.End, e.End)
		}
	}
}

func (s *Skeleton) made(rig *skinning.Skeleton, joint, parent int) Bone {
	of := &rig.Joints[joint]
	e := Bone{Joint: joint, Node: of.Node, Parent: parent,
		Name: skinning.Named(cmp.Or(of.Name, rig.Nodes[of.Node].Name), "Joint", joint)}
	if parent >= 0 {
		e.Depth = s.Bones[parent].Depth + 1
	}
	return e
}

// Of returns the bone of a joint, −1 for none.
func (s *Skeleton) Of(joint int) int {
	if joint < 0 || joint >= len(s.ofJoint) {
		return -1
	}
	return s.ofJoint[joint]
}

// OfNode returns the bone of a node, −1 for none.
func (s *Skeleton) OfNode(node int) int {
	return slices.IndexFunc(s.Bones, func(b Bone) bool { return b.Node == node })
}

// Leaf reports whether a bone has no bones below it.
func (s *Skeleton) Leaf(i int) bool { return s.Bones[i].End == i+1 }

// Place returns the position of a bone's joint in a posed frame.
func (s *Skeleton) Place(f *skinning.Frame, i int) mgl64.Vec3 {
	return f.Globals[s.Bones[i].Node].Translation()
}

// jointShares returns the sum of each joint's weights over the skin.
func jointShares(m *skinning.Model) []float64 {
	share := make([]float64, len(m.Skeleton.Joints))
	var buf []skinning.Influence
	for v := range m.Skin.Bindings {
		buf = m.Skin.Of(buf[:0], v)
		for _, i := range buf {
			share[i.Joint] += float64(i.Weight)
		}
	}
	return share
}
