package viewer

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skinlab/render/ui"
	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/files"
	"skinlab/render/viewer/pages/fitpage"
	"skinlab/render/viewer/state"
	"skinlab/skinning"
)

// TestTargets chooses a folder of shapes in a window on a system without file dialogs, and fits to it.
func TestTargets(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	good, bad := filepath.Join(dir, "good"), filepath.Join(dir, "broken")
	for _, path := range []string{filepath.Join(good, "a.obj"), filepath.Join(good, "b.obj"), filepath.Join(bad, "a.obj")} {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	wrong := filepath.Join(bad, "b.obj")
	if err := os.WriteFile(wrong, []byte("no mesh"), 0o600); err != nil {
		t.Fatal(err)
	}
	modelFile(t, filepath.Join(dir, "model.glb"), "demo:box")
	w := openLive(t, filepath.Join(dir, "model.glb"), "-child.path", dir, "-child.pause", "100ms")
	w.do(t, "mousemove", "600", "300", "key", "b")
	w.clickOn("enveloping", func(s *Snapshot) ui.Rect { return s.placed(desk.PanelRight, fitpage.ItemKind+1) })
	w.clickOn("the source", func(s *Snapshot) ui.Rect { // the arrow back leads from the first to the last
		if s.Fit.Kind != "Enveloping" {
			return ui.Rect{}
		}
		return s.placed(desk.PanelRight, fitpage.ItemSource)
	})
	folder := func(s *Snapshot) ui.Rect { return s.placed(desk.PanelRight, fitpage.ItemTargets) }
	start := func(s *Snapshot) ui.Rect { return s.placed(desk.PanelRight, fitpage.ItemStart) }
	w.until("the folder's button", func(s *Snapshot) bool { return folder(s).W > 0 })
	w.clickOn("the fit without shapes", start)
	w.clickOn("the folder", folder)
	if s := w.until("the field", func(s *Snapshot) bool { return s.Files.Own && len(s.Files.Found) == 2 }); s.Fit.Running {
		t.Error("a fit without shapes runs")
	}
	w.do(t, "type", "none")
	w.do(t, "key", "Return")
	w.until("no such folder", func(s *Snapshot) bool { return s.Files.Problem == "There is no folder "+filepath.Join(dir, "none") })
	w.do(t, "key", "ctrl+a", "type", bad)
	w.until("its path", func(s *Snapshot) bool { return s.Files.Typed == bad })
	w.do(t, "key", "Return")
	s := w.until("the reason", func(s *Snapshot) bool { return s.Failure != "" && !s.Files.Asking })
	if s.Fit.Targets != 0 || !strings.Contains(s.Failure, wrong+": no mesh") {
		t.Errorf("%d shapes, %q", s.Fit.Targets, s.Failure)
	}
	w.tell("clear")
	w.clickOn("the folder again", folder)
	w.until("the field again", func(s *Snapshot) bool { return s.Files.Own && len(s.Files.Found) == 2 })
	w.clickOn("the good folder", func(s *Snapshot) ui.Rect { return s.placed(desk.PanelPath, files.ItemPathEntry+1) })
	w.until("what is in it", func(s *Snapshot) bool { return s.Files.Typed == good+"/" && len(s.Files.Found) == 2 })
	w.clickOn("the button", func(s *Snapshot) ui.Rect { return s.placed(desk.PanelPath, files.ItemPathTake) })
	w.until("two shapes", func(s *Snapshot) bool { return s.Fit.Targets == 2 && !s.Files.Own })
	w.clickOn("the next clip", func(s *Snapshot) ui.Rect { return s.placed(desk.PanelRight, fitpage.ItemTargets+2) })
	w.clickOn("the times", func(s *Snapshot) ui.Rect { return s.placed(desk.PanelRight, fitpage.ItemTargets+4) })
	w.until("typing", func(s *Snapshot) bool { return s.Fit.Typing })
	w.do(t, "type", "even")
	w.do(t, "key", "Return")
	w.until("no typing", func(s *Snapshot) bool { return !s.Fit.Typing })
	w.clickOn("the fit", start)
	s = w.until("the fit's stage", func(s *Snapshot) bool { return strings.Contains(s.Fit.Stage, "shapes") })
	if s.Fit.Stage != "2 shapes of clip 1, even" || s.State.Clip != 1 || s.State.Panes[1].Method != skinning.LBS {
		t.Errorf("%q, clip %d, %v", s.Fit.Stage, s.State.Clip, s.State.Panes[1].Method)
	}
	w.until("a model", func(s *Snapshot) bool { return s.Fit.Bones > 0 && s.State.Method() == state.Fitted })
	w.clickOn("cancel", start)
	w.until("its end", func(s *Snapshot) bool { return !s.Fit.Running && len(s.Fit.Names) == 1 && s.Pose.Undo > 0 })
	w.do(t, "mousemove", "600", "300", "key", "ctrl+z")
	w.until("no fit", func(s *Snapshot) bool { return len(s.Fit.Names) == 0 && !s.Fit.Fitted && s.Fit.Targets == 2 })
}
