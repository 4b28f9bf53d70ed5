package command

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// The candy wrapper as numbers: half of the tube around a joint is gone when it is twisted by 180 degrees, and none at
// rest.
func TestSweep(t *testing.T) {
	short := object(t, "sweep", "demo:arm", "--joint", "hand", "--methods", "lbs", "--from", "0", "--to", "12")
	if d := short["degrees"].([]any); len(d) != 4 || !(abs(d[3].(float64)-12) < 1e-9) {
		t.Errorf("from 0 to 12 degrees in steps of 5: %v", d)
	}
	out := filepath.Join(t.TempDir(), "twist.svg")
	o := object(t, "sweep", "demo:arm", "--joint", "FOREARM", "--methods", "lbs,dqs,blend-bones:2", "--step", "30", "-o",
		out)
	degrees, curves := o["degrees"].([]any), o["curves"].([]any)
	if len(degrees) != 13 || degrees[0] != -180.0 || degrees[6] != 0.0 || len(curves) != 3 || o["joint"] != "forearm" ||
		o["axis"] != "twist" || o["output"] != out || o["train"] != "range of motion" {
		t.Fatalf("swept %v, %v over %v, trained on %v", o["joint"], o["axis"], degrees, o["train"])
	}
	if notes := o["notes"].([]any); len(notes) != 2 || !strings.Contains(notes[0].(string), "dual quaternion") ||
		!strings.Contains(notes[1].(string), "made from the skeleton") {
		t.Errorf("the notes are %q", notes)
	}
	at := func(curve int, key string, angle int) float64 {
		return curves[curve].(map[string]any)[key].([]any)[angle].(float64)
	}
	for _, key := range []string{"ee", "rms", "max", "volume", "local_volume"} {
		if n := len(curves[0].(map[string]any)[key].([]any)); n != 13 {
			t.Errorf("%d values of %q", n, key)
		}
	}
	lbs, fitted := at(0, "local_volume", 0), at(2, "local_volume", 0)
	if !(lbs < 0.5 && at(1, "local_volume", 0) > 0.95 && fitted > lbs+0.1) {
		t.Errorf("at −180 degrees linear blending keeps %.2f of the volume around the joint, blend bones %.2f, dual quaternions "+
			"%.2f", lbs, fitted, at(1, "local_volume", 0))
	}
	if !(abs(at(0, "local_volume", 6)-1) <= 1e-5 && at(0, "max", 6) <= 1e-6 && at(0, "ee", 0) > 50) { // float32
		t.Errorf("at rest: volume %g, largest error %g; EE at −180: %g", at(0, "local_volume", 6), at(0, "max", 6),
			at(0, "ee", 0))
	}
	text, err := os.ReadFile(out)
	if err != nil || !strings.Contains(string(text), "blend-bones:2") ||
		!strings.Contains(string(text), "Twist of forearm") {
		t.Errorf("the chart: %v, %.200q", err, text)
	}
	stdout, stderr, code := skinlab(t, "sweep", "demo:box", "--joint", "1", "--axis", "side", "--from", "-90", "--to",
		"91", "--step", "10")
	if code != 0 || !strings.Contains(stdout, "from -90 to 91 degrees in 20 poses") ||
		strings.Count(stdout, "\n") != 4+len(directNames) || strings.Contains(stdout, "half a turn") {
		t.Errorf("exit %d: %s%s", code, stdout, stderr)
	}
}

// TestSweepNearRest: where the reference is at rest, one joint predicts every vertex, so that the EE of a fit that is
// not exact there is null. The largest EE is over the other angles. Five degrees from rest, the best joints miss by
// 3e-4 of the diagonal.
func TestSweepNearRest(t *testing.T) {
	slow(t)
	args := []string{"sweep", "demo:arm", "--joint", "forearm", "--methods", "helper-bones:4", "--from", "-5", "--to", "5"}
	c := object(t, args...)["curves"].([]any)[0].(map[string]any)
	ee := c["ee"].([]any)
	if ee[1] != nil || !(c["rms"].([]any)[1].(float64) > 1e-5) { // of the diagonal, above rounding
		t.Errorf("at rest EE %v, RMS %v", ee[1], c["rms"].([]any)[1])
	}
	stdout, stderr, code := skinlab(t, args...)
	largest := strconv.FormatFloat(max(ee[0].(float64), ee[2].(float64)), 'f', 3, 64)
	if row := strings.Fields(strings.Split(stdout, "\n")[2]); code != 0 || row[1] != largest {
		t.Errorf("exit %d: the largest EE is %s, expected %s: %s", code, row[1], largest, stderr)
	}
	if !strings.Contains(stdout, "poses made from the skeleton") {
		t.Errorf("it does not say what was learnt: %s", stdout)
	}
}

