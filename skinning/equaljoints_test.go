package skinning

import (
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning/geom"
)

// TestMergeEqualJoints: joints of one node and one bind pose become the first of them, the weights of a vertex of both are
// summed, and a joint of the same node with another bind pose stays. A model without such joints is itself.
func TestMergeEqualJoints(t *testing.T) {
	at := func(x float64) geom.Affine { return geom.NewAffine(geom.Identity3(), mgl64.Vec3{x, 0, 0}) }
	m := &Model{}
	m.Skeleton.Joints = []Joint{
		{Node: 0, FromRest: at(1)}, {Node: 1, FromRest: at(1)}, {Node: 0, FromRest: at(1 + 1e-7)}, {Node: 0, FromRest: at(2)},
	}
	if m.Skin.Append([]Influence{{1, 0.5}, {3, 0.5}}, 0); m.MergeEqualJoints() == m {
		t.Error("two joints are alike, and the model is itself")
	}
	m.Skin.Append([]Influence{{0, 0.25}, {1, 0.5}, {2, 0.25}}, 0)
	out := m.MergeEqualJoints()
	for v, want := range [][]Influence{{{1, 0.5}, {3, 0.5}}, {{0, 0.5}, {1, 0.5}}} { // quarters are exact
		if got := out.Skin.Of(nil, v); !slices.Equal(got, want) {
			t.Errorf("vertex %d follows %v, expected %v", v, got, want)
		}
	}
	m.Skeleton.Joints[2].FromRest = at(3)
	if m.MergeEqualJoints() != m {
		t.Error("no two joints are alike, and the model is another")
	}
}
