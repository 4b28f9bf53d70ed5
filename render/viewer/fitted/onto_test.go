package fitted

import (
	"testing"

	"skinlab/assets/demo"
)

// TestOntoLeavesLearntShapesOut: a fit that has learnt shapes does not show them by morph targets as well, over another
// version of its model.
func TestOntoLeavesLearntShapesOut(t *testing.T) {
	of, err := demo.New("arm")
	if err != nil {
		t.Fatal(err)
	}
	fit, newer := *of, *of
	fit.Skin.Morphs = nil
	if len(of.Skin.Morphs) == 0 {
		t.Fatal("the arm has no morph targets")
	}
	if got := Onto(&fit, of, &newer); len(got.Skin.Morphs) != 0 {
		t.Errorf("%d morph targets", len(got.Skin.Morphs))
	}
	fit.Skin.Morphs = of.Skin.Morphs
	if got := Onto(&fit, of, &newer); len(got.Skin.Morphs) != len(of.Skin.Morphs) {
		t.Errorf("a fit with its model's %d morph targets has %d", len(of.Skin.Morphs), len(got.Skin.Morphs))
	}
}
