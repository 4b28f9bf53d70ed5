package methods

import (
	"testing"

	"skinlab/fit"
	"skinlab/fit/helperbones"
	"skinlab/fit/training"
	"skinlab/internal/assetstest"
	"skinlab/skinning"
)

// TestMarkOfHelperBones: what helper bones are compared with at the end is measured as they are, so that a fit, which
// keeps the better of the two, is not drawn above it.
func TestMarkOfHelperBones(t *testing.T) {
	out := mustRun(t, fit.Job{Method: helperbones.Method, Model: assetstest.Open(t, "demo:leg"), Tests: training.Tests{Clip: -1},
		Training: &training.Set{Teacher: skinning.DQS, Parts: []training.Part{{Clip: 0, Frames: 8}}},
		Values:   fit.Values{"bones": 1}, Progress: func(fit.Progress) {}})
	marks, trained := out.Last.Marks, out.Report.History[1]
	if len(marks) != 1 || marks[0].Name != trained.What || marks[0].EE != float64(trained.EE) {
		t.Fatalf("marks %+v, expected the error of the report, %+v", marks, trained)
	}
	if !(out.Last.Now.EE <= marks[0].EE) {
		t.Errorf("a fit with an error of %g %% was kept in place of trained weights with %g", out.Last.Now.EE, marks[0].EE)
	}
}
