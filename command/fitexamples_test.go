package command

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/assets/demo"
	"skinlab/command/flags"
	"skinlab/skinning"
)

// TestTaughtByDeltaMush: four helper bones that Delta Mush teaches keep a fifth of linear blending's distance from it on the
// clip that they learnt, and compare shows it as a reference with its options, whose own row is exact.
func TestTaughtByDeltaMush(t *testing.T) {
	slow(t)
	o := object(t, "compare", "demo:arm", "--clip", "flex", "--frames", "12", "--reference", "delta-mush", "--iterations", "8", "--methods",
		"lbs,helper-bones:4,delta-mush")
	ee := map[string]float64{}
	for _, row := range o["rows"].([]any) {
		row := row.(map[string]any)
		ee[row["method"].(string)] = row["ee"].(float64)
	}
	if o["reference"] != "delta-mush" || !(ee["lbs"] > 10) || !(ee["helper-bones:4"] < ee["lbs"]/5) || ee["delta-mush"] != 0 {
		t.Errorf("against %v: EE %v %%", o["reference"], ee)
	}
	d := object(t, "fit", "decompose", "demo:arm", "--teach", "delta-mush", "--clip", "flex", "--bones", "4", "--rounds", "5")
	rows := d["clips"].([]any)
	if d["operator"] != "delta-mush" || len(rows) != 1 {
		t.Fatalf("decompose of %v: %v", d["operator"], rows)
	}
	if row := rows[0].(map[string]any); row["name"] != "flex" || !(row["ee"].(float64) < row["lbs_ee"].(float64)) {
		t.Errorf("decompose beside linear blending: %v", row)
	}
}

// TestFitEnveloping: the report's keys, unseen poses and leave-one-out, and the exported file, which plays what the
// report says.
func TestFitEnveloping(t *testing.T) {
	slow(t)
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
	if o["method"] != "enveloping" || o["operator"] != "examples" || o["added_bones"] != 20.0 ||
		o["reason"] != "proxy limit" || o["master_bones"] != 2.0 || o["frames"] != 3.0 {
		t.Errorf("report %v", o)
	}
	ee, ssd := o["ee"].(float64), o["ssd_ee"].(float64)
	if !(ee < ssd/3) {
		t.Errorf("EE %.2f %%, trained SSD %.2f %%", ee, ssd)
	}
	unseen := o["unseen"].(map[string]any)
	if fit := unseen["fit"].(map[string]any); !(fit["max"].(float64) <= 0.02) {
		t.Errorf("unseen: %v of the size; RTER figure 13 has the fit within 2 %%", fit["max"])
	}
	// The rig's weights, trained ones, and more and more proxies.
	history := o["history"].([]any)
	if len(history) != 5 {
		t.Fatalf("history %v", history)
	}
	for k, want := range []float64{0, 0, 5, 10, 20} {
		most := ssd
		if k == 0 {
			most = math.Inf(1)
		}
		if step := history[k].(map[string]any); step["added_bones"] != want || !(step["ee"].(float64) <= most) {
			t.Errorf("step %d: %v", k, step)
		}
	}
	if n := o["loocv"].(map[string]any)["frames"]; n != 3.0 {
		t.Errorf("leave-one-out over %v examples", n)
	}
	// Baked keys may cost a seventh of the fit's RMS; here they stand at the example keys.
	rows := object(t, "compare", "demo:bar", "--reference", "examples", "--methods",
		"ssd,enveloping:20,examples,"+out+",half-way")["rows"].([]any)
	if n := len(rows); n != 5 {
		t.Fatalf("%d rows", n)
	}
	for k, want := range []float64{ssd, ee, 0, ee} {
		row := rows[k].(map[string]any)
		if got := row["ee"].(float64); !(abs(got-want) <= 0.02) {
			t.Errorf("compare: %v has EE %.3f %%, the fit said %.3f %%", row["method"], got, want)
		}
	}
	// Half a twist is one half-way joint: less than SSD, more than the proxies.
	if half := rows[4].(map[string]any)["ee"].(float64); !(half < 0.7*ssd) || !(half > ee) {
		t.Errorf("half-way joints with trained weights have EE %.2f %%", half)
	}
	if info := object(t, "info", out); info["joints"] != 22.0 {
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

// TestTaughtEnveloping: any rig can be taught by a method, and tested on poses that it was not taught.
func TestTaughtEnveloping(t *testing.T) {
	slow(t)
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
	if unseen["trained_on"] != true {
		t.Errorf("tested on the clip of the training: %v", unseen)
	}
	o = object(t, "fit", "ssd", "demo:tube", "--teach", "dqs")
	// 24 poses of the clips, and the static pose.
	if clips := o["clips"].([]any); o["train"] != "all clips" || o["frames"] != 25.0 || len(clips) != 2 {
		t.Errorf("%v poses of %v, clips %v", o["frames"], o["train"], clips)
	}
	if _, stderr, code := skinlab(t, "fit", "enveloping", "demo:figure"); code != 1 ||
		!strings.Contains(stderr, "--teach") {
		t.Errorf("without examples: exit %d: %s", code, stderr)
	}
}

// TestLegGrid: --examples grid is the paper's 6,750 poses, each with the leg's true skin in it, and other models have
// none. A target is within 1e-9 m of the skin of its pose, which rounding takes from angles to a pose and back.
func TestLegGrid(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	m, err := flags.Load(t.Context(), "demo:leg")
	if err != nil {
		t.Fatal(err)
	}
	set, err := legGrid(t.Context(), m)
	if err != nil || len(set.Targets) != 6750 || len(set.Poses) != 6750 {
		t.Fatal(err)
	}
	leg, _ := demo.LegOf(m)
	skin := make([]mgl64.Vec3, len(m.Skin.Positions))
	for i := 7; i < len(set.Poses); i += 997 {
		leg.Shape(skin, leg.PoseOf(set.Poses[i]))
		for v, p := range skin {
			if d := p.Sub(set.Targets[i][v]).Len(); !(d <= 1e-9) {
				t.Fatalf("pose %d, vertex %d: %g m from the target", i, v, d)
			}
		}
	}
	set.Poses, set.Targets = set.Poses[4000:4002], set.Targets[4000:4002]
	poses, err := set.Choose(m, nil)
	if err != nil || poses.Name != "grid" {
		t.Fatal(poses, err)
	}
	x, err := poses.Examples()
	if err != nil {
		t.Fatal(err)
	}
	f := skinning.NewFrame(m, nil)
	f.SetPose(set.Poses[1])
	if !slices.Equal(x.Frames[1].Matrices, f.Matrices) || &x.Targets[1][0] != &set.Targets[1][0] {
		t.Error("the second example is not that of the second pose")
	}
	for _, args := range [][]string{{"demo:arm", "--examples", "grid"}, {"demo:leg", "--examples", "all"},
		{"demo:leg", "--examples", "grid", "--teach", "dqs"}} {
		if _, stderr, code := skinlab(t, append([]string{"fit", "ssd"}, args...)...); code != 2 ||
			!strings.Contains(stderr, "--examples") {
			t.Errorf("%v: exit %d: %s", args, code, stderr)
		}
	}
}
