package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skinlab/assets"
)

// The tube follows its own clip, given as meshes: the report says so, and the file has the clip. In a report, RMS is of
// surfaces: 5 mm on a tube of 2 m.
func TestTransfer(t *testing.T) {
	slow(t)
	path := filepath.Join(t.TempDir(), "out.glb")
	args := []string{"transfer", "demo:tube", "demo:tube", "--clip", "writhe", "--fps", "2", "-o", path}
	out := object(t, args...)
	m, err := assets.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.ClipIndex("transfer"); err != nil {
		t.Error(err)
	}
	frames := out["frame_rms_mm"].([]any)
	if n := int(out["frames"].(float64)); n < 3 || len(frames) != n || !(out["rms_mm"].(float64) < 5) ||
		out["method"] != "lbs" || out["same_topology"] != true || out["output"] != path {
		t.Errorf("%v", out)
	}
	for _, c := range []struct {
		want string
		code int
		args []string
	}{
		{"--force", exitData, args},
		{"give -o", exitUsage, args[:3]},
		{"transfer takes BODY SEQUENCE", exitUsage, args[:2]},
		{"--method", exitUsage, append(args, "--method", "dqs")},
		{"has a clip", exitUsage, append(args, "--force", "--name", "writhe")},
		{"--start is a frame", exitUsage, append(args, "--force", "--start", "-2")},
		{"the sequence has", exitUsage, append(args, "--force", "--start", "100000")},
		{"not a pose", exitData, append(args, "--force", "--pose", object1(t))},
		{"no .obj or .ply files", exitData, []string{"transfer", "demo:tube", t.TempDir(), "-o", path, "--force"}},
		{"no skin", exitData, []string{"transfer", object1(t), "demo:tube", "-o", path, "--force"}},
	} {
		if _, stderr, code := skinlab(t, c.args...); code != c.code || !strings.Contains(stderr, c.want) {
			t.Errorf("%v: exit %d, %s", c.args, code, stderr)
		}
	}
}

// object1 writes a mesh without a skeleton.
func object1(t *testing.T) string {
	path := filepath.Join(t.TempDir(), "mesh.obj")
	if err := os.WriteFile(path, []byte("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