// TestSweepUnit: the table and the chart are in the chosen unit, --json in fractions of the diagonal.
func TestSweepUnit(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	args := []string{"sweep", "demo:figure", "--joint", "spine", "--axis", "bend", "--methods", "lbs,dqs"}
	o := object(t, args...)
	rms := 0.0 // the largest but for half turns, which begin at 175 degrees
	for _, x := range o["curves"].([]any)[0].(map[string]any)["rms"].([]any)[2:71] {
		rms = max(rms, x.(float64))
	}
	size := 2.2267 // metres, the diagonal
	for unit, perDiagonal := range map[string]float64{"mm": 1e3 * size, "%": 100} {
		out := filepath.Join(t.TempDir(), "chart.svg")
		stdout, stderr, code := skinlab(t, append(args, "--unit", unit, "-o", out)...)
		label := map[string]string{"mm": "mm", "%": "% of the diagonal"}[unit]
		if code != 0 || !strings.Contains(stdout, "error in "+label) {
			t.Fatalf("exit %d: %s%s", code, stdout, stderr)
		}
		row := strings.Fields(strings.Split(stdout, "\n")[2])
		if got, err := strconv.ParseFloat(row[2], 64); err != nil || !(abs(got/(rms*perDiagonal)-1) <= 5e-3) { // three digits
			t.Errorf("%s: RMS %s, expected %.3g", unit, row[2], rms*perDiagonal)
		}
		if text, err := os.ReadFile(out); err != nil || !strings.Contains(string(text), "RMS, "+label) {
			t.Errorf("%s: %v, the chart says otherwise", unit, err)
		}
	}
	if turns := o["half_turns"].([]any); len(turns) != 4 || turns[0] != -180.0 || turns[3] != 180.0 {
		t.Errorf("half turns at %v", turns)
	}
	if stdout, _, _ := skinlab(t, args...); !strings.Contains(stdout, "4 of 73 poses: joints that share vertices") ||
		strings.Contains(stdout, " 180  ") || strings.Contains(stdout, "-180  ") {
		t.Errorf("half turns count: %s", stdout)
	}
	if _, stderr, code := skinlab(t, append(args, "--unit", "inch")...); code != 2 || !strings.Contains(stderr, "--unit") {
		t.Errorf("inches: exit %d, %s", code, stderr)
	}
	if note, _ := o["half_turns_note"].(string); !strings.HasPrefix(note, "4 of 73 poses") {
		t.Errorf("the note is %q", note)
	}
}

func TestSweepRefuses(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		code int
		says string
		args []string
	}{
		{2, `the nearest: ["forearm"`, []string{"--joint", "forarm"}},
		{2, `among them: ["shoulder"`, []string{"--joint", "propeller"}},
		{2, `--joint`, nil},
		{2, "--axis", []string{"--joint", "hand", "--axis", "roll"}},
		{2, "--step", []string{"--joint", "hand", "--step", "0"}},
		{2, "--step", []string{"--joint", "hand", "--step", "-5"}},
		{2, "--step", []string{"--joint", "hand", "--step", "NaN"}},
		{2, "--step", []string{"--joint", "hand", "--step", "1e-9"}},
		{2, "--from", []string{"--joint", "hand", "--from", "NaN"}},
		{2, "--to", []string{"--joint", "hand", "--to", "Inf"}},
		{2, "--from", []string{"--joint", "hand", "--from", "10", "--to", "-10"}},
		{2, ".gif", []string{"--joint", "hand", "-o", filepath.Join(dir, "a.gif")}},
		{1, "missing", []string{"--joint", "hand", "-o", filepath.Join(dir, "missing", "a.svg")}},
		{1, "is a folder", []string{"--joint", "hand", "-o", dir + ".svg"}},
		{2, "--methods", []string{"--joint", "hand", "--methods", "magic"}},
		{2, "nor blend-bones[:N]", []string{"--joint", "hand", "--methods", "decompose:2"}}, // learns a clip
		{2, "for compare", []string{"--joint", "hand", "--methods", "examples"}},
	} {
		if err := os.MkdirAll(dir+".svg", 0o777); err != nil {
			t.Fatal(err)
		}
		stdout, stderr, code := skinlab(t, append([]string{"sweep", "demo:arm"}, c.args...)...)
		if code != c.code || stdout != "" || !strings.HasPrefix(stderr, "error: ") || !strings.Contains(stderr, c.says) {
			t.Errorf("%v: exit %d, want %d naming %q; %q %q", c.args, code, c.code, c.says, stdout, stderr)
		}
	}
	if stdout, _, _ := skinlab(t, "__complete", "sweep", "demo:arm", "--joint", ""); !strings.Contains(stdout,
		"forearm_twist") {
		t.Errorf("--joint completes to %q", stdout)
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 0 {
		t.Errorf("a failed command left %v, %v", left, err)
	}
}

// A fit that is swept beside the file that it came from is measured against that file, as compare does it, and the text
// says so.
func TestSweepFindsTheOrigin(t *testing.T) {
	origin, fitted := fittedTube(t, "ssd", "--teach", "dqs")
	args := []string{"sweep", fitted, "--joint", "1", "--methods", "lbs," + origin, "--step", "90"}
	if o := object(t, args...); o["reference_of"] != "origin.glb" {
		t.Errorf("against that of %v", o["reference_of"])
	}
	out, stderr, code := skinlab(t, args...)
	if code != 0 || !strings.Contains(out, "against dqs of origin.glb\n") || strings.Contains(out, "true error") ||
		!strings.Contains(out, "It is that of origin.glb, which fitted.glb came from.") {
		t.Errorf("exit %d: %s%s", code, out, stderr)
	}
	args[5] = "lbs"
	if out, _, _ := skinlab(t, args...); !strings.Contains(out, "true error") || strings.Contains(out, " of origin.glb") {
		t.Errorf("the fit alone: %s", out)
	}
}
