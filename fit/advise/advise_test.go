package advise

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"skinlab/fit"
	"skinlab/fit/blendbones"
	"skinlab/fit/methods"
	"skinlab/fit/training"
	"skinlab/internal/assetstest"
	"skinlab/skinning"
	"skinlab/skinning/compare"
	"skinlab/skinning/deltamush"
)

// way makes a way by its name, RMS error in millimetres of a model of 2 m, cost and bytes.
func way(name string, rms, ns float64, bytes int64, needs Needs) Way {
	return Way{Name: name, Title: name, RMS: rms / 2e3, NsPerVertex: ns, Written: Written{Bytes: bytes}, Needs: needs}
}

// Each rule in its turn.
func TestRecommend(t *testing.T) {
	failed := way("lost", 0, 1, 0, Nothing)
	failed.Failed = "it imitates a method"
	ways := func(linear float64) []Way {
		return []Way{way("lbs", linear, 1, 0, Nothing), failed, way("dqs", 0, 2, 0, Shader), way("sbs", 0.1, 3, 0, Shader),
			way("few", 1.05, 1, 100, Nothing), way("many", 1, 1, 900, Nothing), way("coarse", 1.5, 1, 10, Nothing)}
	}
	for _, c := range []struct {
		what         string
		linear, gate float64 // mm
		choose, says string
		passed       bool
	}{
		{"an error that cannot be seen", 0.03, 0, "lbs", "cannot be seen", true},
		{"linear blending within the gate", 3, 3, "lbs", "within the gate", true},
		{"the smallest of those alike", 3, 0, "few", "its file is the smallest", true},
		{"a fit within the gate", 3, 1.2, "few", "the gate of 1.2 mm", true},
		{"a shader", 1.9, 0, "dqs", "needs a shader", true},
		{"a shader within the gate", 3, 0.5, "dqs", "needs a shader", true},
	} {
		got := Recommend(ways(c.linear), 2, c.gate/2e3, "dqs")
		if got.Choose != c.choose || got.Passed != c.passed || !strings.Contains(strings.Join(got.Reasons, " "), c.says) {
			t.Errorf("%s: %+v, expected %s and %q", c.what, got, c.choose, c.says)
		}
	}
	for want, costs := range map[string][3]float64{"sdqs": {2.2, 2, 2.1}, "sbs": {2.5, 2.3, 2}, "dqs": {2.1, 2.3, 2}} {
		timed := []Way{way("lbs", 2, 1, 0, Nothing), way("dqs", 0.1, costs[0], 0, Shader),
			way("sdqs", 0, costs[1], 0, Shader), way("sbs", 0.2, costs[2], 0, Shader)}
		if got := Recommend(timed, 2, 0, "sdqs"); got.Choose != want {
			t.Errorf("costs %v: %+v, expected %s", costs, got, want)
		}
	}
	torn := ways(3)
	torn[4].KeyError = 0.1 // few: its keys do not follow it
	if got := Recommend(torn, 2, 0, "dqs"); got.Choose != "many" || got.Fit != "many" {
		t.Errorf("the smallest file is off between keys: %+v", got)
	}
	torn[4].RMS = 0.95e-3 / 2 // the least error
	if got := Recommend(torn, 2, 0, "dqs"); got.Choose != "many" || !strings.Contains(got.Reasons[2], "whose keys follow") {
		t.Errorf("the closest is off between keys: %+v", got)
	}
	if got := Recommend(ways(1.9), 2, 0, "dqs"); got.Fit != "few" || !strings.Contains(got.Reasons[3], "Without a shader") {
		t.Errorf("without a shader: %+v", got)
	}
	only := []Way{way("lbs", 2, 1, 0, Nothing), way("few", 1.5, 1, 9, Nothing)}
	if got := Recommend(only, 2, 0, "examples"); got.Choose != "few" || !strings.Contains(got.Reasons[1], "closest") {
		t.Errorf("a fit that takes a quarter away: %+v", got)
	}
	if got := Recommend(only, 2, 0.5e-3, "examples"); got.Passed || got.Choose != "few" || !strings.Contains(got.Reasons[2], "No way is within") {
		t.Errorf("no way within the gate: %+v", got)
	}
	if got := Recommend([]Way{way("lbs", 2, 1, 0, Nothing), way("few", 1.9, 1, 9, Nothing)}, 2, 0, "examples"); got.Choose != "lbs" {
		t.Errorf("a fit that takes a twentieth away: %+v", got)
	}
}

