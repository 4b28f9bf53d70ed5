package rig

import (
	"slices"
	"testing"

	"skinlab/internal/skinningtest"
	"skinlab/skinning"
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
}
