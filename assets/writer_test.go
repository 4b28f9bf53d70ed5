package assets

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
)

func TestWriteOBJ(t *testing.T) {
	var out bytes.Buffer
	positions := []mgl64.Vec3{{0.1, -2, 1. / 3}, {1e-12, 1e9, 0}, {1, 1, 1}}
	normals := []mgl64.Vec3{{0, 1, 0}, {0, 0, -1}, {1, 0, 0}}
	if err := WriteOBJ(&out, positions, normals, [][3]uint32{{0, 1, 2}, {2, 1, 0}}); err != nil {
		t.Fatal(err)
	}
	// The shortest decimal that reads back to the same float64: exact, no tolerance needed.
	want := "v 0.1 -2 0.3333333333333333\nv 1e-12 1e+09 0\nv 1 1 1\nvn 0 1 0\nvn 0 0 -1\nvn 1 0 0\nf 1//1 2//2 3//3\nf 3//3 2//2 1//1\n"
	if out.String() != want {
		t.Errorf("%q, expected %q", out.String(), want)
	}
	if err := WriteOBJ(failingWriter{}, positions, normals, nil); !errors.Is(err, io.ErrShortWrite) {
		t.Errorf("a failing writer gave %v", err)
	}
	defer func() {
		if recover() == nil {
			t.Error("mismatched lengths did not panic")
		}
	}()
	WriteOBJ(&out, positions, normals[:1], nil)
}

type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

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
	if err := WriteFileAtomic(path, text("first")); err != nil {
		t.Fatal(err)
	}
	expect("first", 0)
	if err := os.Chmod(path, 0o604); err != nil {
		t.Fatal(err)
	}
	if err := WriteFileAtomic(path, text("second")); err != nil {
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
	if err := WriteFileAtomic(path, half); !errors.Is(err, broken) {
		t.Errorf("a failing write gave %v", err)
	}
	expect("second", 0o604)
	func() {
		defer func() { recover() }()
		WriteFileAtomic(path, func(w io.Writer) error { half(w); panic("half way") })
	}()
	expect("second", 0o604)
	if err := WriteFileAtomic(dir, text("x")); err == nil {
		t.Error("wrote over a folder")
	}
	if err := WriteFileAtomic(filepath.Join(dir, "none", "x"), text("x")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a folder that is not there gave %v", err)
	}
	if _, err := os.Stat(os.DevNull); err == nil {
		if err := WriteFileAtomic(os.DevNull, text("x")); err != nil {
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
	if err := WriteFileAtomic(link,
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
