package viewer

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skinlab/assets/atomicfile"
	"skinlab/render/ui"
	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/menu"
)

// compressedFile is a file that needs a compression which is not read.
const compressedFile = `{"asset": {"version": "2.0"}, "extensionsUsed": ["KHR_draco_mesh_compression"],
	"extensionsRequired": ["KHR_draco_mesh_compression"]}`

// TestFailedStart opens windows for files that are not there, or that are refused: the window stays, says why, and
// shows another file, or this one once it can be read.
func TestFailedStart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	missing, refused := filepath.Join(dir, "missing.glb"), filepath.Join(dir, "draco.gltf")
	if err := os.WriteFile(refused, []byte(compressedFile), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Run("missing", func(t *testing.T) {
		w := openLive(t, missing, "-child.settings", filepath.Join(dir, "settings.json"))
		s := w.until("the reason", func(s *Snapshot) bool { return strings.Contains(s.Failure, "no such file") })
		if s.Saving.Titles[0] != "Could not load missing.glb" || s.Model != "No model" {
			t.Errorf("%q, model %q", s.Saving.Titles, s.Model)
		}
		if *keep != "" {
			if err := atomicfile.WritePNG(filepath.Join(*keep, "missing.png"), w.settled()); err != nil {
				t.Fatal(err)
			}
		}
		w.do(t, "mousemove", "600", "300", "key", "1", "key", "2", "key", "v", "key", "o", "key", "t", "key", "b", "key", "e")
		w.untilRest() // every page shows that there is nothing
		w.do(t, "key", "Escape")
		w.until("the message to be dismissed", func(s *Snapshot) bool { return s.Failure == "" })
		w.do(t, "key", "F10")
		shown := w.until("the menu", func(s *Snapshot) bool { return s.Files.Menu })
		if shown.placed(desk.PanelMenu, menu.ItemRecent).W > 0 {
			t.Error("a file that is not there is a recent one")
		}
		w.clickOn("a built-in model", func(s *Snapshot) ui.Rect { return s.placed(desk.PanelMenu, menu.ItemBuiltIn) })
		w.until("the model", func(s *Snapshot) bool { return s.Model == "demo:box" || strings.HasPrefix(s.Model, "demo:") })
	})
	t.Run("refused", func(t *testing.T) {
		w := openLive(t, refused)
		w.until("the reason", func(s *Snapshot) bool { return strings.Contains(s.Failure, "KHR_draco_mesh_compression") })
		modelFile(t, refused, "demo:tube")
		s := w.until("the mended file", func(s *Snapshot) bool { return s.Model == "draco.gltf" && s.Failure == "" })
		if !(s.Camera.Distance > 1) {
			t.Errorf("the camera is %g m away from a tube of 2 m", s.Camera.Distance)
		}
	})
}
