package files

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
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
	want := []Entry{{"Models", true}, {"link", true}, {"zoo", true}, {".hidden.glb", false}, {"A.GLB", false},
		{"b.glb", false}, {"c.gltf", false}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v, expected %v", got, err, want)
	}
	if _, err := d.list(filepath.Join(dir, "nowhere")); err == nil {
		t.Error("a folder that is not there is listed")
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
	entries := []Entry{{"Models", true}, {".git", true}, {"Fox walk.glb", false}, {"fox run.glb", false}, {"Über.glb", false},
		{"übung.glb", false}}
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
