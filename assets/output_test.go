package assets

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"skinlab/assets/atomicfile"
	"skinlab/assets/gltf/export"
	"skinlab/internal/gltftest"
	"skinlab/skinning"
)

// put writes a file and returns its path.
func put(t *testing.T, dir, name, content string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestOutput: what may be written, what may not, and the reason in one sentence that begins with the whole path. Check
// leaves every folder as it was.
func TestOutput(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	model := put(t, dir, "model.gltf", `{"asset":{"version":"2.0"},"buffers":[{"uri":"my%20data.bin","byteLength":4}],`+
		`"images":[{"uri":"skin.png"}]}`)
	put(t, dir, "my data.bin", "1234")
	put(t, dir, "skin.png", "a picture")
	put(t, dir, "old.glb", "precious")
	put(t, dir, "notes", "no ending")
	if err := os.Mkdir("folder", 0o700); err != nil {
		t.Fatal(err)
	}
	for link, target := range map[string]string{
		"soft.glb": "my data.bin", "chain.glb": "soft.glb", "old link.glb": "old.glb", "none.glb": "nothing.glb"} {
		if err := os.Symlink(target, link); err != nil {
			t.Skip("no symbolic links here: ", err)
		}
	}
	for link, target := range map[string]string{"hard.glb": "my data.bin", "hard.png": "skin.png", "copy.gltf": model} {
		if err := os.Link(target, link); err != nil {
			t.Skip("no hard links here: ", err)
		}
	}
	list := func() (names []string) {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			names = append(names, e.Name())
		}
		return names
	}
	before := strings.Join(list(), "\n")
	const glb, png, gltf = ".glb", ".png", ".gltf"
	for _, c := range []struct {
		path, ending string
		replace      bool
		want, says   string // the path that is written, relative to the folder; or what the error says
		is           error
	}{
		{"new.glb", glb, false, "new.glb", "", nil},
		{"NEW.GLB", glb, false, "NEW.GLB", "", nil},
		{"new", glb, false, "new.glb", "", nil},
		{"notes", glb, false, "notes.glb", "", nil},
		{filepath.Join("folder", "..", "new.glb"), glb, false, "new.glb", "", nil},
		{"none.glb", glb, false, "none.glb", "", nil}, // a link to nothing
		{"old.glb", glb, true, "old.glb", "", nil},
		{"old link.glb", glb, true, "old link.glb", "", nil},
		{"old", glb, true, "old.glb", "", nil},
		{"old.glb", glb, false, "old.glb", "old.glb: file already exists", fs.ErrExist},
		{"old", glb, false, "old.glb", "old.glb: file already exists", fs.ErrExist},
		{"old link.glb", glb, false, "old link.glb", "old link.glb: file already exists", fs.ErrExist},
		{"old.glb", ".json", true, "", `wrong ending: expected .json, not ".glb"`, ErrEnding},
		{"old.", glb, true, "", `wrong ending: expected .glb, not "."`, ErrEnding},
		{model, gltf, true, "", "model.gltf, which is in use", nil},
		{"copy.gltf", gltf, true, "", "model.gltf, which is in use", nil},
		{"hard.glb", glb, true, "", "my data.bin, which is in use", nil},
		{"soft.glb", glb, true, "", "my data.bin, which is in use", nil},
		{"chain.glb", glb, true, "", "my data.bin, which is in use", nil},
		{"skin.png", png, true, "", "skin.png, which is in use", nil},
		{"skin", png, true, "", "skin.png, which is in use", nil},
		{"hard.png", png, true, "", "skin.png, which is in use", nil},
		{"folder", glb, true, "", "folder: is a folder", nil},
		{"new.glb" + string(filepath.Separator), glb, true, "", "is a folder", nil},
		{filepath.Join("no", "new.glb"), glb, true, "", "there is no folder " + filepath.Join(dir, "no"), nil},
		{filepath.Join("notes", "new.glb"), glb, true, "", "not a directory", nil},
		{"", glb, true, "", "no file is named", nil},
	} {
		if strings.Contains(c.says, "directory") && runtime.GOOS == "windows" {
			continue // where such a folder is one that is not there
		}
		out := Output{Path: c.path, Endings: []string{c.ending}, Replace: c.replace,
			Reads: func() []string { return Files(model) }}
		got, err := out.Check()
		want := c.want
		if want != "" {
			want = filepath.Join(dir, want)
		}
		switch {
		case c.says == "" && err != nil || got != want:
			t.Errorf("%q as %s, replace %v: %q, %v, expected %q", c.path, c.ending, c.replace, got, err, want)
		case c.says == "":
		case err == nil || !strings.Contains(err.Error(), c.says) || c.is != nil && !errors.Is(err, c.is) ||
			c.path != "" && !strings.HasPrefix(err.Error(), dir) || strings.Contains(err.Error(), "\n"):
			t.Errorf("%q as %s, replace %v: %v, expected %q after the whole path", c.path, c.ending, c.replace, err, c.says)
		}
	}
	if after := strings.Join(list(), "\n"); after != before {
		t.Errorf("the folder held\n%s\nand holds\n%s", before, after)
	}
}

