package job

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"skinlab/assets/demo"
	"skinlab/fit/enveloping"
	"skinlab/fit/poses"
	"skinlab/skinning"
	"skinlab/skinning/compare"
)

// TestMorphsOfAnArtist: what a method teaches knows nothing of morph targets that its clip animates, and the fitted
// model keeps them; those of an example set go. The errors are of what the clip shows, measured here pose by pose: to
// 1e-6 of themselves, as influences are rounded to float32.
func TestMorphsOfAnArtist(t *testing.T) {
	m, err := demo.New("demo:bar")
	if err != nil {
		t.Fatal(err)
	}
	clip, err := m.ClipIndex(enveloping.ExampleClip)
	if err != nil {
		t.Fatal(err)
	}
	fit := func(m *skinning.Model, method string) *EnvelopeOutcome {
		training := &Training{Clip: clip, Times: m.Clips[clip].KeyTimes(), Teacher: skinning.DQS}
		out, err := Envelope(context.Background(), m,
			EnvelopeSpec{Method: method, Training: training, Proxies: 10, Test: clip, LeaveOneOut: true})
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	for _, method := range []string{"enveloping", "ssd"} {
		if out := fit(m, method); len(out.Fitted.Skin.Morphs) != 0 {
			t.Errorf("%s: %d morph targets of the example set are left", method, len(out.Fitted.Skin.Morphs))
		}
		artist := *m
		artist.Clips = append([]skinning.Clip(nil), m.Clips...)
		artist.Clips[clip].Name = "talk" // the same targets, no longer an example set
		out, bare := fit(&artist, method), fit(withoutMorphs(&artist), method)
		if len(out.Fitted.Skin.Morphs) != len(m.Skin.Morphs) || len(m.Skin.Morphs) == 0 {
			t.Errorf("%s: %d morph targets of %d are left", method, len(out.Fitted.Skin.Morphs), len(m.Skin.Morphs))
		}
		if !slices.EqualFunc(out.Model.Weights, bare.Model.Weights, slices.Equal) {
			t.Errorf("%s: morph targets have changed what is learnt", method)
		}
		got := out.Report
		for what, c := range map[string]struct {
			ee, max float64
			want    *Test
		}{
			"training": {float64(got.EE), got.Max,
				measure(context.Background(), &artist, out.Fitted, skinning.DQS, momentsAt(&artist, clip, got.Frames))},
			"unseen": {float64(got.Unseen.Fit.EE), got.Unseen.Fit.Max,
				measure(context.Background(), &artist, out.Fitted, skinning.DQS, momentsAt(&artist, clip, got.Unseen.Frames))},
		} {
			near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-6*b }
			if !near(c.ee, float64(c.want.EE)) || !near(c.max, c.want.Max) {
				t.Errorf("%s, %s: EE %g %%, largest error %g; measured %g %% and %g", method, what, c.ee, c.max, float64(c.want.EE),
					c.want.Max)
			}
		}
		t.Logf("%s: EE %g %%, of what is learnt %g %%", method, float64(got.EE), float64(bare.Report.EE))
		if got.EE == bare.Report.EE || got.LeaveOneOut.Fit == bare.Report.LeaveOneOut.Fit ||
			got.LeaveOneOut.PSD == bare.Report.LeaveOneOut.PSD {
			t.Errorf("%s: %+v is as without morph targets", method, got)
		}
	}
}

