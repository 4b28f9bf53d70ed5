package command

import (
	"os"
	"strings"
	"testing"
)

// TestEnvironments: what lights materials changes a picture, and not one in clay; names and files that are none are
// errors.
func TestEnvironments(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	t.Chdir(t.TempDir())
	sky := "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 2\n" + string([]byte{200, 100, 50, 128, 10, 20, 30, 128})
	if err := os.WriteFile("sky.hdr", []byte(sky), 0o600); err != nil {
		t.Fatal(err)
	}
	picture := func(flags string) string {
		t.Helper()
		line := "render demo:bar --size 64x48 --force " + flags + " -o x.png"
		if stderr, code := drawn(t, line); code != 0 {
			t.Fatalf("%s: exit %d: %s", line, code, stderr)
		}
		data, err := os.ReadFile("x.png")
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	seen := map[string]string{}
	for _, name := range []string{"studio", "white", "black", "sky.hdr"} {
		data := picture("--environment " + name)
		if other, ok := seen[data]; ok {
			t.Errorf("%s and %s are the same picture", name, other)
		}
		seen[data] = name
	}
	if seen[picture("")] != "studio" {
		t.Error("the studio is not the default")
	}
	if picture("--clay --environment white") != picture("--clay") {
		t.Error("clay depends on what lights materials")
	}
	for line, want := range map[string]string{
		"render demo:bar --environment whit -o y.png":     `did you mean "white"`,
		"render demo:bar --environment none.hdr -o y.png": "none.hdr: no such file",
		"compare demo:bar --environment x.png -o y.png":   "no .hdr file",
		"view demo:bar --environment x.png":               "no .hdr file",
	} {
		if stderr, code := drawn(t, line); code == 0 || !strings.Contains(stderr, want) {
			t.Errorf("%s: exit %d: %s", line, code, stderr)
		}
	}
}