// TestOutputDevices: what holds nothing to lose is written to as it is, under any name. A file that standard output
// goes to keeps what it holds.
func TestOutputDevices(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("devices have other names here")
	}
	dir := t.TempDir()
	sink := put(t, dir, "sink.txt", "first\n")
	f, err := os.OpenFile(sink, os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	stdout := os.Stdout
	os.Stdout = f
	defer func() { os.Stdout = stdout }()
	for _, path := range []string{"/dev/null", sink} {
		out := Output{Path: path, Endings: []string{".glb"}, Reads: func() []string { return nil }}
		if got, err := out.Check(); got != path || err != nil {
			t.Errorf("%s: %q, %v", path, got, err)
		}
		if got := atomicfile.IsStandardOutput(path); got != (path == sink) {
			t.Errorf("%s is standard output: %v", path, got)
		}
	}
	err = atomicfile.Write(sink, func(w io.Writer) error {
		_, err := io.WriteString(w, "second\n")
		return err
	})
	if text, e := os.ReadFile(sink); err != nil || e != nil || string(text) != "first\nsecond\n" {
		t.Errorf("%q, %v, %v", text, err, e)
	}
	// Where nobody may write, not even root, that is found before the work.
	out := Output{Path: "/proc/skinlab.glb", Endings: []string{".glb"}, Reads: func() []string { return nil }}
	if _, err := out.Check(); err == nil || !strings.Contains(err.Error(), "/proc/skinlab.glb: nothing can be written") {
		t.Errorf("/proc: %v", err)
	}
}

// TestExportReady: an export asks once all is baked, right before it writes, and touches no file where that is an
// error.
func TestExportReady(t *testing.T) {
	tube, err := Open("demo:tube")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	path, never := put(t, dir, "old.glb", "precious"), errors.New("never")
	fitted, asked, baked := gltftest.HalfWay(t, tube, skinning.DQS, 1), 0, 0
	opt := export.Options{Progress: func(int, int) { baked++ }, Ready: func() error {
		asked++
		if baked < len(tube.Clips) {
			t.Errorf("asked before clip %d", baked)
		}
		return never
	}}
	_, err = export.File(t.Context(), path, "demo:tube", fitted, opt)
	if text, e := os.ReadFile(path); !errors.Is(err, never) || asked != 1 || e != nil || string(text) != "precious" {
		t.Errorf("%v, asked %d times, the file holds %q, %v", err, asked, text, e)
	}
	opt.Ready = func() error { return nil }
	if _, err := export.File(t.Context(), path, "demo:tube", fitted, opt); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path); err != nil {
		t.Error(err)
	}
}
