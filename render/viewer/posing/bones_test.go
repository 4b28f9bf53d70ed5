package posing

import (
	"testing"

	"skinlab/internal/assetstest"
	"skinlab/skinning"
)

// TestSkeletonListsEveryJointOnce checks the order of the tree and that its parts are whole.
func TestSkeletonListsEveryJointOnce(t *testing.T) {
	for _, name := range []string{"demo:figure", "demo:tube", "demo:arm", "demo:box"} {
		m := assetstest.Open(t, name)
		s := NewSkeleton(m, nil)
		if len(s.Bones) != m.Skeleton.JointNodes() {
			t.Errorf("%s: %d bones, expected %d", name, len(s.Bones), m.Skeleton.JointNodes())
		}
		for i := range s.Bones {
			b := &s.Bones[i]
			if b.Parent >= i || b.End <= i || b.End > len(s.Bones) {
				t.Errorf("%s: bone %d has parent %d and ends at %d", name, i, b.Parent, b.End)
			}
			if p := b.Parent; p >= 0 && (s.Bones[p].End < b.End || s.Bones[p].Depth != b.Depth-1) {
				t.Errorf("%s: bone %d is not inside its parent %d", name, i, p)
			}
			if s.Of(b.Joint) != i || m.Skeleton.Joints[b.Joint].Node != b.Node {
				t.Errorf("%s: bone %d: %+v", name, i, b)
			}
		}
		if s.Of(-1) != -1 || s.Of(len(m.Skeleton.Joints)) != -1 {
			t.Errorf("%s: joints outside the skeleton have bones", name)
		}
	}
}

// TestSkeletonOfUnusualRigs: nodes between joints are passed over, two skins over one node are one bone, the one that
// moves more skin, blend bones are left out, and a chain of any length is walked.
func TestSkeletonOfUnusualRigs(t *testing.T) {
	m := &skinning.Model{}
	for i, parent := range []int{-1, 0, 1, 2, 0} {
		m.Skeleton.Nodes = append(m.Skeleton.Nodes, skinning.Node{Parent: parent, Name: string(rune('a' + i))})
	}
	for _, node := range []int{0, 3, 4, 3} { // node 3 twice
		m.Skeleton.Joints = append(m.Skeleton.Joints, skinning.Joint{Node: node, Parent: -1})
	}
	m.Skin.Bindings = []skinning.Binding{{Joints: [4]uint16{3}, Weights: [4]float32{1}}}
	s := NewSkeleton(m, []skinning.Added{{Joint: 2}})
	if len(s.Bones) != 2 || s.Bones[1].Name != "d" || s.Bones[1].Parent != 0 || s.Bones[1].Joint != 3 || s.Of(1) != 1 ||
		s.Of(2) != -1 {
		t.Errorf("%+v, %v", s.Bones, s.ofJoint)
	}

	const long = 100_000
	m = &skinning.Model{}
	for i := range long {
		m.Skeleton.Nodes = append(m.Skeleton.Nodes, skinning.Node{Parent: i - 1})
		m.Skeleton.Joints = append(m.Skeleton.Joints, skinning.Joint{Node: i, Parent: i - 1})
	}
	if s := NewSkeleton(m, nil); len(s.Bones) != long || s.Bones[long-1].Depth != long-1 || s.Bones[0].End != long {
		t.Errorf("a chain of %d joints gives %d bones", long, len(s.Bones))
	}
}
