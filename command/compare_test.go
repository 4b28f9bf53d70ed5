package command

import (
	"fmt"
	"image"
	"image/png"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skinlab/assets/gltf/export"
	"skinlab/internal/assetstest"
)

func TestCompare(t *testing.T) {
	o := object(t, "compare", "demo:box", "--reference", "dqs", "--methods", "lbs,dqs", "--clip", "twist", "--frames", "5")
	rows := o["rows"].([]any)
	lbs, dqs := rows[0].(map[string]any), rows[1].(map[string]any)
	if lbs["method"] != "lbs" || !(lbs["ee"].(float64) > 10) || dqs["ee"] != 0.0 {
		t.Errorf("rows %v", rows)
	}
	for _, key := range []string{"rms", "max", "volume_ratio_min", "volume_ratio_max"} {
		if _, ok := lbs[key].(float64); !ok {
			t.Errorf("compare: no %q", key)
		}
	}
}

func TestPicturesNeedNoDisplay(t *testing.T) {
	dir := t.TempDir()
	for name, args := range map[string][]string{
		"render.png":  {"render", "demo:box", "--clip", "twist", "--time", "1", "--size", "160x120"},
		"compare.png": {"compare", "demo:box", "--methods", "lbs,dqs", "--frames", "3", "--size", "100x120"},
	} {
		path := filepath.Join(dir, name)
		_, stderr, code := skinlab(t, append(args, "-o", path)...)
		if strings.Contains(stderr, "no headless OpenGL context") {
			t.Skip("this machine has no EGL: ", stderr)
		}
		if code != 0 {
			t.Fatalf("%v: exit %d: %s", args, code, stderr)
		}
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		picture, err := png.Decode(f)
		if err != nil {
			t.Fatal(err)
		}
		if w := picture.Bounds().Dx(); w < 160 {
			t.Errorf("%s is %d pixels wide", name, w)
		}
	}
}

// The volume above a picture is never better than that of the table.
func TestPercentAtLeast(t *testing.T) {
	for share, want := range map[float64]string{0.995: "99.5", 0.9996: "99.9", 0.9999999: "100.0", 1: "100.0",
		0.56789: "56.7", 0: "0.0"} {
		if got := percentAtLeast(share); got != want {
			t.Errorf("%g: at least %s %%, expected %s", share, got, want)
		}
	}
}

// TestCompareExamples: names that go with another reference or another command are refused, and so are clips without
// shapes.
func TestCompareExamples(t *testing.T) {
	for _, c := range []struct {
		code int
		args []string
	}{
		{2, []string{"compare", "demo:bar", "--reference", "dqs", "--methods", "examples"}},
		{2, []string{"compare", "demo:bar", "--reference", "examples", "--methods", "blend-bones"}},
		{2, []string{"compare", "demo:bar", "--methods", "ssd:4"}},
		{2, []string{"compare", "demo:bar", "--methods", "half-way:4"}},
		{2, []string{"compare", "demo:bar", "--methods", "enveloping:0"}},
		{1, []string{"compare", "demo:bar", "--reference", "examples", "--clip", "twist", "--methods", "ssd"}},
		{1, []string{"compare", "demo:figure", "--reference", "examples", "--methods", "ssd"}},
	} {
		if _, stderr, code := skinlab(t, c.args...); code != c.code || !strings.HasPrefix(stderr, "error: ") {
			t.Errorf("%v: exit %d, expected %d: %s", c.args, code, c.code, stderr)
		}
	}
}

