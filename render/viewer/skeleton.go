package viewer

import (
	"strconv"
	"strings"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
)

// bone is a joint as a person sees and picks it: two skins over the same nodes have each joint twice, which is one
// bone.
type bone struct {
	joint  int // the one of the node's joints that moves most skin
	node   int
	parent int  // index of the nearest bone above, −1 for a root
	depth  int  // bones above
	end    int  // the bones below are those from the next up to here
	idle   bool // neither it nor what hangs on it moves anything that is seen: a handle of the animator's
	name   string
	key    string // name in small letters, for the search
}

// skeleton is the bones of a model as a list in which every bone stands before those below it, and they before the next
// one.
type skeleton struct {
	bones   []bone
	ofJoint []int // per joint its bone, −1 for a joint that is not shown
}

// newSkeleton lists the bones of a model. Joints of its blend bones are left out: they are not posed, they follow.
func newSkeleton(m *skinning.Model, added []skinning.Added) *skeleton {
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
	s := &skeleton{ofJoint: make([]int, len(rig.Joints))}
	s.order(rig, best)
	s.findIdle(m, share)
	at := make([]int, len(rig.Nodes))
	for i := range s.bones {
		at[s.bones[i].node] = i + 1
	}
	for j := range s.ofJoint {
		if s.ofJoint[j] = at[rig.Joints[j].Node] - 1; hidden[j] {
			s.ofJoint[j] = -1
		}
	}
	return s
}

// findIdle marks the bones that move nothing.
func (s *skeleton) findIdle(m *skinning.Model, share []float64) {
	rig := &m.Skeleton
	moves := make([]bool, len(rig.Nodes))
	for j := range rig.Joints {
		moves[rig.Joints[j].Node] = moves[rig.Joints[j].Node] || share[j] > 0
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
	for i := range s.bones {
		s.bones[i].idle = !moves[s.bones[i].node]
	}
}

// order fills the list depth first, without recursion: hierarchies of any depth are fine.
func (s *skeleton) order(rig *skinning.Skeleton, best []int) {
	first, next := make([]int, len(rig.Nodes)), make([]int, len(rig.Nodes)) // 1 + first child, 1 + next sibling
	var roots int
	for i := len(rig.Nodes) - 1; i >= 0; i-- {
		head := &roots
		if p := rig.Nodes[i].Parent; p >= 0 {
			head = &first[p]
		}
		next[i], *head = *head, i+1
	}
	above := make([]int, len(rig.Nodes)) // 1 + the bone that a node is or hangs on
	node := roots - 1
	for node >= 0 {
		parent := 0
		if p := rig.Nodes[node].Parent; p >= 0 {
			parent = above[p]
		}
		above[node] = parent
		if best[node] > 0 {
			s.bones = append(s.bones, s.made(rig, best[node]-1, parent-1))
			above[node] = len(s.bones)
		}
		switch {
		case first[node] > 0:
			node = first[node] - 1
		default:
			for node >= 0 && next[node] == 0 {
				node = rig.Nodes[node].Parent
			}
			if node >= 0 {
				node = next[node] - 1
			}
		}
	}
	for i := len(s.bones) - 1; i >= 0; i-- {
		e := &s.bones[i]
		e.end = max(e.end, i+1)
		if e.parent >= 0 {
			p := &s.bones[e.parent]
			p.end = max(p.end, e.end)
		}
	}
}

func (s *skeleton) made(rig *skinning.Skeleton, joint, parent int) bone {
	e := bone{joint: joint, node: rig.Joints[joint].Node, parent: parent, name: rig.Joints[joint].Name}
	if e.name == "" {
		e.name = rig.Nodes[e.node].Name
	}
	if e.name == "" {
		e.name = "joint " + strconv.Itoa(joint)
	}
	e.key = strings.ToLower(e.name)
	if parent >= 0 {
		e.depth = s.bones[parent].depth + 1
	}
	return e
}

// of returns the bone of a joint, −1 for none.
func (s *skeleton) of(joint int) int {
	if joint < 0 || joint >= len(s.ofJoint) {
		return -1
	}
	return s.ofJoint[joint]
}

// leaf reports whether nothing hangs on a bone.
func (s *skeleton) leaf(i int) bool { return s.bones[i].end == i+1 }

// place returns where a bone begins in a posed frame: its joint.
func (s *skeleton) place(f *skinning.Frame, i int) mgl64.Vec3 {
	return f.Globals[s.bones[i].node].Translation()
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
