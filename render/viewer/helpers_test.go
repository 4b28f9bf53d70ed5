package viewer

import (
	"math"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"skinlab/internal/assetstest"
	"skinlab/render/ui"
	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/pages/fitpage"
	"skinlab/render/viewer/pages/helperpage"
	"skinlab/render/viewer/state"
	"skinlab/skinning"
	"skinlab/skinning/rig"
)

// Lines of the table of the arm's first bone: its constant, and below the forearm's name z and z².
const lineConstant, lineBend, lineSquare = 0, 2, 3

// TestHelperPage edits helper bones in a real window with a real mouse and real keys, and reads what it has exported.
func TestHelperPage(t *testing.T) {
	t.Parallel()
	path, m := helperFile(t)
	w := openLive(t, path, "-child.time", "1", "-child.export")
	view := w.now().View
	away := []string{"mousemove", whole(view.X + 30), whole(view.Bottom() - 30)}
	w.do(t, append(away, "key", "i")...)
	first := w.until("the page", func(s *Snapshot) bool {
		return s.State.Tab == state.TabHelpers && s.Helpers.Painted == 0 && s.item(helperpage.ItemNumber(lineBend, 1)).W > 0
	})
	if n := len(first.Helpers.Bones); n != 3 || first.State.Method() != state.Fitted || first.Helpers.Moving != 3 {
		t.Fatalf("%d helper bones, of which %d move, shown by %v", n, first.Helpers.Moving, first.State.Method())
	}
	t.Run("a bone of the list is painted", func(t *testing.T) {
		before := w.settled()
		w.clickOn("the second", func(s *Snapshot) ui.Rect { return s.item(helperpage.ItemBone + 1) })
		w.until("it to be painted", func(s *Snapshot) bool { return s.Helpers.Chosen == 1 && s.Helpers.Painted == 1 })
		w.do(t, away...)
		if d := differing(before, w.settled(), within(view), 16); d < 0.003 {
			t.Errorf("another bone's weights change %.2g of the picture, expected 0.003 at least", d)
		}
		bead := w.now().Fit.Bead
		w.do(t, "mousemove", strconv.Itoa(bead[0]), strconv.Itoa(bead[1]))
		w.until("the first under the mouse", func(s *Snapshot) bool { return s.Fit.Hovered == 0 })
		w.do(t, "mousedown", "1")
		w.until("the press", func(s *Snapshot) bool { return s.Fit.Hovered < 0 }) // as in a click of a hand: some frames
		w.do(t, "mouseup", "1")
		w.until("the first to be painted", func(s *Snapshot) bool { return s.Helpers.Painted == 0 })
	})
	t.Run("a number is dragged", func(t *testing.T) {
		before := w.now()
		x, y := middle(w.item(helperpage.ItemNumber(lineBend, 1)))
		w.do(t, "mousemove", x, y, "mousedown", "1")
		w.untilRest()
		w.do(t, "mousemove_relative", "40", "0")
		w.until("the skin to move", func(s *Snapshot) bool { return apart(s.Helpers.At[0], before.Helpers.At[0]) > 1e-4 })
		w.do(t, "mouseup", "1")
		w.do(t, away...)
		w.untilRest()
		after := w.now()
		got, was := after.Helpers.Bones[0].Terms[0].Coefficients, before.Helpers.Bones[0].Terms[0].Coefficients
		if !(got[1] > was[1]) || after.Helpers.Undo != 1 {
			t.Errorf("the drag made %g of %g in %d steps", got[1], was[1], after.Helpers.Undo)
		}
		got[1] = was[1]
		if got != was || !reflect.DeepEqual(after.Helpers.Bones[1:], before.Helpers.Bones[1:]) {
			t.Error("the drag changed other numbers too")
		}
		w.do(t, "key", "ctrl+z")
		w.until("undo to the bit", func(s *Snapshot) bool {
			return s.Helpers.Redo == 1 && reflect.DeepEqual(s.Helpers.Bones, before.Helpers.Bones) &&
				reflect.DeepEqual(s.Helpers.At, before.Helpers.At)
		})
		w.do(t, "key", "ctrl+shift+z")
		w.until("redo to the bit", func(s *Snapshot) bool {
			return s.Helpers.Redo == 0 && reflect.DeepEqual(s.Helpers.Bones, after.Helpers.Bones) &&
				reflect.DeepEqual(s.Helpers.At, after.Helpers.At)
		})
	})
	t.Run("examples are off the curve by what the edits are off them", func(t *testing.T) {
		moved := w.now().Helpers
		w.do(t, "key", "ctrl+z")
		// Half a millionth of the millimetre that the examples are off: sums of a few float64.
		s := w.until("the points", func(s *Snapshot) bool { return s.Helpers.Points == 5 && math.Abs(s.Helpers.RMS-1) <= 5e-7 })
		w.do(t, "key", "ctrl+shift+z")
		w.until("the edit to be off", func(n *Snapshot) bool { return n.Helpers.RMS > s.Helpers.RMS+0.1 })
		if moved.Points != 5 {
			t.Errorf("%d points, expected 5", moved.Points)
		}
	})
	t.Run("a number is typed", func(t *testing.T) {
		x, y := middle(w.item(helperpage.ItemNumber(lineSquare, 1)))
		w.do(t, "mousemove", x, y, "click", "1")
		w.until("the field", func(s *Snapshot) bool { return s.Fit.Typing })
		w.do(t, "key", "ctrl+a", "minus", "7", "period", "5", "Return")
		// Millimetres in the table are metres in the rig: a rounding or two.
		w.until("the typed number",
			func(s *Snapshot) bool { return math.Abs(s.Helpers.Bones[0].Terms[1].Coefficients[1]+0.0075) <= 1e-12 })
		w.do(t, away...)
	})
	t.Run("reset", func(t *testing.T) {
		click := func(button int) {
			w.clickOn("a button", func(s *Snapshot) ui.Rect { return s.item(helperpage.ItemReset + button) })
		}
		typed := w.now().Helpers
		click(0)
		w.until("the typed number's fitted value", func(s *Snapshot) bool {
			return s.Helpers.Bones[0].Terms[1] == first.Helpers.Bones[0].Terms[1] &&
				s.Helpers.Bones[0].Terms[0] == typed.Bones[0].Terms[0]
		})
		w.do(t, append(away, "key", "ctrl+z")...)
		w.until("the typed number again", func(s *Snapshot) bool { return reflect.DeepEqual(s.Helpers.Bones, typed.Bones) })
		click(1)
		w.until("the bone's", func(s *Snapshot) bool { return reflect.DeepEqual(s.Helpers.Bones, first.Helpers.Bones) })
		w.do(t, append(away, "key", "ctrl+z")...)
		w.until("the typed number again", func(s *Snapshot) bool { return reflect.DeepEqual(s.Helpers.Bones, typed.Bones) })
		click(2)
		w.until("all", func(s *Snapshot) bool { return reflect.DeepEqual(s.Helpers.Bones, first.Helpers.Bones) })
		w.do(t, append(away, "key", "ctrl+z")...)
		w.until("the typed number again", func(s *Snapshot) bool { return reflect.DeepEqual(s.Helpers.Bones, typed.Bones) })
	})
	t.Run("fewer bones", func(t *testing.T) {
		before := w.now().Helpers
		slider := w.item(helperpage.ItemMoving)
		w.do(t, append(at(slider, 0.4, 0.5), "click", "1")...)
		s := w.until("the first alone", func(s *Snapshot) bool { return s.Helpers.Moving == 1 })
		if !strings.HasPrefix(s.Helpers.Note, "No examples") {
			t.Errorf("weights that cannot be solved are said to be: %s", s.Helpers.Note)
		}
		if s.Helpers.At[0] != before.At[0] || s.Helpers.At[1] == before.At[1] || !reflect.DeepEqual(s.Helpers.Bones, before.Bones) {
			t.Errorf("vertices %v were %v; the numbers stay: %v", s.Helpers.At, before.At, reflect.DeepEqual(s.Helpers.Bones, before.Bones))
		}
		w.do(t, append(at(slider, 0.98, 0.5), "click", "1")...)
		w.until("all again", func(s *Snapshot) bool { return reflect.DeepEqual(s.Helpers.At, before.At) })
	})
	t.Run("all fits into windows of two sizes", func(t *testing.T) {
		for _, size := range [][2]int{{1280, 720}, {640, 480}, {windowWidth, windowHeight}} {
			w.do(t, "search", "--name", "skinlab", "windowsize", strconv.Itoa(size[0]), strconv.Itoa(size[1]))
			s := w.until("the size", func(s *Snapshot) bool {
				return s.Width == size[0] && s.Height == size[1] && s.item(helperpage.ItemBone).W > 0
			})
			w.untilRest()
			s = w.now()
			panel := s.placed(desk.PanelRight, 0)
			for _, at := range s.Placed {
				if at.Panel == desk.PanelRight && (at.Rect.X < panel.X || at.Rect.Right() > panel.Right()) {
					t.Errorf("in a window of %v item %d is at %v, the panel at %v", size, at.Item, at.Rect, panel)
				}
			}
		}
		w.do(t, away...)
	})
	t.Run("a tip tells what is under the mouse", func(t *testing.T) {
		if w.now().Helpers.Tip {
			t.Error("there is a tip where the mouse is not")
		}
		x, y := middle(w.item(helperpage.ItemBone + 2))
		w.do(t, "mousemove", x, y)
		w.until("the tip", func(s *Snapshot) bool { return s.Helpers.Tip })
		w.do(t, away...)
		w.until("no tip", func(s *Snapshot) bool { return !s.Helpers.Tip })
	})
	t.Run("the export has the edited numbers", func(t *testing.T) { testHelperExport(t, w, m) })
	t.Run("a suggested pose is shown", func(t *testing.T) {
		w.scrollTo(helperpage.ItemSuggested + 2)
		w.clickOn("the third", func(s *Snapshot) ui.Rect { return s.item(helperpage.ItemSuggested + 2) })
		w.until("its pose", func(s *Snapshot) bool {
			return s.State.Clip == suggestedClip && s.State.Time == 2 && !s.State.Playing && s.State.Tab == state.TabHelpers
		})
	})
	t.Run("another page shows no weights", func(t *testing.T) {
		w.do(t, append(away, "key", "i")...)
		w.until("no weights", func(s *Snapshot) bool { return s.State.Tab == state.TabModel && s.Helpers.Painted == -1 })
	})
	t.Run("a model without helper bones has no such page", func(t *testing.T) {
		w.do(t, "key", "i")
		w.tell("drop demo:box")
		s := w.until("the box", func(s *Snapshot) bool { return s.Model == "demo:box" && !s.Loading })
		if s.Helpers.Bones != nil || s.tab(state.TabHelpers).W > 0 {
			t.Error("the page of helper bones is still there")
		}
	})
}

