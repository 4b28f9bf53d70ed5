package systemfont

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/image/font/gofont/goregular"

	"skinlab/internal/testfont"
)

// TestFontsAreChosenByWhatTheyHave leaves out what is no font, what has nothing that is wanted, and what has nothing
// that one before it lacks, and reads no further than is needed.
func TestFontsAreChosenByWhatTheyHave(t *testing.T) {
	broken := filepath.Join(t.TempDir(), "broken.ttf")
	if err := os.WriteFile(broken, goregular.TTF[:1000], 0o600); err != nil {
		t.Fatal(err)
	}
	left, both, hangul := testfont.Write(t, 'A', '左'), testfont.Write(t, 'A', '左', '右'), testfont.Write(t, 'A', '팔')
	files := []File{{"/nowhere.ttf", 0}, {t.TempDir(), 0}, {broken, 0}, {both, 3}, {left, 0}, {left, 0}, {both, 0},
		{hangul, 0}}
	for _, c := range []struct {
		wanted string
		paths  []string
	}{
		{"左", []string{left}},
		{"右", []string{both}},
		{"左右", []string{left, both}},
		{"팔右", []string{both, hangul}},
		{"膝", nil},
	} {
		var paths []string
		for _, f := range Choose([]rune(c.wanted), files) {
			paths = append(paths, f.Path)
		}
		if !slices.Equal(paths, c.paths) {
			t.Errorf("%s: %v, expected %v", c.wanted, paths, c.paths)
		}
	}
}

// TestFontconfigIsAsked puts a tool in fontconfig's place that answers with a path with spaces, and with an instance of
// a variable font.
func TestFontconfigIsAsked(t *testing.T) {
	dir := t.TempDir()
	script := "#!/bin/sh\n[ \"$4\" = ':outline=true:charset=5de6 d314 ' ] || exit 1\n" +
		"printf '131073 /a font.ttc\\nnonsense\\n0 /b.ttf\\n'\n"
	if err := os.WriteFile(filepath.Join(dir, "fc-match"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
	got, want := fontconfig([]rune("左팔")), []File{{"/a font.ttc", 1}, {"/b.ttf", 0}}
	if !slices.Equal(got, want) {
		t.Errorf("%v, expected %v", got, want)
	}
	t.Setenv("PATH", t.TempDir())
	if got := fontconfig([]rune("左")); got != nil {
		t.Errorf("%v without the tool", got)
	}
}
