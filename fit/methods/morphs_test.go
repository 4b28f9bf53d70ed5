package methods

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"skinlab/fit"
	"skinlab/fit/enveloping"
	"skinlab/fit/training"
	"skinlab/internal/assetstest"
	"skinlab/skinning"
	"skinlab/skinning/compare"
	"skinlab/skinning/metrics"
)

// TestMorphsOfAnArtist: what a method teaches knows nothing of morph targets that its clip animates, and the fitted
// model keeps them; those of an example set go. The errors are of what the clip shows, measured here pose by pose: to
// 1e-6 of themselves, as influences are rounded to float32.
func TestMorphsOfAnArtist(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	m := assetstest.Open(t, "demo:bar")
	clip, err := m.ClipIndex(skinning.ExampleClip)
	if err != nil {
		t.Fatal(err)
	}
	keys := training.WithoutHalfTurns(m, training.TimesIn(clip, m.Clips[clip].KeyTimes()), false)
	var times []float64
	for _, at := range keys {
		times = append(times, at.Time)
	}
	unseen := timesAt(m, clip, compare.PosesOf(m.Clips[clip].Seconds))
	learn := func(m *skinning.Model, method *fit.Method) *fit.Result {
		job := envelopeJob(m, 10, &training.Set{Clip: clip, Times: times, Teacher: skinning.DQS})
		job.Method, job.Tests = method, training.Tests{Clip: clip, LeaveOneOut: true}
		return mustRun(t, job)
	}
	for _, row := range []*fit.Method{enveloping.Method, enveloping.SSDMethod} {
		method := row.Name
		if out := learn(m, row); len(out.Model.Skin.Morphs) != 0 {
			t.Errorf("%s: %d morph targets of the example set are left", method, len(out.Model.Skin.Morphs))
		}
		artist := *m
		artist.Clips = append([]skinning.Clip(nil), m.Clips...)
		artist.Clips[clip].Name = "talk" // the same targets, no longer an example set
		out, bare := learn(&artist, row), learn(artist.WithoutMorphs(), row)
		if len(out.Model.Skin.Morphs) != len(m.Skin.Morphs) || len(m.Skin.Morphs) == 0 {
			t.Errorf("%s: %d morph targets of %d are left", method, len(out.Model.Skin.Morphs), len(m.Skin.Morphs))
		}
		if !slices.EqualFunc(learned(out).Weights, learned(bare).Weights, slices.Equal) {
			t.Errorf("%s: morph targets have changed what is learnt", method)
		}
		got, more, without := out.Report, details(out), details(bare)
		for what, c := range map[string]struct {
			ee, max float64
			want    *fit.Test
		}{
			"training": {float64(got.EE), got.Max,
				fit.Measure(context.Background(), &artist, out.Model, skinning.DQS, keys)},
			"unseen": {float64(more.Unseen.Fit.EE), more.Unseen.Fit.Max,
				fit.Measure(context.Background(), &artist, out.Model, skinning.DQS, unseen)},
		} {
			near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-6*b }
			if !near(c.ee, float64(c.want.EE)) || !near(c.max, c.want.Max) {
				t.Errorf("%s, %s: EE %g %%, largest error %g; measured %g %% and %g", method, what, c.ee, c.max, float64(c.want.EE),
					c.want.Max)
			}
		}
		t.Logf("%s: EE %g %%, of what is learnt %g %%", method, float64(got.EE), float64(bare.Report.EE))
		if got.EE == bare.Report.EE || more.LeaveOneOut.Fit == without.LeaveOneOut.Fit {
			t.Errorf("%s: %+v is as without morph targets", method, more)
		}
	}
}

// TestErrorWithMorphsThatMove: the reported error is that of the shapes that the clip shows. It is measured here pose
// by pose; to 1e-9 of itself, as the sums run in another order.
func TestErrorWithMorphsThatMove(t *testing.T) {
	set := assetstest.Open(t, "demo:bar")
	clip, err := set.ClipIndex(skinning.ExampleClip)
	if err != nil {
		t.Fatal(err)
	}
	artist := *set
	artist.Clips = append([]skinning.Clip(nil), set.Clips...)
	artist.Clips[clip].Name = "talk" // no example set
	m := &artist
	out := mustRun(t, blendJob(m, 3, training.Part{Clip: clip, Frames: 3}))
	e, moved := morphedErrors(m, out.Model, skinning.DQS, clip, training.Times(m.Clips[clip].Seconds, 3))
	if r := out.Report; !moved || !(math.Abs(float64(r.EE)-e.EE()) <= 1e-9*e.EE()) ||
		!(math.Abs(r.Max-e.Max()) <= 1e-9*e.Max()) {
		t.Errorf("EE %g %%, largest error %g; measured %g %% and %g (morph targets moved: %v)", float64(r.EE), r.Max, e.EE(),
			e.Max(), moved)
	}
}

