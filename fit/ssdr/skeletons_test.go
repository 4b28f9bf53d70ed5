package ssdr

import (
	"slices"
	"testing"

	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// TestSkeletons: joints are of one skeleton below each other, also past a node without a joint, at one node, and by a
// vertex that follows both; a vertex without weights makes all joints one. A joint that no
// vertex follows is left out where an earlier one moves vertices alike.
func TestSkeletons(t *testing.T) {
	m := &skinning.Model{}
	for _, parent := range []int{-1, 0, -1, 2, 3} {
		m.Skeleton.Nodes = append(m.Skeleton.Nodes, skinning.Node{Parent: parent})
	}
	for j, node := range []int{2, 0, 4, 1, 1, 1} { // node 3 has none
		joint := skinning.Joint{Node: node}
		if j == 4 { // bound in another pose
			joint.FromRest[3] = 1
		}
		m.Skeleton.Joints = append(m.Skeleton.Joints, joint)
	}
	follow := func(joints ...uint16) (out []skinning.Share) {
		for _, j := range joints {
			out = append(out, skinning.Share{Joint: j, Weight: 1 / float64(len(joints))})
		}
		return out
	}
	one := [][2]int{{0, 5}, {0, 5}, {0, 5}, {0, 5}, {0, 5}, {}}
	for name, c := range map[string]struct {
		rigged [][]skinning.Share
		joints []int
		span   [][2]int
	}{
		"two": {[][]skinning.Share{follow(0, 2), follow(3)}, []int{0, 2, 1, 3, 4},
			[][2]int{{0, 2}, {2, 5}, {0, 2}, {2, 5}, {2, 5}, {}}},
		"a vertex":   {[][]skinning.Share{follow(0), follow(4, 2)}, []int{0, 1, 2, 3, 4}, one},
		"no weights": {[][]skinning.Share{follow(0), nil}, []int{0, 1, 2, 3, 4}, one},
	} {
		x := &Examples{Model: m, Rigged: c.rigged, Palettes: [][]geom.Affine{make([]geom.Affine, 6)}}
		s := skeletonsOf(x)
		if !slices.Equal(s.joints, c.joints) || !slices.Equal(s.span, c.span) {
			t.Errorf("%s: joints %v, spans %v, expected %v and %v", name, s.joints, s.span, c.joints, c.span)
		}
		for r, j := range s.joints {
			if s.rank[j] != r {
				t.Errorf("%s: joint %d has rank %d, expected %d", name, j, s.rank[j], r)
			}
		}
	}
}
