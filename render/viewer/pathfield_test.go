package viewer

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skinlab/assets/atomicfile"
	"skinlab/render/ui"
	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/files"
	"skinlab/render/viewer/saver"
)

// TestPathField opens and saves files in a window on a system without file dialogs, with the keyboard and the mouse.
func TestPathField(t *testing.T) {
	dir := t.TempDir()
	models := filepath.Join(dir, "Models")
	if err := os.Mkdir(models, 0o700); err != nil {
		t.Fatal(err)
	}
	tube, box := filepath.Join(models, "tube.glb"), filepath.Join(models, "twisted box.glb")
	modelFile(t, tube, "demo:tube")
	modelFile(t, box, "demo:box")
	modelFile(t, filepath.Join(dir, "model.glb"), "demo:box")
	if err := os.WriteFile(filepath.Join(models, "notes.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	t.Setenv("HOME", home)
	w := openLive(t, filepath.Join(dir, "model.glb"), "-child.path", dir)
	w.do(t, "mousemove", "600", "300", "key", "space")
	shows := func(names ...string) func(*Snapshot) bool {
		return func(s *Snapshot) bool {
			return slices.EqualFunc(s.Files.Found, names, func(e files.Entry, name string) bool { return e.Name == name })
		}
	}
	t.Run("a file is opened by its path", func(t *testing.T) {
		w.do(t, "key", "ctrl+o")
		w.until("the field", func(s *Snapshot) bool {
			return s.Files.Own && s.Fit.Typing && s.Files.Typed == dir+"/" && shows("Models", "model.glb")(s)
		})
		w.do(t, "type", "--delay", "20", models+"/") // a whole path behind the proposed folder
		w.until("that path alone", func(s *Snapshot) bool { return s.Files.Typed == models+"/" && s.Files.Problem == "" })
		w.do(t, "key", "ctrl+a", "type", dir+"/MODELS")
		w.until("what is typed", func(s *Snapshot) bool { return s.Files.Typed == dir+"/MODELS" && shows("Models")(s) })
		w.do(t, "key", "Tab")
		w.until("the folder", func(s *Snapshot) bool {
			return s.Files.Typed == models+"/" && shows("tube.glb", "twisted box.glb")(s)
		})
		w.do(t, "type", "tx")
		w.until("nothing to begin so", func(s *Snapshot) bool { return s.Files.Typed == models+"/tx" && shows()(s) })
		w.do(t, "key", "Return")
		w.until("the reason", func(s *Snapshot) bool { return s.Files.Problem == "There is no file "+models+"/tx" })
		w.do(t, "key", "BackSpace")
		w.until("both", shows("tube.glb", "twisted box.glb"))
		w.do(t, "key", "Down", "key", "Down")
		s := w.until("a choice", func(s *Snapshot) bool { return s.Files.Chosen == 1 && s.Files.Problem == "" })
		if *keep != "" {
			if err := atomicfile.WritePNG(filepath.Join(*keep, "pathfield.png"), w.screen(t)); err != nil {
				t.Fatal(err)
			}
		}
		w.do(t, "key", "Tab")
		w.until("its name", func(s *Snapshot) bool { return s.Files.Typed == box })
		w.do(t, "key", "Up", "key", "Return")
		w.until("the file", func(s *Snapshot) bool { return s.Files.Path == box && !s.Files.Own && !s.Files.Asking })
		if s.State.Layout != w.now().State.Layout {
			t.Errorf("keys of the field change the layout to %v", w.now().State.Layout)
		}
	})
	t.Run("the mouse goes to the folder above and home", func(t *testing.T) {
		w.do(t, "key", "ctrl+o")
		s := w.until("the field", func(s *Snapshot) bool { return s.Files.Own && s.Fit.Typing })
		above := filepath.Dir(filepath.Dir(s.Files.Typed))
		w.clickOn("parent", func(s *Snapshot) ui.Rect { return s.placed(desk.PanelPath, files.ItemPathParent) })
		shown := func(folder string) func(*Snapshot) bool { // and the field has the keyboard again
			return func(s *Snapshot) bool { return s.Fit.Typing && s.Files.Typed == folder+"/" && s.Files.Problem == "" }
		}
		w.until("the folder above", shown(above))
		w.clickOn("home", func(s *Snapshot) ui.Rect { return s.placed(desk.PanelPath, files.ItemPathHome) })
		w.until("the user's own folder", shown(home))
		w.do(t, "key", "Escape")
		w.until("the window", func(s *Snapshot) bool { return !s.Files.Own })
	})
	t.Run("a second file is opened beside it and closed", func(t *testing.T) {
		w.do(t, "key", "F10")
		w.clickOn("open beside", menuLineAt("Open beside…"))
		w.clickOn("the first entry", func(s *Snapshot) ui.Rect {
			if !shows("tube.glb", "twisted box.glb")(s) {
				return ui.Rect{}
			}
			return s.placed(desk.PanelPath, files.ItemPathEntry)
		})
		w.until("the tube beside the box",
			func(s *Snapshot) bool {
				return s.Files.Path == box && s.Files.Beside == tube && s.State.Panes[1].Beside
			})
		w.do(t, "key", "F10")
		w.clickOn("close", menuLineAt("Close second file"))
		w.until("one file", func(s *Snapshot) bool { return s.Files.Beside == "" && !s.State.Panes[1].Beside })
		w.do(t, "key", "F10")
		w.until("no such line", func(s *Snapshot) bool {
			return s.Files.Menu && menuLineAt("Close second file")(s).W == 0 && menuLineAt("Open beside…")(s).W > 0
		})
		w.do(t, "key", "Escape")
		w.until("no menu", func(s *Snapshot) bool { return !s.Files.Menu })
	})
	t.Run("a picture is saved under a new name and over an old one", func(t *testing.T) {
		path := filepath.Join(dir, "new.png")
		for _, asks := range []bool{false, true} {
			w.do(t, "key", "F10")
			w.clickOn("save", menuLineAt("Save picture as…"))
			w.until("the field", func(s *Snapshot) bool { return s.Files.Own && s.Fit.Typing })
			w.do(t, "key", "ctrl+a", "type", path)
			w.until("its name", func(s *Snapshot) bool { return s.Files.Typed == path })
			if asks {
				w.do(t, "key", "Return")
				w.until("the question", func(s *Snapshot) bool {
					return s.Saving.Asked == path && s.placed(desk.PanelQuestion, saver.ItemReplace).W > 0
				})
				w.do(t, "key", "y")
			} else {
				w.clickOn("the button", func(s *Snapshot) ui.Rect { return s.placed(desk.PanelPath, files.ItemPathTake) })
			}
			w.until("the picture", func(s *Snapshot) bool { return s.Saving.Titles[0] == "Picture saved" && !s.Files.Own })
			if info, err := os.Stat(path); err != nil || info.Size() == 0 {
				t.Errorf("%v, %v", info, err)
			}
			w.tell("clear")
			w.until("no messages", func(s *Snapshot) bool { return s.Saving.Titles[0] == "" })
		}
	})
	t.Run("a folder that is not there", func(t *testing.T) {
		w.do(t, "key", "ctrl+o")
		w.until("the field", func(s *Snapshot) bool { return s.Files.Own && s.Fit.Typing })
		missing := func(s *Snapshot) bool { return strings.Contains(s.Files.Problem, "no folder /nowhere/at") }
		w.do(t, "key", "ctrl+a", "type", "/nowhere/at/")
		w.until("the reason", missing)
		w.do(t, "type", "all")
		w.until("the reason still", func(s *Snapshot) bool { return s.Files.Typed == "/nowhere/at/all" && missing(s) })
		w.do(t, "key", "Escape")
		w.until("the window", func(s *Snapshot) bool { return !s.Files.Own && !s.Files.Asking && !s.Fit.Typing })
	})
}
