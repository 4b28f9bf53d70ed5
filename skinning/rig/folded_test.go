package rig

import (
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/internal/skinningtest"
	"skinlab/skinning"
	"skinlab/skinning/anatomy"
)

// TestFoldedJoints: a folded model has the weights from before the fit. Its added joints count as driven, and so does
// the joint that a second skin has on the node of one.
func TestFoldedJoints(t *testing.T) {
	m := skinningtest.RandomModel(40, 5, 2, 1)
	fitted, err := WithBlendBones(m, skinning.DQS, []BlendBone{{Masters: []uint16{1, 2}, Weights: []float64{0.5, 0.5}}},
		m.Skin.Influences)
	if err != nil {
		t.Fatal(err)
	}
	s := &fitted.Skeleton
	s.Joints = append(slices.Clip(s.Joints), s.Joints[5])
	folded := Folded(fitted)
	if got, want := folded.DrivenJoints(), []bool{5: true, 6: true}; !slices.Equal(got, want) {
		t.Errorf("driven %v, expected %v", got, want)
	}
	if !HasOriginal(fitted) || HasOriginal(folded) || len(folded.Added()) > 0 ||
		!slices.Equal(folded.Skin.Bindings, m.Skin.Bindings) {
		t.Errorf("the folded model has %d added joints, or other weights than before the fit", len(folded.Added()))
	}
	// A bone that ran to the added joint too would turn otherwise.
	s.Joints[5].Parent, s.Joints[5].Position = 1, mgl64.Vec3{9, 8, 7}
	for j := range m.Skeleton.Joints {
		want := anatomy.Bone(m, j)
		if got, before := anatomy.Bone(folded, j), anatomy.Bone(fitted, j); got != want || before != want {
			t.Errorf("the bone of joint %d is %v folded and %v fitted, expected %v", j, got, before, want)
		}
	}
}
