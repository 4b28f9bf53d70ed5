package render

import (
	"testing"
	"time"

	"skinlab/internal/assetstest"
	"skinlab/render/passes"
	"skinlab/render/skin"
)

// A context without compute stages poses by transform feedback, refuses the other by its reason, and stays as it was.
func TestSkinningWithoutCompute(t *testing.T) {
	r := newTestRenderer(t)
	r.poser.Computes = false
	if err := r.SetWay(skin.InShader); err != nil {
		t.Fatal(err)
	}
	if err := r.SetWay(skin.InBufferCompute); err == nil || r.Way() != skin.InShader {
		t.Errorf("compute: error %v, then %v; expected an error, and shader as before", err, r.Way())
	}
	if err := r.SetWay(skin.InBuffer); err != nil || r.Way() != skin.InBufferFeedback {
		t.Errorf("buffer: error %v, then %v; expected feedback", err, r.Way())
	}
	r.poser.Computes, r.poser.Storage = true, 1 // and a model that is too large for one falls back too
	if err := r.SetWay(skin.InBuffer); err != nil || r.Way() != skin.InBufferCompute {
		t.Errorf("buffer: error %v, then %v; expected compute", err, r.Way())
	}
	m := assetstest.Open(t, "demo:box")
	setModel(t, r, m)
	s := newTestScene(m, 0.5, 32, 32)
	if way := r.way(r.model, s); way != skin.InBufferFeedback {
		t.Errorf("a model past the storage limit is posed by %v, expected feedback", way)
	}
	pictureOf(t, r, s)
}

// Changing the way starts the timer's windows anew: samples of two ways are not mixed.
func TestSkinningResetsTimer(t *testing.T) {
	r := newTestRenderer(t)
	r.timer.SetTiming(passes.TimingPasses)
	r.timer.Frame()
	r.timer.Add(passes.Skin, time.Second)
	r.timer.Frame()
	if err := r.SetWay(r.Way()); err != nil || r.timer.Pass(passes.Skin).Len() != 1 {
		t.Errorf("the same way again: %v, %d samples, expected 1", err, r.timer.Pass(passes.Skin).Len())
	}
	if err := r.SetWay(skin.InShader); err != nil || r.timer.Pass(passes.Skin).Len() != 0 {
		t.Errorf("another way: %v, %d samples, expected none", err, r.timer.Pass(passes.Skin).Len())
	}
}

func TestSkinningNames(t *testing.T) {
	for s := range skin.InShader + 1 {
		if got, err := skin.ParseWay(s.String()); err != nil || got != s {
			t.Errorf("%v is read as %v, %v", s, got, err)
		}
	}
	if _, err := skin.ParseWay("magic"); err == nil {
		t.Error("magic is a way of skinning")
	}
}
