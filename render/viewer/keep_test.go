package viewer

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-gl/glfw/v3.3/glfw"

	"skinlab/render/ui"
	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/notes"
	"skinlab/render/viewer/pages/fitpage"
	"skinlab/render/viewer/saver"
	"skinlab/render/viewer/settings"
	"skinlab/render/viewer/state"
)

// fitBox opens a box as a file of a folder in a window, and fits it ten bones.
func fitBox(t *testing.T, args ...string) (w *liveWindow, file string) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "box.glb")
	modelFile(t, file, "demo:box")
	w = openLive(t, file, append([]string{"-child.pause", "10ms"}, args...)...)
	w.do(t, "mousemove", "600", "300", "key", "space", "key", "b")
	w.clickOn("fit", func(s *Snapshot) ui.Rect { return s.item(fitpage.ItemStart) })
	w.until("ten bones", tenBones)
	w.do(t, "mousemove", "600", "300")
	return w, file
}

// tenBones holds where a finished fit of ten bones is shown.
func tenBones(s *Snapshot) bool {
	return !s.Fit.Running && s.Fit.Bones == 10 && s.State.Method() == state.Fitted
}

// asksFor holds where the window asks before something drops a fit that no file holds.
func asksFor(s *Snapshot) bool {
	return s.Saving.Asked == "The fit Blend bones is not exported" &&
		s.placed(desk.PanelQuestion, saver.ItemReplace+2).W > 0
}

// TestFitsAreAskedFor: the window asks once before it drops a fit that no file holds, on opening another file and on
// quitting, by a key or by the window's button. Undo brings a fit back that was dropped with its file.
func TestFitsAreAskedFor(t *testing.T) {
	t.Parallel()
	w, file := fitBox(t, "-child.path", t.TempDir())
	bad := filepath.Join(filepath.Dir(file), "bad.glb")
	if err := os.WriteFile(bad, []byte("no model"), 0o600); err != nil {
		t.Fatal(err)
	}
	open := func(path string) {
		t.Helper()
		w.do(t, "key", "ctrl+o")
		w.until("the field", func(s *Snapshot) bool { return s.Files.Own && s.Fit.Typing })
		w.do(t, "key", "ctrl+a", "type", path)
		w.until("the path", func(s *Snapshot) bool { return s.Files.Typed == path })
		w.do(t, "key", "Return")
	}
	open(bad)
	s := w.until("the reason, and no question", func(s *Snapshot) bool {
		return strings.HasPrefix(s.Saving.Titles[0], "Could not load bad.glb") && s.Saving.Asked == ""
	})
	if s.Loading || !tenBones(&s) {
		t.Errorf("after a file that cannot be read: %+v", s.Fit)
	}
	w.tell("clear")
	other := filepath.Join(filepath.Dir(file), "tube.glb")
	modelFile(t, other, "demo:tube")
	open(other)
	w.until("the question", asksFor)
	w.do(t, "key", "Escape")
	s = w.until("no question", func(s *Snapshot) bool { return s.Saving.Asked == "" })
	if s.Loading || s.Files.Path != file || !tenBones(&s) {
		t.Errorf("cancelled: %s with %+v", s.Files.Path, s.Fit)
	}
	w.do(t, "key", "shift+Home", "key", "period", "key", "period", "key", "period")
	framed := w.until("three frames", func(s *Snapshot) bool { return onFrame(s, 3) }).Camera
	w.do(t, "mousemove", "600", "300", "click", "4")
	near := w.until("a nearer camera", func(s *Snapshot) bool { return s.Camera.Distance < framed.Distance }).Camera
	w.tell("drop demo:tube")
	w.until("the question again", asksFor)
	w.do(t, "key", "d")
	w.until("the tube", func(s *Snapshot) bool { return s.Files.Path == "demo:tube" && !s.Fit.Fitted && len(s.Fit.Names) == 0 })
	w.do(t, "key", "ctrl+z")
	s = w.until("the fit again", func(s *Snapshot) bool { return s.Files.Path == file && tenBones(s) && len(s.Fit.Names) == 1 })
	if !onFrame(&s, 3) || s.State.Playing {
		t.Errorf("the file comes back at %g s, playing %v; expected the third frame, at rest", s.State.Time, s.State.Playing)
	}
	if s.Camera != near {
		t.Errorf("the file comes back seen by %+v, expected %+v", s.Camera, near)
	}
	w.do(t, "key", "ctrl+shift+z")
	w.until("the tube again", func(s *Snapshot) bool { return s.Files.Path == "demo:tube" && !s.Fit.Fitted })
	w.do(t, "key", "ctrl+z")
	w.until("the fit once more", func(s *Snapshot) bool { return s.Files.Path == file && tenBones(s) })

	w.do(t, "key", "ctrl+q")
	w.until("a question before quitting", asksFor)
	w.clickOn("cancel", func(s *Snapshot) ui.Rect { return s.placed(desk.PanelQuestion, saver.ItemReplace+2) })
	w.until("no question for now", func(s *Snapshot) bool { return s.Saving.Asked == "" })
	w.do(t, "key", "ctrl+q")
	w.until("the question by keys", asksFor)
	w.do(t, "key", "Return") // no answer before the keyboard is on one
	third := func(s *Snapshot) bool {
		at := s.placed(desk.PanelQuestion, saver.ItemReplace+2)
		return at.W > 0 && s.placed(desk.PanelQuestion, ui.ItemFocus) == at
	}
	for range 20 { // a busy machine may take two keys in one frame
		before := w.now()
		if third(&before) {
			break
		}
		w.do(t, "key", "Tab")
		w.until("two frames", func(s *Snapshot) bool { return s.Drawn > before.Drawn+1 })
	}
	w.until("the keyboard on the third button", third)
	w.do(t, "key", "Return") // on the third, which goes on with the file
	w.do(t, "mousemove", "600", "300")
	w.until("no question", func(s *Snapshot) bool { return s.Saving.Asked == "" && tenBones(s) })
	w.tell("close")
	w.until("a question before the window closes", asksFor)
	w.do(t, "key", "e")
	w.leaves()
	holds(t, strings.TrimSuffix(file, ".glb")+"-blend.glb", "box.glb with 10 bones")
}

