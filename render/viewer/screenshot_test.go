package viewer

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"skinlab/render/viewer/state"
)

func TestPicturesNeverOverwrite(t *testing.T) {
	dir, now := t.TempDir(), time.Date(2009, 3, 1, 12, 30, 5, 0, time.UTC)
	folders := []string{filepath.Join(dir, "missing"), dir}
	for _, want := range []string{"skinlab-20090301-123005.png", "skinlab-20090301-123005-2.png",
		"skinlab-20090301-123005-3.png"} {
		path, err := reserveShot(now, folders)
		if err != nil || path != filepath.Join(dir, want) {
			t.Errorf("%q, %v; expected %q in the folder that is there", path, err, want)
		}
		if info, err := os.Stat(path); err != nil || info.Mode().Perm()&0o400 == 0 {
			t.Errorf("%s is not there: %v", path, err)
		}
	}
	if path, err := reserveShot(now, folders[:1]); err == nil {
		t.Errorf("%q in a folder that is not there", path)
	}
	if _, err := reserveShot(now, nil); err == nil {
		t.Error("no folder, and no error")
	}
}

// TestScreenshotOfFit: a window that opens with a fit stands at the pose that was asked for, not at the first example,
// and has the page Fit open unless another was asked for.
func TestScreenshotOfFit(t *testing.T) {
	t.Parallel()
	for page, want := range map[string]state.Tab{"": state.TabFit, string(state.TabPose): state.TabPose} {
		path := filepath.Join(t.TempDir(), "fit.png")
		out := runChild(t, startDisplay(t), "-child", "shot", "-child.shot", path, "-child.model", "demo:arm", "-child.fit", "-child.time", "1.5",
			"-child.pause", "1ms", "-child.page", page)
		var s Snapshot
		if err := json.Unmarshal([]byte(out), &s); err != nil {
			t.Fatal(err)
		}
		if s.State.Clip != 0 || s.State.Time != 1.5 || !s.Fit.Enveloped || s.State.Playing || s.State.Tab != want {
			t.Errorf("clip %d at %g s, enveloped %v, playing %v, page %v; expected clip 0 at 1.5 s and page %v", s.State.Clip,
				s.State.Time, s.Fit.Enveloped, s.State.Playing, s.State.Tab, want)
		}
	}
}
