package viewer

import (
	"os"
	"path/filepath"
	"testing"
	"time"
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
