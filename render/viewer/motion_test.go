package viewer

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"skinlab/assets"
	"skinlab/internal/gltftest"
	"skinlab/render/ui"
	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/notes"
	"skinlab/skinning"
	"skinlab/skinning/retarget"
)

// carry plays the first clip of a file on a model.
func carry(_ context.Context, m *skinning.Model, path string) (*skinning.Model, int, string, error) {
	motion, err := assets.Open(path)
	if err != nil {
		return nil, 0, "", err
	}
	matches := retarget.NewMatches(m, motion, nil)
	moved, first, err := retarget.Append(matches, []int{0})
	return moved, first, matches.Counts(), err
}

// TestDroppedMotion: a skeleton that moves is dropped on a character. The window asks, plays its motion there and says
// which joints follow; the clip stays when the file is read anew. A dropped character is shown, and its motion is
// offered for the one before.
func TestDroppedMotion(t *testing.T) {
	t.Parallel()
	folder, err := filepath.Abs(gltftest.SharedModels(t))
	if err != nil {
		t.Fatal(err)
	}
	walk, human := filepath.Join(folder, "bvh", "cmu_02_01_walk.bvh"), filepath.Join(folder, "CesiumMan.glb")
	w := openLive(t, "demo:figure")
	first := w.until("the figure", func(s *Snapshot) bool { return !s.Loading && s.State.Moving() })
	asks := func(s *Snapshot) bool { return strings.HasPrefix(s.Saving.Asked, "cmu_02_01_walk.bvh is a skeleton") }
	walks := func(s *Snapshot) bool {
		return s.Model == first.Model && !s.Loading && s.State.Seconds > 2.84 && s.State.Seconds < 2.86 && s.State.Playing
	}
	w.tell("drop " + walk)
	w.until("the question", asks)
	w.do(t, "key", "Escape")
	w.until("no question, and the figure", func(s *Snapshot) bool { return s.Saving.Asked == "" && s.Files.Path == "demo:figure" })

	w.tell("drop " + walk)
	w.until("the question again", asks)
	w.do(t, "key", "p")
	s := w.until("the figure that walks", walks)
	if s.Saving.Titles[0] != "Plays cmu_02_01_walk.bvh" || !strings.Contains(s.Files.Notice, "24 of 30 joints of demo:figure follow") {
		t.Errorf("the window says %q: %q", s.Saving.Titles, s.Files.Notice)
	}
	w.do(t, "key", "F5")
	w.until("the clip after reading anew", func(s *Snapshot) bool { return walks(s) && s.Saving.Titles[0] == "Reloaded" })

	w.tell("drop " + walk)
	w.until("the question once more", asks)
	w.do(t, "key", "o")
	w.until("the skeleton", func(s *Snapshot) bool { return s.Files.Path == walk })

	w.tell("drop demo:figure")
	w.until("the figure again", func(s *Snapshot) bool { return s.Files.Path == "demo:figure" && !s.Loading })
	w.tell("drop " + human)
	w.until("the offer", func(s *Snapshot) bool {
		return s.Files.Path == human && s.Saving.Titles[0] == "CesiumMan.glb has motion"
	})
	w.clickOn("play", func(s *Snapshot) ui.Rect { return s.placed(desk.PanelMessage, notes.ItemAction) })
	w.until("the figure with its motion", func(s *Snapshot) bool {
		return s.Files.Path == "demo:figure" && !s.Loading && s.Saving.Titles[0] == "Plays CesiumMan.glb" && s.State.Seconds < 2.1
	})
}
