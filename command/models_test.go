package command

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skinlab/assets/posefile"
	"skinlab/command/flags"
	"skinlab/internal/assetstest"
	"skinlab/skinning"
)

func TestInfo(t *testing.T) {
	o := object(t, "info", "demo:box")
	if o["vertices"] != 5166.0 || o["joints"] != 2.0 {
		t.Errorf("demo:box has %v vertices and %v joints", o["vertices"], o["joints"])
	}
	for _, key := range []string{"triangles", "clips", "influences"} {
		if o[key] == nil {
			t.Errorf("no %q", key)
		}
	}
	clip := o["clips"].([]any)[0].(map[string]any)
	if clip["name"] != "twist" || !(clip["seconds"].(float64) > 0) {
		t.Errorf("first clip %v", clip)
	}
	influences := o["influences"].(map[string]any)
	if influences["max"] != 2.0 || !(influences["mean"].(float64) > 1) {
		t.Errorf("influences %v", influences)
	}
}

func TestStressClips(t *testing.T) {
	dir := t.TempDir()
	o := object(t, "deform", "demo:tube", "--clip", "stress:twist", "--time", "0.6", "-o", filepath.Join(dir, "tube.obj"))
	if o["clip"] != "stress:twist" {
		t.Errorf("deform posed %v", o["clip"])
	}
	o = object(t, "compare", "demo:tube", "--clip", "stress: twist", "--methods", "lbs,dqs", "--frames", "5")
	row := o["rows"].([]any)[0].(map[string]any)
	if o["clip"] != "stress:twist" || !(row["volume_ratio_min"].(float64) < 0.8) {
		t.Errorf("compare over %v: %v", o["clip"], row)
	}
	_, stderr, code := skinlab(t, "deform", "demo:tube", "--clip", "stress:shrug", "-o", filepath.Join(dir, "x.obj"))
	if code != exitUsage || !strings.Contains(stderr, "stress:twist") {
		t.Errorf("a shrug of a tube: exit %d: %s", code, stderr)
	}
}

// A fit that trains on a stress clip leaves without it, and its file is compared over it all the same.
func TestStressClipsOfFits(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	path := filepath.Join(t.TempDir(), "fitted.glb")
	o := object(t, "fit", "blend-bones", "demo:tube", "--train", "stress:twist:7", "--bones", "6", "-o", path)
	if o["train"] != "stress:twist" || o["frames"] != 7.0 {
		t.Errorf("trained on %v, %v frames", o["train"], o["frames"])
	}
	for _, c := range object(t, "info", path)["clips"].([]any) {
		if name := c.(map[string]any)["name"].(string); strings.HasPrefix(name, "stress") {
			t.Errorf("the file has the clip %q", name)
		}
	}
	o = object(t, "compare", "demo:tube", "--clip", "stress:twist", "--methods", "lbs,"+path, "--frames", "5")
	rows := o["rows"].([]any)
	lbs, fit := rows[0].(map[string]any)["ee"].(float64), rows[1].(map[string]any)["ee"].(float64)
	if !(fit < 0.7*lbs) {
		t.Errorf("EE of %g for the fit, %g for linear blending", fit, lbs)
	}
}

// TestSameClipByPlace: a fit keeps the clips of its model in their order, so that of several of one name the one at the
// same place is meant.
func TestSameClipByPlace(t *testing.T) {
	from := &skinning.Model{Clips: []skinning.Clip{{Name: "take"}, {Name: "take"}, {Name: "walk"}}}
	to := &skinning.Model{Clips: []skinning.Clip{{Name: "take"}, {Name: "take"}, {Name: "run"}, {Name: "walk"}}}
	for clip, want := range []int{0, 1, 3} {
		if got, err := flags.SameClip(from, to, clip); err != nil || got != want {
			t.Errorf("clip %d is %d, %v; want %d", clip, got, err, want)
		}
	}
}

// A pose that a clip makes, written and read again, deforms the skin as the clip does.
func TestPoseFile(t *testing.T) {
	m := assetstest.Open(t, "demo:tube")
	dir := t.TempDir()
	path := func(name string) string { return filepath.Join(dir, name) }
	pose := m.NewPose()
	m.SamplePose(pose, 0, 0.7)
	if err := posefile.Write(path("pose.json"), m, pose); err != nil {
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
