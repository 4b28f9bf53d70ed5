package viewer

import (
	"image"
	"math"
	"strconv"
	"testing"

	"skinlab/render/picture"
	"skinlab/render/ui"
	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/distances"
	"skinlab/render/viewer/measure"
	"skinlab/render/viewer/pages/errorpage"
	"skinlab/render/viewer/pages/sweep"
	"skinlab/render/viewer/state"
	"skinlab/skinning"
	"skinlab/skinning/anatomy"
	"skinlab/skinning/metrics"
)

// TestRowOfPane holds what the pictures show to the rows of the measurement, there and back.
func TestRowOfPane(t *testing.T) {
	panes := []state.Pane{{Method: state.Examples}}
	for _, m := range append(skinning.Methods(), state.Fitted) {
		panes = append(panes, state.Pane{Method: m}, state.Pane{Method: m, Beside: true})
	}
	seen := map[int]bool{}
	for _, p := range panes {
		row := measure.OfPane(p)
		if row < 0 || row >= measure.Rows() || seen[row] || measure.PaneOf(row) != p {
			t.Errorf("%v is row %d, which is %v", p, row, measure.PaneOf(row))
		}
		seen[row] = true
	}
	if len(seen) != measure.Rows() {
		t.Errorf("%d rows are used of %d", len(seen), measure.Rows())
	}
}

// at returns a place in a rectangle, by shares of its sides, as xdotool takes it.
func at(r ui.Rect, x, y float32) []string {
	return []string{"mousemove", strconv.Itoa(int(r.X + r.W*x)), strconv.Itoa(int(r.Y + r.H*y))}
}

