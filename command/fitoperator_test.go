package command

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// A fit from the command line: the report's keys, the exported file, and what compare says of it afterwards.
func TestFit(t *testing.T) {
	out := filepath.Join(t.TempDir(), "fitted.glb")
	o := object(t, "fit", "blend-bones", "demo:tube", "--train", "train:6", "--bones", "3", "--test", "writhe", "-o", out)
	for _, key := range []string{"method", "operator", "vertices", "master_bones", "added_bones", "frames", "ee", "rms",
		"max", "seconds",
		"influences_before", "influences_after", "history", "test"} {
		if o[key] == nil {
			t.Errorf("no %q", key)
		}
	}
	if o["added_bones"] != 3.0 || o["master_bones"] != 4.0 || o["frames"] != 6.0 || o["operator"] != "dqs" ||
		len(o["history"].([]any)) != 4 {
		t.Errorf("report %v", o)
	}
	// The file plays the same EE that the fit said of the whole clip, within the tenth of it that baked keys may cost.
	clip := o["clips"].([]any)[1].(map[string]any)
	rows := object(t, "compare", "demo:tube", "--clip", "train", "--frames", fmt.Sprint(clip["frames"]), "--methods",
		"lbs,"+out)["rows"].([]any)
	ee, want := rows[1].(map[string]any)["ee"].(float64), clip["ee"].(float64)
	if linear := rows[0].(map[string]any)["ee"].(float64); !(abs(ee-want) <= 0.01) || !(ee < linear/3) {
		t.Errorf("the exported file has EE %.3f, the fit said %.3f, linear blending %.3f", ee, want, linear)
	}
	if info := object(t, "info", out); info["joints"] != 7.0 || info["vertices"] != 1380.0 {
		t.Errorf("the exported file has %v joints and %v vertices", info["joints"], info["vertices"])
	}
	clips, test := o["clips"].([]any), o["test"].(map[string]any)
	for k, name := range []string{"writhe", "train"} {
		row := clips[k].(map[string]any)
		if len(clips) != 2 || row["name"] != name || !(row["ee"].(float64) < row["lbs_ee"].(float64)) ||
			!(row["max"].(float64) > 0 && row["lbs_max"].(float64) > 0) || row["worse"] != false {
			t.Errorf("clip %d of %d: %v", k, len(clips), row)
		}
	}
	if !(test["ee"].(float64) < test["lbs_ee"].(float64)) || !(test["lbs_max"].(float64) > 0) {
		t.Errorf("tested on a clip: %v", test)
	}
	o = object(t, "fit", "--force", "--threads", "1", "half-way", "demo:tube", "--train", "train:6", "--train", "writhe:5")
	if o["train"] != "train, writhe" || o["frames"] != 10.0 { // one of the eleven is a half turn

		t.Errorf("%v poses of %v", o["frames"], o["train"])
	}
	o = object(t, "fit", "half-way", "demo:tube", "--train", "train:6")
	if o["added_bones"] != 3.0 || !(o["ee"].(float64) > want) {
		t.Errorf("half-way: %v bones, EE %v; blend bones %.2f", o["added_bones"], o["ee"], want)
	}
	for _, args := range [][]string{
		{"fit", "magic", "demo:box"},
		{"fit", "blend-bones", "demo:box", "--operator", "lbs"},
		{"fit", "blend-bones", "demo:box", "--bones", "0"},
		{"fit", "blend-bones", "demo:box", "--train", "nosuch"},
		{"fit", "blend-bones", "demo:box", "--train", "twist:none"},
		{"fit", "blend-bones", "demo:box", "--train", "twist", "--train", "nosuch:3"},
		{"fit", "blend-bones", "demo:box", "--test", "nosuch"},
		{"fit", "blend-bones", "demo:box", "--holdout", "2"},
		{"fit", "blend-bones"},
	} {
		if _, stderr, code := skinlab(t, args...); code != 2 || !strings.HasPrefix(stderr, "error: ") {
			t.Errorf("%v: exit %d: %s", args, code, stderr)
		}
	}
	_, stderr, code := skinlab(t, "fit", "blend-bones", "demo:box", "--test", "nosuch.glb")
	if want := "nosuch.glb: a file is for fits to example shapes"; code != 2 || !strings.Contains(stderr, want) {
		t.Errorf("exit %d, no %q in %s", code, want, stderr)
	}
}

