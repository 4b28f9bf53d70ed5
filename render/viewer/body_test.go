package viewer

import (
	"math"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit"
	"skinlab/render/ui"
	"skinlab/render/viewer/fitted"
	"skinlab/render/viewer/pages/bodypage"
	"skinlab/render/viewer/pages/fitpage"
	"skinlab/render/viewer/state"
	"skinlab/skinning"
)

// fakeBody pretends to fit a body in two phases: the model's own skeleton and skin, which is a centimetre higher, with
// a second set of weights, the same as the first, and a clip in which it takes the poses of the examples.
func fakeBody(m *skinning.Model, update func(fitpage.Update)) {
	body := *m
	body.Skin.Positions = slices.Clone(m.Skin.Positions)
	for v := range body.Skin.Positions {
		body.Skin.Positions[v] = body.Skin.Positions[v].Add(mgl32.Vec3{0, 0.01, 0})
	}
	body.Skin.SetSecond(skinning.TwistSwing, &body.Skin.Influences)
	body.Skin.Morphs = nil
	clip, _ := fakeFits{}.Examples(m)
	scans := m.Clips[max(clip, 0)]
	scans.Name = "scans"
	scans.Channels = slices.DeleteFunc(slices.Clone(scans.Channels),
		func(c skinning.Channel) bool { return c.Path == skinning.PathWeights })
	body.Clips = []skinning.Clip{scans}
	u := fitpage.Update{Progress: fit.Progress{Now: fit.Step{Model: of(&body)}, Phases: []fit.Phase{{Objective: 2, RMS: 0.004}}}}
	update(u)
	u.Phases = append(u.Phases, fit.Phase{Objective: 1, RMS: 0.002})
	for j := range body.Skeleton.Joints {
		at := body.Skeleton.Joints[j].Position
		u.Moved = append(u.Moved, fitted.MovedJoint{Joint: j, Before: at.Add(mgl64.Vec3{0, 0.02, 0}), After: at})
	}
	u.History, u.Done, u.Reason = []fit.Step{u.Now}, true, "converged"
	update(u)
}

