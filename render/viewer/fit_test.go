package viewer

import (
	"image"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"skinlab/internal/assetstest"
	"skinlab/render/picture"
	"skinlab/render/ui"
	"skinlab/render/viewer/fitted"
	"skinlab/render/viewer/pages/fitpage"
	"skinlab/render/viewer/posing"
	"skinlab/render/viewer/state"
	"skinlab/skinning"
	"skinlab/skinning/rig"
)

// click presses the left button at a share of a rectangle's width.
func (w *liveWindow) click(r ui.Rect, share float32) {
	w.t.Helper()
	x, y := strconv.Itoa(int(r.X+r.W*share)), strconv.Itoa(int(r.Y+r.H/2))
	w.do(w.t, "mousemove", x, y, "click", "1")
}

// TestFitPanel drives a fit from its first click to the exported file, with a solver that only pretends.
func TestFitPanel(t *testing.T) {
	t.Parallel()
	w := openLive(t, "demo:box", "-child.time", "1.5", "-child.pause", "400ms") // twisted
	w.do(t, "mousemove", "600", "300", "key", "b")
	s := w.until("the fit panel",
		func(s *Snapshot) bool { return s.State.Tab == state.TabFit && s.item(fitpage.ItemStart).W > 0 })
	linear := w.settled()

	t.Run("it runs while the model changes", func(t *testing.T) {
		w.click(s.item(fitpage.ItemStart), 0.5)
		w.until("the fit to run", func(s *Snapshot) bool { return s.Fit.Running })
		first := w.until("a bone", func(s *Snapshot) bool { return s.Fit.Fitted && s.Fit.Bones > 0 })
		if first.State.Method() != state.Fitted {
			t.Errorf("the window shows %v while the fit runs, expected blend bones", first.State.Method())
		}
		w.until("more bones", func(s *Snapshot) bool { return s.Fit.Bones > first.Fit.Bones && s.Fit.EE < first.Fit.EE })
	})
	t.Run("cancel keeps what was reached", func(t *testing.T) {
		w.click(s.item(fitpage.ItemStart), 0.5)
		stopped := w.until("the fit to end", func(s *Snapshot) bool { return !s.Fit.Running })
		if stopped.Fit.Reason != "cancelled" || stopped.Fit.Bones < 1 || stopped.Fit.Bones > 9 ||
			stopped.Fit.Steps != stopped.Fit.Bones+1 {
			t.Errorf("cancelled with %q, %d bones and %d steps", stopped.Fit.Reason, stopped.Fit.Bones, stopped.Fit.Steps)
		}
	})
	t.Run("a whole fit", func(t *testing.T) {
		w.click(s.item(fitpage.ItemStart), 0.5)
		done := w.until("ten bones", func(s *Snapshot) bool { return !s.Fit.Running && s.Fit.Bones == 10 })
		if done.Fit.Steps != 11 || done.Fit.Picked != 10 || done.Fit.Reason != "bone limit" || !done.Fit.Worse ||
			!strings.HasPrefix(done.Fit.Verdict, "Worse than linear blending in 1") {
			t.Errorf("%+v", done.Fit)
		}
		w.do(t, "mousemove", "600", "300", "key", "j")
		w.until("no beads", func(s *Snapshot) bool { return !s.State.Bones })
		// A twist of 180° collapses the middle of the box under linear blending; ten samples of DQS keep it.
		if d := differing(linear, w.settled(), within(s.View), 16); d < 0.003 {
			t.Errorf("only %.2g of the picture differs from plain linear blending, expected 0.003 at least", d)
		}
		w.do(t, "key", "j")
	})
	t.Run("the slider picks a step", func(t *testing.T) {
		at := w.until("the slider", func(s *Snapshot) bool { return s.item(fitpage.ItemPick).W > 0 }).item(fitpage.ItemPick)
		last := w.now()
		w.click(at, 0.33)
		picked := w.until("fewer bones", func(s *Snapshot) bool { return s.Fit.Bones < 10 })
		if picked.Fit.Picked != picked.Fit.Bones || !(picked.Fit.EE > last.Fit.EE) {
			t.Errorf("step %d has %d bones and an EE of %g %%, with ten it was %g %%", picked.Fit.Picked, picked.Fit.Bones,
				picked.Fit.EE, last.Fit.EE)
		}
		w.click(at, 0.98)
		w.until("ten bones again", func(s *Snapshot) bool { return s.Fit.Bones == 10 })
	})
	t.Run("methods and blend bones by key", func(t *testing.T) { testBlendKeys(t, w, linear) })
	t.Run("a bone under the mouse", func(t *testing.T) {
		w.do(t, "mousemove", "600", "560")
		before := w.settled()
		bead := w.now().Fit.Bead
		w.do(t, "mousemove", strconv.Itoa(bead[0]), strconv.Itoa(bead[1]))
		w.until("the bone", func(s *Snapshot) bool { return s.Fit.Hovered >= 0 })
		// Its card is drawn below and to the right of it, half a per cent of the picture at least.
		if d := differing(before, w.settled(), within(s.View), 16); d < 0.005 {
			t.Errorf("a bone under the mouse changes %.2g of the picture, expected 0.005 at least", d)
		}
		w.do(t, "mousemove", "600", "560")
	})
	t.Run("export", func(t *testing.T) { testExport(t, w) })
	t.Run("a fit that fails leaves the window as it is", func(t *testing.T) {
		w.tell("fail")
		now := w.until("the reason", func(s *Snapshot) bool { return s.Failure != "" && !s.Fit.Running })
		if now.Failure != "this fit is for failing" || now.Fit.Bones != 10 {
			t.Errorf("%q with %d bones on the screen", now.Failure, now.Fit.Bones)
		}
		w.do(t, "key", "Escape")
		w.until("no message", func(s *Snapshot) bool { return s.Failure == "" })
	})
	t.Run("another model ends it", func(t *testing.T) {
		v := w.now().View
		w.do(t, "mousemove", whole(v.Right()+100), whole(v.Y+v.H/2), "click", "--repeat", "60", "--delay", "4", "4")
		w.until("the top of the page", func(now *Snapshot) bool { return now.item(fitpage.ItemStart) == s.item(fitpage.ItemStart) })
		w.click(s.item(fitpage.ItemStart), 0.5)
		w.until("the fit to run", func(s *Snapshot) bool { return s.Fit.Running })
		w.tell("drop demo:tube")
		w.discard()
		now := w.until("the tube", func(s *Snapshot) bool { return s.Model == "demo:tube" })
		if now.Fit.Running || now.Fit.Fitted || now.Fit.Steps != 0 || now.State.Shows(state.Fitted) ||
			now.State.Panes[1].Method == state.Fitted {
			t.Errorf("the fit of the old model is still there: %+v, %+v", now.Fit, now.State)
		}
	})
	t.Run("a model with blend bones", func(t *testing.T) {
		w.tell("fitted demo:box")
		now := w.until("the box", func(s *Snapshot) bool { return s.Model == "demo:box" && s.Fit.Fitted })
		if now.State.Method() != state.Fitted || now.Fit.Bones != 5 {
			t.Errorf("%v with %d bones is shown, expected blend bones, 5 of them", now.State.Method(), now.Fit.Bones)
		}
		w.do(t, "key", "2")
		w.until("DQS", func(s *Snapshot) bool { return s.State.Method() == skinning.DQS })
	})
}

