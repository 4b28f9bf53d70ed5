package viewer

import (
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/internal/assetstest"
	"skinlab/render/passes"
	"skinlab/render/picture"
	"skinlab/render/skin"
	"skinlab/render/ui"
	"skinlab/render/viewer/fitted"
	"skinlab/render/viewer/pages/fitpage"
	"skinlab/render/viewer/posing"
	"skinlab/render/viewer/state"
	"skinlab/skinning"
	"skinlab/skinning/rig"
)

// TestEnvelopePanel drives a fit of enveloping from the choice at the top of the panel to the exported file, with a
// solver that only pretends.
func TestEnvelopePanel(t *testing.T) {
	t.Parallel()
	m := assetstest.Open(t, "demo:arm")
	w := openLive(t, "demo:arm", "-child.time", "1", "-child.pause", "250ms") // at rest, to compare pictures
	w.do(t, "mousemove", "600", "300", "key", "b")
	s := w.until("the fit panel",
		func(s *Snapshot) bool { return s.State.Tab == state.TabFit && s.item(fitpage.ItemStart).W > 0 })
	if s.Fit.Kind != "Enveloping" {
		t.Errorf("a model with examples is offered %q", s.Fit.Kind)
	}
	w.click(s.item(fitpage.ItemKind), 0.5)
	w.until("blend bones", func(s *Snapshot) bool { return s.Fit.Kind == "Blend bones" })
	w.click(s.item(fitpage.ItemKind+1), 0.5)
	s = w.until("enveloping",
		func(s *Snapshot) bool { return s.Fit.Kind == "Enveloping" && s.item(fitpage.ItemSource+1).W > 0 })

	t.Run("it runs on the examples while the error falls", func(t *testing.T) {
		w.click(s.item(fitpage.ItemStart), 0.5)
		early := w.until("a stage",
			func(s *Snapshot) bool { return s.Fit.Running && s.Fit.Stage != "" && len(s.Fit.Marks) > 0 })
		if early.State.Reference != state.Examples || early.State.Panes[1].Method != state.Examples &&
			early.State.Panes[0].Method != state.Examples {
			t.Errorf("the examples are not one key away: %+v", early.State)
		}
		first := w.until("a proxy", func(s *Snapshot) bool { return s.Fit.Enveloped && s.Fit.Bones > 0 })
		if first.State.Method() != state.Fitted || len(first.Fit.Marks) != 2 {
			t.Errorf("the window shows %v and %d errors to compare with", first.State.Method(), len(first.Fit.Marks))
		}
		w.until("more proxies", func(s *Snapshot) bool { return s.Fit.Bones > first.Fit.Bones && s.Fit.EE < first.Fit.EE })
	})
	w.click(s.item(fitpage.ItemStart), 0.5)
	w.until("the fit to end", func(s *Snapshot) bool { return !s.Fit.Running })
	t.Run("paint", func(t *testing.T) { testEnvelopePaint(t, w) })
	t.Run("three passes", func(t *testing.T) {
		w.do(t, "mousemove", "600", "60", "key", "t")
		// Proxies, skin and normals (RTER section 6); wall time here, which is never 0.
		w.until("their times", func(s *Snapshot) bool {
			p := &s.Timing.Passes
			return p[passes.Proxies] > 0 && p[passes.Skin] > 0 && p[passes.Normals] > 0
		})
		now := w.until("what they cost", func(s *Snapshot) bool { return fitCost(s) > 0 })
		p, n := &now.Timing.Passes, float64(len(m.Skin.Positions))
		all := p[passes.Proxies] + p[passes.Skin] + p[passes.Normals]
		if got := fitCost(&now) * n; !(math.Abs(got-all) <= 1e-9*all) { // the same figures, divided and multiplied
			t.Errorf("enveloping costs %g s, its three passes take %g s", got, all)
		}
		w.do(t, "key", "b")
		w.until("the fit panel again", func(s *Snapshot) bool { return s.item(fitpage.ItemExport+1).W > 0 })
	})
	t.Run("export", func(t *testing.T) {
		path := filepath.Join(w.cwd, "demo-arm-envelope.glb") // what the panel proposes
		w.click(w.reveal(fitpage.ItemExport+1), 0.5)
		w.until("the notice", func(s *Snapshot) bool { return s.Fit.Notice != "" })
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
	})
	t.Run("another teacher", func(t *testing.T) {
		w.click(w.reveal(fitpage.ItemSource+1), 0.5)
		time.Sleep(300 * time.Millisecond)
		w.clickOn("fit", func(s *Snapshot) ui.Rect { return s.item(fitpage.ItemStart) })
		now := w.until("a new fit", func(s *Snapshot) bool { return s.Fit.Running && s.State.Reference == skinning.DQS })
		if now.State.Panes[1].Method != skinning.DQS {
			t.Errorf("%v is one key away, expected the teacher", now.State.Panes[1].Method)
		}
		w.clickOn("cancel", func(s *Snapshot) ui.Rect { return s.item(fitpage.ItemStart) })
		w.until("the fit to end", func(s *Snapshot) bool { return !s.Fit.Running })
	})
}

