package helperbones

import (
	"context"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/assets/demo"
	"skinlab/fit"
	"skinlab/fit/training"
	"skinlab/internal/assetstest"
	"skinlab/skinning"
)

// legSet is the true shapes of demo:leg in some poses.
func legSet(m *skinning.Model, leg *demo.Leg, poses []demo.LegPose) *training.Set {
	set := &training.Set{Title: "leg"}
	for _, p := range poses {
		pose, shape := m.NewPose(), make([]mgl64.Vec3, len(m.Skin.Positions))
		leg.SetPose(pose, p)
		leg.Shape(shape, p)
		set.Poses, set.Targets = append(set.Poses, pose), append(set.Targets, shape)
	}
	return set
}

// legGrid is a uniform grid over the leg's range of motion, with so many levels of each degree of freedom.
func legGrid(levels [5]int) (poses []demo.LegPose) {
	least, most := [5]float64{-20, -20, -80, 0, -40}, [5]float64{80, 60, 80, 120, 40}
	n := 1
	for _, l := range levels {
		n *= l
	}
	for i := range n {
		var a [5]float64
		for c, l := range levels {
			a[c] = least[c] + (most[c]-least[c])*float64(i%l)/float64(l-1)
			i /= l
		}
		poses = append(poses, demo.LegPose{Flexion: a[0], Abduction: a[1], Twist: a[2], Knee: a[3], Ankle: a[4]})
	}
	return poses
}

// TestSuggest: examples that are suggested, from six on and half as many more each time, reach on unseen poses of a leg
// the error of a uniform grid of examples with at most half as many. The six are the rest pose and a turn of each
// degree of freedom.
func TestSuggest(t *testing.T) {
	if testing.Short() {
		t.Skip("short: it searches among all candidates")
	}
	m := assetstest.Open(t, "demo:leg")
	leg, _ := demo.LegOf(m)
	unseen, err := legSet(m, leg, demo.LegSpread(1000, 200)).Examples(m)
	if err != nil {
		t.Fatal(err)
	}
	learn := func(poses []demo.LegPose) (*fit.Result, float64) {
		out, err := fit.Run(context.Background(), fit.Job{Method: Method, Model: m, Training: legSet(m, leg, poses),
			Tests: training.Tests{Clip: -1}, Values: fit.Values{"bones": 4}})
		if err != nil {
			t.Fatal(err)
		}
		return out, fit.NewShapeErrors(unseen).Of(out.Model).RMSmm
	}
	grid := legGrid([5]int{3, 2, 3, 3, 2})
	_, want := learn(grid)
	t.Logf("a grid of %d: %.2f mm", len(grid), want)
	poses := []demo.LegPose{{}, {Flexion: 60}, {Abduction: 40}, {Twist: 60}, {Knee: 90}, {Ankle: 30}}
	for {
		out, got := learn(poses)
		t.Logf("%d examples: %.2f mm", len(poses), got)
		if got <= want {
			return
		}
		if 3*len(poses)/2 > len(grid)/2 {
			t.Fatalf("%d suggested examples: %.2f mm, a grid of %d: %.2f mm", len(poses), got, len(grid), want)
		}
		more, err := suggest(context.Background(), out, len(poses)/2)
		if err != nil || len(more) != len(poses)/2 {
			t.Fatal(len(more), err)
		}
		for _, p := range more {
			poses = append(poses, leg.PoseOf(p))
		}
	}
}

// TestSuggestWithoutClips: a model without a clip has no pose to suggest. One whose clips show nothing but its examples
// has mixtures of these, no two alike.
func TestSuggestWithoutClips(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	m := assetstest.Open(t, "demo:tube")
	still := *m
	still.Clips = nil
	for _, c := range []struct {
		model *skinning.Model
		set   *training.Set
		want  int
	}{
		{&still, &training.Set{Clip: training.RangeOfMotion, Teacher: skinning.DQS}, 0},
		{m, &training.Set{Teacher: skinning.DQS, Times: m.Clips[0].KeyTimes()}, 4},
	} {
		if c.want > 0 {
			only := *m
			only.Clips = m.Clips[:1]
			for k := range only.Clips[0].Channels {
				only.Clips[0].Channels[k].Interpolation = skinning.Step
			}
			c.model = &only
		}
		out, err := fit.Run(context.Background(), fit.Job{Method: Method, Model: c.model, Training: c.set,
			Tests: training.Tests{Clip: -1}, Values: fit.Values{"bones": 2}})
		if err != nil {
			t.Fatal(err)
		}
		poses, err := suggest(context.Background(), out, 4)
		if err != nil || len(poses) != c.want {
			t.Fatalf("%d poses, expected %d: %v", len(poses), c.want, err)
		}
		for i, p := range poses {
			for _, q := range poses[:i] {
				if slices.Equal(p.Local, q.Local) {
					t.Error("a pose is suggested twice")
				}
			}
		}
	}
}
