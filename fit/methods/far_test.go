package methods

import (
	"context"
	"math"
	"strings"
	"testing"

	"skinlab/fit"
	"skinlab/fit/helperbones"
	"skinlab/fit/training"
	"skinlab/internal/assetstest"
	"skinlab/skinning"
)

// TestPosesFarAway: a clip that throws the model where float32 has no room for it is refused by every fit; one that
// takes it a thousand kilometres away is not.
func TestPosesFarAway(t *testing.T) {
	for away, refused := range map[float64]bool{1e6: false, 1e30: true} {
		m := assetstest.Open(t, "demo:bar")
		root := 0
		for n := m.Skeleton.Joints[0].Node; n >= 0; n = m.Skeleton.Nodes[n].Parent {
			root = n
		}
		m.Skeleton.Nodes[root].Rest.Translation[0] += away
		clip := len(m.Clips) - 1
		_, blend := fit.Run(context.Background(), blendJob(m, 1, training.Part{Clip: clip, Frames: 3}))
		_, envelope := fit.Run(context.Background(), envelopeJob(m, 5,
			&training.Set{Clip: clip, Times: []float64{0, m.Clips[clip].Seconds}, Teacher: skinning.DQS}))
		for _, err := range []error{blend, envelope} {
			if (err != nil) != refused || refused && !strings.Contains(err.Error(), "m away") {
				t.Errorf("%g m away: %v", away, err)
			}
		}
	}
}

// TestModelOfOnePoint: a skin whose vertices all rest at one point is refused by every fit, for that and not for its
// poses.
func TestModelOfOnePoint(t *testing.T) {
	m := assetstest.Open(t, "demo:bar")
	for v := range m.Skin.Positions {
		m.Skin.Positions[v] = m.Skin.Positions[0]
	}
	_, blend := fit.Run(context.Background(), blendJob(m, 1))
	_, envelope := fit.Run(context.Background(), envelopeJob(m, 5,
		&training.Set{Times: []float64{0, m.Clips[0].Seconds}, Teacher: skinning.DQS}))
	for _, err := range []error{blend, envelope} {
		if err == nil || !strings.Contains(err.Error(), "demo:bar: all 866 vertices of the skin rest at one point") {
			t.Error(err)
		}
	}
}

// TestShapesFarAway: an example shape with a vertex where float32 has no room for the model is refused by its number,
// and so is leaving the only example out, both before anything is fitted.
func TestShapesFarAway(t *testing.T) {
	m := assetstest.Open(t, "demo:bar")
	for _, c := range []struct {
		away float64
		one  bool
		want string
	}{{1, false, ""}, {1e30, false, "example 2: vertex 17 is 1e+30 m away"}, {math.MaxFloat64, false, "example 2: vertex 17"},
		{1, true, "1 example, leaving one out takes two"}} {
		set, err := training.Own(m)
		if err != nil {
			t.Fatal(err)
		}
		x, err := set.Examples(m)
		if err != nil {
			t.Fatal(err)
		}
		set = &training.Set{Clip: set.Clip, Times: set.Times, Targets: x.Targets}
		set.Targets[2][17][1] += c.away
		if c.one {
			set.Times, set.Targets = set.Times[:1], set.Targets[:1]
		}
		job := envelopeJob(m, 5, set)
		job.Tests.LeaveOneOut = c.one
		job.Progress = func(p fit.Progress) {
			if c.want != "" && p.Stage != "preparing" {
				t.Error("the fit began")
			}
		}
		_, err = fit.Run(context.Background(), job)
		if (err != nil) != (c.want != "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%g m away, one %v: %v, expected %q", c.away, c.one, err, c.want)
		}
	}
}

// TestHelperBonesOfGiants: a skin too large for a rig of helper bones is refused with its size, before the fit.
func TestHelperBonesOfGiants(t *testing.T) {
	m := assetstest.Open(t, "demo:bar")
	for v := range m.Skin.Positions {
		m.Skin.Positions[v] = m.Skin.Positions[v].Mul(1e15)
	}
	_, err := fit.Run(context.Background(), fit.Job{Method: helperbones.Method, Model: m, Tests: training.Tests{Clip: -1},
		Training: &training.Set{Teacher: skinning.DQS}, Values: fit.Values{"bones": 2}})
	if err == nil || !strings.Contains(err.Error(), "m large at rest, expected at most 1e+09 m for helper bones") {
		t.Error(err)
	}
}
