package command

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skinlab/assets"
	"skinlab/assets/posefile"
	"skinlab/internal/assetstest"
	"skinlab/skinning"
	"skinlab/skinning/rig"
)

// TestFitHelperBones: the report's keys, unseen poses and leave-one-out, and the exported file, which plays what the
// report says. RMS errors in mm follow each other as they should on a twisted bar: the file's weights, trained ones,
// helper bones.
func TestFitHelperBones(t *testing.T) {
	slow(t)
	out := filepath.Join(t.TempDir(), "fitted.glb")
	o := object(t, "fit", "helper-bones", "demo:bar", "--bones", "3", "--test", "unseen", "--loocv", "-o", out)
	for _, key := range []string{"method", "operator", "vertices", "master_bones", "added_bones", "frames", "ee", "rms",
		"max", "seconds", "influences_before", "influences_after", "history", "clips", "rms_mm", "lbs_rms_mm",
		"weights_rms_mm", "before_rms_mm", "nonzeros", "degree", "bones", "convergence", "unseen", "loocv", "output"} {
		if o[key] == nil {
			t.Errorf("no %q", key)
		}
	}
	number := func(o map[string]any, key string) float64 { return o[key].(float64) }
	added := number(o, "added_bones")
	if o["method"] != "helper-bones" || o["operator"] != "examples" || !(added >= 1 && added <= 3) || o["frames"] != 3.0 {
		t.Errorf("report %v", o)
	}
	m := assetstest.Open(t, "demo:bar")
	rms := number(o, "rms_mm")
	if want := 1e3 * number(o, "rms") * m.Diagonal(); !(abs(rms-want) <= 1e-9*want) { // the same sum
		t.Errorf("%g mm, by the share of the diagonal %g", rms, want)
	}
	if lbs, weights := number(o, "lbs_rms_mm"), number(o, "weights_rms_mm"); !(rms < weights/2 && weights < lbs) {
		t.Errorf("helper bones %g mm, trained weights %g, the file's %g", rms, weights, lbs)
	}
	for _, test := range []string{"unseen", "loocv"} {
		ways := o[test].(map[string]any)
		for _, way := range []string{"ssd", "fit"} {
			if e := ways[way].(map[string]any); !(number(e, "rms_mm") > 0) {
				t.Errorf("%s, %s: %v", test, way, e)
			}
		}
	}
	if bones := o["bones"].([]any); float64(len(bones)) != added || bones[0].(map[string]any)["parent"] == nil {
		t.Errorf("bones %v", bones)
	}
	rows := object(t, "compare", "demo:bar", "--reference", "examples", "--methods", "ssd,helper-bones:3,"+out)["rows"].([]any)
	for _, row := range rows[1:] { // the baked keys stand at the example keys
		row := row.(map[string]any)
		if got, want := number(row, "ee"), number(o, "ee"); !(abs(got-want) <= 0.02) {
			t.Errorf("compare: %v has EE %.3f %%, the fit said %.3f %%", row["method"], got, want)
		}
	}
	fitted, err := assets.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	if r := skinning.RigOf[*rig.HelperBones](fitted); r == nil || float64(len(r.Bones)) != added || len(fitted.Skin.Morphs) != 0 {
		t.Errorf("the exported file has the rig %+v and %d morph targets", r, len(fitted.Skin.Morphs))
	}
}

// TestHelperLevelsAndSuggestions: --lod writes files of fewer helper bones, the error of each no less than that of
// more bones, and --suggest pose files that are a clip of the output too.
func TestHelperLevelsAndSuggestions(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	folder := t.TempDir()
	out := filepath.Join(folder, "leg.glb")
	o := object(t, "fit", "helper-bones", "demo:leg", "--bones", "3", "--lod", "2,1", "--suggest", "3", "-o", out)
	last := math.Inf(1)
	for k, level := range append(o["lod"].([]any), any(o)) {
		l := level.(map[string]any)
		m, err := assets.Open(l["output"].(string))
		if err != nil {
			t.Fatal(err)
		}
		e := l["rms_mm"].(float64)
		if l["added_bones"] != float64(k+1) || len(m.Added()) != k+1 || !(e <= last) {
			t.Errorf("level %d: %v bones, %d in the file, %g mm, with a bone less %g", k+1, l["added_bones"], len(m.Added()), e,
				last)
		}
		last = e
	}
	m, err := assets.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	clip, err := m.ClipIndex("suggested")
	if err != nil {
		t.Fatal(err)
	}
	paths := o["suggested"].([]any)
	if len(paths) != 3 {
		t.Fatalf("poses %v", paths)
	}
	for i, path := range paths {
		read, shown := m.NewPose(), m.NewPose()
		if _, err := posefile.Read(path.(string), m, read); err != nil {
			t.Fatal(err)
		}
		m.SamplePose(shown, clip, float64(i))
		for j := range 4 { // of the leg; float32 keys
			node := m.Skeleton.Joints[j].Node
			if d := abs(abs(read.Local[node].Rotation.Dot(shown.Local[node].Rotation)) - 1); !(d <= 1e-6) {
				t.Errorf("pose %d, joint %d: %v in the file, %v in the clip", i, j, read.Local[node], shown.Local[node])
			}
		}
	}
}

