package viewer

import (
	"math"
	"testing"

	"skinlab/internal/assetstest"
	"skinlab/render/viewer/pages/errorpage"
	"skinlab/render/viewer/pages/fitpage"
	"skinlab/render/viewer/state"
	"skinlab/skinning"
	"skinlab/skinning/compare"
	"skinlab/skinning/deltamush"
)

// TestDeltaMushInAWindow chooses Delta Mush by a click, by R and by the palette, holds the cards to the float64
// comparison, and looks at the heat map, the sweep and a fit that learns it.
func TestDeltaMushInAWindow(t *testing.T) {
	t.Parallel()
	const at = 1.5
	m := assetstest.Open(t, "demo:tube")
	rows, err := compare.Run(t.Context(), m, compare.Options{Reference: deltamush.New(m, deltamush.Default()),
		Subjects: compare.Direct(skinning.LBS, skinning.DQS), Times: []float64{at}, ShortestPath: true})
	if err != nil {
		t.Fatal(err)
	}
	w := openLive(t, "demo:tube", "-child.time", "1.5", "-child.split", "-child.page", "error")
	measured := func(what string, ok func(*Snapshot) bool) Snapshot {
		t.Helper()
		return w.until(what, func(s *Snapshot) bool { return s.Errors.Measured && ok(s) })
	}
	w.click(w.until("the page", func(s *Snapshot) bool { return s.item(errorpage.ItemReference).W > 0 }).item(
		errorpage.ItemReference+len(skinning.Methods())), 0.5)
	s := measured("Delta Mush", func(s *Snapshot) bool { return s.State.Reference == state.DeltaMush && s.Errors.EE[0] >= 0 })
	for i, row := range rows {
		// Positions and poses are float32 in the window: a ten thousandth of the number.
		if got, want := float64(s.Errors.EE[i]), float64(row.EE); !(math.Abs(got-want) <= 1e-4*want) || want < 1 {
			t.Errorf("%s: the card says %g %%, compare %g %%", row.Method, got, want)
		}
	}
	x, y := middle(s.View)
	w.do(t, "mousemove", x, y, "key", "r")
	measured("R to choose the first method", func(s *Snapshot) bool { return s.State.Reference == skinning.LBS })
	w.do(t, "key", "ctrl+p")
	w.until("the palette", func(s *Snapshot) bool { return s.Palette != nil && s.Fit.Typing })
	w.do(t, "type", "--delay", "40", "mush")
	w.until("its entry",
		func(s *Snapshot) bool { return len(s.Palette) > 0 && s.Palette[0] == "Reference Delta Mush" })
	w.do(t, "key", "Return")
	measured("the palette to choose it", func(s *Snapshot) bool { return s.State.Reference == state.DeltaMush })

	w.do(t, "key", "c")
	w.until("clay", func(s *Snapshot) bool { return s.State.Clay })
	clay := w.settled()
	w.do(t, "key", "e")
	measured("the heat map", func(s *Snapshot) bool { return s.State.Heat && s.Errors.HeatTop > 0 })
	if share := differing(clay, w.settled(), within(s.View), 40); !(share > 0.02) {
		t.Errorf("the heat map changes %g of the picture's pixels", share)
	}
	w.do(t, "key", "e", "key", "u")
	measured("the sweep", func(s *Snapshot) bool { return s.State.Tab == "sweep" && s.Errors.Swept })

	w.do(t, "key", "b")
	s = w.until("the fits", func(s *Snapshot) bool { return s.State.Tab == state.TabFit && s.item(fitpage.ItemKind+1).W > 0 })
	w.click(s.item(fitpage.ItemKind+1), 0.5)
	s = w.until("enveloping", func(s *Snapshot) bool { return s.Fit.Kind == "Enveloping" && s.item(fitpage.ItemSource).W > 0 })
	for range 2 { // back from the first method: files, then Delta Mush
		w.click(s.item(fitpage.ItemSource), 0.5)
		w.untilRest()
	}
	w.do(t, "mousemove", x, y, "key", "r")
	w.until("another reference", func(s *Snapshot) bool { return s.State.Reference == skinning.LBS })
	w.click(w.item(fitpage.ItemStart), 0.5)
	w.until("a fit of Delta Mush's shapes",
		func(s *Snapshot) bool { return s.Fit.Bones > 0 && s.State.Reference == state.DeltaMush })
}
