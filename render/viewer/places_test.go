package viewer

import (
	"fmt"
	"slices"
	"strconv"
	"testing"

	"skinlab/render/ui"
	"skinlab/render/viewer/caption"
	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/pages/fitpage"
	"skinlab/render/viewer/state"
)

// resize gives the window a size in pixels and waits until it has it.
func (w *liveWindow) resize(width, height int) {
	w.t.Helper()
	w.do(w.t, "search", "--name", "skinlab", "windowsize", strconv.Itoa(width), strconv.Itoa(height))
	w.until("the size", func(s *Snapshot) bool { return s.Width == width && s.Height == height })
	w.untilRest()
}

// methodShown reports whether the left panel is shown.
func methodShown(s *Snapshot) bool { return s.placed(desk.PanelLeft, itemMethod).W > 0 }

// TestPanelsByMouse: whatever hides the left panel, the mouse brings it back, in a window of any size.
func TestPanelsByMouse(t *testing.T) {
	t.Parallel()
	w := openLive(t, "demo:box")
	w.do(t, "mousemove", "600", "300", "key", "space")
	for _, size := range [][2]int{{640, 480}, {480, 360}, {windowWidth, windowHeight}} {
		w.resize(size[0], size[1])
		t.Run(fmt.Sprintf("%dx%d", size[0], size[1]), func(t *testing.T) {
			w.until("the left panel", methodShown)
			w.do(t, "key", "Tab")
			handle := w.until("no panels", func(s *Snapshot) bool { return s.Timeline.W == 0 && !methodShown(s) })
			w.click(handle.placed(desk.PanelLeftEdge, itemShow), 0.5)
			w.until("all panels", func(s *Snapshot) bool { return s.Timeline.W > 0 && methodShown(s) })
			w.do(t, "key", "v")
			paged := w.until("the page of errors", func(s *Snapshot) bool { return s.tab(state.TabErrors).W > 0 })
			if size[0] == windowWidth {
				if !methodShown(&paged) {
					t.Error("a wide window has no left panel beside a page")
				}
				return
			}
			paged = w.until("no left panel", func(s *Snapshot) bool { return !methodShown(s) })
			w.click(paged.tab(state.TabModel), 0.5)
			paged = w.until("the page of the model, whose panel stays", func(s *Snapshot) bool {
				return s.State.Tab == state.TabModel && s.tab(state.TabModel).W > 0 && !methodShown(s)
			})
			w.click(paged.item(itemTurn), 0.5)
			left := w.until("the left panel again", methodShown)
			w.click(left.placed(desk.PanelLeft, itemTurn), 0.5)
			w.until("the page again", func(s *Snapshot) bool { return s.tab(state.TabModel).W > 0 && !methodShown(s) })
			w.click(w.item(itemTurn), 0.5)
			w.until("the left panel at last", methodShown)
		})
	}
}

// TestPlatesBehindWords: words over a picture stand on plates that are dark where a bright model is behind them.
func TestPlatesBehindWords(t *testing.T) {
	t.Parallel()
	w := openLive(t, "demo:box", "-child.time", "0.01")
	w.do(t, "mousemove", "600", "300", "key", "c", "click", "--repeat", "22", "--delay", "4", "4")
	w.until("a close clay box", func(s *Snapshot) bool { return s.State.Clay })
	screen := w.settled()
	s := w.now()
	brightness := func(x, y int) int { p := screen.NRGBAAt(x, y); return (int(p.R) + int(p.G) + int(p.B)) / 3 }
	for _, item := range []int{caption.ItemPlate, caption.ItemReadout} {
		r := s.placed(desk.PanelCaption, item)
		if r.W <= 0 || r.X < s.View.X || r.Right() > s.View.Right() {
			t.Errorf("plate %d is at %+v in a view of %+v", item, r, s.View)
			continue
		}
		var behind, beside []int
		for y := int(r.Y) + 2; y < int(r.Bottom())-2; y++ {
			for x := int(r.X) + 2; x < int(r.Right())-2; x++ {
				behind = append(behind, brightness(x, y))
			}
		}
		for x := int(r.X); x < int(r.Right()); x++ { // the model below the plate
			beside = append(beside, brightness(x, int(r.Bottom())+6))
		}
		slices.Sort(behind)
		slices.Sort(beside)
		// Most of a plate is no letter. Letters are from 160 up.
		if m := behind[len(behind)/2]; m > 90 {
			t.Errorf("plate %d has a median brightness of %d of 255, expected 90 at most", item, m)
		}
		if m := beside[len(beside)/2]; m < 110 {
			t.Errorf("below plate %d the picture has a median brightness of %d: no bright model is behind it", item, m)
		}
	}
}