// testEnvelopePaint paints by keys and by the choice in the panel, from the heat map too.
func testEnvelopePaint(t *testing.T, w *liveWindow) {
	heat := func() {
		w.do(t, "mousemove", "600", "60", "key", "e")
		w.until("the heat map", func(s *Snapshot) bool { return s.State.Heat && !s.State.Paint })
	}
	heat()
	w.do(t, "key", "shift+p")
	w.until("groups", func(s *Snapshot) bool {
		return s.State.Paint && !s.State.Heat && s.State.PaintView == state.PaintGroups
	})
	view := within(w.now().View)
	last := w.settled()
	for _, c := range []struct {
		what string
		view state.PaintView
		do   func()
	}{
		{"key gradients", state.PaintKeys, func() { w.do(t, "key", "shift+p") }},
		{"turning", state.PaintTurns, func() { w.do(t, "key", "shift+p") }},
		{"groups", state.PaintGroups, func() {
			heat()
			w.click(w.reveal(fitpage.ItemPaint), 0.5)
		}},
	} {
		c.do()
		w.until(c.what, func(s *Snapshot) bool { return s.State.Paint && !s.State.Heat && s.State.PaintView == c.view })
		now := w.settled()
		// The words of the legend alone are more than that.
		if d := differing(last, now, view, 16); d < 0.002 {
			t.Errorf("%s: %.2g of the picture is other than before, expected 0.002 at least", c.what, d)
		}
		last = now
	}
	w.do(t, "mousemove", "600", "60", "key", "p")
	w.until("no paint", func(s *Snapshot) bool { return !s.State.Paint })
}

// TestFittedPlaces: beads follow their proxy bones as the bones' matrices move them, live without those matrices, and
// baked by the nodes.
func TestFittedPlaces(t *testing.T) {
	m := assetstest.Open(t, "demo:arm")
	model, err := sampledProxies(m, 6)
	if err != nil {
		t.Fatal(err)
	}
	f := fitted.New(model)
	for _, baked := range []bool{false, true} {
		f.Set(posing.Instant{Clip: 0, Time: 1.3, Baked: baked, OK: true})
		f.Place()
		got := append([]mgl64.Vec3(nil), f.Seen...)
		f.Frame.SolveProxies()
		for k, j := range f.Joints {
			want := f.Frame.Matrices[j].Apply(f.Seats[k])
			if d := got[k].Sub(want).Len(); !(d <= 1e-12) { // metres; float64 sums of a few products of numbers up to 1
				t.Errorf("baked %v, bone %d: at %v, expected %v", baked, k, got[k], want)
			}
		}
	}
}

// TestCoats: what is painted is what the dyes of the view say; one bone alone leaves the others plain.
func TestCoats(t *testing.T) {
	m := assetstest.Open(t, "demo:arm")
	model, err := sampledProxies(m, 6)
	if err != nil {
		t.Fatal(err)
	}
	f := fitted.New(model)
	if f.Paint(state.PaintGroups, -1) {
		t.Error("what is worn already is new")
	}
	groups := append([]skin.Tint(nil), f.Tints...)
	if !f.Paint(state.PaintGroups, 2) {
		t.Error("one bone alone is not new")
	}
	lit := 0
	for v, tint := range f.Tints {
		if tint[3] > groups[v][3] {
			t.Fatalf("vertex %d shows more of one bone, %d, than of all, %d", v, tint[3], groups[v][3])
		}
		if tint[3] > 0 {
			lit++
		}
	}
	if lit == 0 || lit == len(f.Tints) {
		t.Errorf("one bone of six moves %d of %d vertices", lit, len(f.Tints))
	}
	f.Paint(state.PaintTurns, -1)
	want := make([]picture.Dye, 6)
	picture.TurnDyes(want, skinning.RigOf[*rig.Enveloping](model), 0, 1)
	for k := range want {
		if f.Dyes[k] != want[k] {
			t.Errorf("bone %d is painted %v for its turn, expected %v", k, f.Dyes[k], want[k])
		}
	}
	f.Paint(state.PaintKeys, 1)
	for k := range f.Dyes {
		if moves := k == 1; (f.Dyes[k][3] > 0) != moves { // each key moves its own bone alone
			t.Errorf("key 1 moves bone %d by %g", k, f.Dyes[k][3])
		}
	}
	blend, err := sampledBones(m, skinning.DQS, 3)
	if err != nil {
		t.Fatal(err)
	}
	b := fitted.New(blend)
	before := append([]skin.Tint(nil), b.Tints...)
	b.Paint(state.PaintTurns, -1) // blend bones have no turns: their influence stays
	for v := range before {
		if b.Tints[v] != before[v] {
			t.Fatalf("vertex %d of a skin with blend bones changes with a view that is not of it", v)
		}
	}
}