// TestThirdFit: a fit that one row adds is a choice of the panel with its own sliders, runs, and is exported under its
// own name.
func TestThirdFit(t *testing.T) {
	t.Parallel()
	w := openLive(t, "demo:box", "-child.pause", "50ms", "-child.third")
	w.do(t, "mousemove", "600", "300", "key", "b")
	s := w.until("the fit panel",
		func(s *Snapshot) bool { return s.State.Tab == state.TabFit && s.item(fitpage.ItemStart).W > 0 })
	w.click(s.item(fitpage.ItemKind+2), 0.5)
	s = w.until("the third", func(s *Snapshot) bool { return s.Fit.Kind == "Twins" })
	w.click(s.item(fitpage.ItemStart), 0.5)
	s = w.until("three twins",
		func(s *Snapshot) bool {
			return !s.Fit.Running && s.Fit.Bones == 3 && s.item(fitpage.ItemExport+1).W > 0
		})
	if s.Fit.Steps != 4 {
		t.Errorf("%d steps", s.Fit.Steps)
	}
	time.Sleep(300 * time.Millisecond) // the verdict moves what is below it
	w.click(w.reveal(fitpage.ItemExport+1), 0.5)
	w.until("the notice", func(s *Snapshot) bool { return s.Fit.Notice != "" })
	if _, err := os.Stat(filepath.Join(w.cwd, "demo-box-twins.glb")); err != nil {
		t.Error(err)
	}
}