// TestAnswersAboutFits: Esc cancels the question about fits, which keeps them, whether or not they can be exported. The
// first answer that loses nothing has the colour of the main action.
func TestAnswersAboutFits(t *testing.T) {
	for _, c := range []struct {
		exports bool
		labels  []string
		main    string
	}{{true, []string{"Export", "Discard", "Cancel"}, "Export"}, {false, []string{"Discard", "Cancel"}, "Cancel"}} {
		var done []string
		var export func()
		if c.exports {
			export = func() { done = append(done, "Export") }
		}
		answers := leaveAnswers(export, func() { done = append(done, "Discard") })
		var labels []string
		var given []ui.AnswerLabel
		for _, a := range answers {
			labels, given = append(labels, a.Label), append(given, ui.AnswerLabel{Loses: a.Loses})
		}
		if !slices.Equal(labels, c.labels) {
			t.Errorf("the answers are %q, expected %q", labels, c.labels)
		}
		if main := ui.MainAnswer(given); main < 0 || labels[main] != c.main {
			t.Errorf("of %q answer %d is coloured, expected %s", labels, main, c.main)
		}
		s := saver.New(&desk.Desk{UI: &ui.Context{}, Wake: func() {}}, nil, nil, nil)
		s.Put("Fits", "", answers...)
		if s.Key(glfw.KeyEscape, false); s.Asked() != "" || done != nil {
			t.Errorf("Esc does %q and leaves the question %q", done, s.Asked())
		}
		s.Put("Fits", "", answers...)
		if s.Key(glfw.KeyD, false); s.Asked() != "" || !slices.Equal(done, []string{"Discard"}) {
			t.Errorf("D does %q and leaves the question %q", done, s.Asked())
		}
	}
}

// discard lets the window drop the fits that no file holds.
func (w *liveWindow) discard() {
	w.t.Helper()
	w.until("the question", func(s *Snapshot) bool { return strings.HasSuffix(s.Saving.Asked, "not exported") })
	w.do(w.t, "key", "d")
}

// leaves waits until the window is closed.
func (w *liveWindow) leaves() {
	w.t.Helper()
	select {
	case err := <-w.exit:
		if err != nil {
			w.t.Fatal(err)
		}
	case <-time.After(patience):
		w.t.Fatal("the window stays open")
	}
}

// TestNoQuestionForAnExportedFit: what a file holds is not asked for.
func TestNoQuestionForAnExportedFit(t *testing.T) {
	t.Parallel()
	w, file := fitBox(t)
	w.click(w.reveal(fitpage.ItemExport+1), 0.5)
	w.do(t, "mousemove", "600", "300")
	w.until("the file", func(s *Snapshot) bool { return s.Saving.Titles[0] == "Exported" })
	w.do(t, "key", "ctrl+q")
	w.leaves()
	holds(t, strings.TrimSuffix(file, ".glb")+"-blend.glb", "box.glb with 10 bones")
}

