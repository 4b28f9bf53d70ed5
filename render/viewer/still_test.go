package viewer

import (
	"strings"
	"testing"

	"skinlab/render/viewer/pages/fitpage"
	"skinlab/render/viewer/state"
)

// TestBesideTheFit shows what a fit has learnt beside its models in a real window, which only pretends to learn: the
// skin in another place, posed in a fifth of a second.
func TestBesideTheFit(t *testing.T) {
	t.Parallel()
	w := openLive(t, "demo:arm", "-child.time", "1", "-child.pause", "2ms")
	w.do(t, "mousemove", "600", "300", "key", "b")
	w.until("the fit panel", func(s *Snapshot) bool { return s.Fit.Kind == "Enveloping" && s.item(fitpage.ItemStart).W > 0 })
	if s := w.now(); s.item(fitpage.ItemOther).W > 0 {
		t.Error("something is offered beside a fit that there is not")
	}
	w.click(w.item(fitpage.ItemStart), 0.5)
	w.until("a fit", func(s *Snapshot) bool { return !s.Fit.Running && s.Fit.Bones == 40 })
	w.scrollPage()
	w.untilRest()
	w.click(w.item(fitpage.ItemOther), 0.3)
	s := w.until("its picture", func(s *Snapshot) bool { return s.Fit.Beside.Ready && !s.Fit.Beside.Late && s.Errors.Measured })
	if s.Fit.Compared != "Raised" || s.State.Layout != state.Two || s.State.Panes[0] != (state.Pane{Method: state.Fitted}) ||
		s.State.Panes[1] != (state.Pane{Method: state.Fitted, Beside: true}) {
		t.Errorf("%q in %+v", s.Fit.Compared, s.State.Panes)
	}
	if s.Fit.Beside.Took < raising {
		t.Errorf("%+v", s.Fit.Beside)
	}
	// The fitted skin is off by some of the model's height of 0.6 m at most, and the other one by 0.25 m more.
	if fit, raised := s.Errors.EE[0], s.Errors.EE[1]; !(raised > fit+20) {
		t.Errorf("EE %g %%, and of the raised skin %g %%", fit, raised)
	}
	steps := s.Pose.Undo
	t.Run("another pose", func(t *testing.T) {
		w.do(t, "mousemove", "600", "300", "key", "--repeat", "35", "--delay", "10", "period")
		w.until("the time", func(now *Snapshot) bool { return now.State.Time >= 1.1 && now.Fit.Beside.Late })
		now := w.until("its pose", func(s *Snapshot) bool { return !s.Fit.Beside.Late && s.Errors.Measured })
		if now.Errors.EE[1] == s.Errors.EE[1] {
			t.Errorf("EE %v at %g s and %v at %g s", s.Errors.EE, s.State.Time, now.Errors.EE, now.State.Time)
		}
		w.do(t, "key", "space")
		w.until("a moving clip", func(now *Snapshot) bool {
			return now.State.Playing && now.State.Time != s.State.Time && now.Fit.Beside.Late && now.Errors.EE[1] < 0
		})
		w.do(t, "key", "space")
		w.until("its last pose", func(s *Snapshot) bool { return !s.State.Playing && !s.Fit.Beside.Late })
	})
	t.Run("one that fails", func(t *testing.T) {
		w.click(w.item(fitpage.ItemOther+1), 0.3)
		w.until("the reason", func(s *Snapshot) bool { return strings.Contains(s.Failure, "for failing") && s.Fit.Compared == "" })
	})
	t.Run("undone", func(t *testing.T) {
		w.do(t, "mousemove", "600", "300")
		for k := 0; w.now().Fit.Compared != "Raised" && k < 4; k++ {
			w.do(t, "key", "ctrl+z")
			w.untilRest()
		}
		w.until("the picture again", func(s *Snapshot) bool {
			return s.Fit.Compared == "Raised" && s.Fit.Beside.Ready && s.Pose.Undo >= steps
		})
		w.click(w.item(fitpage.ItemOther), 0.3)
		w.until("none", func(s *Snapshot) bool {
			return s.Fit.Compared == "" && !s.State.Panes[0].Beside && !s.State.Panes[1].Beside
		})
	})
}
