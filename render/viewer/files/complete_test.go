package files

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestList(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"b.glb", "A.GLB", "notes.txt", ".hidden.glb", "c.gltf"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"zoo", "Models"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("zoo", filepath.Join(dir, "link")); err != nil {
		t.Skip("no links here: ", err)
	}
	d := Dialog{Ends: []string{".glb", ".gltf"}}
	got, err := d.list(dir)
	want := []Entry{{Name: "Models", Folder: true}, {Name: "link", Folder: true}, {Name: "zoo", Folder: true}, {Name: ".hidden.glb"}, {Name: "A.GLB"},
		{Name: "b.glb"}, {Name: "c.gltf"}}
	for i := range got {
		if year := time.Now().Format("2006-"); !strings.Contains(got[i].Note, year) || !got[i].Folder && !strings.Contains(got[i].Note, "0.0 kB") {
			t.Errorf("%s: %q says nothing of size and date", got[i].Name, got[i].Note)
		}
		got[i].Note = ""
	}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v, expected %v", got, err, want)
	}
	if _, err := d.list(filepath.Join(dir, "nowhere")); err == nil {
		t.Error("a folder that is not there is listed")
	}
}

func TestSizes(t *testing.T) {
	for bytes, want := range map[int64]string{0: "0.0 kB", 12345: "12.3 kB", 999_499: "999.5 kB", 1_500_000: "1.5 MB",
		2_000_000_000_000: "2.0 TB"} {
		if got := sizeOf(bytes); got != want {
			t.Errorf("%d bytes are %q, expected %q", bytes, got, want)
		}
	}
}

func TestSplit(t *testing.T) {
	t.Setenv("HOME", "/home/me")
	for typed, want := range map[string][2]string{
		"":               {"/base", ""},
		"fox":            {"/base", "fox"},
		"sub/":           {"/base/sub", ""},
		"sub/fox":        {"/base/sub", "fox"},
		"../x":           {"/", "x"},
		"/a/..":          {"/a", ".."},
		"/a/b/":          {"/a/b", ""},
		"/a/b/fox.g":     {"/a/b", "fox.g"},
		"~":              {"/base", "~"},
		"~/Models/":      {"/home/me/Models", ""},
		"~/fox":          {"/home/me", "fox"},
		"~other/fox.glb": {"/base/~other", "fox.glb"},
	} {
		if folder, name := split(typed, "/base"); folder != want[0] || name != want[1] {
			t.Errorf("%q: %q and %q, expected %q", typed, folder, name, want)
		}
	}
}

func TestComplete(t *testing.T) {
	entries := []Entry{{Name: "Models", Folder: true}, {Name: ".git", Folder: true}, {Name: "Fox walk.glb"}, {Name: "fox run.glb"}, {Name: "Über.glb"},
		{Name: "übung.glb"}}
	for _, c := range []struct {
		name  string
		found int
		want  string
	}{
		{"", 5, ""},
		{"m", 1, "Models/"},
		{"FO", 2, "Fox "},
		{"fox w", 1, "Fox walk.glb"},
		{"fox walk.glb", 1, "Fox walk.glb"},
		{"ü", 2, "Üb"},
		{".", 1, ".git/"},
		{"cat", 0, "cat"},
	} {
		found := matching(entries, c.name)
		if got := complete(c.name, found); len(found) != c.found || got != c.want {
			t.Errorf("%q: %d entries, %q; expected %d, %q", c.name, len(found), got, c.found, c.want)
		}
	}
}

// TestWhole: a folder keeps its separator, so that what is in it is listed and not what is beside it.
func TestWhole(t *testing.T) {
	for proposed, want := range map[string]string{"": "/a/b/", "./": "/a/b/", "c.glb": "/a/b/c.glb", "c/": "/a/b/c/", "/": "/",
		"/d/": "/d/", "/d/e.glb": "/d/e.glb"} {
		if got := whole("/a/b", proposed); got != want {
			t.Errorf("%q becomes %q, expected %q", proposed, got, want)
		}
	}
}