// lasting are the places that must not change while a fit starts, runs and ends: those of the left panel, and of the
// form of the fit with its button. The places of the clips are of its list.
func lasting(s *Snapshot) (all []ui.Placed) {
	for _, p := range s.Placed {
		if p.Panel == desk.PanelLeft || p.Panel == desk.PanelRight && p.Item >= fitpage.ItemKind && p.Item <= fitpage.ItemStart {
			all = append(all, p)
		}
	}
	return all
}

// TestNothingJumpsWhenAFitStarts: places are kept for the fit before there is one. The page of another kind of fit
// shows nothing of it.
func TestNothingJumpsWhenAFitStarts(t *testing.T) {
	t.Parallel()
	w := openLive(t, "demo:box", "-child.time", "1.5", "-child.pause", "100ms")
	w.do(t, "mousemove", "600", "300", "key", "b")
	w.until("the fit panel", func(s *Snapshot) bool { return s.item(fitpage.ItemStart).W > 0 })
	w.untilRest()
	before := w.now()
	same := func(when string, s *Snapshot) {
		t.Helper()
		was, is := lasting(&before), lasting(s)
		if len(was) < 15 {
			t.Fatalf("only %d places", len(was))
		}
		for k := range min(len(was), len(is)) {
			if was[k] != is[k] {
				t.Errorf("%s item %d of panel %d is at %+v, before the fit item %d was at %+v", when, is[k].Item,
					is[k].Panel, is[k].Rect, was[k].Item, was[k].Rect)
				return
			}
		}
		if len(was) != len(is) {
			t.Errorf("%s there are %d items, before the fit %d", when, len(is), len(was))
		}
	}
	w.click(before.item(fitpage.ItemStart), 0.5)
	s := w.until("the fit to run", func(s *Snapshot) bool { return s.Fit.Running })
	same("preparing,", &s)
	s = w.until("a bone", func(s *Snapshot) bool { return s.Fit.Fitted && s.Fit.Bones > 0 })
	same("with a bone,", &s)
	export := w.until("where it is exported", func(s *Snapshot) bool { return s.item(fitpage.ItemExport).W > 0 })
	if panel := export.placed(desk.PanelRight, 0); export.item(fitpage.ItemExport+1).Bottom() > panel.Bottom() {
		t.Errorf("the export at %+v is below the panel %+v", export.item(fitpage.ItemExport+1), panel)
	}
	s = w.until("ten bones", func(s *Snapshot) bool { return !s.Fit.Running && s.Fit.Bones == 10 })
	w.untilRest()
	s = w.now()
	same("at its end,", &s)
	if s.item(fitpage.ItemExport) != export.item(fitpage.ItemExport) {
		t.Error("the export moves when the fit ends")
	}
	w.click(s.item(fitpage.ItemKind+1), 0.5)
	w.until("enveloping", func(s *Snapshot) bool { return s.Fit.Kind == "Enveloping" })
	other := w.until("a form alone", func(s *Snapshot) bool { return s.item(fitpage.ItemExport).W == 0 })
	if other.item(fitpage.ItemStart).W == 0 {
		t.Error("the page of enveloping has no button")
	}
	w.click(other.item(fitpage.ItemKind), 0.5)
	w.until("blend bones and all of them again", func(s *Snapshot) bool {
		return s.Fit.Kind == "Blend bones" && s.item(fitpage.ItemExport) == export.item(fitpage.ItemExport)
	})
}
