package viewer

import (
	"strings"
	"testing"

	"skinlab/skinning"
)

// TestSkeletonListsEveryJointOnce checks the order of the tree and that its parts are whole.
func TestSkeletonListsEveryJointOnce(t *testing.T) {
	for _, name := range []string{"demo:figure", "demo:tube", "demo:arm", "demo:box"} {
		m := demo(t, name)
		s := newSkeleton(m, nil)
		if len(s.bones) != m.Skeleton.JointNodes() {
			t.Errorf("%s: %d bones, expected %d", name, len(s.bones), m.Skeleton.JointNodes())
		}
		for i := range s.bones {
			b := &s.bones[i]
			if b.parent >= i || b.end <= i || b.end > len(s.bones) {
				t.Errorf("%s: bone %d has parent %d and ends at %d", name, i, b.parent, b.end)
			}
			if p := b.parent; p >= 0 && (s.bones[p].end < b.end || s.bones[p].depth != b.depth-1) {
				t.Errorf("%s: bone %d is not inside its parent %d", name, i, p)
			}
			if s.of(b.joint) != i || m.Skeleton.Joints[b.joint].Node != b.node || b.key != strings.ToLower(b.name) {
				t.Errorf("%s: bone %d: %+v", name, i, b)
			}
		}
		if s.of(-1) != -1 || s.of(len(m.Skeleton.Joints)) != -1 {
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
	s := newSkeleton(m, []skinning.Added{{Joint: 2}})
	if len(s.bones) != 2 || s.bones[1].name != "d" || s.bones[1].parent != 0 || s.bones[1].joint != 3 || s.of(1) != 1 ||
		s.of(2) != -1 {
		t.Errorf("%+v, %v", s.bones, s.ofJoint)
	}

	const long = 100_000
	m = &skinning.Model{}
	for i := range long {
		m.Skeleton.Nodes = append(m.Skeleton.Nodes, skinning.Node{Parent: i - 1})
		m.Skeleton.Joints = append(m.Skeleton.Joints, skinning.Joint{Node: i, Parent: i - 1})
	}
	if s := newSkeleton(m, nil); len(s.bones) != long || s.bones[long-1].depth != long-1 || s.bones[0].end != long {
		t.Errorf("a chain of %d joints gives %d bones", long, len(s.bones))
	}
}
