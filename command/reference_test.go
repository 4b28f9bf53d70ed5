package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skinlab/assets/gltf/export"
	"skinlab/internal/assetstest"
	"skinlab/skinning"
	"skinlab/skinning/compare"
)

// TestReferenceOfScaledRig: on a model whose joint scales, every command measures against dual quaternions with scale,
// and says why. A method that the user names is taken as it is.
func TestReferenceOfScaledRig(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	m := assetstest.Open(t, "demo:tube")
	m.Clips = []skinning.Clip{{Name: "beat", Seconds: 1, Channels: []skinning.Channel{{Node: m.Skeleton.Joints[2].Node,
		Path: skinning.PathScale, Width: 3, Times: []float32{0, 1}, Values: []float32{1, 1, 1, 1.3, 1.3, 1.3}}}}}
	data, err := export.Encode(m)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "heart.glb")
	if err := os.WriteFile(file, data, 0o644); err != nil {
		t.Fatal(err)
	}
	const why = "scales by 1.3 in clip beat"
	for says, args := range map[string][]string{
		"poses, against sdqs\n":                  {"compare", file, "--frames", "3", "--methods", "lbs"},
		" in 5 poses, against sdqs\n":            {"sweep", file, "--joint", "1", "--step", "90", "--methods", "lbs"},
		"fits of heart.glb imitate sdqs: joint ": {"bench", file, "--sizes", "100", "--methods", "blend-bones:1"},
		"blend-bones of sdqs (joint ":            {"fit", "blend-bones", file, "--bones", "1", "--train", "beat:4"},
	} {
		stdout, stderr, code := skinlab(t, args...)
		if code != 0 || !strings.Contains(stdout, says) || !strings.Contains(stdout, why) {
			t.Errorf("%v: exit %d, expected %q and %q:\n%s%s", args, code, says, why, stdout, stderr)
		}
	}
	o := object(t, "compare", file, "--frames", "3", "--methods", "lbs")
	if ee := o["rows"].([]any)[0].(map[string]any)["ee"].(float64); !(ee < 10) || o["reference"] != "sdqs" ||
		!strings.Contains(o["reference_why"].(string), why) {
		t.Errorf("compare: %v", o)
	}
	for _, args := range [][]string{{"compare", file, "--reference", "dqs", "--frames", "3", "--methods", "lbs"},
		{"sweep", file, "--reference", "dqs", "--joint", "1", "--step", "90", "--methods", "lbs"}} {
		if o := object(t, args...); o["reference"] != "dqs" || o["reference_why"] != "" {
			t.Errorf("%v: measured against %v because %q", args, o["reference"], o["reference_why"])
		}
	}
}

// TestHintOfReference: a text hints at --reference only where that takes what a file has learnt from.
func TestHintOfReference(t *testing.T) {
	for teacher, hints := range map[string][2]bool{"sdqs": {true, true}, skinning.Examples: {false, true}} {
		fitted := &skinning.Model{Name: "fitted.glb", Fit: &skinning.FitRecord{Teacher: teacher}}
		for i, examples := range []bool{false, true} {
			r := reference{examples: examples}
			text := r.ofFiles([]compare.Subject{{Path: "fitted.glb", Model: fitted}})
			if !strings.Contains(text, "learnt from "+teacher) || strings.Contains(text, "--reference") != hints[i] {
				t.Errorf("learnt from %s, --reference takes examples %v: %q", teacher, examples, text)
			}
		}
	}
}
