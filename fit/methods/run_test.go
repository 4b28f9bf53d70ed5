package methods

import (
	"context"
	"testing"

	"skinlab/fit"
	"skinlab/fit/blendbones"
	"skinlab/fit/enveloping"
	"skinlab/fit/training"
	"skinlab/skinning"
)

// blendJob is blend bones of dual quaternions, trained on parts, without tests.
func blendJob(m *skinning.Model, bones int, parts ...training.Part) fit.Job {
	return fit.Job{Method: blendbones.Method, Model: m, Training: &training.Set{Teacher: skinning.DQS, Parts: parts},
		Tests: training.Tests{Clip: -1}, Values: fit.Values{"bones": float64(bones)}}
}

// mustRun runs a job that has no reason to fail.
func mustRun(t *testing.T, job fit.Job) *fit.Result {
	t.Helper()
	out, err := fit.Run(context.Background(), job)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// envelopeJob is enveloping with so many proxies, without tests.
func envelopeJob(m *skinning.Model, proxies int, set *training.Set) fit.Job {
	return fit.Job{Method: enveloping.Method, Model: m, Training: set, Tests: training.Tests{Clip: -1},
		Values: fit.Values{"proxies": float64(proxies)}}
}

// details are what the report of such a fit says beyond the others'.
func details(r *fit.Result) *enveloping.Details { return r.Report.Details.(*enveloping.Details) }

// learned is the model of such a fit.
func learned(r *fit.Result) *enveloping.Model { return r.Learned.(*enveloping.Learned).Result.Model }

// ssdJob is trained weights, tested on a clip.
func ssdJob(m *skinning.Model, set *training.Set, clip int) fit.Job {
	return fit.Job{Method: enveloping.SSDMethod, Model: m, Training: set, Tests: training.Tests{Clip: clip}}
}
