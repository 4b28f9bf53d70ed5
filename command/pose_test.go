package command

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skinlab/assets"
)

// A pose that a clip makes, written and read again, deforms the skin as the clip does.
func TestPoseFile(t *testing.T) {
	m, err := assets.Open("demo:tube")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	pose := m.NewPose()
	m.SamplePose(pose, 0, 0.7)
	if err := assets.WritePose(path("pose.json"), m, pose); err != nil {
		t.Fatal(err)
	}
	object(t, "deform", "demo:tube", "--method", "dqs", "--clip", "0", "--time", "0.7", "-o", path("clip.obj"))
	if o := object(t, "deform", "demo:tube", "--method", "dqs", "--pose", path("pose.json"), "-o",
		path("pose.obj")); o["clip"] != "" {
		t.Errorf("a pose is of the clip %v", o["clip"])
	}
	a, err := os.ReadFile(path("clip.obj"))
	if err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(path("pose.obj")); err != nil || !bytes.Equal(a, b) {
		t.Errorf("the pose deforms otherwise than the clip (%v)", err)
	}
	for _, c := range []struct {
		code int
		want string
		args []string
	}{
		{exitUsage, "--clip", []string{"--clip", "0", "--pose", path("pose.json")}},
		{exitUsage, "--time", []string{"--time", "1", "--pose", path("pose.json")}},
		{exitData, path("clip.obj") + ": not a pose", []string{"--pose", path("clip.obj")}},
		{exitData, "absent.json", []string{"--pose", path("absent.json")}},
	} {
		_, stderr, code := skinlab(t, append([]string{"deform", "demo:tube", "-o", path("x.obj")}, c.args...)...)
		if code != c.code || !strings.Contains(stderr, c.want) {
			t.Errorf("%v: exit %d: %s", c.args, code, stderr)
		}
	}
}
