package viewer

import (
	"slices"
	"testing"

	"skinlab/render/ui"
	"skinlab/render/viewer/pages/fitpage"
	"skinlab/render/viewer/state"
)

// TestFitList makes three fits in a real window, compares, renames and drops them, and undoes that.
func TestFitList(t *testing.T) {
	t.Parallel()
	w := openLive(t, "demo:box", "-child.time", "1.5", "-child.pause", "5ms")
	w.do(t, "mousemove", "600", "300", "key", "b")
	w.until("the fit panel", func(s *Snapshot) bool { return s.item(fitpage.ItemStart).W > 0 })
	names := []string{"Blend bones", "Blend bones 2", "Blend bones 3"}
	for k := range names {
		w.scrollPage()
		w.do(t, "click", "--repeat", "60", "--delay", "4", "4") // back to the top
		w.untilRest()
		w.click(w.item(fitpage.ItemStart), 0.5)
		w.until("a fit", func(s *Snapshot) bool {
			return !s.Fit.Running && slices.Equal(s.Fit.Names, names[:k+1]) && s.Fit.Shown == k && s.Fit.Bones == 10
		})
	}
	steps := w.until("three steps", func(s *Snapshot) bool { return s.Pose.Undo == 3 && s.Pose.Redo == 0 }).Pose.Undo
	w.scrollPage()
	w.untilRest()
	item := func(k, what int) { w.click(w.item(fitpage.ItemFit+fitpage.FitItems*k+what), 0.3) }
	item(0, 0)
	first := w.until("the first", func(s *Snapshot) bool { return s.Fit.Shown == 0 && s.Pose.Undo == steps+1 })
	if first.Fit.Proposed != "demo-box-blend.glb" || first.State.Method() != state.Fitted {
		t.Errorf("%q is proposed, %v shown", first.Fit.Proposed, first.State.Method())
	}
	item(1, fitpage.ItemBeside)
	s := w.until("two beside each other", func(s *Snapshot) bool { return s.Fit.Compared == names[1] && s.Pose.Undo == steps+2 })
	if s.State.Layout != state.Two || s.State.Panes[0] != (state.Pane{Method: state.Fitted}) ||
		s.State.Panes[1] != (state.Pane{Method: state.Fitted, Beside: true}) {
		t.Errorf("pictures: %+v", s.State)
	}
	w.untilRest()
	w.click(w.item(fitpage.ItemFitName), 0.5)
	w.until("the field", func(s *Snapshot) bool { return s.Fit.Typing })
	w.do(t, "key", "ctrl+a")
	w.do(t, "type", "Coarse")
	w.do(t, "key", "Return")
	s = w.until("the name", func(s *Snapshot) bool { return s.Fit.Names[0] == "Coarse" && s.Pose.Undo == steps+3 })
	if s.Fit.Proposed != "demo-box-coarse.glb" {
		t.Errorf("%q is proposed", s.Fit.Proposed)
	}
	item(0, fitpage.ItemDrop)
	w.until("two", func(s *Snapshot) bool {
		return slices.Equal(s.Fit.Names, names[1:]) && s.Fit.Shown == 0 && s.Pose.Undo == steps+4
	})
	// Each has eleven steps, and the last once more as its model; the shown one counts again. The history needs the
	// dropped one.
	w.until("three to be kept", func(s *Snapshot) bool { return s.Fit.Kept == 3*12+1 })
	w.do(t, "mousemove", "600", "300")
	undo := func(what string, is func(s *Snapshot) bool) {
		t.Helper()
		w.do(t, "key", "ctrl+z")
		w.until(what, is)
	}
	undo("the dropped fit", func(s *Snapshot) bool { return len(s.Fit.Names) == 3 && s.Fit.Names[0] == "Coarse" && s.Fit.Shown == 0 })
	undo("its name", func(s *Snapshot) bool { return slices.Equal(s.Fit.Names, names) && s.Fit.Compared == names[1] })
	undo("one picture", func(s *Snapshot) bool { return s.Fit.Compared == "" && s.State.Layout == state.One })
	undo("the last fit", func(s *Snapshot) bool { return s.Fit.Shown == 2 })
	undo("two fits", func(s *Snapshot) bool { return len(s.Fit.Names) == 2 && s.Fit.Shown == 1 && s.Fit.Fitted })
	undo("one fit", func(s *Snapshot) bool { return len(s.Fit.Names) == 1 && s.Fit.Fitted })
	undo("none", func(s *Snapshot) bool {
		return len(s.Fit.Names) == 0 && !s.Fit.Fitted && !s.State.Shows(state.Fitted)
	})
	w.do(t, "key", "ctrl+shift+z")
	w.until("the first again", func(s *Snapshot) bool { return len(s.Fit.Names) == 1 && s.Fit.Fitted && s.Fit.Bones == 10 })
	w.tell("drop demo:tube")
	w.discard()
	w.until("the fit to be kept for undo", func(s *Snapshot) bool {
		return s.Model == "demo:tube" && len(s.Fit.Names) == 0 && s.Fit.Kept > 0
	})
}

// TestFitClip: a fit to examples plays their clip. Undo brings back the clip and the time from before, and redo that of
// the examples.
func TestFitClip(t *testing.T) {
	t.Parallel()
	w := openLive(t, "demo:arm", "-child.time", "1", "-child.pause", "5ms")
	first := w.now().State
	w.do(t, "mousemove", "600", "300", "key", "b")
	w.clickOn("the fit", func(s *Snapshot) ui.Rect { return s.item(fitpage.ItemStart) })
	examples := w.until("a fit", func(s *Snapshot) bool { return !s.Fit.Running && s.Fit.Fitted }).State.Clip
	if examples == first.Clip {
		t.Fatalf("the fit plays clip %d as before", examples)
	}
	w.do(t, "mousemove", "600", "300")
	w.again("the clip before the fit", func() { w.do(t, "key", "ctrl+z") }, func(s *Snapshot) bool { return !s.Fit.Fitted })
	if s := w.now().State; s.Clip != first.Clip || s.Time != first.Time {
		t.Errorf("clip %d at %g s after undo, expected %d at %g", s.Clip, s.Time, first.Clip, first.Time)
	}
	w.again("the fit", func() { w.do(t, "key", "ctrl+shift+z") }, func(s *Snapshot) bool { return s.Fit.Fitted })
	if s := w.now().State; s.Clip != examples {
		t.Errorf("clip %d after redo, expected %d", s.Clip, examples)
	}
}
