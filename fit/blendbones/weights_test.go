package blendbones

import (
	"context"
	"errors"
	"math"
	"testing"

	"skinlab/fit/training"
	"skinlab/internal/assetstest"
	"skinlab/skinning"
	"skinlab/skinning/metrics"
)

// TestPoseWeights: a pose of more weight is fitted better, and what a fit reports is without the weights: with no bones
// and the file's own influences it is the same to 1e-9 of itself, sums in another order.
func TestPoseWeights(t *testing.T) {
	m := assetstest.Open(t, "demo:tube")
	clip, err := m.ClipIndex("writhe")
	if err != nil {
		t.Fatal(err)
	}
	frames, err := ofClip(m, clip, 6)
	if err != nil {
		t.Fatal(err)
	}
	p := &Problem{Model: m, Operator: skinning.DQS, Frames: frames}
	fit := func(weights []float64) (*Result, float64) {
		r, err := Solve(context.Background(), p, Options{MaxBones: 2, Weights: weights})
		if err != nil {
			t.Fatal(err)
		}
		fitted, err := r.Rig.Model(m)
		if err != nil {
			t.Fatal(err)
		}
		e := metrics.NewErrors(m)
		live, pose := skinning.NewFrame(fitted, nil), fitted.NewPose()
		fitted.SamplePose(pose, clip, training.Times(m.Clips[clip].Seconds, 6)[2])
		live.SetPose(pose)
		e.Add(frames[2].Positions(skinning.DQS), live.Positions(skinning.LBS),
			m.Skin.RestPositions(nil), frames[2])
		return r, e.RMS()
	}
	plain, before := fit(nil)
	heavy, after := fit([]float64{1, 1, 100, 1, 1, 1})
	if !(after < 0.8*before) {
		t.Errorf("RMS %g in a pose, with 100 times the weight %g", before, after)
	}
	if a, b := plain.History[0].EE, heavy.History[0].EE; !(math.Abs(a-b) <= 1e-9*a) {
		t.Errorf("EE %g %% before the first bone, with weights %g %%", a, b)
	}
	if !(heavy.EE > plain.EE && heavy.RMS > plain.RMS) {
		t.Errorf("over all poses EE %g %% and RMS %g, with weights %g %% and %g", plain.EE, plain.RMS, heavy.EE, heavy.RMS)
	}
	for _, weights := range [][]float64{{1}, {1, 1, 1, 1, 1, 0}, {1, 1, 1, 1, 1, math.NaN()},
		{1, 1, 1, 1, 1, math.Inf(1)}} {
		if _, err := Solve(context.Background(), p, Options{Weights: weights}); !errors.Is(err, ErrProblem) {
			t.Errorf("weights %v: %v", weights, err)
		}
	}
}