// TestHelperLevels moves the slider of the level of detail in a real window that can solve weights for fewer bones.
func TestHelperLevels(t *testing.T) {
	t.Parallel()
	path, _ := helperFile(t)
	w := openLive(t, path, "-child.time", "1", "-child.levels")
	view := w.now().View
	w.do(t, "mousemove", whole(view.X+30), whole(view.Bottom()-30), "key", "i")
	first := w.until("the page", func(s *Snapshot) bool {
		return s.State.Tab == state.TabHelpers && s.item(helperpage.ItemMoving).W > 0
	}).Helpers
	move := func(share float32) { w.do(t, append(at(w.item(helperpage.ItemMoving), share, 0.5), "click", "1")...) }
	note := func(text string) func(s *Snapshot) bool {
		return func(s *Snapshot) bool { return strings.HasPrefix(s.Helpers.Note, text) }
	}
	if first.Moving != 3 || first.Note != "An export has all bones." {
		t.Fatalf("%d bones: %s", first.Moving, first.Note)
	}
	move(0.4)
	s := w.until("the note", func(s *Snapshot) bool { return s.Helpers.Moving == 1 && note("Solving")(s) })
	if len(s.Helpers.Bones) != 3 {
		t.Errorf("an export has %d bones before weights are solved for fewer", len(s.Helpers.Bones))
	}
	move(0.65) // while one bone's weights are being solved
	w.until("weights of two bones", func(s *Snapshot) bool {
		return s.Helpers.Moving == 2 && len(s.Helpers.Bones) == 2 && note("Weights solved")(s)
	})
	move(0.4)
	s = w.until("those of one, which are kept", func(s *Snapshot) bool { return s.Helpers.Moving == 1 })
	one := s.Helpers
	if len(one.Bones) != 1 || !note("Weights solved")(&s) || !reflect.DeepEqual(one.Bones[0], first.Bones[0]) {
		t.Errorf("%d bones, %s", len(one.Bones), one.Note)
	}
	x, y := middle(w.item(helperpage.ItemNumber(lineBend, 1)))
	w.do(t, "mousemove", x, y, "click", "1")
	w.until("the field", func(s *Snapshot) bool { return s.Fit.Typing })
	w.do(t, "key", "ctrl+a", "4", "0", "Return")
	s = w.until("the number in the level", func(s *Snapshot) bool {
		// Millimetres in the table are metres in the rig: a rounding or two.
		return len(s.Helpers.Bones) == 1 && math.Abs(s.Helpers.Bones[0].Terms[0].Coefficients[1]-0.04) <= 1e-12 &&
			!s.Fit.Typing // a key of the next frame would still be the field's
	})
	if apart(s.Helpers.At[0], one.At[0]) < 1e-4 {
		t.Error("the skin of one bone does not follow its number")
	}
	w.do(t, "mousemove", whole(view.X+30), whole(view.Bottom()-30), "key", "ctrl+z")
	w.until("the level before the edit", func(s *Snapshot) bool { return reflect.DeepEqual(s.Helpers.At, one.At) })
	move(0.98)
	w.until("all bones, to the bit", func(s *Snapshot) bool {
		return s.Helpers.Moving == 3 && reflect.DeepEqual(s.Helpers.Bones, first.Bones) &&
			reflect.DeepEqual(s.Helpers.At, first.At) && s.Helpers.Note == first.Note
	})
}