// TestFitSaysHow: without flags a fit learns from all clips, says which operator it has chosen and why, measures
// linear blending beside it, and ends its summary with the verdict; a fit that makes clips worse, or test poses,
// warns of each.
func TestFitSaysHow(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	stdout, _, code := skinlab(t, "fit", "blend-bones", "demo:bar", "--bones", "3", "--test", "twist")
	for _, want := range []string{"blend-bones of dqs (no joint scales)", " poses of all clips but twist,", "\non twist, ",
		"; as good as linear blending or better in all 3 clips\n", "LBS: EE %", "; linear blending: EE "} {
		if code != 0 || !strings.Contains(stdout, want) {
			t.Errorf("exit %d, no %q in %s", code, want, stdout)
		}
	}
	stdout, _, code = skinlab(t, "fit", "blend-bones", "demo:arm", "--train", "flex", "--bones", "3")
	if code != 0 || !strings.Contains(stdout, "; worse than linear blending in ") ||
		!strings.Contains(stdout, "\nwarning: clip twist got worse: EE ") {
		t.Errorf("exit %d: %s", code, stdout)
	}
	stdout, _, code = skinlab(t, "fit", "helper-bones", "demo:bar", "--holdout", "1")
	if code != 0 || !strings.Contains(stdout, "in all 2 clips, but worse on held out shapes\n") ||
		!strings.Contains(stdout, "\nwarning: held out shapes of examples got worse: EE ") {
		t.Errorf("exit %d: %s", code, stdout)
	}
	stdout, _, code = skinlab(t, "fit", "blend-bones", "demo:arm", "--train", "flex", "--test", "twist", "--bones", "3")
	if code != 0 || strings.Count(stdout, "\nwarning: ") != 1 {
		t.Errorf("exit %d: %s", code, stdout)
	}
}

// TestTestedClip: a clip that is tested on is left out of the default training. If it is trained on, the report says
// so.
func TestTestedClip(t *testing.T) {
	slow(t)
	for _, c := range []struct{ of, says, args string }{
		{"all clips but twist", "\nunseen, SSD ", "ssd demo:bar --teach dqs"},
		{"twist", "\ntrained on, SSD ", "ssd demo:bar --teach dqs --train twist:4"},
		{"twist", "\ntrained on, twist, ", "blend-bones demo:bar --bones 1 --train twist:4"},
		{"all clips but twist", "\nunseen, ", "body-model demo:bar --teach dqs"},
		{"twist", "\ntrained on, ", "body-model demo:bar --teach dqs --train twist:4"},
	} {
		args := append(append([]string{"fit"}, strings.Fields(c.args)...), "--test", "twist")
		stdout, stderr, code := skinlab(t, args...)
		if code != 0 || !strings.Contains(stdout, " of "+c.of) || !strings.Contains(stdout, c.says) {
			t.Errorf("%v: exit %d, no %q and %q in %s%s", args, code, c.of, c.says, stdout, stderr)
		}
	}
}

// TestFitLongWay: --shortest-path=false fits, bakes and plays a turn past 180 degrees, compare follows it in the file
// without being told to, unless it is told not to, and fits to shapes take the flag with --teach alone. EE in percent
// against DIB over the turn is a few percent the long way, and over 100 for bones that go back the shorter way.
func TestFitLongWay(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	file := filepath.Join(t.TempDir(), "turned.glb")
	stdout, stderr, code := skinlab(t, "fit", "blend-bones", "demo:box", "--operator", "dib", "--bones", "4",
		"--train", "full-turn:6", "--shortest-path=false", "-o", file)
	if code != 0 || !strings.Contains(stdout, "\nRotations go the long way round, past 180 degrees, in full-turn.\n") {
		t.Fatalf("exit %d: %s%s", code, stdout, stderr)
	}
	o := object(t, "compare", "demo:box", "--reference", "dib", "--clip", "full-turn", "--shortest-path=false", "--frames", "9",
		"--methods", file+",blend-bones:4")
	for _, row := range o["rows"].([]any) {
		if ee := row.(map[string]any)["ee"].(float64); !(ee <= 15) {
			t.Errorf("the long way: %v", row)
		}
	}
	for way, follows := range map[string]bool{"": true, "--shortest-path": false} {
		args := []string{"compare", "demo:box", "--reference", "dib", "--clip", "full-turn", "--frames", "9", "--methods", file}
		if way != "" {
			args = append(args, way)
		}
		row := object(t, args...)["rows"].([]any)[0].(map[string]any)
		if ee := row["ee"].(float64); follows && !(ee <= 15) || !follows && !(ee >= 100) {
			t.Errorf("compared with %q the file errs by %g %%", way, ee)
		}
	}
	_, stderr, code = skinlab(t, "fit", "ssd", "demo:bar", "--shortest-path=false")
	if code != 2 || !strings.Contains(stderr, "--shortest-path is for --teach") {
		t.Errorf("exit %d: %s", code, stderr)
	}
}
