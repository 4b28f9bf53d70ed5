package viewer

import (
	"slices"
	"testing"

	"skinlab/render/ui"
	"skinlab/render/viewer/desk"
	"skinlab/skinning"
)

// TestTipsKeepOutOfTheWay: a tip stands beside the panel of what it explains, goes with a press or a key, and does
// not come again before the mouse has left what it was on; none comes while the mouse drags.
func TestTipsKeepOutOfTheWay(t *testing.T) {
	t.Parallel()
	w := openLive(t, "demo:box")
	w.do(t, "key", "space")
	tip := func(s *Snapshot) ui.Rect { return s.placed(desk.PanelTip, 0) }
	shown := func(s *Snapshot) bool { return tip(s).W > 1 }
	const dual, scaled = itemMethod + 1, itemMethod + 2
	explained := func(item int) Snapshot {
		t.Helper()
		at := w.now()
		x, y := middle(at.placed(desk.PanelLeft, item))
		w.do(t, "mousemove", x, y)
		s := w.until("a tip", shown)
		of := s.placed(desk.PanelLeft, item)
		panel := s.placed(desk.PanelLeft, 0)
		if apart := tip(&s).X - panel.Right(); !(apart >= 0 && apart <= 10) {
			t.Errorf("the tip at %v is not beside the panel at %v", tip(&s), panel)
		}
		if below, above := tip(&s).Y-of.Bottom(), of.Y-tip(&s).Bottom(); max(below, above) > 10 {
			t.Errorf("the tip at %v is far from what it explains at %v", tip(&s), of)
		}
		return s
	}
	explained(dual)
	w.do(t, "click", "1")
	w.until("the method without a tip", func(s *Snapshot) bool { return s.State.Method().String() == "dqs" && !shown(s) })
	w.do(t, "mousemove_relative", "3", "1")
	w.untilRest()
	w.untilRest() // two rests, longer than a tip takes
	if s := w.now(); shown(&s) {
		t.Error("a tip lies over what has just been clicked")
	}
	explained(scaled)
	w.do(t, "key", "period")
	w.until("no tip", func(s *Snapshot) bool { return !shown(s) })
	w.untilRest()
	if s := w.now(); shown(&s) {
		t.Error("a tip comes again while the keyboard is used")
	}
	view := w.now().View
	w.do(t, "mousemove", whole(view.X+view.W/2), whole(view.Y+view.H/2), "mousedown", "1", "mousemove_relative", "0", "5")
	x, y := middle(w.now().placed(desk.PanelLeft, dual))
	w.do(t, "mousemove", x, y)
	w.untilRest()
	w.untilRest()
	if s := w.now(); shown(&s) {
		t.Error("a tip comes while the mouse turns the camera")
	}
	w.do(t, "mouseup", "1")
}

// TestMoreMethods: three methods are listed, the one that is shown, and all others on demand.
func TestMoreMethods(t *testing.T) {
	t.Parallel()
	w := openLive(t, "demo:box")
	rows := func(s *Snapshot) (rows []int) {
		for i := range skinning.Methods() {
			if s.placed(desk.PanelLeft, itemMethod+i).W > 0 {
				rows = append(rows, i)
			}
		}
		return rows
	}
	listed := func(want ...int) func(*Snapshot) bool {
		return func(s *Snapshot) bool { return slices.Equal(rows(s), want) }
	}
	w.until("three", listed(0, 1, 2))
	w.do(t, "key", "5")
	w.until("the shown one too", listed(0, 1, 2, 4))
	w.clickOn("more", func(s *Snapshot) ui.Rect { return s.placed(desk.PanelLeft, itemMore) })
	w.until("all", func(s *Snapshot) bool { return len(rows(s)) == len(skinning.Methods()) })
}