// testBlendKeys flips between the master model's methods and the fitted skin, whole and side by side.
func testBlendKeys(t *testing.T, w *liveWindow, linear *image.NRGBA) {
	w.do(t, "key", "1")
	w.until("LBS", func(s *Snapshot) bool { return s.State.Method() == skinning.LBS })
	view := within(w.now().View)
	if d := differing(linear, w.settled(), view, 0); d > 0 {
		t.Errorf("%.2g of LBS's picture changed with a fit, expected none", d)
	}
	w.do(t, "key", "6")
	w.until("blend bones", func(s *Snapshot) bool { return s.State.Method() == state.Fitted })
	plain := w.settled()
	w.do(t, "key", "p")
	w.until("paint", func(s *Snapshot) bool { return s.State.Paint })
	if d := differing(plain, w.settled(), view, 16); d < 0.01 {
		t.Errorf("paint changes %.2g of the picture, expected 0.01 at least", d)
	}
	w.do(t, "key", "p")
	w.do(t, "key", "x")
	s := w.until("side by side", func(s *Snapshot) bool { return s.State.Layout == state.Split })
	if s.State.Method() != state.Fitted || s.State.Panes[1].Method != skinning.DQS {
		t.Errorf("%v beside %v, expected blend bones beside what they imitate", s.State.Method(), s.State.Panes[1].Method)
	}
	w.do(t, "key", "x")
	w.until("whole", func(s *Snapshot) bool { return s.State.Layout == state.One })
}

// testExport types a path and presses Return. Keys of the text are not commands.
func testExport(t *testing.T, w *liveWindow) {
	w.until("the export field", func(s *Snapshot) bool { return s.item(fitpage.ItemExport).W > 0 })
	w.scrollPage()
	s := w.now()
	path := filepath.Join(t.TempDir(), "x1.glb") // x and 1 are keys of the window
	w.click(s.item(fitpage.ItemExport), 0.5)
	w.until("the field to be edited", func(s *Snapshot) bool { return s.Fit.Typing })
	w.do(t, "key", "ctrl+a")
	w.do(t, "type", "--delay", "30", path)
	time.Sleep(200 * time.Millisecond)
	w.do(t, "key", "Return")
	w.until("the notice", func(s *Snapshot) bool { return s.Fit.Notice != "" })
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if want := "demo:box with 10 bones"; string(got) != want {
		t.Errorf("exported %q, expected %q", got, want)
	}
	if now := w.now(); now.State.Layout != state.One || now.State.Method() != state.Fitted {
		t.Errorf("typing a path ran commands: %+v", now.State)
	}
	w.click(s.item(fitpage.ItemExport+1), 0.5)
	w.until("a question, since the file is there now", func(s *Snapshot) bool { return s.Saving.Asked == path })
	w.do(t, "key", "Escape")
	w.until("the answer", func(s *Snapshot) bool { return s.Saving.Asked == "" })
	w.do(t, "mousemove", "600", "300", "key", "x")
	w.until("keys to be commands again", func(s *Snapshot) bool { return s.State.Layout == state.Split })
	w.do(t, "key", "x")
}

// TestFolded holds the weights of a file's masters: each vertex's blend bones are taken apart again, exactly where
// the bones lie on the line between two joints, as these do.
func TestFolded(t *testing.T) {
	m := assetstest.Open(t, "demo:box")
	model, err := sampledBones(m, skinning.DQS, 3)
	if err != nil {
		t.Fatal(err)
	}
	model.Skin.DropInput(&skinning.OriginalWeights)
	back := rig.Folded(model)
	if err := back.Skin.Influences.Validate(len(back.Skeleton.Joints)); err != nil {
		t.Fatal(err)
	}
	weight := func(in *skinning.Influences, v, joint int) (w float64) {
		for _, i := range in.Of(nil, v) {
			if int(i.Joint) == joint {
				w += float64(i.Weight)
			}
		}
		return w
	}
	for v := range m.Skin.Bindings {
		for j := range m.Skeleton.Joints {
			// float32 weights, multiplied and added a few times
			if a, b := weight(&m.Skin.Influences, v, j), weight(&back.Skin.Influences, v, j); !(a-b <= 1e-6 && b-a <= 1e-6) {
				t.Fatalf("vertex %d, joint %d: weight %g, expected %g", v, j, b, a)
			}
		}
	}
}