// TestExampleShapesApart: bones that imitate a method learn nothing of a file's example shapes, are not measured on
// them, and have none, which would correct them as they correct the file's weights.
func TestExampleShapesApart(t *testing.T) {
	m := assetstest.Open(t, "demo:bar")
	clip, err := m.ClipIndex(skinning.ExampleClip)
	if err != nil {
		t.Fatal(err)
	}
	out := mustRun(t, blendJob(m, 3, training.Part{Clip: clip, Frames: 3}))
	bare := mustRun(t, blendJob(m.WithoutMorphs(), 3, training.Part{Clip: clip, Frames: 3}))
	if n := len(out.Model.Skin.Morphs); n > 0 {
		t.Errorf("%d morph targets of the example set are left", n)
	}
	if !slices.Equal(out.Model.Skin.Bindings, bare.Model.Skin.Bindings) || out.Report.EE != bare.Report.EE {
		t.Errorf("EE %g %%, without the shapes %g %%", float64(out.Report.EE), float64(bare.Report.EE))
	}
}

// shownErrors measures a fitted model against a method on what a clip shows, and reports whether morph targets are a
// part of that.
func morphedErrors(
	m, fitted *skinning.Model, method skinning.Method, clip int, times []float64,
) (e *metrics.Errors, moved bool) {
	e = metrics.NewErrors(m)
	master, live, pose, both := skinning.NewFrame(m, nil), skinning.NewFrame(fitted, nil), m.NewPose(), fitted.NewPose()
	for _, at := range times {
		m.SamplePose(pose, clip, at)
		fitted.SamplePose(both, clip, at)
		master.SetPose(pose)
		live.SetPose(both)
		moved = moved || slices.ContainsFunc(master.Morphs, func(w float64) bool { return w != 0 })
		e.Add(master.Positions(method), live.Positions(skinning.LBS),
			m.Skin.RestPositions(master.Morphs), master)
	}
	return e, moved
}

// TestUnseenWithMorphs: a fit to shapes in files is tested on a clip's own shapes with the morph targets that it keeps,
// as both show them. To 1e-6 of itself, as influences are rounded to float32.
func TestUnseenWithMorphs(t *testing.T) {
	m := assetstest.Open(t, "demo:bar")
	clip, err := m.ClipIndex(skinning.ExampleClip)
	if err != nil {
		t.Fatal(err)
	}
	unseen, err := m.ClipIndex("unseen")
	if err != nil {
		t.Fatal(err)
	}
	set, err := training.Own(m)
	if err != nil {
		t.Fatal(err)
	}
	x, err := set.Examples(m)
	if err != nil {
		t.Fatal(err)
	}
	set.Targets = x.Targets
	artist := *m
	artist.Clips = slices.Clone(m.Clips)
	artist.Clips[clip].Name = "talk"
	out := mustRun(t, ssdJob(&artist, set, unseen))
	e, moved := morphedErrors(&artist, out.Model, skinning.LBS, unseen, artist.Clips[unseen].KeyTimes())
	if got := float64(details(out).Unseen.SSD.EE); !moved || !(math.Abs(got-e.EE()) <= 1e-6*e.EE()) {
		t.Errorf("EE %g %%, measured %g %% (morph targets moved: %v)", got, e.EE(), moved)
	}
}

// TestUnseenClip: a fit is tested on the clip that was asked for, also where another one has its name.
func TestUnseenClip(t *testing.T) {
	m := assetstest.Open(t, "demo:bar")
	unseen, err := m.ClipIndex("unseen")
	if err != nil {
		t.Fatal(err)
	}
	set, err := training.Own(m)
	if err != nil {
		t.Fatal(err)
	}
	test := func(m *skinning.Model, clip int) fit.UnseenTest {
		return *details(mustRun(t, ssdJob(m, set, clip))).Unseen
	}
	want := test(m, unseen)
	twice := *m
	other := m.Clips[set.Clip]
	other.Name = "unseen"
	twice.Clips = append([]skinning.Clip{m.Clips[set.Clip], other}, m.Clips[unseen])
	set.Clip = 0
	if got := test(&twice, 2); got != want || !(want.SSD.EE > 0) {
		t.Errorf("behind a clip of the same name %+v, expected %+v", got, want)
	}
}

// TestNothingToFit: a model without a skin is refused in words.
func TestNothingToFit(t *testing.T) {
	m := &skinning.Model{Name: "chair.glb"}
	_, blend := fit.Run(context.Background(), blendJob(m, 3, training.Part{Clip: training.RangeOfMotion}))
	_, envelope := fit.Run(context.Background(), envelopeJob(m, 3,
		&training.Set{Clip: training.RangeOfMotion, Teacher: skinning.DQS}))
	for _, err := range []error{blend, envelope} {
		if err == nil || !strings.Contains(err.Error(), "chair.glb: no skinned mesh to fit") {
			t.Errorf("%v", err)
		}
	}
}

// timesAt lists n poses spread evenly over a clip with both ends.
func timesAt(m *skinning.Model, clip, n int) []training.ClipTime {
	return training.TimesIn(clip, compare.Times(m.Clips[clip].Seconds, n))
}
