package command

import (
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The box is blue-grey before a dark studio. Looked at along the axis of its length it is narrow, from the front
// wide, and near a joint it is cut by the picture's edges.
func TestRenderTakesTheCamera(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	dir := t.TempDir()
	width := func(name string, args ...string) (columns int) {
		t.Helper()
		out := filepath.Join(dir, name+".png")
		if _, stderr, code := skinlab(t, append([]string{"render", "demo:box", "--size", "96x64", "-o", out},
			args...)...); code != 0 {
			t.Fatalf("%v: exit %d: %s", args, code, stderr)
		}
		file, err := os.Open(out)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		img, err := png.Decode(file)
		if err != nil {
			t.Fatal(err)
		}
		for x := range 96 {
			for y := range 64 {
				if c := color.NRGBAModel.Convert(img.At(x, y)).(color.NRGBA); int(c.B) > int(c.R)+40 {
					columns++
					break
				}
			}
		}
		return columns
	}
	front, degrees, side, ortho := width("front", "--view", "front"), width("degrees", "--view", "0,0"),
		width("side", "--view", "right"), width("ortho", "--view", "right", "--ortho")
	near := width("near", "--view", "front", "--frame", "joint:bone2")
	t.Logf("columns: front %d, 0,0 %d, side %d, without perspective %d, a joint %d", front, degrees, side, ortho, near)
	if front != degrees {
		t.Errorf("from the front the box is %d columns wide, from 0,0 %d", front, degrees)
	}
	if !(front > 80 && front < 96 && near == 96 && side < 80 && ortho < 80) {
		t.Error("expected over 80 from the front with a margin, fewer from the side, and all at a joint")
	}
}

func TestCameraFlagsRefuse(t *testing.T) {
	dir := t.TempDir()
	for flag, says := range map[string]string{"--view=aside": "right, left, top", "--view=0,95": "-90 to 90",
		"--frame=bone1": "joint:NAME", "--frame=joint:propeller": "propeller"} {
		for _, command := range []string{"render", "compare"} {
			_, stderr, code := skinlab(t, command, "demo:box", flag, "-o", filepath.Join(dir, "a.png"))
			if code != 2 || !strings.Contains(stderr, says) {
				t.Errorf("%s %s: exit %d: %s", command, flag, code, stderr)
			}
		}
	}
}
