package helperbones_test

import (
	"context"
	"testing"

	"skinlab/fit"
	"skinlab/fit/helperbones"
	"skinlab/fit/training"
	"skinlab/internal/assetstest"
	"skinlab/internal/longtest"
	"skinlab/skinning"
)

// Joints that no example moves against each other keep the rig's weights: the fingers of the arm, whose examples bend
// and twist the elbow alone. Without the hold, vertices of the wrist follow fingers, as these move alike.
func TestUnmovedJointsKeepTheirWeights(t *testing.T) {
	if testing.Short() {
		t.Skip("a fit of some seconds")
	}
	m := assetstest.Open(t, "demo:arm")
	set, err := training.Own(m)
	if err != nil {
		t.Fatal(err)
	}
	result, err := fit.Run(context.Background(), fit.Job{Method: helperbones.Method, Model: m, Training: set,
		Tests:  training.Tests{Clip: -1},
		Values: fit.Values{"bones": 2}})
	if err != nil {
		t.Fatal(err)
	}
	first := -1 // of the hand's joints, which are the last
	for j := range m.Skeleton.Joints {
		if m.Skeleton.Joints[j].Name == "hand" {
			first = j
		}
	}
	worst, at := 0.0, 0
	var buf []skinning.Influence
	for v := range m.Skin.Positions {
		change := make([]float64, len(m.Skeleton.Joints))
		buf = m.Skin.Of(buf[:0], v)
		for _, in := range buf {
			change[in.Joint] -= float64(in.Weight)
		}
		buf = result.Model.Skin.Of(buf[:0], v)
		for _, in := range buf {
			if int(in.Joint) < len(change) {
				change[in.Joint] += float64(in.Weight)
			}
		}
		for j := first; j < len(change); j++ {
			if change[j] > worst { // weight that a finger gains
				worst, at = change[j], v
			}
		}
	}
	t.Logf("a joint of the hand gains at most %.3f, at vertex %d", worst, at)
	if !(worst < 0.05) {
		t.Errorf("vertex %d gives %.3f to a joint of the hand, which no example moves against the forearm", at, worst)
	}
}

// TestPriorPoses: taught by dual quaternions in the figure's other clips, the fit misses its walk by less than what the
// published fit misses it by.
func TestPriorPoses(t *testing.T) {
	longtest.Only(t)
	m := assetstest.Open(t, "demo:figure")
	walk, err := m.ClipIndex("walk")
	if err != nil {
		t.Fatal(err)
	}
	missed := func(published float64) float64 {
		result, err := fit.Run(t.Context(), fit.Job{Method: helperbones.Method, Model: m,
			Training: &training.Set{Teacher: skinning.DQS}, Tests: training.Tests{Clip: walk},
			Values: fit.Values{"as-published": published}})
		if err != nil {
			t.Fatal(err)
		}
		return result.Report.Details.(*helperbones.Details).Unseen.Fit.RMSmm
	}
	ours, published := missed(0), missed(1)
	t.Logf("%.3f mm, published %.3f mm", ours, published)
	if !(ours <= 0.97*published) {
		t.Errorf("the walk is missed by %.3f mm, by the published fit by %.3f mm", ours, published)
	}
}

// TestFeetOnTheRoot: on animals whose feet hang from the root, prior poses tear legs from feet. The fit still adds
// helper bones, and is better in the mean over the clips than the file's own weights.
func TestFeetOnTheRoot(t *testing.T) {
	if testing.Short() {
		t.Skip("fits of some seconds")
	}
	for _, name := range []string{"reports/q_Horse.glb", "reports/m2m_bird-animations.glb"} {
		m := assetstest.Open(t, name)
		result, err := fit.Run(t.Context(), fit.Job{Method: helperbones.Method, Model: m,
			Training: &training.Set{Teacher: skinning.DQS}, Tests: training.Tests{Clip: -1, AllClips: true}})
		if err != nil {
			t.Fatal(err)
		}
		r := result.Report
		t.Logf("%s: %d bones, %s", name, r.AddedBones, r.Verdict())
		if r.AddedBones == 0 || r.Clips.WorseInMean() != "" {
			t.Errorf("%s: %d bones added, %s", name, r.AddedBones, r.Clips.WorseInMean())
		}
	}
}
