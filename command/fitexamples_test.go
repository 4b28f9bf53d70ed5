package command

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skinlab/assets"
	"skinlab/skinning"
)

// TestFitEnveloping: the report's keys, unseen poses and leave-one-out, and the exported file, which plays what the
// report says.
func TestFitEnveloping(t *testing.T) {
	out := filepath.Join(t.TempDir(), "fitted.glb")
	o := object(t, "fit", "enveloping", "demo:bar", "--proxies", "20", "--history", "--test", "unseen", "--loocv", "-o",
		out)
	for _, key := range []string{"method", "operator", "vertices", "master_bones", "added_bones", "frames", "ee", "rms",
		"max", "seconds",
		"influences_before", "influences_after", "history", "mean", "deviation", "ssd_ee", "ssd_rms", "ssd_max", "unseen",
		"loocv", "output"} {
		if o[key] == nil {
			t.Errorf("no %q", key)
		}
	}
	if o["method"] != "enveloping" || o["operator"] != "examples" || o["added_bones"] != 5.0 ||
		o["reason"] != "fewer proxies are better" || o["master_bones"] != 2.0 || o["frames"] != 3.0 {
		t.Errorf("report %v", o)
	}
	ee, ssd := o["ee"].(float64), o["ssd_ee"].(float64)
	if !(ee < ssd/3) {
		t.Errorf("EE %.2f %%, trained SSD %.2f %%", ee, ssd)
	}
	unseen := o["unseen"].(map[string]any)
	fit, psd := unseen["fit"].(map[string]any), unseen["psd"].(map[string]any)
	if !(fit["max"].(float64) <= 0.02) || !(psd["max"].(float64) > 0.02) {
		t.Errorf("unseen: %v of the size, PSD %v; RTER figure 13 has the fit within 2 %% and PSD not", fit["max"], psd["max"])
	}
	// The rig's weights, trained ones, and 5 proxies: of three examples none is held out, and the fewest miss them least.
	history := o["history"].([]any)
	if len(history) != 3 {
		t.Fatalf("history %v", history)
	}
	for k, want := range []float64{0, 0, 5} {
		least, most := ee, ssd
		if k == 0 {
			most = math.Inf(1)
		}
		if step := history[k].(map[string]any); step["added_bones"] != want ||
			!(step["ee"].(float64) >= least && step["ee"].(float64) <= most) {
			t.Errorf("step %d: %v", k, step)
		}
	}
	if n := o["loocv"].(map[string]any)["frames"]; n != 3.0 {
		t.Errorf("leave-one-out over %v examples", n)
	}
	// Baked keys may cost a seventh of the fit's RMS; here they stand at the example keys.
	rows := object(t, "compare", "demo:bar", "--reference", "examples", "--methods",
		"ssd,psd,enveloping:20,examples,"+out+",half-way")["rows"].([]any)
	if n := len(rows); n != 6 {
		t.Fatalf("%d rows", n)
	}
	for k, want := range []float64{ssd, 0, ee, 0, ee} {
		row := rows[k].(map[string]any)
		if got := row["ee"].(float64); !(abs(got-want) <= 0.02) {
			t.Errorf("compare: %v has EE %.3f %%, the fit said %.3f %%", row["method"], got, want)
		}
	}
	// Half a twist is one half-way joint: less than SSD, more than five proxies.
	if half := rows[5].(map[string]any)["ee"].(float64); !(half < 0.7*ssd) || !(half > ee) {
		t.Errorf("half-way joints with trained weights have EE %.2f %%", half)
	}
	if info := object(t, "info", out); info["joints"] != 7.0 {
		t.Errorf("the exported file has %v joints", info["joints"])
	}
}

// TestEnvelopingTarget: a target takes fewer proxies than the limit, and says so.
func TestEnvelopingTarget(t *testing.T) {
	o := object(t, "fit", "enveloping", "demo:bar", "--proxies", "40", "--target", "5")
	if n := o["added_bones"].(float64); o["reason"] != "target met" || !(n >= 1 && n < 40) {
		t.Errorf("%v proxies, %v", n, o["reason"])
	}
	if _, stderr, code := skinlab(t, "fit", "enveloping", "demo:bar", "--target", "-1"); code != 2 ||
		!strings.Contains(stderr, "--target") {
		t.Errorf("exit %d: %s", code, stderr)
	}
}

