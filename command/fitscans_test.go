package command

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"skinlab/assets"
	"skinlab/assets/shapefile"
	"skinlab/internal/assetstest"
	"skinlab/skinning"
)

// toPLY writes an OBJ file as an ASCII PLY file beside it, and takes the OBJ file away.
func toPLY(t *testing.T, path string) {
	t.Helper()
	s, err := shapefile.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	fmt.Fprintf(&out, "ply\nformat ascii 1.0\nelement vertex %d\nproperty double x\nproperty double y\nproperty double z\n"+
		"element face %d\nproperty list uchar int vertex_indices\nend_header\n", len(s.Positions), len(s.Faces))
	for _, p := range s.Positions {
		fmt.Fprintln(&out, p[0], p[1], p[2])
	}
	for _, f := range s.Faces {
		fmt.Fprintln(&out, len(f), f[0], f[1], f[2])
	}
	if err := os.WriteFile(strings.TrimSuffix(path, ".obj")+".ply", out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
}

// TestFitScans: a folder of scans, OBJ and PLY, is a body of its own, whose file plays them; a model's example set is
// the same scans. A scan that does not belong to the others is an error that names its file.
func TestFitScans(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	folder := t.TempDir()
	writeShapes(t, folder)
	toPLY(t, filepath.Join(folder, "shape-1.obj"))
	out := filepath.Join(t.TempDir(), "body.glb")
	o := object(t, "fit", "body-model", folder, "--limbs", "2", "--rounds", "1", "-o", out)
	if o["scans"] != 3.0 || o["limbs"] != 2.0 || !(o["rms_mm"].(float64) > 0) || !(o["q"].(float64) > 0) ||
		len(o["phases"].([]any)) < 6 || o["output"] != out {
		t.Errorf("%v", o)
	}
	clip := o["clips"].([]any)[0].(map[string]any)
	if clip["name"] != "scans" || clip["frames"] != 3.0 || clip["ee"] != o["ee"] ||
		!(clip["lbs_rms"].(float64) >= clip["rms"].(float64)) {
		t.Errorf("clips %v", o["clips"])
	}
	m, err := assets.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Clips) != 1 || m.Clips[0].Name != "scans" || m.Clips[0].Seconds != 2 || m.Skin.Second(skinning.TwistSwing) == nil ||
		len(m.Skin.Positions) != 866 || m.Skeleton.Joints[0].Name != "limb_1" {
		t.Errorf("%d vertices, joints %+v, clips %+v", len(m.Skin.Positions), m.Skeleton.Joints, m.Clips)
	}
	f, pose := skinning.NewFrame(m, nil), m.NewPose()
	m.SamplePose(pose, 0, 1)
	f.SetPose(pose)
	if shape := f.Reference(skinning.TwistSwing); len(shape.Positions) != 866 {
		t.Errorf("%d vertices posed", len(shape.Positions))
	}
	own := object(t, "fit", "body-model", "demo:bar", "--no-skeleton", "--limbs", "2", "--rounds", "1", "--holdout", "1")
	if held := own["held_out"].(map[string]any); own["scans"] != 2.0 || held["frames"] != 1.0 {
		t.Errorf("%v, held out %v", own["scans"], held)
	}
	fails := func(code int, what string, args ...string) {
		t.Helper()
		_, stderr, got := skinlab(t, append([]string{"fit", "body-model"}, args...)...)
		if got != code || !strings.Contains(stderr, what) {
			t.Errorf("%v: exit %d: %s; expected %d and %q", args, got, stderr, code, what)
		}
	}
	fails(1, "no .obj or .ply files", t.TempDir())
	fails(1, "give --targets DIR or --teach METHOD", "demo:tube")
	fails(2, "both folders of scans", folder, "--targets", folder)
	fails(2, "leave less than two", folder, "--holdout", "2")
	fails(2, "--teach both say", "demo:bar", "--targets", folder, "--teach", "dqs")
	fails(2, "--times is for", folder, "--times", "even")
	fails(1, "--scan: 4 of 3 scans", folder, "--as-published", "--scan", "4")
	bad := filepath.Join(folder, "shape-2.obj")
	text, err := os.ReadFile(bad)
	if err != nil {
		t.Fatal(err)
	}
	s, err := shapefile.Read(bad)
	if err != nil {
		t.Fatal(err)
	}
	scaled := func(x, y, z float64) string {
		var out bytes.Buffer
		for _, p := range s.Positions {
			fmt.Fprintln(&out, "v", x*p[0], y*p[1], z*p[2])
		}
		for _, f := range s.Faces {
			fmt.Fprintln(&out, "f", f[0]+1, f[1]+1, f[2]+1)
		}
		return out.String()
	}
	for what, broken := range map[string]string{
		"shape-2.obj: 867 vertices":                  "v 0 0 0\n" + string(text),
		"shape-2.obj: line 1: vertex 1: \"nan\"":     "v 0 nan 0\n" + string(text),
		"the edges are 1e+03 times as long":          scaled(1000, 1000, 1000),
		"the scan is a mirror image":                 scaled(1, 1, -1),
		"shape-2.obj: face 1: an edge from vertex 1": strings.Replace(string(text), "\nf ", "\nf 1 400 800\nf ", 1),
	} {
		if err := os.WriteFile(bad, []byte(broken), 0o600); err != nil {
			t.Fatal(err)
		}
		fails(1, what, folder, "--limbs", "2", "--rounds", "1")
	}
	if err := os.Remove(bad); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(folder, "shape-1.ply")); err != nil {
		t.Fatal(err)
	}
	fails(1, "expected at least 2", folder)
}

// TestCompareBody: beside the examples that it was fitted to, a body is posed by twist-swing and by the poses that the
// fit has found. Examples that were held out are not measured, since it has no poses for them.
func TestCompareBody(t *testing.T) {
	for _, held := range []int{0, 1} {
		out := filepath.Join(t.TempDir(), "body.glb")
		fitted := object(t, "fit", "body-model", "demo:bar", "--limbs", "2", "--no-skeleton", "--rounds", "1",
			"--holdout", strconv.Itoa(held), "-o", out)
		o := object(t, "compare", "demo:bar", "--reference", "examples", "--clip", "examples", "--methods", "lbs,"+out)
		m := assetstest.Open(t, "demo:bar")
		row := o["rows"].([]any)[1].(map[string]any)
		got := row["rms"].(float64) * m.Diagonal() * 1000
		want := fitted["rms_mm"].(float64)
		if o["frames"] != fitted["scans"] || !(math.Abs(got-want) < 1e-3*want) { // float32 keys and positions
			t.Errorf("%d held out: compare has %g mm over %v poses, the fit %g over %v", held, got, o["frames"], want,
				fitted["scans"])
		}
		if got, want := row["ee"].(float64), fitted["ee"].(float64); !(math.Abs(got-want) < 1e-3*want) {
			t.Errorf("%d held out: compare has an EE of %g %%, the fit %g %%", held, got, want)
		}
	}
}
