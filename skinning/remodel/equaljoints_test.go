package remodel_test

import (
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/remodel"
)

// TestMergeEqualJoints: joints of one node and one bind pose become the first of them, the weights of a vertex of both
// are summed, and a joint of the same node with another bind pose stays. A model without such joints is itself.
func TestMergeEqualJoints(t *testing.T) {
	at := func(x float64) geom.Affine { return geom.NewAffine(geom.Identity3(), mgl64.Vec3{x, 0, 0}) }
	m := &skinning.Model{}
	m.Skeleton.Joints = []skinning.Joint{
		{Node: 0, FromRest: at(1)}, {Node: 1, FromRest: at(1)}, {Node: 0, FromRest: at(1 + 1e-7)}, {Node: 0, FromRest: at(2)},
	}
	m.Skin.Append([]skinning.Influence{{Joint: 1, Weight: 0.5}, {Joint: 3, Weight: 0.5}}, 0)
	if remodel.MergeEqualJoints(m) == m {
		t.Error("two joints are alike, and the model is itself")
	}
	m.Skin.Append([]skinning.Influence{{Joint: 0, Weight: 0.25}, {Joint: 1, Weight: 0.5}, {Joint: 2, Weight: 0.25}}, 0)
	out := remodel.MergeEqualJoints(m)
	for v, want := range [][]skinning.Influence{
		{{Joint: 1, Weight: 0.5}, {Joint: 3, Weight: 0.5}}, // quarters are exact
		{{Joint: 0, Weight: 0.5}, {Joint: 1, Weight: 0.5}},
	} {
		if got := out.Skin.Of(nil, v); !slices.Equal(got, want) {
			t.Errorf("vertex %d follows %v, expected %v", v, got, want)
		}
	}
	m.Skeleton.Joints[2].FromRest = at(3)
	if remodel.MergeEqualJoints(m) != m {
		t.Error("no two joints are alike, and the model is another")
	}
}

// TestJointPairs: three skins over a chain of three nodes. The first leaves out the middle, the second has all, and the
// third binds the last elsewhere.
func TestJointPairs(t *testing.T) {
	at := func(x float64) geom.Affine { return geom.NewAffine(geom.Identity3(), mgl64.Vec3{x, 0, 0}) }
	s := &skinning.Skeleton{Joints: []skinning.Joint{
		{Node: 0, FromRest: at(0), Parent: -1}, {Node: 2, FromRest: at(2), Parent: 0},
		{Node: 0, FromRest: at(0), Parent: -1}, {Node: 1, FromRest: at(1), Parent: 2}, {Node: 2, FromRest: at(2), Parent: 3},
		{Node: 0, FromRest: at(0), Parent: -1}, {Node: 1, FromRest: at(1), Parent: 5}, {Node: 2, FromRest: at(3), Parent: 6},
	}}
	want := []remodel.JointPair{{Joint: 1, Parent: 0}, {Joint: 3, Parent: 0}, {Joint: 1, Parent: 3}, {Joint: 7, Parent: 3}}
	if got := remodel.JointPairs(s); !slices.Equal(got, want) {
		t.Errorf("%v, expected %v", got, want)
	}
}
