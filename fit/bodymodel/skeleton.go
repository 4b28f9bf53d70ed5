package bodymodel

import (
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// skeleton is the prior knowledge of a body.
type skeleton struct {
	Parents  []int              // of each limb, which stands behind its parent; −1 for limb 0, the root
	Loose    []bool             // of each limb: see [Body]
	Joints   []mgl64.Vec3       // rest space, metres
	Vertices []mgl64.Vec3       // the bind shape
	Weights  [][]skinning.Share // of each vertex, of sum 1
}

// skeletonOf returns the skeleton of a model with its rest shape and its weights, of which each vertex keeps the
// [mostInfluences] strongest. Each joint that has a weight becomes a limb. The parent of a limb is its twist parent
// ([skinning.Model.BoneAxes]), so that the body twists as the model that is written: a foot that hangs from the root,
// or is a root itself, follows the shin with which it shares vertices. Of the limbs without one, the limb that moves
// most vertices is the root. The others are loose: they follow the root, and do not twist against it. LimbOf has the
// limb of each joint, −1 for none.
func skeletonOf(m *skinning.Model) (s *skeleton, limbOf []int) {
	s = &skeleton{}
	joints := m.Skeleton.Joints
	moved := make([]float64, len(joints)) // the sum of the weights of each joint
	s.Vertices, s.Weights = geom.Vecs64(m.Skin.Positions), skinning.SharesOf(&m.Skin.Influences)
	for v, shares := range s.Weights {
		shares, sum := shares[:min(len(shares), mostInfluences)], 0.0
		for k := range shares {
			sum += shares[k].Weight
		}
		for k := range shares {
			shares[k].Weight /= sum
			moved[shares[k].Joint] += shares[k].Weight
		}
		s.Weights[v] = shares
	}
	plain := *m
	plain.Rigs = nil // a body has none
	_, parents := plain.BoneAxes()
	above := slices.Clone(parents)
	for j := range above { // the nearest above with a weight
		for p := above[j]; p >= 0 && moved[p] == 0; p = above[j] {
			above[j] = above[p]
		}
	}
	below := slices.Clone(moved) // and of all joints below it
	root := -1
	for j := range joints {
		for p := above[j]; moved[j] > 0 && p >= 0; p = above[p] {
			below[p] += moved[j]
		}
	}
	for j := range joints {
		if moved[j] > 0 && above[j] < 0 && (root < 0 || below[j] > below[root]) {
			root = j
		}
	}
	limbOf = slices.Repeat([]int{-1}, len(joints))
	order := []int{}
	if root >= 0 {
		order = append(order, root)
		limbOf[root] = 0
	}
	for next := 0; next < len(order); next++ {
		j := order[next]
		parent := -1
		if j != root {
			parent = limbOf[root]
			if above[j] >= 0 {
				parent = limbOf[above[j]]
			}
		}
		s.Parents, s.Joints = append(s.Parents, parent), append(s.Joints, joints[j].Position)
		s.Loose = append(s.Loose, j != root && above[j] < 0)
		for k := range joints {
			if moved[k] > 0 && limbOf[k] < 0 && (above[k] == j || above[k] < 0) {
				limbOf[k] = len(order)
				order = append(order, k)
			}
		}
	}
	for _, shares := range s.Weights {
		for k := range shares {
			shares[k].Joint = uint16(limbOf[shares[k].Joint])
		}
	}
	return s, limbOf
}

// points returns the skeleton over some of its vertices: the first of each point of a surface.
func (s *skeleton) points(first []int) *skeleton {
	out := &skeleton{Parents: s.Parents, Loose: s.Loose, Joints: s.Joints}
	for _, v := range first {
		out.Vertices, out.Weights = append(out.Vertices, s.Vertices[v]), append(out.Weights, s.Weights[v])
	}
	return out
}

// body returns a body without poses that shares no memory with the skeleton.
func (s *skeleton) body() *Body {
	return &Body{Parents: slices.Clone(s.Parents), Loose: s.Loose, Joints: slices.Clone(s.Joints),
		Vertices: slices.Clone(s.Vertices), Swing: clonedShares(s.Weights)}
}