// Half turns stand apart, in words and in a column, and the text says what the reference is and in which unit it
// measures. Several models are answered with what to do.
func TestCompareTellsTheTruth(t *testing.T) {
	stdout, stderr, code := skinlab(t, "compare", "demo:box", "--clip", "full-turn", "--methods", "lbs,dqs")
	for _, want := range []string{"RMS in half turns", "joints that share vertices are more than 170 degrees apart",
		"RMS and largest error in mm", "Errors are distances from DQS (dual quaternion), chosen because no joint scales"} {
		if code != 0 || !strings.Contains(stdout, want) {
			t.Errorf("exit %d, no %q in:\n%s%s", code, want, stdout, stderr)
		}
	}
	o := object(t, "compare", "demo:box", "--clip", "full-turn", "--methods", "lbs")
	if notes := fmt.Sprint(o["notes"]); !strings.Contains(notes, "joints that share vertices are more than 170") {
		t.Errorf("notes %s", notes)
	}
	row := o["rows"].([]any)[0].(map[string]any)
	apart := row["half_turns"].(map[string]any)
	if !(apart["poses"].(float64) > 0 && apart["rms"].(float64) > row["rms"].(float64)) || apart["joints"] == "" {
		t.Errorf("half turns %v of %v", apart, row)
	}
	tube := filepath.Join(t.TempDir(), "tube.glb")
	data, err := export.Encode(assetstest.Open(t, "demo:tube"))
	if err == nil {
		err = os.WriteFile(tube, data, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	for says, models := range map[string][]string{
		"skinlab compare demo:tube --methods lbs," + tube: {"demo:tube", tube},
		"demo:box has 5166 vertices, tube.glb 1380":       {"demo:box", tube},
		"demo:tube is no .glb or .gltf file":              {tube, "demo:tube"},
		"none.glb: no such file":                          {tube, "none.glb"},
	} {
		if _, stderr, code := skinlab(t, append([]string{"compare"}, models...)...); code != exitUsage ||
			!strings.Contains(stderr, says) {
			t.Errorf("%v: exit %d, expected %q: %s", models, code, says, stderr)
		}
	}
}

// fittedTube writes demo:tube as origin.glb, and a fit of it as fitted.glb beside it.
func fittedTube(t *testing.T, method string, flags ...string) (origin, fitted string) {
	t.Helper()
	dir := t.TempDir()
	data, err := export.Encode(assetstest.Open(t, "demo:tube"))
	if err != nil {
		t.Fatal(err)
	}
	origin, fitted = filepath.Join(dir, "origin.glb"), filepath.Join(dir, "fitted.glb")
	if err := os.WriteFile(origin, data, 0o600); err != nil {
		t.Fatal(err)
	}
	object(t, slices.Concat([]string{"fit", method, origin, "-o", fitted}, flags)...)
	return origin, fitted
}

// A fit is measured against the file that it came from, whichever of the two is named first, and by the weights from
// before the fit where it is alone.
func TestCompareFindsTheOrigin(t *testing.T) {
	origin, fitted := fittedTube(t, "blend-bones", "--bones", "2")
	ee := func(row int, args ...string) float64 {
		t.Helper()
		rows := object(t, append([]string{"compare", "--frames", "9"}, args...)...)["rows"].([]any)
		return rows[row].(map[string]any)["ee"].(float64)
	}
	first, second := ee(2, fitted, "--methods", "lbs,"+origin), ee(1, origin, "--methods", "lbs,"+fitted)
	if own, lbs := ee(1, fitted, "--methods", "lbs"), ee(0, fitted, "--methods", "lbs"); !(math.Abs(own-first) <= 1e-3*first) ||
		!(math.Abs(lbs-ee(0, fitted, "--methods", "lbs,"+origin)) <= 1e-3*lbs) { // weights of 16 bits
		t.Errorf("the fit alone: EE %g, beside the file that it came from %g", own, first)
	}
	o := object(t, "compare", "--frames", "9", fitted, "--methods", "lbs,"+origin)
	if o["model"] != "fitted.glb" || o["reference_of"] != "origin.glb" {
		t.Errorf("the fit first: of %v, against that of %v", o["model"], o["reference_of"])
	}
	if notes := o["notes"].([]any); !strings.Contains(notes[0].(string), "It is that of origin.glb") {
		t.Errorf("notes %q", notes)
	}
	out, _, _ := skinlab(t, "compare", "--frames", "9", fitted, "--methods", "lbs,"+origin)
	if !strings.HasPrefix(out, "fitted.glb, ") || !strings.Contains(out, "against dqs of origin.glb\n") ||
		strings.Contains(out, "true error") {
		t.Errorf("the fit first:\n%s", out)
	}
	if !(first > 0) || first != second {
		t.Errorf("the fit first: EE %g, the file that it came from first: %g", first, second)
	}
}

// TestExamplesByDefault: examples are the reference in a clip that shows them, unless a method is named that imitates
// another, and are measured at their keys.
func TestExamplesByDefault(t *testing.T) {
	for methods, want := range map[string]string{"lbs,dqs": "examples", "lbs,blend-bones:1": "dqs"} {
		if o := object(t, "compare", "demo:bar", "--clip", "examples", "--methods", methods); o["reference"] != want {
			t.Errorf("%s is against %v, expected %s", methods, o["reference"], want)
		}
	}
	if _, stderr, code := skinlab(t, "compare", "demo:bar", "--clip", "examples", "--frames", "5"); code != exitUsage ||
		!strings.Contains(stderr, "--frames") {
		t.Errorf("a number of poses: exit %d: %s", code, stderr)
	}
}

// --heat doubles the rows and adds the legend, to the picture of -o and to those of the report alike.
func TestHeatNeedsNoDisplay(t *testing.T) {
	slow(t)
	dir := t.TempDir()
	size := func(name string, flags ...string) image.Point {
		t.Helper()
		path := filepath.Join(dir, name)
		_, stderr, code := skinlab(t, append([]string{"compare", "demo:box", "--methods", "lbs,dqs", "--frames", "3",
			"--size", "100x120", "-o", path}, flags...)...)
		if strings.Contains(stderr, "no headless OpenGL context") {
			t.Skip("this machine has no EGL: ", stderr)
		}
		if code != 0 {
			t.Fatalf("exit %d: %s", code, stderr)
		}
		return pictureSize(t, path)
	}
	report := filepath.Join(dir, "report")
	plain, heat := size("plain.png"), size("heat.png", "--heat", "--report", report)
	if heat.X != plain.X || heat.Y < plain.Y+2*120+30 {
		t.Errorf("%v without heat, %v with it", plain, heat)
	}
	if got := pictureSize(t, filepath.Join(report, "pose-1.png")); got != heat {
		t.Errorf("in the report %v, beside it %v", got, heat)
	}
	if _, stderr, code := skinlab(t, "compare", "demo:box", "--heat"); code != 2 || !strings.Contains(stderr, "--heat") {
		t.Errorf("without a picture: exit %d, %s", code, stderr)
	}
}

func pictureSize(t *testing.T, path string) image.Point {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	c, err := png.DecodeConfig(f)
	if err != nil {
		t.Fatal(err)
	}
	return image.Pt(c.Width, c.Height)
}

// TestOrderOfTwoFits: a file without the weights from before its fit is measured by those that another fit of the same
// file has, whichever of the two is named first.
func TestOrderOfTwoFits(t *testing.T) {
	dir := t.TempDir()
	trained, bones := filepath.Join(dir, "trained.glb"), filepath.Join(dir, "bones.glb")
	object(t, "fit", "ssd", "demo:tube", "--teach", "dqs", "-o", trained)
	object(t, "fit", "blend-bones", "demo:tube", "--bones", "2", "-o", bones)
	rows := func(first, second string) map[string]float64 {
		t.Helper()
		ee := map[string]float64{}
		for _, row := range object(t, "compare", first, "--methods", "lbs,"+second, "--frames", "9")["rows"].([]any) {
			ee[row.(map[string]any)["method"].(string)] = row.(map[string]any)["ee"].(float64)
		}
		return ee
	}
	a, b := rows(trained, bones), rows(bones, trained)
	if len(a) != 3 || !maps.Equal(a, b) || !(a["trained.glb"] < a["lbs"]) {
		t.Errorf("%v, in the other order %v", a, b)
	}
}
