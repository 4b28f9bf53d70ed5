package viewer

import (
	"testing"

	"skinlab/render/viewer/pages/fitpage"
	"skinlab/render/viewer/state"
	"skinlab/skinning"
)

// TestAdviceInAWindow asks which way suits the model, stops, asks again, and uses rows of the answer.
func TestAdviceInAWindow(t *testing.T) {
	t.Parallel()
	w := openLive(t, "demo:tube", "-child.page", "fit", "-child.pause", "600ms")
	ask := func() {
		t.Helper()
		w.click(w.until("the button", func(s *Snapshot) bool {
			return s.State.Tab == state.TabFit && s.item(fitpage.ItemAdvice).W > 0
		}).item(fitpage.ItemAdvice), 0.5)
		w.until("the search", func(s *Snapshot) bool { return s.Fit.Doing != "" })
	}
	ask()
	w.click(w.item(fitpage.ItemAdvice), 0.5)
	w.until("it to stop", func(s *Snapshot) bool { return s.Fit.Doing == "" })
	if a := w.now().Fit.Advised; a != "" {
		t.Errorf("a search that was stopped recommends %s", a)
	}
	ask()
	w.until("the answer", func(s *Snapshot) bool { return s.Fit.Advised == "enveloping" && s.item(fitpage.ItemWay+1).W > 0 })
	s := w.now()
	button, way := s.item(fitpage.ItemAdvice), s.item(fitpage.ItemWay)
	if below := way.Y - button.Bottom(); !(below > 0 && below < 100) { // a heading and two lines stand between
		t.Errorf("the answer begins %g pixels below its button, expected to be right under it", below)
	}
	w.click(w.reveal(fitpage.ItemWay+1), 0.1)
	w.until("a method's row to show it", func(s *Snapshot) bool { return s.State.Method() == skinning.DQS })
	w.click(w.reveal(fitpage.ItemWay+len(skinning.Methods())), 0.1)
	w.until("a fit's row to choose it", func(s *Snapshot) bool { return s.Fit.Kind == "Enveloping" })
}
