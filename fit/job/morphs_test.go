package job

import (
	"context"
	"strings"
	"testing"

	"skinlab/assets/demo"
	"skinlab/fit/enveloping"
	"skinlab/skinning"
)

// TestMorphsOfAnArtist: what a method teaches knows nothing of morph targets that its clip animates, and the fitted model keeps them; those
// of an example set go.
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
		out, err := Envelope(context.Background(), m, EnvelopeSpec{Method: method, Training: training, Proxies: 10, Test: -1})
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
		if out.Report.EE != bare.Report.EE || !(out.Report.EE > 0) {
			t.Errorf("%s: EE %g %%, without morph targets %g %%", method, out.Report.EE, bare.Report.EE)
		}
	}
}

// TestNothingToFit: a model without a skin is refused in words.
func TestNothingToFit(t *testing.T) {
	m := &skinning.Model{Name: "chair.glb"}
	_, blend := Run(context.Background(), m, Spec{Method: "blend-bones", Operator: skinning.DQS, Clip: RangeOfMotion, Test: -1}, nil)
	_, envelope := Envelope(context.Background(), m, EnvelopeSpec{Method: "enveloping", Training: &Training{Clip: RangeOfMotion, Teacher: skinning.DQS}, Test: -1})
	for _, err := range []error{blend, envelope} {
		if err == nil || !strings.Contains(err.Error(), "chair.glb: no skinned mesh to fit") {
			t.Errorf("%v", err)
		}
	}
}
