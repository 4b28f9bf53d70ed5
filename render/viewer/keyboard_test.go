package viewer

import (
	"math"
	"testing"

	"skinlab/render/ui"
	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/menu"
	"skinlab/render/viewer/pages/fitpage"
	"skinlab/render/viewer/pages/posepage"
	"skinlab/render/viewer/state"
)

// TestTabGoesToTheNextNumber types the three angles of a joint with real keys: Tab takes one and goes on to the next.
func TestTabGoesToTheNextNumber(t *testing.T) {
	t.Parallel()
	w := openLive(t, "demo:figure")
	w.do(t, "key", "space", "key", "o")
	w.until("the page", func(s *Snapshot) bool { return s.State.Tab == state.TabPose && s.Pose.Rows > 0 && !s.State.Playing })
	w.tell("pick left_upper_arm")
	number := w.until("the joint's numbers", func(s *Snapshot) bool { return s.item(posepage.ItemNumber).W > 0 }).
		item(posepage.ItemNumber)
	_, y := middle(number)
	w.do(t, "mousemove", whole(number.X+9), y, "click", "1")
	w.until("the field", func(s *Snapshot) bool { return s.Fit.Typing })
	angle := func(k int, degrees float64) func(s *Snapshot) bool { // float64's rounding of a few turns
		return func(s *Snapshot) bool { return s.Fit.Typing && math.Abs(s.Pose.Euler[k]-degrees) <= 1e-6 }
	}
	w.do(t, "key", "ctrl+a", "type", "90")
	w.until("90 about x", angle(0, 90))
	w.do(t, "key", "Tab")
	w.do(t, "type", "--delay", "40", "20")
	w.until("20 about y", angle(1, 20))
	w.do(t, "key", "Tab")
	w.do(t, "type", "--delay", "40", "400")
	w.until("40 about z: a whole turn is none", angle(2, 40))
	w.do(t, "key", "shift+Tab")
	w.do(t, "type", "--delay", "40", "25")
	w.until("back to y", angle(1, 25))
	w.do(t, "key", "Return")
	s := w.until("the field to close", func(s *Snapshot) bool { return !s.Fit.Typing })
	for k, want := range [...]float64{90, 25, 40} {
		if !(math.Abs(s.Pose.Euler[k]-want) <= 1e-6) {
			t.Errorf("the angles are %v, expected 90, 25 and 40", s.Pose.Euler)
		}
	}
	if !s.State.Panels {
		t.Error("Tab in a field hides the panels")
	}
}

// TestArrowsInALowWindow: arrows reach every line of a menu that is taller than the window.
func TestArrowsInALowWindow(t *testing.T) {
	t.Parallel()
	w := openLive(t, "demo:box", "-child.size", "900x420")
	w.do(t, "key", "space", "key", "F10")
	w.until("the menu", func(s *Snapshot) bool { return s.placed(desk.PanelMenu, ui.ItemFocus).W > 0 })
	focus := func(s *Snapshot) ui.Rect { return s.placed(desk.PanelMenu, ui.ItemFocus) }
	last := func(s *Snapshot) ui.Rect { return s.placed(desk.PanelMenu, menu.ItemReset) }
	for range 60 {
		s := w.now()
		w.do(t, "key", "Down")
		n := w.until("the keyboard or the lines to move", func(n *Snapshot) bool {
			return focus(n).W > 0 && (focus(n) != focus(&s) || last(n) != last(&s))
		})
		if last(&n).W > 0 && focus(&n) == last(&n) {
			return
		}
	}
	t.Error("the keyboard never comes to the last line")
}