// TestBodyPage fits a body and looks at it beside its scans in a real window.
func TestBodyPage(t *testing.T) {
	t.Parallel()
	w := openLive(t, "demo:arm", "-child.body")
	if s := w.now(); s.tab(state.TabBody).W > 0 {
		t.Error("there is a page of bodies before there is one")
	}
	w.clickOn("the fits", func(s *Snapshot) ui.Rect { return s.tab(state.TabFit) })
	w.clickOn("the body's form", func(s *Snapshot) ui.Rect { return s.item(fitpage.ItemKind + 2) })
	w.clickOn("Fit", func(s *Snapshot) ui.Rect { return s.item(fitpage.ItemStart) })
	w.until("the body", func(s *Snapshot) bool {
		return s.Body.Whole && s.Fit.Reason == "converged" && s.item(fitpage.ItemExport).W > 0
	})
	if w.now().item(fitpage.ItemSwitch).W > 0 {
		t.Error("there is a switch of added bones, of which a body model has none")
	}
	w.clickOn("the page", func(s *Snapshot) ui.Rect { return s.tab(state.TabBody) })
	s := w.until("it", func(s *Snapshot) bool { return s.State.Tab == state.TabBody && s.item(bodypage.ItemView).W > 0 })
	if s.Body.Phases != 2 || s.Body.View != bodypage.ViewModel || s.State.Method() != state.Fitted {
		t.Errorf("%+v shown by %v, expected two phases and the model", s.Body, s.State.Method())
	}
	view := func(k int) {
		w.clickOn("a view", func(s *Snapshot) ui.Rect { return s.item(bodypage.ItemView + k) })
		w.until("it", func(s *Snapshot) bool { return s.Body.View == k })
	}
	seen := within(s.View)
	w.do(t, "mousemove", "600", "300", "key", "space")
	w.until("rest", func(s *Snapshot) bool { return !s.State.Playing })
	model := w.settled()
	t.Run("a scan is chosen", func(t *testing.T) {
		w.do(t, append(at(w.item(bodypage.ItemScan), 0.6, 0.5), "click", "1")...)
		w.until("its pose", func(s *Snapshot) bool {
			return s.State.Time > 0 && !s.State.Playing && s.State.Time == math.Trunc(s.State.Time)
		})
		if d := differing(model, w.settled(), seen, 16); d < 0.005 {
			t.Errorf("another scan changes %.2g of the picture, expected 0.005 at least", d)
		}
		model = w.settled()
	})
	t.Run("the model, the scan and both are three pictures", func(t *testing.T) {
		view(bodypage.ViewScan)
		scan := w.settled()
		view(bodypage.ViewBoth)
		both := w.settled()
		for what, d := range map[string]float64{"model and scan": differing(model, scan, seen, 16),
			"model and both": differing(model, both, seen, 16), "scan and both": differing(scan, both, seen, 16)} {
			if d < 0.003 {
				t.Errorf("%s differ in %.2g of the picture, expected 0.003 at least", what, d)
			}
		}
	})
	t.Run("the distance is measured to the scan", func(t *testing.T) {
		w.clickOn("the switch", func(s *Snapshot) ui.Rect { return s.item(bodypage.ItemHeat) })
		s := w.until("the heat map", func(s *Snapshot) bool {
			return s.State.Heat && s.State.Reference == state.Examples && s.Body.View == bodypage.ViewModel && s.Body.RMS > 0
		})
		// The body is as far from a scan as the example shapes move the skin, and a centimetre more: between a
		// millimetre and ten centimetres.
		if !(s.Body.RMS > 1e-3 && s.Body.RMS < 0.1) {
			t.Errorf("RMS %g m", s.Body.RMS)
		}
		w.clickOn("the switch", func(s *Snapshot) ui.Rect { return s.item(bodypage.ItemHeat) })
		w.until("no heat map", func(s *Snapshot) bool { return !s.State.Heat })
	})
	t.Run("joints before and after", func(t *testing.T) {
		with := w.settled()
		w.clickOn("the switch", func(s *Snapshot) ui.Rect { return s.item(bodypage.ItemJoints) })
		w.until("none", func(s *Snapshot) bool { return !s.Body.Joints })
		if d := differing(with, w.settled(), seen, 16); d < 1e-4 {
			t.Errorf("without joints %.2g of the picture differ, expected 1e-4 at least", d)
		}
	})
	t.Run("another clip leads back to the scans", func(t *testing.T) {
		scans := w.now().State.Clip
		w.do(t, "mousemove", "600", "300", "key", "Prior")
		w.until("another clip", func(s *Snapshot) bool { return s.State.Clip != scans && s.item(bodypage.ItemScan).W == 0 })
		w.clickOn("show the scans", func(s *Snapshot) ui.Rect { return s.item(bodypage.ItemScans) })
		s := w.until("the scans", func(s *Snapshot) bool { return s.State.Clip == scans && s.item(bodypage.ItemScan).W > 0 })
		if s.State.Playing || s.State.Time != 0 || s.item(bodypage.ItemScans).W > 0 {
			t.Errorf("the scans stand at %g s, playing %v, expected the first at rest", s.State.Time, s.State.Playing)
		}
		w.do(t, "mousemove", "600", "300")
	})
	t.Run("other pages stand it", func(t *testing.T) {
		for _, key := range []string{"v", "u", "t", "o", "8", "0", "7", "e", "e", "d", "d", "d", "d"} {
			w.do(t, "mousemove", "600", "300", "key", key)
			before := w.now().Drawn
			w.until("some frames", func(s *Snapshot) bool { return s.Drawn > before+2 })
		}
		if s := w.now(); s.Failure != "" {
			t.Error(s.Failure)
		}
	})
	t.Run("another model has no such page", func(t *testing.T) {
		w.tell("drop demo:box")
		w.discard()
		w.until("the box", func(s *Snapshot) bool {
			return s.Model == "demo:box" && !s.Loading && !s.Body.Whole && s.tab(state.TabBody).W == 0
		})
	})
}

// BodySnapshot is what the page of body models shows.
type BodySnapshot struct {
	Whole, Joints bool
	View, Phases  int
	RMS           float64 // from the scan, metres; 0 where it is not measured
}

func (a *app) bodySnapshot() (s BodySnapshot) {
	s = BodySnapshot{Whole: a.body.Offered(), Joints: a.body.Joints, View: a.body.View(), Phases: len(a.fit.Last.Phases)}
	if row := a.distances.Row(state.Pane{Method: state.Fitted}); row != nil && row.Compared {
		s.RMS = row.RMS
	}
	return s
}
