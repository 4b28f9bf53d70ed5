package command

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"skinlab/fit"
	"skinlab/fit/advise"
	"skinlab/fit/methods"
	"skinlab/internal/assetstest"
)

// TestAdvise: the table and its recommendation, and exit code 3 where a gate is missed.
func TestAdvise(t *testing.T) {
	slow(t)
	o := object(t, "advise", "demo:tube", "--clip", "0", "--frames", "4", "--max-rms", "50%")
	if o["choose"] != "lbs" || o["passed"] != true || o["against"] != "dqs" || o["poses"] != 4.0 {
		t.Errorf("%v", o)
	}
	out, errs, code := skinlab(t, "advise", "demo:tube", "--clip", "0", "--frames", "4", "--max-rms", "0.000001mm", "--limit", "0.001")
	if code != 0 || !strings.Contains(out, "Recommended: ") { // dual quaternions are the reference
		t.Errorf("code %d: %s%s", code, out, errs)
	}
	out, errs, code = skinlab(t, "advise", "demo:arm", "--examples", "--max-rms", "0.000001mm", "--limit", "0.001")
	if code != 3 || !strings.Contains(out, "No way is within the gate") || !strings.Contains(errs, "more than") {
		t.Errorf("code %d: %s%s", code, out, errs)
	}
	fits := commands(t, out) // of examples
	out, errs, code = skinlab(t, "advise", "demo:arm", "--clip", "flex", "--frames", "4", "--limit", "2")
	fits = append(fits, commands(t, out)...)
	if code != 0 || len(fits) != 1 {
		t.Fatalf("code %d, commands %q: %s%s", code, fits, out, errs)
	}
	args := append(strings.Fields(strings.TrimSuffix(fits[0], "-o fitted.glb")), "-o", filepath.Join(t.TempDir(), "fitted.glb"))
	if _, errs, code := skinlab(t, args[1:]...); code != 0 {
		t.Errorf("%s: code %d, %s", fits[0], code, errs)
	}
	for _, bad := range []string{"2", "-1mm", "0%", "x"} {
		if _, errs, code := skinlab(t, "advise", "demo:tube", "--max-rms", bad); code != 2 || !strings.Contains(errs, "is no length") {
			t.Errorf("--max-rms %s: code %d, %s", bad, code, errs)
		}
	}
}

// TestAdviseText: errors are written as compare writes them.
func TestAdviseText(t *testing.T) {
	ways := []advise.Way{{Name: "lbs", Title: "Linear blending", RMS: 2.33e-16, Max: 7.77e-9},
		{Name: "dqs", RMS: 5.1, Max: 0.0123}}
	a := &advise.Advice{Model: "m.glb", Against: "dqs", Clips: 1, Poses: 2, LeftOut: 3, Diagonal: 1, Ways: ways,
		Choice: advise.Choice{Choose: "lbs"}}
	var out strings.Builder
	c := &adviseCommand{}
	c.register(pflag.NewFlagSet("", pflag.ContinueOnError))
	c.write(&out, a)
	lines := strings.Split(out.String(), "\n")
	if want := "m.glb, 2 poses of 1 clip without 3 half turns, against dqs"; lines[0] != want {
		t.Errorf("heading %q, expected %q", lines[0], want)
	}
	for k, want := range []string{"> lbs 0 < 0.0001 ", "dqs 5100 12.3 "} {
		if got := strings.Join(strings.Fields(lines[2+k]), " "); !strings.HasPrefix(got, want) {
			t.Errorf("row %q, expected %q", got, want)
		}
	}
}

// TestAdvisedFlags: the command that is proposed has the flags that its numbers depend on and that fits take.
func TestAdvisedFlags(t *testing.T) {
	c, f := &adviseCommand{}, pflag.NewFlagSet("", pflag.ContinueOnError)
	c.register(f)
	if err := f.Parse([]string{"--motion", "walk.bvh", "--reference", "delta-mush", "--iterations", "50", "--frames", "9",
		"--write-map", "map.json"}); err != nil {
		t.Fatal(err)
	}
	if got, want := c.fitFlags(), []string{"--iterations=50", "--motion=walk.bvh"}; !slices.Equal(got, want) {
		t.Errorf("%q, expected %q", got, want)
	}
	var out strings.Builder
	a := &advise.Advice{Against: "delta-mush", Choice: advise.Choice{Choose: "dqs", Fit: "ssd"}}
	c.fits = methods.All()
	a.Ways, a.Command = []advise.Way{{Name: "dqs"}, {Name: "ssd"}}, c.command(a, "-m.glb")
	c.write(&out, a)
	want := "skinlab fit ssd ./-m.glb --teach delta-mush --iterations=50 --motion=walk.bvh -o fitted.glb"
	if lines := commands(t, out.String()); len(lines) != 1 || lines[0] != want {
		t.Errorf("the command is %q, expected %q", lines, want)
	}
}

// commands returns the lines that begin with the program's name.
func commands(t *testing.T, text string) (lines []string) {
	t.Helper()
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "skinlab ") {
			lines = append(lines, strings.TrimSpace(line))
		}
	}
	return lines
}

// TestAdvisedBytes: example shapes that a fit leaves out are no bytes that it saves.
func TestAdvisedBytes(t *testing.T) {
	m := assetstest.Open(t, "demo:leg")
	e := exporter{source: "demo:leg", path: filepath.Join(t.TempDir(), "fitted.glb"), model: m}
	w, err := e.write(t.Context(), &fit.Result{Model: m.WithoutMorphs(), Report: &fit.Report{Method: "ssd"}})
	if err != nil || w.Bytes < 0 || w.Bytes > 1000 { // a few words of extras
		t.Errorf("%d bytes, %v", w.Bytes, err)
	}
}

// TestGateUnits: a gate is a fraction of the diagonal, and has no length where a file's unit can hardly be the metre.
func TestGateUnits(t *testing.T) {
	for text, want := range map[string]float64{"1mm": 0.0005, "0.5cm": 0.0025, "0.1%": 0.001, "1m": 0.5, "": 0} {
		if got, err := lengthOf("--max-rms", text, 2); err != nil || got-want > 1e-15 || want-got > 1e-15 {
			t.Errorf("%q of 2 m is %g, %v, expected %g", text, got, err, want)
		}
	}
	if got, err := lengthOf("--max-rms", "1mm", 175); err == nil || !strings.Contains(err.Error(), "0.1%") {
		t.Errorf("1mm of a file of 175: %g, %v", got, err)
	}
	if got, err := lengthOf("--max-rms", "1%", 175); err != nil || got != 0.01 {
		t.Errorf("1%% of a file of 175: %g, %v", got, err)
	}
}

// TestProposedPaths: paths that begin with a dash or have commas are proposed as they can be pasted, and an unknown fit
// is said to be one behind flags that only fits have.
func TestProposedPaths(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"-x.glb", "a,b.glb"} {
		if _, errs, code := skinlab(t, "fit", "half-way", "demo:box", "-o", "./"+name); code != 0 {
			t.Fatal(errs)
		}
	}
	_, errs, _ := skinlab(t, "compare", "--", "-x.glb", "a,b.glb")
	if !strings.Contains(errs, `skinlab compare ./-x.glb --methods 'lbs,"a,b.glb"'`) {
		t.Errorf("compare: %s", errs)
	}
	if _, errs, code := skinlab(t, "fit", "nosuch", "demo:box", "-o", "y.glb"); code != 2 || !strings.Contains(errs, `"nosuch": not one of`) {
		t.Errorf("fit: code %d, %s", code, errs)
	}
}