// TestFitSSD: weights alone leave as a file with the same joints.
func TestFitSSD(t *testing.T) {
	out := filepath.Join(t.TempDir(), "ssd.glb")
	o := object(t, "fit", "ssd", "demo:arm", "-o", out)
	if o["added_bones"] != 0.0 || o["ee"] != o["ssd_ee"] {
		t.Errorf("report %v", o)
	}
	rows := object(t, "compare", "demo:arm", "--reference", "examples", "--methods", "lbs,"+out)["rows"].([]any)
	linear, got := rows[0].(map[string]any)["ee"].(float64), rows[1].(map[string]any)["ee"].(float64)
	if !(abs(got-o["ee"].(float64)) <= 0.01) || !(got < linear) {
		t.Errorf("the file has EE %.3f %%, the fit said %.3f, the weights before %.3f", got, o["ee"], linear)
	}
	if info := object(t, "info", out); info["joints"] != 20.0 {
		t.Errorf("the exported file has %v joints", info["joints"])
	}
}

// writeShapes writes the shapes of demo:bar's example set as OBJ files.
func writeShapes(t *testing.T, folder string) {
	t.Helper()
	m, err := assets.Open("demo:bar")
	if err != nil {
		t.Fatal(err)
	}
	clip, err := m.ClipIndex("examples")
	if err != nil {
		t.Fatal(err)
	}
	pose, f := m.NewPose(), skinning.NewFrame(m, nil)
	for i := range 3 {
		m.SamplePose(pose, clip, float64(i))
		f.SetPose(pose)
		shape := f.Reference(skinning.LBS)
		out, err := os.Create(filepath.Join(folder, fmt.Sprintf("shape-%d.obj", i)))
		if err != nil {
			t.Fatal(err)
		}
		if err := assets.WriteOBJ(out, shape.Positions, shape.Normals, m.Skin.Triangles); err != nil {
			t.Fatal(err)
		}
		if err := out.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestFitTargets: a folder of OBJ files in key order is the same as the set that they were written from, and what does
// not fit is an error that names the file, the element and both counts.
func TestFitTargets(t *testing.T) {
	folder := t.TempDir()
	writeShapes(t, folder)
	want := object(t, "fit", "enveloping", "demo:bar", "--proxies", "10")
	got := object(t, "fit", "enveloping", "demo:bar", "--proxies", "10", "--targets", folder, "--clip", "examples")
	if got["ee"] != want["ee"] || got["max"] != want["max"] {
		t.Errorf("from files EE %v, largest %v; from the set %v and %v", got["ee"], got["max"], want["ee"], want["max"])
	}
	even := object(t, "fit", "ssd", "demo:bar", "--targets", folder, "--clip", "twist", "--times", "even")
	if even["frames"] != 3.0 {
		t.Errorf("spread evenly: %v frames", even["frames"])
	}
	fails := func(code int, what string, args ...string) {
		t.Helper()
		_, stderr, got := skinlab(t, append([]string{"fit", "enveloping", "demo:bar"}, args...)...)
		if got != code || !strings.Contains(stderr, what) {
			t.Errorf("%v: exit %d: %s; expected %d and %q", args, got, stderr, code, what)
		}
	}
	fails(1, "3 shapes", "--targets", folder, "--clip", "twist")
	fails(1, "9 keys", "--targets", folder, "--clip", "twist")
	fails(2, "2 times for 3 shapes", "--targets", folder, "--clip", "twist", "--times", "0,1")
	fails(2, "not a time", "--targets", folder, "--clip", "twist", "--times", "0,x,1")
	fails(2, "nosuch", "--targets", folder, "--clip", "nosuch")
	fails(1, "no .obj files", "--targets", t.TempDir(), "--clip", "examples")
	fails(2, "go together", "--targets", folder)
	fails(2, "--train is for --teach", "--train", "twist")
	fails(2, "unknown flag: --bones", "--bones", "3")
	fails(2, "lbs is what", "--teach", "lbs")
	fails(1, "shows no shapes", "--test", "twist")
	heldOut(t, folder, fails)
	bad := filepath.Join(folder, "shape-1.obj")
	text, err := os.ReadFile(bad)
	if err != nil {
		t.Fatal(err)
	}
	swapped := strings.SplitAfter(string(text), "\n")
	first := slices.IndexFunc(swapped, func(line string) bool { return strings.HasPrefix(line, "v ") })
	swapped[first+99], swapped[first+499] = swapped[first+499], swapped[first+99]
	for what, broken := range map[string]string{
		"shape-1.obj: vertices 100 and 500 ": strings.Join(swapped, ""),
		"shape-1.obj: 867 vertices":          "v 0 0 0\n" + string(text),
		"shape-1.obj: face 1: ":              strings.Replace(string(text), "\nf ", "\nf 1 400 800\nf ", 1),
		"shape-1.obj: line 1: ":              "v 0 zero 0\n" + string(text),
	} {
		if err := os.WriteFile(bad, []byte(broken), 0o600); err != nil {
			t.Fatal(err)
		}
		fails(1, what, "--targets", folder, "--clip", "examples")
	}
}

// heldOut keeps shapes from the training, as their number and as another folder, and tests on another file.
func heldOut(t *testing.T, folder string, fails func(code int, what string, args ...string)) {
	t.Helper()
	set := []string{"--targets", folder, "--clip", "examples"}
	with := func(more ...string) []string { return append(slices.Clone(set), more...) }
	o := object(t, append([]string{"fit", "enveloping", "demo:bar", "--proxies", "10", "--holdout", "1"}, set...)...)
	held := o["held_out"].(map[string]any)
	if o["frames"] != 2.0 || held["frames"] != 1.0 || !(held["fit"].(map[string]any)["ee"].(float64) > 0) ||
		!(held["lbs"].(map[string]any)["ee"].(float64) > 0) {
		t.Errorf("%v frames, held out: %v", o["frames"], held)
	}
	o = object(t, append([]string{"fit", "ssd", "demo:bar"}, with("--test-targets", folder)...)...)
	if held := o["held_out"].(map[string]any); held["frames"] != 3.0 || held["fit"].(map[string]any)["ee"] != o["ee"] {
		t.Errorf("tested on what was learnt: %v, in training EE %v", held, o["ee"])
	}
	fails(2, "leave none to learn from", with("--holdout", "3")...)
	fails(2, "--holdout is not negative", with("--holdout", "-1")...)
	fails(2, "--holdout is for --targets", "--holdout", "1")
	fails(2, "both say what to test on", with("--holdout", "1", "--test-targets", folder)...)
	fails(2, "are for --test-targets", with("--test-times", "even")...)
	fails(2, "give --test-clip", "--test-targets", folder)
	fails(1, "give --test-times", with("--test-targets", folder, "--test-clip", "twist")...)
	fails(2, "nosuch", with("--test-targets", folder, "--test-clip", "nosuch")...)
	fails(2, "nosuch", with("--test", "nosuch")...)
	fails(1, "no such file", with("--test", "nosuch.glb")...)
	fails(2, "give --test CLIP", "--teach", "dqs", "--test-targets", folder, "--test-clip", "twist")
	fails(2, "every clip", "--teach", "dqs", "--test", "nosuch.glb")
}

// TestTaughtEnveloping: any rig can be taught by a method, and tested on poses that it was not taught.
func TestTaughtEnveloping(t *testing.T) {
	o := object(t, "fit", "enveloping", "demo:arm", "--teach", "dqs", "--train", "twist:8", "--proxies", "20", "--test",
		"twist")
	if o["operator"] != "dqs" || o["frames"] != 8.0 || !(o["ee"].(float64) < o["ssd_ee"].(float64)/2) {
		t.Errorf("operator %v, %v frames, EE %v, SSD %v", o["operator"], o["frames"], o["ee"], o["ssd_ee"])
	}
	unseen := o["unseen"].(map[string]any)
	if fit, ssd := unseen["fit"].(map[string]any)["ee"].(float64),
		unseen["ssd"].(map[string]any)["ee"].(float64); !(fit < ssd/2) {
		t.Errorf("between the poses: EE %.2f %%, SSD %.2f %%", fit, ssd)
	}
	o = object(t, "fit", "ssd", "demo:tube", "--teach", "dqs")
	if clips := o["clips"].([]any); o["train"] != "all clips" || o["frames"] != 24.0 || len(clips) != 2 {
		t.Errorf("%v poses of %v, clips %v", o["frames"], o["train"], clips)
	}
	if _, stderr, code := skinlab(t, "fit", "enveloping", "demo:figure"); code != 1 ||
		!strings.Contains(stderr, "--teach") {
		t.Errorf("without examples: exit %d: %s", code, stderr)
	}
}

// TestCompareExamples: names that go with another reference or another command are refused, and so are clips without
// shapes.
func TestCompareExamples(t *testing.T) {
	for _, c := range []struct {
		code int
		args []string
	}{
		{2, []string{"compare", "demo:bar", "--methods", "examples"}},
		{2, []string{"compare", "demo:bar", "--reference", "examples", "--methods", "blend-bones"}},
		{2, []string{"compare", "demo:bar", "--methods", "psd:4"}},
		{2, []string{"compare", "demo:bar", "--methods", "half-way:4"}},
		{2, []string{"compare", "demo:bar", "--methods", "enveloping:0"}},
		{2, []string{"sweep", "demo:bar", "--joint", "bone2", "--methods", "psd"}},
		{2, []string{"bench", "demo:bar", "--methods", "psd"}},
		{1, []string{"compare", "demo:bar", "--reference", "examples", "--clip", "twist", "--methods", "ssd"}},
		{1, []string{"compare", "demo:figure", "--reference", "examples", "--methods", "ssd"}},
	} {
		if _, stderr, code := skinlab(t, c.args...); code != c.code || !strings.HasPrefix(stderr, "error: ") {
			t.Errorf("%v: exit %d, expected %d: %s", c.args, code, c.code, stderr)
		}
	}
}

// TestBenchRTER: the table's row for the bar, whose shared matrices are a ninth of the dense ones.
func TestBenchRTER(t *testing.T) {
	row := object(t, "bench", "--paper", "rter", "demo:bar")["rows"].([]any)[0].(map[string]any)
	if row["proxies"] != 25.0 || row["vertices"] != 866.0 || row["train_poses"] != 3.0 {
		t.Errorf("row %v", row)
	}
	if row["dense_memory"] != 9*row["matrix_memory"].(float64) || row["matrix_memory"] != 4*(12.0*25*25+16*25*2) {
		t.Errorf("c1 and c2 take %v bytes, dense %v", row["matrix_memory"], row["dense_memory"])
	}
	// 24·P·(3P + 4J) for the matrices, and per predictor at least one term.
	if extra := row["flops"].(float64) - 24*25*(75+8); !(extra > 25*(126+45+90)) {
		t.Errorf("%v operations", row["flops"])
	}
	for _, key := range []string{"ns_per_vertex", "ssd_ns_per_vertex", "ratio_to_ssd", "drive_us"} {
		if !(row[key].(float64) > 0) {
			t.Errorf("%s is %v", key, row[key])
		}
	}
}

// Ctrl-C leaves the best model so far, whole, in place of what was there before.
func TestInterruptedEnveloping(t *testing.T) {
	folder := t.TempDir()
	out := filepath.Join(folder, "fitted.glb")
	if err := os.WriteFile(out, []byte("before"), 0o600); err != nil {
		t.Fatal(err)
	}
	m := interrupted(t, out, "leave one out: 1 of", "fit", "enveloping", "demo:arm", "--loocv",
		"--force")
	if m.Envelope == nil || len(m.Envelope.Proxies) == 0 {
		t.Errorf("the file holds no proxies")
	}
	if entries, err := os.ReadDir(folder); err != nil || len(entries) != 1 {
		t.Errorf("%d files are left: %v", len(entries), err)
	}
}

// A place that cannot be written to is found before a fit, not after it.
func TestFitOutput(t *testing.T) {
	folder := t.TempDir()
	for out, say := range map[string]string{
		filepath.Join(folder, "none", "x.glb"): "there is no folder",
		folder:                                 "is a folder",
	} {
		for _, method := range []string{"enveloping", "blend-bones"} {
			cmd := program("fit", method, "demo:figure", "-o", out)
			text, err := cmd.CombinedOutput()
			if err == nil || !strings.Contains(string(text), say) || !strings.Contains(string(text), out) ||
				strings.Contains(string(text), "EE") {
				t.Errorf("%s -o %s: %v, %q", method, out, err, text)
			}
		}
	}
}

// TestNumberedShapes: files are in the order in which people number them, with or without leading zeros.
func TestNumberedShapes(t *testing.T) {
	folder := t.TempDir()
	want := []string{"a.obj", "pose.obj", "pose0.obj", "pose1.obj", "pose2.obj", "pose02b.OBJ", "pose003.obj", "pose10.obj",
		"pose11-9.obj", "pose11-10.obj", "pose99999999999999999998.obj", "pose99999999999999999999.obj", "poser.obj"}
	for _, name := range append([]string{"notes.txt"}, want...) {
		if err := os.WriteFile(filepath.Join(folder, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := objFiles(folder)
	if err != nil {
		t.Fatal(err)
	}
	for i := range got {
		got[i] = filepath.Base(got[i])
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, expected %q", got, want)
	}
}
