package atomicfile

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWriteFileAtomic(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out.obj")
	text := func(s string) func(io.Writer) error {
		return func(w io.Writer) error { _, err := io.WriteString(w, s); return err }
	}
	expect := func(content string, mode os.FileMode) {
		t.Helper()
		got, err := os.ReadFile(path)
		if err != nil || string(got) != content {
			t.Errorf("%q, %v; expected %q", got, err, content)
		}
		if info, _ := os.Stat(path); mode != 0 && info.Mode().Perm() != mode {
			t.Errorf("mode %v, expected %v", info.Mode().Perm(), mode)
		}
		if files, _ := os.ReadDir(dir); len(files) != 1 {
			t.Errorf("%d files left in the folder: %v", len(files), files)
		}
	}
	if err := Write(path, text("first")); err != nil {
		t.Fatal(err)
	}
	expect("first", 0)
	if err := os.Chmod(path, 0o604); err != nil {
		t.Fatal(err)
	}
	if err := Write(path, text("second")); err != nil {
		t.Fatal(err)
	}
	expect("second", 0o604)

	broken := errors.New("broken")
	half := func(w io.Writer) error {
		if _, err := io.WriteString(w, strings.Repeat("x", 1<<20)); err != nil {
			return err
		}
		return broken
	}
	if err := Write(path, half); !errors.Is(err, broken) {
		t.Errorf("a failing write gave %v", err)
	}
	expect("second", 0o604)
	func() {
		defer func() { recover() }()
		Write(path, func(w io.Writer) error { half(w); panic("half way") })
	}()
	expect("second", 0o604)
	if err := Write(dir, text("x")); err == nil {
		t.Error("wrote over a folder")
	}
	if err := Write(filepath.Join(dir, "none", "x"), text("x")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a folder that is not there gave %v", err)
	}
	if _, err := os.Stat(os.DevNull); err == nil {
		if err := Write(os.DevNull, text("x")); err != nil {
			t.Errorf("%s: %v", os.DevNull, err)
		}
	}
}

// TestWriteFileAtomicFollowsLinks: the link stays a link, its target is replaced.
func TestWriteFileAtomicFollowsLinks(t *testing.T) {
	dir := t.TempDir()
	target, link := filepath.Join(dir, "target"), filepath.Join(dir, "link")
	if err := os.WriteFile(target, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("target", link); err != nil {
		t.Skip(err)
	}
	if err := Write(link,
		func(w io.Writer) error { _, err := io.WriteString(w, "new"); return err }); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v, %v", info, err)
	}
	if got, _ := os.ReadFile(target); string(got) != "new" {
		t.Errorf("the target holds %q", got)
	}
}

// Errors speak of the file that was to be written, never of the temporary one; and a name that leaves no room for the
// temporary one's is written all the same.
func TestErrorsNameTheFile(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "folder")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "x.png")
	for name, write := range map[string]func(io.Writer) error{
		"the folder goes": func(io.Writer) error { return os.RemoveAll(dir) },
		"writing to a closed file": func(w io.Writer) error {
			w.(*named).Writer.(*os.File).Close()
			_, err := w.Write([]byte("x"))
			return err
		},
	} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := Write(path, write); err == nil || !strings.HasPrefix(err.Error(), path+": ") ||
			strings.Contains(err.Error(), ".tmp") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	long := filepath.Join(dir, strings.Repeat("x", 250))
	if err := Write(long, func(w io.Writer) error { _, err := io.WriteString(w, "x"); return err }); err != nil {
		t.Error(err)
	}
}
