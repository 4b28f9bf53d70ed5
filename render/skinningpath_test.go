package render

import (
	"testing"
	"time"
)

// A context without compute stages poses by transform feedback, refuses the other by its reason, and stays as it was.
func TestSkinningWithoutCompute(t *testing.T) {
	r := newTestRenderer(t)
	r.poser.computes = false
	if err := r.SetSkinning(InShader); err != nil {
		t.Fatal(err)
	}
	if err := r.SetSkinning(InBufferCompute); err == nil || r.Skinning() != InShader {
		t.Errorf("compute: error %v, then %v; expected an error, and shader as before", err, r.Skinning())
	}
	if err := r.SetSkinning(InBuffer); err != nil || r.Skinning() != InBufferFeedback {
		t.Errorf("buffer: error %v, then %v; expected feedback", err, r.Skinning())
	}
	r.poser.computes, r.poser.storage = true, 1 // and a model that is too large for one falls back too
	if err := r.SetSkinning(InBuffer); err != nil || r.Skinning() != InBufferCompute {
		t.Errorf("buffer: error %v, then %v; expected compute", err, r.Skinning())
	}
	m := loadModel(t, "demo:box")
	setModel(t, r, m)
	s := newTestScene(m, 0.5, 32, 32)
	if way := r.way(r.model, s); way != InBufferFeedback {
		t.Errorf("a model past the storage limit is posed by %v, expected feedback", way)
	}
	pictureOf(t, r, s)
}

// Changing the way starts the timer's windows anew: samples of two ways are not mixed.
func TestSkinningResetsTimer(t *testing.T) {
	r := newTestRenderer(t)
	r.timer.SetTiming(TimingPasses)
	r.timer.Frame()
	r.timer.Add(PassSkin, time.Second)
	r.timer.Frame()
	if err := r.SetSkinning(r.Skinning()); err != nil || r.timer.Pass(PassSkin).Len() != 1 {
		t.Errorf("the same way again: %v, %d samples, expected 1", err, r.timer.Pass(PassSkin).Len())
	}
	if err := r.SetSkinning(InShader); err != nil || r.timer.Pass(PassSkin).Len() != 0 {
		t.Errorf("another way: %v, %d samples, expected none", err, r.timer.Pass(PassSkin).Len())
	}
}

func TestSkinningNames(t *testing.T) {
	for s := range InShader + 1 {
		if got, err := ParseSkinning(s.String()); err != nil || got != s {
			t.Errorf("%v is read as %v, %v", s, got, err)
		}
	}
	if _, err := ParseSkinning("magic"); err == nil {
		t.Error("magic is a way of skinning")
	}
}