// TestBakedAndLive poses a rig live, by its masters, and baked, by its nodes. These nodes stand still, so that the two
// differ.
func TestBakedAndLive(t *testing.T) {
	m := assetstest.Open(t, "demo:box")
	model, err := sampledBones(m, skinning.DQS, 1)
	if err != nil {
		t.Fatal(err)
	}
	f := fitted.New(model)
	if f.Baked {
		t.Error("no clip moves the bone's node, but it counts as baked")
	}
	at := posing.Instant{Clip: 0, Time: 1.5, OK: true}
	f.Set(at)
	j := f.Joints[0]
	first := &skinning.RigOf[*rig.BlendBones](model).Bones[0]
	want := f.Frame.Evaluate(skinning.DQS, first.Masters, first.Weights)
	for k, x := range f.Frame.Matrices[j] {
		if !(math.Abs(x-want[k]) <= 1e-12) { // a driven bone is rounded elsewhere
			t.Fatalf("live: %v, expected %v", f.Frame.Matrices[j], want)
		}
	}
	live := f.Frame.Matrices[j]
	at.Baked = true
	f.Set(at)
	if f.Frame.Matrices[j] == live {
		t.Error("baked, the bone moves as it does live, though its node stands still")
	}
	at.Baked = false
	f.Set(at)
	if f.Frame.Matrices[j] != live {
		t.Error("live again, the bone does not come back")
	}
	model.Clips = append([]skinning.Clip(nil), model.Clips...)
	model.Clips[0].Channels = append(model.Clips[0].Channels[:len(model.Clips[0].Channels):len(model.Clips[0].Channels)],
		skinning.Channel{Node: model.Skeleton.Joints[j].Node})
	if !fitted.New(model).Baked {
		t.Error("a clip moves the bone's node, but it does not count as baked")
	}
}

// TestBoneColors holds neighbours apart: a step of a tenth in linear RGB is seen side by side.
func TestBoneColors(t *testing.T) {
	for k := range 40 {
		for other := max(k-5, 0); other < k; other++ {
			a, b := picture.Distinct(k), picture.Distinct(other)
			d := 0.0
			for c := range a {
				d = max(d, float64(a[c]-b[c]), float64(b[c]-a[c]))
			}
			if !(d >= 0.1) {
				t.Errorf("bones %d and %d: colours %v and %v are %.2g apart, expected 0.1 at least", other, k, b, a, d)
			}
		}
	}
}

// BenchmarkNewFitted is what a step of a running fit costs the window's goroutine, beside the upload.
func BenchmarkNewFitted(b *testing.B) {
	m := assetstest.Open(b, "demo:figure")
	model, err := sampledBones(m, skinning.DQS, 10)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(len(m.Skin.Positions)), "vertices")
	for b.Loop() {
		fitted.New(model)
	}
}

// TestIdleBones: a bone that moves no skin has no place where it could be drawn.
func TestIdleBones(t *testing.T) {
	m := assetstest.Open(t, "demo:box")
	model, err := sampledBones(m, skinning.DQS, 3)
	if err != nil {
		t.Fatal(err)
	}
	last := skinning.RigOf[*rig.BlendBones](model).Bones[2].Joint
	var weights skinning.Influences
	for v := range model.Skin.Positions {
		raw := model.Skin.Of(nil, v)
		for k := range raw {
			if int(raw[k].Joint) == last {
				raw[k].Joint = 0
			}
		}
		weights.Append(raw, 0)
	}
	model.Skin.Influences = weights
	if f := fitted.New(model); f.Unused[0] || f.Unused[1] || !f.Unused[2] {
		t.Errorf("unused are %v, expected the last alone", f.Unused)
	}
}
