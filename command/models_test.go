package command

import (
	"path/filepath"
	"strings"
	"testing"

	"skinlab/skinning"
)

func TestStressClips(t *testing.T) {
	dir := t.TempDir()
	o := object(t, "deform", "demo:tube", "--clip", "stress:twist", "--time", "0.6", "-o", filepath.Join(dir, "tube.obj"))
	if o["clip"] != "stress: twist" {
		t.Errorf("deform posed %v", o["clip"])
	}
	o = object(t, "compare", "demo:tube", "--clip", "stress: twist", "--methods", "lbs,dqs", "--frames", "5")
	row := o["rows"].([]any)[0].(map[string]any)
	if o["clip"] != "stress: twist" || !(row["volume_ratio_min"].(float64) < 0.8) {
		t.Errorf("compare over %v: %v", o["clip"], row)
	}
	_, stderr, code := skinlab(t, "deform", "demo:tube", "--clip", "stress:shrug", "-o", filepath.Join(dir, "x.obj"))
	if code != exitUsage || !strings.Contains(stderr, "stress: twist") {
		t.Errorf("a shrug of a tube: exit %d: %s", code, stderr)
	}
}

// A fit that trains on a stress clip leaves without it, and its file is compared over it all the same.
func TestStressClipsOfFits(t *testing.T) {
	path := filepath.Join(t.TempDir(), "fitted.glb")
	o := object(t, "fit", "blend-bones", "demo:tube", "--train", "stress:twist:7", "--bones", "6", "-o", path)
	if o["train"] != "stress: twist" || o["frames"] != 7.0 {
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
		if got, err := sameClip(from, to, clip); err != nil || got != want {
			t.Errorf("clip %d is %d, %v; want %d", clip, got, err, want)
		}
	}
}