// TestErrorsInAWindow compares, picks and sweeps with real keys and a real mouse.
func TestErrorsInAWindow(t *testing.T) {
	t.Parallel()
	w := openLive(t, "demo:tube", "-child.time", "1.5", "-child.split") // LBS beside DQS, paused in the middle of a twist
	click := func(place []string) { w.do(t, append(place, "click", "1")...) }
	measured := func(what string, ok func(*Snapshot) bool) Snapshot {
		t.Helper()
		return w.until(what, func(s *Snapshot) bool { return s.Errors.Measured && ok(s) })
	}
	view := w.now().View
	w.do(t, at(view, 0.25, 0.95)...) // beside the divider, whose tip a key ends

	t.Run("every picture tells its error", func(t *testing.T) {
		s := measured("errors", func(s *Snapshot) bool { return s.Errors.EE[0] > 1 })
		if s.Errors.EE[1] != 0 {
			t.Errorf("EE of the reference is %g", s.Errors.EE[1])
		}
	})
	t.Run("heat and its legend", func(t *testing.T) {
		before := w.settled()
		w.do(t, "key", "e")
		s := measured("heat", func(s *Snapshot) bool {
			return s.State.Heat && s.Errors.Surveyed && s.placed(desk.PanelLegend, 0).W > 0
		})
		img := w.settled()
		if d := differing(before, img, within(view), 16); d < 0.01 {
			t.Errorf("only %.2g of the picture changes, expected 0.01 at least", d)
		}
		if top := s.Errors.HeatTop * 1e3; !(math.Abs(top-metrics.RoundTop(top)) <= 1e-9*top) {
			t.Errorf("the scale ends at %g mm, which is no round number", top)
		}
		legendHas(t, img, s.placed(desk.PanelLegend, 0))
		reference := view
		reference.X, reference.W = view.X+0.52*view.W, 0.48*view.W
		if d := differing(before, img, within(reference), 16); d > 0 {
			t.Errorf("%.2g of the reference's picture changes, which the map leaves as it is", d)
		}
		w.do(t, "key", "shift+e")
		w.until("contour lines", func(s *Snapshot) bool { return s.State.Heat && s.State.Contours })
		if d := differing(img, w.settled(), within(view), 16); d == 0 {
			t.Error("the contour lines change nothing")
		}
		w.do(t, "key", "shift+e")
		w.until("the map alone", func(s *Snapshot) bool { return s.State.Heat && !s.State.Contours })
		w.do(t, "key", "period")
		if after := measured("another frame",
			func(n *Snapshot) bool { return n.State.Time != s.State.Time }); after.Errors.HeatTop != s.Errors.HeatTop {
			t.Errorf("the scale ends at %g m, a frame on at %g", s.Errors.HeatTop, after.Errors.HeatTop)
		}
	})
	t.Run("one scale for the clip", func(t *testing.T) {
		s := measured("the scale", func(s *Snapshot) bool { return s.Errors.HeatTop > 0 })
		w.do(t, "key", "4")
		other := measured("another method", func(s *Snapshot) bool { return s.State.Method() == skinning.DIB })
		w.do(t, "key", "1", "key", "shift+Home")
		start := measured("the start", func(s *Snapshot) bool { return s.State.Time == 0 && s.State.Method() == skinning.LBS })
		if other.Errors.HeatTop != s.Errors.HeatTop || start.Errors.HeatTop != s.Errors.HeatTop {
			t.Errorf("the scale ends at %g m, by another method at %g, at another time at %g", s.Errors.HeatTop,
				other.Errors.HeatTop, start.Errors.HeatTop)
		}
		for range 6 { // where linear blending is 19.5 mm off at most
			w.do(t, "key", "period")
		}
		w.do(t, "key", "v")
		measured("a pose", func(n *Snapshot) bool {
			return onFrame(n, 6) && n.State.Tab == state.TabErrors && n.item(errorpage.ItemScale+1).W > 0
		})
		click(at(w.item(errorpage.ItemScale+1), 0.5, 0.5))
		pose := w.until("this pose's scale", func(n *Snapshot) bool { return n.State.HeatTop > 0 })
		if top := pose.Errors.HeatTop; !(math.Abs(top-0.02) <= 1e-9) { // a rounding or two
			t.Errorf("the scale of the pose ends at %g m, expected 0.02; over the clip it is %g", top, s.Errors.HeatTop)
		}
		w.do(t, append(at(view, 0.5, 0.95), "key", "period")...)
		if next := measured("the next pose", func(n *Snapshot) bool { return onFrame(n, 7) }); next.Errors.HeatTop != pose.Errors.HeatTop {
			t.Errorf("the scale of one pose, %g m, is %g in the next", pose.Errors.HeatTop, next.Errors.HeatTop)
		}
		click(at(w.item(errorpage.ItemScale), 0.5, 0.5))
		w.until("the clip's scale", func(n *Snapshot) bool { return n.State.HeatTop == 0 && n.Errors.HeatTop == s.Errors.HeatTop })
		w.do(t, append(at(view, 0.5, 0.95), "key", "v")...)
		w.until("no page", func(n *Snapshot) bool { return n.State.Tab == state.TabModel })
		for range 39 { // half way again
			w.do(t, "key", "period")
		}
		measured("the middle of the twist", func(n *Snapshot) bool { return onFrame(n, 46) && n.Errors.EE[0] > 1 })
	})
	t.Run("the table of all methods", func(t *testing.T) {
		w.do(t, "key", "v")
		s := measured("the page",
			func(s *Snapshot) bool { return s.State.Tab == state.TabErrors && s.item(errorpage.ItemRow).W > 0 })
		row := s.item(errorpage.ItemRow)
		row.Y += 3 * row.H
		click(at(row, 0.5, 0.5))
		w.until("a click on DIB", func(s *Snapshot) bool { return s.State.Method() == skinning.DIB })
		row.Y -= 3 * row.H
		click(at(row, 0.5, 0.5))
		w.until("a click on LBS", func(s *Snapshot) bool { return s.State.Method() == skinning.LBS })
		w.do(t, append(at(view, 0.5, 0.95), "key", "r")...)
		measured("SDQS as the reference",
			func(s *Snapshot) bool { return s.State.Reference == skinning.SDQS && s.Errors.EE[0] > 1 })
		for range skinning.Methods() {
			w.do(t, "key", "r")
		}
		measured("DQS again", func(s *Snapshot) bool { return s.State.Reference == skinning.DQS })
	})
	t.Run("a vertex is picked and let go", func(t *testing.T) {
		onSkin := at(view, 0.43, 0.63)
		w.do(t, append(onSkin, "mousedown", "1", "mousemove_relative", "--", "-40", "0", "mousemove_relative", "40", "0",
			"mouseup", "1")...)
		if s := w.until("the end of the orbit", func(s *Snapshot) bool { return true }); s.State.Vertex >= 0 {
			t.Error("orbiting picks a vertex")
		}
		click(onSkin)
		s := measured("a vertex",
			func(s *Snapshot) bool {
				return s.State.Vertex >= 0 && s.placed(desk.PanelVertex, distances.ItemMarker).W > 0 && s.Errors.VertexMax > 0
			})
		if s.State.Joint < 0 || s.State.Active != 0 {
			t.Errorf("joint %d picked, picture %d active", s.State.Joint, s.State.Active)
		}
		// The marker is at the corner of a triangle under the mouse; those of the tube are some ten pixels wide here.
		x, _ := strconv.Atoi(onSkin[1])
		y, _ := strconv.Atoi(onSkin[2])
		m := s.placed(desk.PanelVertex, distances.ItemMarker)
		if d := math.Hypot(float64(m.X+m.W/2)-float64(x), float64(m.Y+m.H/2)-float64(y)); !(d <= 25) {
			t.Errorf("the marker is %.0f pixels from the click", d)
		}
		w.do(t, "key", "Escape")
		w.until("no vertex", func(s *Snapshot) bool {
			return s.State.Vertex < 0 && s.placed(desk.PanelVertex, distances.ItemMarker).W == 0
		})
		click(onSkin)
		w.until("a vertex", func(s *Snapshot) bool { return s.State.Vertex >= 0 })
		click(at(view, 0.95, 0.6))
		w.until("a click beside the model to let it go",
			func(s *Snapshot) bool { return s.State.Vertex < 0 && s.State.Active == 1 })
	})
	t.Run("a sweep is measured and poses", func(t *testing.T) {
		w.do(t, "key", "u")
		s := measured("curves", func(s *Snapshot) bool {
			return s.State.Tab == "sweep" && s.Errors.Swept && s.item(sweep.ItemError).W > 0
		})
		p := s.item(sweep.ItemError)
		w.do(t, append(at(p, 0.8, 0.5), "mousedown", "1")...)
		posed := w.until("the joint to be turned",
			func(s *Snapshot) bool { return s.Pose.Edited > 0 && s.Errors.Chosen && s.Errors.SweptAt > 60 })
		w.do(t, at(p, 0.3, 0.5)...)
		w.until("another angle",
			func(s *Snapshot) bool { return s.Errors.SweptAt < -30 && s.Pose.Local != posed.Pose.Local })
		w.do(t, "mouseup", "1")
		w.do(t, append(at(view, 0.5, 0.95), "key", "ctrl+z")...)
		w.until("the drag to be undone, and nothing else",
			func(s *Snapshot) bool {
				return s.Pose.Edited == 0 && s.Pose.Undo == posed.Pose.Undo && s.Pose.Redo == 1
			})
		click(at(s.item(sweep.ItemAxis+anatomy.AxisBend), 0.5, 0.5))
		measured("bends", func(s *Snapshot) bool { return s.State.Sweep.Axis == anatomy.AxisBend && s.Errors.Swept })
		click(at(s.item(sweep.ItemRow), 0.2, 0.5))
		w.until("a hidden curve", func(s *Snapshot) bool { return s.State.Sweep.Hides(skinning.LBS) })
	})
}

// legendHas looks for the colour map's ends and middle in the legend, in their order from below. The picture is 8 bits
// deep and the legend blends between 32 steps of the map: 6 levels.
func legendHas(t *testing.T, img *image.NRGBA, r ui.Rect) {
	t.Helper()
	last := int(r.Bottom())
	for _, share := range []float32{0.05, 0.5, 0.95} {
		want := picture.Colormap(share)
		found := false
		for ; last > int(r.Y) && !found; last-- {
			for x := int(r.X); x < int(r.Right()) && !found; x++ {
				c := img.NRGBAAt(x, last)
				found = !far(c.R, want[0], 6) && !far(c.G, want[1], 6) && !far(c.B, want[2], 6)
			}
		}
		if !found {
			t.Errorf("the legend lacks %v, the colour at %g, or it is not above those below it", want, share)
		}
	}
}
