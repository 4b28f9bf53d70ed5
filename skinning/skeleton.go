package skinning

import (
	"errors"
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning/geom"
)

// Node is one node of the scene. Nodes are kept in file order; a joint is a node that a skin refers to.
type Node struct {
	Name   string
	Parent int            // index of the parent node, −1 for a root
	Rest   geom.Transform // the static transform
	// Matrix is set where the file gives a matrix that no Transform equals (shear). It holds while the pose leaves the
	// node at Rest.
	Matrix *geom.Affine
}

// Joint is one entry of the palette: a node together with where it was bound.
type Joint struct {
	Name   string
	Node   int // index into Skeleton.Nodes
	Skin   int // index of the file's skin
	Parent int // nearest ancestor joint of the same skin (index into Skeleton.Joints), −1 for none
	// FromRest maps rest space into the joint's space: B_j·A⁻¹. The skinning matrix is C_j = G_j·FromRest.
	FromRest geom.Affine
	Position mgl64.Vec3 // a_j, the joint's position in rest space, metres
	// Free marks a joint that a fit has added behind the file's own, and that clips move as they move these: no rig
	// drives it. See remodel.WithFreeJoints.
	Free bool
}

// Skeleton is the node tree and the joints of all skins, one after the other.
type Skeleton struct {
	Nodes  []Node
	Order  []int // node indices, every parent before its children
	Joints []Joint
	// Humanoid is the nodes of the parts of a body that the file declares, by the names of VRM 1.0: "leftUpperArm".
	Humanoid map[string]int
}

// ErrCycle reports a node hierarchy that is not a forest.
var ErrCycle = errors.New("the node hierarchy is a cycle")

// SortNodes fills Order in time linear in the number of nodes, without recursion: hierarchies of any depth are fine.
// It returns [ErrCycle] with one node of the cycle, or an error for a parent index out of range.
func (s *Skeleton) SortNodes() error {
	n := len(s.Nodes)
	state := make([]uint8, n) // 0 unseen, 1 on the current path, 2 placed
	s.Order = make([]int, 0, n)
	path := make([]int, 0, 64)
	for i := range s.Nodes {
		path = path[:0]
		for j := i; j >= 0 && state[j] != 2; j = s.Nodes[j].Parent {
			if p := s.Nodes[j].Parent; p < -1 || p >= n {
				return fmt.Errorf("node %d: parent %d is not one of %d nodes", j, p, n)
			}
			if state[j] == 1 {
				return fmt.Errorf("node %d: %w", j, ErrCycle)
			}
			state[j] = 1
			path = append(path, j)
		}
		for k := len(path) - 1; k >= 0; k-- {
			state[path[k]] = 2
			s.Order = append(s.Order, path[k])
		}
	}
	return nil
}

// JointNodes returns the number of distinct nodes that are joints: two skins over the same bones count them once.
func (s *Skeleton) JointNodes() int {
	seen := make(map[int]struct{}, len(s.Joints))
	for _, j := range s.Joints {
		seen[j.Node] = struct{}{}
	}
	return len(seen)
}

// NodesOf returns the number of distinct nodes of joints. A node of several skins is a joint of each.
func (s *Skeleton) NodesOf(joints []int) int {
	seen := make(map[int]struct{}, len(joints))
	for _, j := range joints {
		seen[s.Joints[j].Node] = struct{}{}
	}
	return len(seen)
}

// neighbours reports whether one of joints a and b is the parent of the other, and which of them is the child.
func (s *Skeleton) neighbours(a, b int) (child int, ok bool) {
	switch {
	case s.Joints[b].Parent == a:
		return b, true
	case s.Joints[a].Parent == b:
		return a, true
	}
	return 0, false
}

// Globals computes the global transform of every node for a pose into dst, len(dst) == len(s.Nodes). It allocates
// nothing.
func (s *Skeleton) Globals(dst []geom.Affine, pose *Pose) {
	s.someGlobals(dst, pose, s.Order)
}

// someGlobals is Globals of some nodes, parents before their children.
func (s *Skeleton) someGlobals(dst []geom.Affine, pose *Pose, nodes []int) {
	if len(dst) != len(s.Nodes) || len(pose.Local) != len(s.Nodes) {
		panic(fmt.Sprintf("skinning: Globals: %d dst, %d local, %d nodes", len(dst), len(pose.Local), len(s.Nodes)))
	}
	for _, i := range nodes {
		n := &s.Nodes[i]
		if n.Parent < 0 {
			n.Local(&dst[i], &pose.Local[i])
			continue
		}
		var local geom.Affine
		n.Local(&local, &pose.Local[i])
		dst[i].SetProduct(&dst[n.Parent], &local)
	}
}

// Local sets m to the node's matrix in its parent's space.
func (n *Node) Local(m *geom.Affine, pose *geom.Transform) {
	if n.Matrix != nil && *pose == n.Rest {
		*m = *n.Matrix
		return
	}
	pose.AffineTo(m)
}

// Palette computes the skinning matrices C_j = G_j·B_j·A⁻¹ from the globals, len(dst) == len(s.Joints). It allocates
// nothing.
func (s *Skeleton) Palette(dst []geom.Affine, globals []geom.Affine) {
	if len(dst) != len(s.Joints) || len(globals) != len(s.Nodes) {
		panic(fmt.Sprintf("skinning: Palette: %d dst, %d joints, %d globals, %d nodes",
			len(dst), len(s.Joints), len(globals), len(s.Nodes)))
	}
	for j := range s.Joints {
		dst[j].SetProduct(&globals[s.Joints[j].Node], &s.Joints[j].FromRest)
	}
}

// MovesLike reports whether two joints of one node move vertices alike: whether their FromRest is the same within a
// tolerance, of 1 or of itself.
func (j *Joint) MovesLike(other *Joint, tolerance float64) bool {
	for k, v := range other.FromRest {
		if !(math.Abs(j.FromRest[k]-v) <= tolerance*(1+math.Abs(v))) {
			return false
		}
	}
	return true
}
