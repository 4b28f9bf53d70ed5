package command

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skinlab/assets/obj"
	"skinlab/internal/assetstest"
	"skinlab/skinning"
)

// writeShapes writes the shapes of demo:bar's example set as OBJ files.
func writeShapes(t *testing.T, folder string) {
	t.Helper()
	m := assetstest.Open(t, "demo:bar")
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
		if err := obj.Write(out, shape.Positions, shape.Normals, m.Skin.Triangles); err != nil {
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
	slow(t)
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
	fails(2, "--times: 9 is not from 0 to 2.000", "--targets", folder, "--clip", "twist", "--times", "0,1,9")
	fails(2, "nosuch", "--targets", folder, "--clip", "nosuch")
	fails(1, "no .obj or .ply files", "--targets", t.TempDir(), "--clip", "examples")
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

// testKeyFrames learns from two key frames of three, of files and of the model's own set, and is tested on all. It is
// what is learnt with the one between held out, so that the squared error of all is the sum of both, within 1e-9 of
// itself (rounding).
func testKeyFrames(t *testing.T, without map[string]any, with func(more ...string) []string,
	fails func(code int, what string, args ...string)) {
	t.Helper()
	square := func(o map[string]any, frames float64) float64 {
		if o["frames"] != frames && o["frames"] != nil {
			t.Errorf("%v frames, expected %g", o["frames"], frames)
		}
		return o["rms"].(float64) * o["rms"].(float64) * frames
	}
	held := without["held_out"].(map[string]any)["fit"].(map[string]any)
	want := square(without, 2) + square(held, 1)
	for _, set := range [][]string{nil, with()} {
		o := object(t, slices.Concat([]string{"fit", "enveloping", "demo:bar", "--proxies", "10", "--keyframes", "2"}, set)...)
		all := o["sequence"].(map[string]any)
		got := square(all["fit"].(map[string]any), 3)
		if o["frames"] != 2.0 || all["frames"] != 3.0 || all["clip"] != "examples" || !(math.Abs(got-want) <= 1e-9*want) {
			t.Errorf("%v: %v frames, squared error %g over %v, expected %g", set, o["frames"], got, all["frames"], want)
		}
	}
	fails(2, "4 of 3 shapes", "--keyframes", "4")
	fails(2, "each say what to test on", with("--holdout", "1", "--keyframes", "1")...)
	fails(2, "give --train CLIP:N", "--teach", "dqs", "--keyframes", "2")
	if _, stderr, code := skinlab(t, "compare", "demo:bar", "--keyframes", "2"); code != 2 {
		t.Errorf("compare with a method: exit %d: %s", code, stderr)
	}
	ee := func(args ...string) float64 {
		o := object(t, slices.Concat([]string{"compare", "demo:bar", "--reference", "examples", "--methods", "ssd"}, args)...)
		return o["rows"].([]any)[0].(map[string]any)["ee"].(float64)
	}
	if all, keys := ee(), ee("--keyframes", "2"); !(keys > all) {
		t.Errorf("trained SSD of all shapes has an EE of %g %%, of two %g", all, keys)
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
	ssd := object(t, append([]string{"fit", "ssd", "demo:bar"}, with("--test-targets", folder)...)...)
	if held := ssd["held_out"].(map[string]any); held["frames"] != 3.0 || held["fit"].(map[string]any)["ee"] != ssd["ee"] {
		t.Errorf("tested on what was learnt: %v, in training EE %v", held, ssd["ee"])
	}
	fails(2, "leave none to learn from", with("--holdout", "3")...)
	fails(2, "not negative", with("--holdout", "-1")...)
	fails(2, "each say what to test on", with("--holdout", "1", "--test-targets", folder)...)
	testKeyFrames(t, o, with, fails)
	fails(2, "are for --test-targets", with("--test-times", "even")...)
	fails(2, "give --test-clip", "--test-targets", folder)
	fails(1, "give --test-times", with("--test-targets", folder, "--test-clip", "twist")...)
	fails(2, "nosuch", with("--test-targets", folder, "--test-clip", "nosuch")...)
	fails(2, "nosuch", with("--test", "nosuch")...)
	fails(1, "no such file", with("--test", "nosuch.glb")...)
	fails(2, "give --test CLIP", "--teach", "dqs", "--test-targets", folder, "--test-clip", "twist")
	fails(2, "every clip", "--teach", "dqs", "--test", "nosuch.glb")
}