// TestKeyboardAlone opens a built-in model from the menu, sets the number of a fit and starts it, all by keys, and sees
// where the keyboard is.
func TestKeyboardAlone(t *testing.T) {
	t.Parallel()
	w := openLive(t, "demo:box")
	on := func(p ui.Panel, item int) func(s *Snapshot) bool {
		return func(s *Snapshot) bool {
			at := s.placed(p, item)
			return at.W > 0 && s.placed(p, ui.ItemFocus) == at
		}
	}
	// walk presses a key until the keyboard is on an item.
	walk := func(key string, p ui.Panel, item int) {
		t.Helper()
		for range 60 {
			before := w.now()
			if on(p, item)(&before) {
				return
			}
			w.do(t, "key", key)
			w.until("the keyboard to move", func(s *Snapshot) bool {
				at := s.placed(p, ui.ItemFocus) // which a frame may be without
				return at.W > 0 && at != before.placed(p, ui.ItemFocus)
			})
		}
		t.Fatalf("%s never comes to item %d of panel %d", key, item, p)
	}
	w.do(t, "key", "F10")
	w.until("the menu's first line", on(desk.PanelMenu, menu.ItemLine))
	w.do(t, "key", "w", "key", "Next", "key", "Down")
	w.until("its second line", on(desk.PanelMenu, menu.ItemLine+1))
	if s := w.now(); s.State.Wireframe || s.State.Clip != 0 {
		t.Error("keys change what is behind the menu")
	}
	walk("Down", desk.PanelMenu, menu.ItemBuiltIn+1)
	w.do(t, "key", "Return")
	s := w.until("another model", func(s *Snapshot) bool { return !s.Files.Menu && s.Files.Path != "demo:box" && !s.Loading })
	if s.placed(desk.PanelMenu, ui.ItemFocus).W > 0 {
		t.Error("the keyboard stays on a menu that is closed")
	}
	w.do(t, "key", "b")
	w.until("the page", func(s *Snapshot) bool { return s.State.Tab == state.TabFit })
	w.do(t, "key", "F6")
	w.until("the keyboard on the page", func(s *Snapshot) bool { return s.placed(desk.PanelRight, ui.ItemFocus).W > 0 })
	walk("Down", desk.PanelRight, fitpage.ItemSlider)
	w.do(t, "key", "Return")
	w.until("the field", func(s *Snapshot) bool { return s.Fit.Typing })
	w.do(t, "type", "--delay", "40", "7")
	w.do(t, "key", "Return")
	w.until("the slider again", func(s *Snapshot) bool { return !s.Fit.Typing && on(desk.PanelRight, fitpage.ItemSlider)(s) })
	walk("Down", desk.PanelRight, fitpage.ItemClip)
	w.do(t, "key", "Return")
	w.until("the first of the clips", on(desk.PanelMenu, fitpage.ItemTrain))
	w.do(t, "key", "Return")
	w.until("the page again, where it was", on(desk.PanelRight, fitpage.ItemClip))
	walk("Down", desk.PanelRight, fitpage.ItemStart)
	w.do(t, "key", "Return")
	w.until("a fit of seven bones", func(s *Snapshot) bool { return !s.Fit.Running && s.Fit.Bones == 7 })
	w.do(t, "key", "Escape")
	w.until("keys to be commands again", func(s *Snapshot) bool { return s.placed(desk.PanelRight, ui.ItemFocus).W == 0 })
}

// TestHelpByKeys: keys scroll the help, and change nothing behind it.
func TestHelpByKeys(t *testing.T) {
	t.Parallel()
	w := openLive(t, "demo:figure", "-child.size", "900x420")
	w.do(t, "key", "space", "key", "h")
	before := w.until("the help", func(s *Snapshot) bool { return s.State.Help && !s.State.Playing })
	top := w.settled()
	w.do(t, "key", "w", "key", "Next", "key", "e")
	w.untilRest()
	if s := w.now(); !s.State.Help || s.State.Wireframe || s.State.Heat || s.State.Clip != before.State.Clip {
		t.Errorf("keys change what is behind the help: %+v", s.State)
	}
	view := w.now().View
	if differing(top, w.settled(), within(view), 16) == 0 {
		t.Error("a key does not scroll the help")
	}
	w.do(t, "key", "h")
	w.until("no help", func(s *Snapshot) bool { return !s.State.Help })
}
