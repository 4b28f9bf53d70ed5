package bodymodel

import (
	"math"
	"reflect"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
)

// jointModel is a model whose joint j is at (j, 0, 0) and has these parents. Vertex v has one weight for each of its
// joints, in halves: 1/2, 1/4, 1/8 ...
func jointModel(parents []int, vertices [][]uint16) *skinning.Model {
	m := &skinning.Model{}
	for j, p := range parents {
		m.Skeleton.Nodes = append(m.Skeleton.Nodes, skinning.Node{Parent: p})
		m.Skeleton.Joints = append(m.Skeleton.Joints, skinning.Joint{Node: j, Parent: p, Position: mgl64.Vec3{float64(j)}})
	}
	for v, joints := range vertices {
		m.Skin.Positions = append(m.Skin.Positions, mgl32.Vec3{float32(v), 1})
		var raw []skinning.Influence
		for k, j := range joints {
			raw = append(raw, skinning.Influence{Joint: j, Weight: float32(math.Exp2(-float64(k + 1)))})
		}
		m.Skin.Append(raw, 0)
	}
	return m
}

// Joints without weights are left out, and those below them hang on the nearest above. Of two joints with none above,
// the one that moves more is the root, and the other hangs on it.
func TestSkeletonOf(t *testing.T) {
	// 0 and 2 have no weight. 1 is above 2 is above 3; 4 is above 5. The tree of 4 and 5 has more weight.
	m := jointModel([]int{-1, 0, 1, 2, -1, 4}, [][]uint16{{1}, {3}, {4}, {5}, {5}, {5}})
	s, limbOf := skeletonOf(m)
	if want := []int{-1, 1, -1, 3, 0, 2}; !reflect.DeepEqual(limbOf, want) {
		t.Errorf("limbs of joints %v, expected %v", limbOf, want)
	}
	if want := []int{-1, 0, 0, 1}; !reflect.DeepEqual(s.Parents, want) {
		t.Errorf("parents %v, expected %v", s.Parents, want)
	}
	if want := []mgl64.Vec3{{4}, {1}, {5}, {3}}; !reflect.DeepEqual(s.Joints, want) {
		t.Errorf("joints %v, expected %v", s.Joints, want)
	}
	if want := []bool{false, true, false, false}; !reflect.DeepEqual(s.Loose, want) {
		t.Errorf("loose %v, expected %v", s.Loose, want)
	}
	if want := (mgl64.Vec3{4, 1, 0}); s.Vertices[4] != want || s.points([]int{4, 1}).Vertices[0] != want {
		t.Errorf("vertex 4 is at %v", s.Vertices[4])
	}
}

// A foot that hangs from the root, 3 of 0 to 3, follows the shin, 2, with which it shares a vertex.
func TestSkeletonOfFootOnRoot(t *testing.T) {
	for name, parents := range map[string][]int{"on the root": {-1, 0, 1, 0}, "a root": {-1, 0, 1, -1}} {
		s, _ := skeletonOf(jointModel(parents, [][]uint16{{0, 1}, {1, 2}, {2, 3}, {0}}))
		if want := []int{-1, 0, 1, 2}; !reflect.DeepEqual(s.Parents, want) {
			t.Errorf("%s: parents %v, expected %v", name, s.Parents, want)
		}
	}
}

// The four strongest weights stay, with sum 1. A joint that only has weaker ones is no limb.
func TestSkeletonOfCutsWeights(t *testing.T) {
	s, limbOf := skeletonOf(jointModel([]int{-1, 0, 1, 2, 3}, [][]uint16{{2, 0, 1, 3, 4}}))
	if limbOf[4] != -1 || len(s.Weights[0]) != 4 {
		t.Errorf("limbs %v, weights %v", limbOf, s.Weights[0])
	}
	if w := s.Weights[0][0]; w.Joint != 2 || !(math.Abs(w.Weight-8./15) < 1e-6) { // of 8 + 4 + 2 + 1, in float32
		t.Errorf("the strongest weight is %v", w)
	}
	sum := 0.0
	for _, w := range s.Weights[0] {
		sum += w.Weight
	}
	if !(math.Abs(sum-1) <= 1e-12) {
		t.Errorf("weights of sum %g", sum)
	}
}
