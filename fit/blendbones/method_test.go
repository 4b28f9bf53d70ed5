package blendbones

import (
	"context"
	"testing"

	"skinlab/fit"
	"skinlab/fit/training"
	"skinlab/internal/assetstest"
	"skinlab/skinning"
)

// A figure that was trained on 12 poses of its exercises walks better than by linear blending: 16.3 %, of 19.1. Without
// prior poses, clips that are not trained on have up to 13 times the error (row 1 of docs/ablation.md).
func TestOtherClip(t *testing.T) {
	onlyNumbers(t)
	m := assetstest.Open(t, "demo:figure")
	clip := func(name string) int {
		i, err := m.ClipIndex(name)
		if err != nil {
			t.Fatal(err)
		}
		return i
	}
	out, err := fit.Run(context.Background(), fit.Job{Method: Method, Model: m, Tests: training.Tests{Clip: clip("walk")},
		Training: &training.Set{Teacher: skinning.DQS, Parts: []training.Part{{Clip: clip("exercise"), Frames: 12}}}})
	if err != nil {
		t.Fatal(err)
	}
	if r := out.Report.Test; !(r.EE < 0.9*r.LBSEE) {
		t.Errorf("EE on the walk is %.2f, of linear blending %.2f", float64(r.EE), float64(r.LBSEE))
	}
}
