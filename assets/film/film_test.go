package film

import (
	"errors"
	"image"
	"os"
	"path/filepath"
	"testing"
)

// TestEnd: a film replaces what a link leads to, and leaves it its permission bits and the link; a failed one leaves
// everything as it was, and no file beside it. A program that keeps the pixels stands in for ffmpeg.
func TestEnd(t *testing.T) {
	bin, folder, elsewhere := t.TempDir(), t.TempDir(), t.TempDir()
	script := "#!/bin/sh\nfor last; do :; done; cat > \"${last#file:}\"\n"
	if err := os.WriteFile(filepath.Join(bin, "ffmpeg"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	target, link := filepath.Join(elsewhere, "old.mp4"), filepath.Join(folder, "film.mp4")
	if err := os.WriteFile(target, []byte("old"), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, link); err != nil {
		t.Skip(err)
	}
	draw := func(end error) error {
		f, err := New(link, 25)
		if err != nil {
			t.Fatal(err)
		}
		picture := image.NewNRGBA(image.Rect(0, 0, 4, 2))
		f.Size = picture.Rect.Size()
		if err := f.Add(t.Context(), 0, picture); err != nil {
			t.Fatal(err)
		}
		return f.End(end)
	}
	check := func(when string, size int64) {
		t.Helper()
		info, err := os.Stat(target)
		if err != nil || info.Size() != size || info.Mode().Perm() != 0o640 {
			t.Errorf("%s: %v, %v; expected %d bytes, mode 0640", when, info, err, size)
		}
		if l, err := os.Lstat(link); err != nil || l.Mode()&os.ModeSymlink == 0 {
			t.Errorf("%s: %v, %v; expected the link", when, l, err)
		}
		if left, _ := os.ReadDir(elsewhere); len(left) != 1 {
			t.Errorf("%s: %d files, expected 1", when, len(left))
		}
	}
	bad := errors.New("no picture")
	if err := draw(bad); err != bad {
		t.Errorf("%v, expected %v", err, bad)
	}
	check("failed", 3)
	if err := draw(nil); err != nil {
		t.Error(err)
	}
	check("drawn", 4*2*4)
}
