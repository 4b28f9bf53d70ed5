package viewer

import (
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skinlab/assets/atomicfile"
	"skinlab/assets/posefile"
	"skinlab/internal/assetstest"
	"skinlab/render/ui"
	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/notes"
	"skinlab/render/viewer/pages/fitpage"
	"skinlab/render/viewer/pages/posepage"
	"skinlab/render/viewer/saver"
	"skinlab/render/viewer/state"
)

// enter puts a text into a field of the window.
func (w *liveWindow) enter(field ui.Rect, text string) {
	w.t.Helper()
	w.click(field, 0.5)
	w.until("the field to be edited", func(s *Snapshot) bool { return s.Fit.Typing })
	w.do(w.t, "key", "ctrl+a")
	w.do(w.t, "type", "--delay", "20", text)
	w.untilRest()
	w.do(w.t, "mousemove", "600", "300")
}

// holds fails where a file has changed.
func holds(t *testing.T, path, want string) {
	t.Helper()
	if got, err := os.ReadFile(path); err != nil || string(got) != want {
		t.Errorf("%s holds %d bytes, %v; expected the %d that it held", path, len(got), err, len(want))
	}
}

// TestSaving saves poses, fits and pictures in a real window over files that must stay, and over others that may go.
func TestSaving(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	model := filepath.Join(dir, "model.glb")
	modelFile(t, model, "demo:box")
	data, err := os.ReadFile(model)
	if err != nil {
		t.Fatal(err)
	}
	source := string(data)
	linked := filepath.Join(dir, "linked.json")
	if err := os.Link(model, linked); err != nil {
		t.Skip("no hard links here: ", err)
	}
	old := func(name string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte("precious"), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	answer := fakeDialog(t, dir)
	w := openLive(t, model, "-child.path", dir, "-child.pause", "10ms")
	w.do(t, "mousemove", "600", "300", "key", "space", "key", "o")
	t.Run("a pose", func(t *testing.T) { testSavePose(t, w, model, source, linked, old("old.json")) })
	t.Run("an export", func(t *testing.T) { testSaveExport(t, w, model, source, old("old.glb")) })
	t.Run("a picture", func(t *testing.T) { testSavePicture(t, w, answer, old("old.png")) })
}

func testSavePose(t *testing.T, w *liveWindow, model, source, linked, old string) {
	page := w.until("the page",
		func(s *Snapshot) bool { return s.State.Tab == state.TabPose && s.item(posepage.ItemPath).W > 0 })
	file := page.item(posepage.ItemPath)
	save := func() {
		w.clickOn("the button", func(s *Snapshot) ui.Rect { return s.item(posepage.ItemButton + posepage.ButtonSave) })
		w.do(t, "mousemove", "600", "300")
	}
	for path, says := range map[string]string{
		model:                                model + `: wrong ending: expected .json, not ".glb"`,
		linked:                               "would replace " + model + ", which is in use",
		filepath.Join(w.cwd, "no", "x.json"): "there is no folder",
		filepath.Join(w.cwd, "folder") + "/": "is a folder",
	} {
		w.enter(file, path)
		save()
		s := w.until("the reason", func(s *Snapshot) bool { return strings.Contains(s.Failure, says) })
		if s.Saving.Titles[0] != "Could not save the pose" || !strings.HasPrefix(s.Failure, filepath.Clean(path)) {
			t.Errorf("%s: %q: %q", path, s.Saving.Titles, s.Failure)
		}
		holds(t, model, source)
	}
	t.Run("an existing file is replaced when that is confirmed", func(t *testing.T) {
		w.enter(file, strings.TrimSuffix(old, ".json")) // the ending is added
		asked := func(s *Snapshot) bool {
			return s.Saving.Asked == old && s.placed(desk.PanelQuestion, saver.ItemReplace).W > 0
		}
		save()
		before := w.until("the question", asked)
		if *keep != "" {
			if err := atomicfile.WritePNG(filepath.Join(*keep, "question.png"), w.settled()); err != nil {
				t.Fatal(err)
			}
		}
		// No key and no click means anything else meanwhile, and Return is no answer.
		w.do(t, "key", "9", "key", "Return", "mousemove", "600", "120", "click", "1", "key", "space", "key", "b")
		w.untilRest()
		if now := w.now(); now.State != before.State || !asked(&now) || now.Camera != before.Camera {
			t.Errorf("with the question open: %+v, expected %+v", now.State, before.State)
		}
		holds(t, old, "precious")
		first := func(title string) func(s *Snapshot) bool {
			return func(s *Snapshot) bool { return s.Saving.Asked == "" && s.Saving.Titles[0] == title }
		}
		for _, no := range []func(){
			func() { w.do(t, "key", "Escape") },
			func() { w.do(t, "key", "n") },
			func() {
				w.clickOn("cancel", func(s *Snapshot) ui.Rect { return s.placed(desk.PanelQuestion, saver.ItemCancel) })
			},
		} {
			no()
			if s := w.until("no", first("Nothing is replaced")); s.Files.Notice != old+" is as it was" {
				t.Errorf("it says %q", s.Files.Notice)
			}
			holds(t, old, "precious")
			save()
			w.until("the question again", asked)
		}
		w.do(t, "key", "y")
		s := w.until("yes", first("Pose saved"))
		if s.Files.Notice != old {
			t.Errorf("saved to %q, expected %q", s.Files.Notice, old)
		}
		m := assetstest.Open(t, model)
		if _, err := posefile.Read(old, m, m.NewPose()); err != nil {
			t.Error(err)
		}
		// The red message is still there, behind what was said since.
		want := [notes.Most]string{"Pose saved", "Nothing is replaced", "Could not save the pose"}
		if s.Saving.Titles != want {
			t.Errorf("the messages are %q, expected %q", s.Saving.Titles, want)
		}
		if *keep != "" {
			if err := atomicfile.WritePNG(filepath.Join(*keep, "messages.png"), w.screen(t)); err != nil {
				t.Fatal(err)
			}
		}
		w.do(t, "key", "Escape")
		w.until("no failure", func(s *Snapshot) bool { return s.Failure == "" })
	})
	holds(t, model, source)
}

func testSaveExport(t *testing.T, w *liveWindow, model, source, old string) {
	w.do(t, "key", "b")
	w.clickOn("fit", func(s *Snapshot) ui.Rect { return s.item(fitpage.ItemStart) })
	s := w.until("a fit",
		func(s *Snapshot) bool { return !s.Fit.Running && s.Fit.Bones == 10 && s.item(fitpage.ItemExport).W > 0 })
	w.reveal(fitpage.ItemExport + 1)
	s = w.now()
	export := func() {
		w.clickOn("export", func(s *Snapshot) ui.Rect { return s.item(fitpage.ItemExport + 1) })
		w.do(t, "mousemove", "600", "300")
	}
	asked := func(path string) func(*Snapshot) bool {
		return func(s *Snapshot) bool {
			return s.Saving.Asked == path && s.placed(desk.PanelQuestion, saver.ItemReplace).W > 0
		}
	}
	for _, name := range []string{model, "model.glb", "model"} { // a bare name is one beside the model
		w.enter(s.item(fitpage.ItemExport), name)
		export()
		now := w.until("the reason",
			func(s *Snapshot) bool { return strings.Contains(s.Failure, "would replace "+model+", which is in use") })
		w.untilRest()
		holds(t, model, source)
		now = w.now()
		if now.Fit.Bones != 10 || !now.Fit.Fitted || now.Model != s.Model || now.Saving.Asked != "" {
			t.Errorf("%s: the fit is gone: %+v", name, now.Fit)
		}
		w.do(t, "key", "Escape")
		w.until("no failure", func(s *Snapshot) bool { return s.Failure == "" })
	}
	const fitted = "model.glb with 10 bones"
	exported := func(path string) func(*Snapshot) bool {
		return func(s *Snapshot) bool { return s.Saving.Titles[0] == "Exported" && s.Fit.Notice == path+": "+fitted }
	}
	t.Run("a new file", func(t *testing.T) {
		w.enter(s.item(fitpage.ItemExport), "new")
		export()
		path := filepath.Join(filepath.Dir(model), "new.glb")
		w.until("the file", exported(path))
		holds(t, path, fitted)
	})
	t.Run("an existing file", func(t *testing.T) {
		w.enter(s.item(fitpage.ItemExport), "old.glb")
		export()
		w.until("the question", asked(old))
		w.clickOn("cancel", func(s *Snapshot) ui.Rect { return s.placed(desk.PanelQuestion, saver.ItemCancel) })
		w.until("no", func(s *Snapshot) bool { return s.Saving.Asked == "" })
		holds(t, old, "precious")
		w.again("the question again", export, asked(old)) // the last one's buttons stand in the snapshot of its answer
		w.clickOn("replace", func(s *Snapshot) ui.Rect { return s.placed(desk.PanelQuestion, saver.ItemReplace) })
		w.until("the file", exported(old))
		holds(t, old, fitted)
	})
	t.Run("a file that comes while clips are baked", func(t *testing.T) {
		late := filepath.Join(filepath.Dir(model), lateFile)
		w.enter(s.item(fitpage.ItemExport), lateFile)
		export()
		w.until("the question", asked(late))
		holds(t, late, "precious")
		w.do(t, "key", "y")
		w.until("the file", exported(late))
		holds(t, late, fitted)
	})
	t.Run("another model takes the question back", func(t *testing.T) {
		export()
		w.until("the question",
			func(s *Snapshot) bool { return s.Saving.Asked != "" })
		w.tell("drop demo:tube")
		now := w.until("the tube", func(s *Snapshot) bool { return s.Model == "demo:tube" })
		// A character that moves is offered as a motion for the other, on a card of its own.
		if now.Saving.Asked != "" || !slices.Contains(now.Saving.Titles[:], "Nothing is replaced") {
			t.Errorf("%+v", now.Saving)
		}
		holds(t, filepath.Join(filepath.Dir(model), lateFile), fitted)
	})
}

func testSavePicture(t *testing.T, w *liveWindow, answer, old string) {
	choose := func(path string) {
		t.Helper()
		if err := os.WriteFile(answer, []byte(path+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		w.do(t, "key", "F10")
		w.clickOn("the menu", menuLineAt("Save picture as…"))
		w.do(t, "mousemove", "600", "300")
	}
	choose(old)
	w.until("the question",
		func(s *Snapshot) bool {
			return s.Saving.Asked == old && s.placed(desk.PanelQuestion, saver.ItemReplace).W > 0
		})
	holds(t, old, "precious")
	w.do(t, "key", "y")
	w.until("the picture",
		func(s *Snapshot) bool { return s.Saving.Titles[0] == "Picture saved" && s.Files.Notice == old })
	f, err := os.Open(old)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := png.DecodeConfig(f); err != nil {
		t.Error(err)
	}
	choose(strings.TrimSuffix(old, "png") + "jpg")
	w.until("the reason", func(s *Snapshot) bool {
		return s.Saving.Titles[0] == noPicture && strings.Contains(s.Failure, `expected .png, not ".jpg"`)
	})
}