// TestErrorWithMorphsThatMove: the reported error is that of the shapes that the clip shows. It is measured here pose
// by pose; to 1e-9 of itself, as the sums run in another order.
func TestErrorWithMorphsThatMove(t *testing.T) {
	m, err := demo.New("demo:bar")
	if err != nil {
		t.Fatal(err)
	}
	clip, err := m.ClipIndex(enveloping.ExampleClip)
	if err != nil {
		t.Fatal(err)
	}
	out, err := Run(context.Background(), m,
		Spec{Method: "blend-bones", Operator: skinning.DQS, Bones: 3, Train: []Part{{clip, 3}}, Test: -1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	seconds := m.Clips[clip].Seconds
	e, moved := shownErrors(m, out.Fitted, skinning.DQS, clip, []float64{0, seconds / 2, seconds})
	if r := out.Report; !moved || !(math.Abs(float64(r.EE)-e.EE()) <= 1e-9*e.EE()) ||
		!(math.Abs(r.Max-e.Max()) <= 1e-9*e.Max()) {
		t.Errorf("EE %g %%, largest error %g; measured %g %% and %g (morph targets moved: %v)", float64(r.EE), r.Max, e.EE(),
			e.Max(), moved)
	}
}

// shownErrors measures a fitted model against a method on what a clip shows, and reports whether morph targets are a
// part of that.
func shownErrors(
	m, fitted *skinning.Model, method skinning.Method, clip int, times []float64,
) (e *skinning.Errors, moved bool) {
	e = skinning.NewErrors(m)
	master, live, pose, both := skinning.NewFrame(m, nil), skinning.NewFrame(fitted, nil), m.NewPose(), fitted.NewPose()
	for _, at := range times {
		m.SamplePose(pose, clip, at)
		fitted.SamplePose(both, clip, at)
		master.SetPose(pose)
		live.SetPose(both)
		moved = moved || slices.ContainsFunc(master.Morphs, func(w float64) bool { return w != 0 })
		e.Add(master.Reference(method).Positions, live.Reference(skinning.LBS).Positions,
			m.Skin.RestShape(master.Morphs).Positions, master)
	}
	return e, moved
}

// TestUnseenWithMorphs: a fit to shapes in files is tested on a clip's own shapes with the morph targets that it keeps,
// as both show them. To 1e-6 of itself, as influences are rounded to float32.
func TestUnseenWithMorphs(t *testing.T) {
	m, err := demo.New("demo:bar")
	if err != nil {
		t.Fatal(err)
	}
	clip, err := m.ClipIndex(enveloping.ExampleClip)
	if err != nil {
		t.Fatal(err)
	}
	unseen, err := m.ClipIndex("unseen")
	if err != nil {
		t.Fatal(err)
	}
	training, err := OwnExamples(m)
	if err != nil {
		t.Fatal(err)
	}
	x, err := training.Examples(m)
	if err != nil {
		t.Fatal(err)
	}
	for i := range x.Pairs {
		training.Targets = append(training.Targets, x.Pairs[i].Target)
	}
	artist := *m
	artist.Clips = slices.Clone(m.Clips)
	artist.Clips[clip].Name = "talk"
	out, err := Envelope(context.Background(), &artist, EnvelopeSpec{Method: "ssd", Training: training, Test: unseen})
	if err != nil {
		t.Fatal(err)
	}
	e, moved := shownErrors(&artist, out.Fitted, skinning.LBS, unseen, artist.Clips[unseen].KeyTimes())
	if got := float64(out.Report.Unseen.SSD.EE); !moved || !(math.Abs(got-e.EE()) <= 1e-6*e.EE()) {
		t.Errorf("EE %g %%, measured %g %% (morph targets moved: %v)", got, e.EE(), moved)
	}
}

// TestUnseenClip: a fit is tested on the clip that was asked for, also where another one has its name.
func TestUnseenClip(t *testing.T) {
	m, err := demo.New("demo:bar")
	if err != nil {
		t.Fatal(err)
	}
	unseen, err := m.ClipIndex("unseen")
	if err != nil {
		t.Fatal(err)
	}
	training, err := OwnExamples(m)
	if err != nil {
		t.Fatal(err)
	}
	test := func(m *skinning.Model, clip int) UnseenTest {
		out, err := Envelope(context.Background(), m, EnvelopeSpec{Method: "ssd", Training: training, Test: clip})
		if err != nil {
			t.Fatal(err)
		}
		return *out.Report.Unseen
	}
	want := test(m, unseen)
	twice := *m
	other := m.Clips[training.Clip]
	other.Name = "unseen"
	twice.Clips = append([]skinning.Clip{m.Clips[training.Clip], other}, m.Clips[unseen])
	training.Clip = 0
	if got := test(&twice, 2); got != want || !(want.SSD.EE > 0) {
		t.Errorf("behind a clip of the same name %+v, expected %+v", got, want)
	}
}

// TestNothingToFit: a model without a skin is refused in words.
func TestNothingToFit(t *testing.T) {
	m := &skinning.Model{Name: "chair.glb"}
	_, blend := Run(context.Background(), m,
		Spec{Method: "blend-bones", Operator: skinning.DQS, Train: []Part{{RangeOfMotion, 0}}, Test: -1}, nil)
	_, envelope := Envelope(context.Background(), m,
		EnvelopeSpec{Method: "enveloping", Training: &Training{Clip: RangeOfMotion, Teacher: skinning.DQS}, Test: -1})
	for _, err := range []error{blend, envelope} {
		if err == nil || !strings.Contains(err.Error(), "chair.glb: no skinned mesh to fit") {
			t.Errorf("%v", err)
		}
	}
}

// momentsAt lists n poses spread evenly over a clip with both ends.
func momentsAt(m *skinning.Model, clip, n int) (at []poses.Moment) {
	for _, t := range compare.Times(m.Clips[clip].Seconds, n) {
		at = append(at, poses.Moment{Clip: clip, Time: t})
	}
	return at
}