// All ways of the tube have a result, and its errors are those of package compare in one clip.
func TestRun(t *testing.T) {
	if testing.Short() {
		t.Skip("short: it runs all default fits")
	}
	m := assetstest.Open(t, "demo:tube")
	a, err := Run(context.Background(), m, Options{Fits: methods.All(), Reference: skinning.DQS, Clips: MeasuredClips(m, 1), Frames: 5,
		Limit: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	rows, err := compare.Run(context.Background(), m, compare.Options{Reference: skinning.DQS, Subjects: compare.Direct(skinning.LBS),
		Clip: MeasuredClips(m, 1)[0], Frames: 5, ShortestPath: true})
	if err != nil {
		t.Fatal(err)
	}
	if w := &a.Ways[0]; !(math.Abs(w.RMS-rows[0].RMS) < 1e-12) || !(math.Abs(float64(w.EE-rows[0].EE)) < 1e-9) {
		t.Errorf("linear blending %+v, by compare %+v", w, rows[0])
	}
	for _, w := range a.Ways {
		if w.Failed != "" || !(w.NsPerVertex > 0) || w.Stopped {
			t.Errorf("%+v", w)
		}
	}
	if c := a.Chosen(); !c.fitted() || !(c.RMS < a.Ways[0].RMS/2) || !a.Passed {
		t.Errorf("chosen: %+v of %v", c, a.Reasons)
	}
}

// Half turns are counted apart, clips of nothing else are left out, and from half turns alone nothing is advised.
func TestHalfTurnsLeftOut(t *testing.T) {
	m := assetstest.Open(t, "demo:box")
	clip, err := m.ClipIndex("full-turn")
	if err != nil {
		t.Fatal(err)
	}
	still := skinning.Clip{Name: "half", Seconds: 1} // a half turn all the time
	pose := m.NewPose()
	times := training.TimesIn(clip, compare.Times(m.Clips[clip].Seconds, 24))
	kept, _ := training.SplitHalfTurns(m, times)
	turned := slices.DeleteFunc(times, func(t training.ClipTime) bool { return slices.Contains(kept, t) })
	m.SamplePose(pose, clip, turned[0].Time)
	for node := range pose.Local {
		ch := skinning.Channel{Node: node, Path: skinning.PathRotation, Width: 4, Times: []float32{0, 1}}
		ch.AddRotation(pose.Local[node].Rotation)
		ch.AddRotation(pose.Local[node].Rotation)
		still.Channels = append(still.Channels, ch)
	}
	m.Clips = append(slices.Clip(m.Clips), still)
	half := len(m.Clips) - 1
	a, err := Run(context.Background(), m, Options{Reference: skinning.DQS, Clips: []int{clip, half}, Frames: 24})
	if err != nil || a.LeftOut <= 24 || a.Poses+a.LeftOut != 48 || a.Clips != 1 || len(a.Notes) == 0 ||
		!strings.Contains(a.Notes[0], "of 48 poses") {
		t.Errorf("%+v, %v", a, err)
	}
	if a, err := Run(context.Background(), m, Options{Reference: skinning.DQS, Clips: []int{half}, Frames: 24}); err == nil ||
		!strings.Contains(err.Error(), "24 of 24 poses") {
		t.Errorf("from half turns alone: %+v, %v", a, err)
	}
}

// A fit to a method is no way to shapes that no method poses: no command makes it.
func TestShapesAlone(t *testing.T) {
	m := assetstest.Open(t, "demo:tube")
	a, err := Run(context.Background(), m, Options{Fits: []*fit.Method{blendbones.Method}, Clips: []int{0}, Frames: 2,
		Reference: deltamush.New(m, deltamush.Default()), Limit: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	if w := a.Ways[len(a.Ways)-1]; w.Name != "blend-bones" || w.Failed == "" || a.Choose == w.Name {
		t.Errorf("%+v is chosen: %v", w, a.Choose)
	}
}

// A fit that the limit stops has its best so far, or says that it has none.
func TestLimit(t *testing.T) {
	m := assetstest.Open(t, "demo:tube")
	a, err := Run(context.Background(), m, Options{Fits: methods.All(), Reference: skinning.DQS, Clips: []int{0}, Frames: 2, Limit: time.Nanosecond})
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range a.Ways[len(skinning.Methods()):] {
		if !w.Stopped {
			t.Errorf("not stopped: %+v", w)
		}
	}
}