// TestHelperBonesRefused: what cannot be done is refused before the fit, and leaves no file.
func TestHelperBonesRefused(t *testing.T) {
	folder := t.TempDir()
	out, taken := filepath.Join(folder, "x.glb"), filepath.Join(folder, "y-1.glb")
	if err := os.WriteFile(taken, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		says string
		args []string
	}{
		{"--degree", []string{"--degree", "0"}},
		{"--degree", []string{"--degree", "4"}},
		{"--degree", []string{"--degree", "1.5"}},
		{"--lambda", []string{"--lambda", "-0.1"}},
		{"--lambda", []string{"--lambda", "NaN"}},
		{"--lambda", []string{"--lambda", "1.01"}},
		{"--bones", []string{"--bones", "0"}},
		{"--lod", []string{"--lod", "1"}},
		{"--lod", []string{"--bones", "4", "--lod", "2,5", "-o", out}},
		{"--lod", []string{"--lod", "2,2", "-o", out}},
		{"--lod", []string{"--lod", "two", "-o", out}},
		{"--suggest", []string{"--suggest", "-1", "-o", out}},
		{"--suggest", []string{"--suggest", "2"}},
		{"y-1.glb", []string{"--lod", "1", "-o", filepath.Join(folder, "y.glb")}},
	} {
		_, stderr, code := skinlab(t, append([]string{"fit", "helper-bones", "demo:bar"}, c.args...)...)
		if code == 0 || !strings.Contains(stderr, c.says) || strings.Contains(stderr, "preparing") {
			t.Errorf("%v: exit %d: %s", c.args, code, stderr)
		}
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("a refused fit left a file")
	}
}

// Ctrl-C leaves the helper bones that there are, with controllers.
func TestInterruptedHelperBones(t *testing.T) {
	slow(t)
	m := interrupted(t, filepath.Join(t.TempDir(), "fitted.glb"), "places for 3 bones", "fit", "helper-bones",
		"demo:leg", "--examples", "grid", "--bones", "30")
	if r := skinning.RigOf[*rig.HelperBones](m); r == nil || len(r.Bones) < 2 {
		t.Errorf("the file holds %+v", r)
	}
}

// TestHelperBonesOfFewExamples: one example, two equal ones or the rest pose alone give a model that is no worse than
// the file's weights; shapes with NaN are refused by name.
func TestHelperBonesOfFewExamples(t *testing.T) {
	slow(t)
	folder := t.TempDir()
	write := func(name, pose string) string {
		path := filepath.Join(folder, name, "shape.obj")
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if _, stderr, code := skinlab(t, "deform", "demo:bar", "--method", "dqs", "--clip", "examples", "--time", pose, "-o",
			path); code != 0 {
			t.Fatal(stderr)
		}
		return path
	}
	one, rest := write("one", "2"), write("rest", "0")
	text, err := os.ReadFile(one)
	if err != nil {
		t.Fatal(err)
	}
	two := filepath.Join(folder, "one", "again.obj")
	for _, c := range []struct{ shapes, times string }{
		{rest, "0"}, {one, "2"}, {one, "2,2"}, {one, "0,2"},
	} {
		os.Remove(two)
		if strings.Contains(c.times, ",") {
			if err := os.WriteFile(two, text, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		for _, more := range []string{"--degree=3", "--lambda=0", "--scale", "--no-prior", "--as-published"} {
			o := object(t, "fit", "helper-bones", "demo:bar", "--targets", filepath.Dir(c.shapes), "--clip", "examples",
				"--times", c.times, more)
			if e, lbs := o["rms_mm"].(float64), o["lbs_rms_mm"].(float64); !(e <= lbs) {
				t.Errorf("%s at %s, %s: %g mm, the file's weights %g", filepath.Base(c.shapes), c.times, more, e, lbs)
			}
		}
	}
	bad := strings.Replace(string(text), "\nv ", "\nv NaN ", 1)
	if err := os.WriteFile(one, []byte(bad), 0o600); err != nil {
		t.Fatal(err)
	}
	os.Remove(two)
	if _, stderr, code := skinlab(t, "fit", "helper-bones", "demo:bar", "--targets", filepath.Dir(one), "--clip", "examples",
		"--times", "2"); code != 1 || !strings.Contains(stderr, "shape.obj") || !strings.Contains(stderr, "line") {
		t.Errorf("NaN: exit %d: %s", code, stderr)
	}
}