// TestFitsStayOnReload: a fit stays when its file is saved anew with the same vertices and joints, also one that is
// under way. With others it can be made once more with the same options.
func TestFitsStayOnReload(t *testing.T) {
	t.Parallel()
	w, file := fitBox(t)
	reloaded := func(s *Snapshot) bool { return s.Saving.Titles[0] == "Reloaded" && !s.Loading }
	save := func(name string) {
		t.Helper()
		w.tell("clear")
		w.until("no messages", func(s *Snapshot) bool { return s.Saving.Titles[0] == "" })
		modelFile(t, file, name)
	}
	save("demo:box")
	s := w.until("the newer file", reloaded)
	if !tenBones(&s) || len(s.Fit.Names) != 1 || s.Fit.Steps != 11 {
		t.Errorf("after a reload: %+v", s.Fit)
	}
	w.clickOn("a step", func(s *Snapshot) ui.Rect { return s.item(fitpage.ItemPick) })
	w.until("a step of it", func(s *Snapshot) bool { return s.Fit.Fitted && s.Fit.Bones < 10 })
	w.do(t, "mousemove", "600", "300")

	w.tell("slow")
	w.clickOn("fit", func(s *Snapshot) ui.Rect { return s.item(fitpage.ItemStart) })
	w.do(t, "mousemove", "600", "300")
	w.until("another fit under way", func(s *Snapshot) bool { return s.Fit.Running && s.Fit.Fitted && len(s.Fit.Names) == 2 })
	save("demo:box")
	s = w.until("the newer file again", reloaded)
	if !s.Fit.Running || len(s.Fit.Names) != 2 {
		t.Errorf("a fit under way does not go on: %+v", s.Fit)
	}
	w.until("its end", tenBones)

	save("demo:tube")
	s = w.until("another shape, and an offer", func(s *Snapshot) bool {
		return s.Saving.Titles[1] == "The fit is for another shape" && s.placed(desk.PanelMessage, notes.ItemAction+1).W > 0
	})
	if s.Fit.Fitted || len(s.Fit.Names) != 0 {
		t.Errorf("with other vertices: %+v", s.Fit)
	}
	w.do(t, "key", "ctrl+q") // they wait for their shape, and would be lost
	w.until("a question", func(s *Snapshot) bool { return s.Saving.Asked == "2 fits are not exported" })
	w.do(t, "key", "Escape")
	w.until("no question", func(s *Snapshot) bool { return s.Saving.Asked == "" })
	save("demo:box")
	s = w.until("the right shape again", reloaded)
	if !s.Fit.Fitted || s.Fit.Bones != 10 || len(s.Fit.Names) != 2 { // linear blending is shown meanwhile
		t.Errorf("the fits do not come back: %+v", s.Fit)
	}
	save("demo:tube")
	w.until("the offer again", func(s *Snapshot) bool {
		return s.Saving.Titles[1] == "The fit is for another shape" && s.placed(desk.PanelMessage, notes.ItemAction+1).W > 0
	})
	w.clickOn("fit again", func(s *Snapshot) ui.Rect { return s.placed(desk.PanelMessage, notes.ItemAction+1) })
	w.do(t, "mousemove", "600", "300")
	w.until("both fits again", func(s *Snapshot) bool { return tenBones(s) && len(s.Fit.Names) == 2 })
	w.do(t, "key", "ctrl+q") // the older two do not come back
	w.until("a question about the newer two", func(s *Snapshot) bool { return s.Saving.Asked == "2 fits are not exported" })
	w.do(t, "key", "Escape")
	w.until("no question again", func(s *Snapshot) bool { return s.Saving.Asked == "" })
	if _, err := os.Stat(file); err != nil {
		t.Fatal(err)
	}
}

// TestExamplesStayTheReference: after a reload a fit of examples is still measured against them, in their clip.
func TestExamplesStayTheReference(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "arm.glb")
	modelFile(t, file, "demo:arm")
	w := openLive(t, file, "-child.pause", "10ms")
	w.do(t, "mousemove", "600", "300", "key", "space", "key", "b")
	w.clickOn("fit", func(s *Snapshot) ui.Rect { return s.item(fitpage.ItemStart) })
	w.do(t, "mousemove", "600", "300")
	done := w.until("the fit", func(s *Snapshot) bool { return !s.Fit.Running && s.Fit.Fitted && s.Fit.Steps > 0 })
	if done.State.Reference != state.Examples {
		t.Fatalf("the reference is %v, expected the examples", done.State.Reference)
	}
	modelFile(t, file, "demo:arm")
	s := w.until("the newer file", func(s *Snapshot) bool { return s.Saving.Titles[0] == "Reloaded" && !s.Loading })
	if s.State.Reference != state.Examples || s.State.Clip != done.State.Clip || !s.Fit.Fitted {
		t.Errorf("reloaded, the reference is %v in clip %d, %+v", s.State.Reference, s.State.Clip, s.Fit)
	}
}

// TestFirstFileIsTheNewest: a file that is opened beside another one is not the file that the next window offers.
func TestFirstFileIsTheNewest(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first, second := filepath.Join(dir, "first.glb"), filepath.Join(dir, "second.glb")
	kept := filepath.Join(dir, "settings.json")
	modelFile(t, first, "demo:box")
	modelFile(t, second, "demo:tube")
	w := openLive(t, first, "-child.settings", kept)
	w.do(t, "key", "space", "key", "x")
	v := w.now().View
	w.do(t, "mousemove", whole(v.Right()-30), whole(v.Y+v.H/2))
	w.untilRest()
	w.tell("drop " + second)
	w.until("the second file", func(s *Snapshot) bool { return s.Files.Beside == second && !s.Loading })
	w.do(t, "key", "ctrl+q")
	w.leaves()
	if s, err := settings.Load(kept); err != nil || !slices.Equal(s.Recent, []string{first, second}) {
		t.Errorf("recent files %q, %v; expected the first file before the second", s.Recent, err)
	}
}
