package viewer

import (
	"context"
	"testing"

	"skinlab/internal/assetstest"
	"skinlab/render/ui"
	"skinlab/render/viewer/notes"
	"skinlab/render/viewer/pages/errorpage"
	"skinlab/render/viewer/state"
	"skinlab/skinning"
	"skinlab/skinning/compare"
)

// TestWorstPose goes to the worst pose of a clip by the palette before anything is measured, by the page's button and
// by the key, with real keys and a real mouse. It is the pose of compare.
func TestWorstPose(t *testing.T) {
	t.Parallel()
	m := assetstest.Open(t, "demo:arm")
	clip, err := m.ClipIndex("twist")
	if err != nil {
		t.Fatal(err)
	}
	seconds := m.Clips[clip].Seconds
	rows, err := compare.Run(context.Background(), m, compare.Options{Reference: skinning.DQS, Clip: clip,
		Subjects: compare.Direct(skinning.LBS, skinning.DIB), Frames: compare.PosesOf(seconds), ShortestPath: true})
	if err != nil {
		t.Fatal(err)
	}
	w := openLive(t, "demo:arm")
	worst := func(method skinning.Method, k int) func(*Snapshot) bool {
		return func(s *Snapshot) bool {
			return s.State.Clip == clip && s.State.Method() == method && s.State.Time == rows[k].WorstTime && !s.State.Playing
		}
	}
	find := func(typed, first string) {
		t.Helper()
		w.do(t, "key", "ctrl+p", "type", "--delay", "40", typed)
		w.until(typed, func(s *Snapshot) bool { return len(s.Palette) > 0 && s.Palette[0] == first })
		w.do(t, "key", "Return")
	}
	w.do(t, "mousemove", "600", "300")
	find("twist", "twist")
	w.until("the clip to play", func(s *Snapshot) bool { return s.State.Clip == clip && s.State.Playing })
	find("worst", "Go to the worst pose")
	w.until("the worst pose of LBS", worst(skinning.LBS, 0))
	w.do(t, "key", "shift+Home", "key", "v")
	w.until("the page at the start", func(s *Snapshot) bool { return s.State.Tab == state.TabErrors && s.State.Time == 0 })
	w.clickOn("the button", func(s *Snapshot) ui.Rect { return s.item(errorpage.ItemWorst) })
	w.until("the same by the button", worst(skinning.LBS, 0))
	w.do(t, "mousemove", "600", "300", "key", "shift+Home", "key", "4", "key", "space")
	w.until("DIB to play", func(s *Snapshot) bool { return s.State.Method() == skinning.DIB && s.State.Playing })
	w.do(t, "key", "shift+v")
	w.until("the worst pose of DIB", worst(skinning.DIB, 1))
	w.do(t, "key", "shift+Home", "key", "2")
	w.until("the reference", func(s *Snapshot) bool { return s.State.Method() == skinning.DQS && s.State.Time == 0 })
	w.do(t, "key", "shift+v")
	told := func(s *Snapshot) bool { return s.Saving.Titles == [notes.Most]string{"Worst pose"} }
	if s := w.until("a notice", told); s.State.Time != 0 {
		t.Errorf("the reference has a worst pose at %g s", s.State.Time)
	}
}
