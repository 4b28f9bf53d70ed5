package viewer

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"skinlab/assets/gltf/export"
	"skinlab/internal/assetstest"
	"skinlab/internal/testfont"
)

// TestNamesWithASystemFont puts a tool in fontconfig's place that names a font in which a character of a clip looks
// like an A. The left of the window, whose picture waits for the font, then looks as it does for a clip of As, but for
// where glyphs lie in the texture of fonts, which changes some edges a little; a clip of Bs looks otherwise.
func TestNamesWithASystemFont(t *testing.T) {
	t.Parallel()
	d := startDisplay(t)
	tools := t.TempDir()
	script := fmt.Sprintf("#!/bin/sh\necho '0 %s'\n", testfont.Write(t, 'A', '左'))
	if err := os.WriteFile(filepath.Join(tools, "fc-match"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	shot := func(clip string) string {
		m := assetstest.Open(t, "demo:box")
		m.Clips[0].Name = clip
		data, err := export.Encode(m)
		if err != nil {
			t.Fatal(err)
		}
		folder := t.TempDir()
		model, picture := filepath.Join(folder, "box.glb"), filepath.Join(folder, "window.png")
		if err := os.WriteFile(model, data, 0o600); err != nil {
			t.Fatal(err)
		}
		runChild(t, d, "-child", "shot", "-child.shot", picture, "-child.model", model, "-child.path", tools)
		return picture
	}
	want := readShot(t, shot("AAAA"))
	left := want.Rect // with the list of clips; the times at the right differ from run to run
	left.Max.X = 240
	const level = 64 // of 255: an edge of a letter, at another place in the texture, has differed by more than 32
	if n := differing(want, readShot(t, shot("左左左左")), left, level); n != 0 {
		t.Errorf("%.3g of the pixels differ from those of As", n)
	}
	if n := differing(want, readShot(t, shot("BBBB")), left, level); n == 0 {
		t.Error("a clip of another name looks alike")
	}
}