// testHelperExport asks before edits are lost, exports what the window shows and reads it again.
func testHelperExport(t *testing.T, w *liveWindow, m *skinning.Model) {
	w.do(t, "key", "ctrl+q")
	w.until("the question about the edits", func(s *Snapshot) bool {
		return s.Saving.Asked == "The fit with edited coefficients is not exported"
	})
	w.do(t, "key", "Escape")
	w.until("no question", func(s *Snapshot) bool { return s.Saving.Asked == "" })
	w.scrollTo(fitpage.ItemExport + 1)
	shown := w.now().Helpers
	w.clickOn("export", func(s *Snapshot) ui.Rect { return s.item(fitpage.ItemExport + 1) })
	w.until("the notice", func(s *Snapshot) bool { return s.Saving.Titles[0] == "Exported" })
	again := assetstest.Open(t, filepath.Join(filepath.Dir(w.now().Files.Path), "arm-edited.glb"))
	got := skinning.RigOf[*rig.HelperBones](again)
	if got == nil || !reflect.DeepEqual(got.Bones, shown.Bones) {
		t.Errorf("the file has %+v, expected %+v", got, shown.Bones)
	}
	if a, b := len(again.Skeleton.Nodes), len(m.Skeleton.Nodes); a != b {
		t.Errorf("the file has %d nodes, expected %d", a, b)
	}
}

// scrollTo turns the wheel over the page at the right until an item is in sight, between the headings and the plot.
func (w *liveWindow) scrollTo(item int) {
	w.t.Helper()
	const headings, notches = 45, 40
	v := w.now().View
	w.do(w.t, "mousemove", whole(v.Right()+100), whole(v.Y+v.H/3))
	for range notches {
		w.untilRest()
		s := w.now()
		r := s.item(item)
		switch {
		case r.Y < headings:
			w.do(w.t, "click", "--repeat", "2", "4")
		case r.Bottom() > s.item(helperpage.ItemPlot).Y-30:
			w.do(w.t, "click", "--repeat", "2", "5")
		default:
			return
		}
	}
	w.t.Fatalf("item %d does not come in sight: %v", item, w.now().item(item))
}

func apart(a, b [3]float64) float64 {
	d := 0.0
	for k := range a {
		d += (a[k] - b[k]) * (a[k] - b[k])
	}
	return math.Sqrt(d)
}
