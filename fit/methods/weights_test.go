package methods

import (
	"context"
	"math"
	"testing"

	"skinlab/fit"
	"skinlab/fit/training"
	"skinlab/internal/assetstest"
	"skinlab/skinning"
)

// A target that new weights meet alone takes no bone, and the model that comes out has these weights: its error is
// the one that is reported, to a thousandth of it for weights in float32, and below that of the model as it was: by 3
// %, as six poses are too few for masters beside a vertex's own.
func TestTargetMetByWeights(t *testing.T) {
	m := assetstest.Open(t, "demo:figure")
	const frames, clip = 6, 0
	job := blendJob(m, 10, training.Part{Clip: clip, Frames: frames})
	job.Values["target"] = 60
	out := mustRun(t, job)
	if out.Report.Reason != "target met" || out.Report.AddedBones != 0 {
		t.Fatalf("%s with %d bones", out.Report.Reason, out.Report.AddedBones)
	}
	after := fit.Measure(context.Background(), m, out.Model, skinning.DQS, out.Report.Learnt.Times)
	if !(math.Abs(float64(after.EE-out.Report.EE)) <= 1e-3*float64(out.Report.EE)) || !(after.EE < 0.98*after.LBSEE) {
		t.Errorf("EE %g of the fitted model, %g reported, %g as it was", float64(after.EE), float64(out.Report.EE),
			float64(after.LBSEE))
	}
	if mean, _ := out.Model.Skin.Stats(); mean != out.Report.InfluencesAfter {
		t.Errorf("%g influences a vertex, %g reported", mean, out.Report.InfluencesAfter)
	}
}
