package command

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skinlab/assets/gltf/export"
	"skinlab/internal/assetstest"
)

func TestBench(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	o := object(t, "bench", "demo:tube", "--methods", "lbs,sbs", "--device", "cpu", "--sizes", "none")
	row := o["rows"].([]any)[1].(map[string]any)
	for _, key := range []string{"ns_per_vertex", "ratio_to_lbs", "palette_us"} {
		if x, ok := row[key].(float64); !ok || !(x > 0) {
			t.Errorf("bench: %q is %v", key, row[key])
		}
	}
	if row["method"] != "sbs" || row["device"] != "cpu" || row["vertices"] != 1380.0 || o["cpu"] == "" ||
		o["renderer"] == "" {
		t.Errorf("bench: %v of %v", row, o)
	}
}

// TestBenchMeshes: rows of the meshes follow those of the model, with traffic; what a mesh cannot have is said, not
// timed.
func TestBenchMeshes(t *testing.T) {
	slow(t)
	o := object(t, "bench", "demo:box", "--methods", "lbs,blend-bones:3,half-way", "--sizes", "500,2k", "--threads", "1,2",
		"--simd", "scalar")
	var got []string
	for _, r := range o["rows"].([]any) {
		row := r.(map[string]any)
		if row["threads"] == 2.0 {
			got = append(got, fmt.Sprint(row["model"], " ", row["vertices"], " ", row["method"]))
		}
		if row["simd"] != "scalar" {
			t.Errorf("%v: simd is %v", row["model"], row["simd"])
		}
		for _, key := range []string{"ns_per_vertex", "ratio_to_lbs", "bytes_per_vertex", "gb_per_second",
			"copy_gb_per_second", "share_of_copy", "threads", "speedup"} {
			if x, ok := row[key].(float64); !ok || !(x > 0) {
				t.Errorf("%v: %q is %v", row["model"], key, row[key])
			}
		}
	}
	expected := []string{"demo:box 5166 lbs", "demo:box 5166 blend-bones:3", "demo:box 5166 half-way",
		"mesh 500 500 lbs", "mesh 500 500 blend-bones:3", "mesh 2k 2000 lbs", "mesh 2k 2000 blend-bones:3"}
	if !slices.Equal(got, expected) {
		t.Errorf("rows %q, expected %q", got, expected)
	}
	if skipped := o["skipped"].([]any); len(skipped) != 1 || !strings.Contains(skipped[0].(string), "half-way") ||
		len(o["threads"].([]any)) != 2 {
		t.Errorf("left out %v, threads %v", skipped, o["threads"])
	}
}

func TestBenchOfFits(t *testing.T) {
	slow(t)
	stdout, stderr, code := skinlab(t, "bench", "demo:box", "--methods", "lbs,blend-bones:2", "--device", "all")
	if strings.Contains(stderr, "no headless OpenGL context") {
		t.Skip("this machine has no EGL: ", stderr)
	}
	if code != 0 || strings.Count(stdout, "blend-bones:2") != 3 { // the CPU, posing alone, and pictures
		t.Errorf("exit %d: %s%s", code, stdout, stderr)
	}
	if strings.Contains(stdout, "llvmpipe") &&
		(strings.Contains(stdout, "  gpu  ") || !strings.Contains(stdout, "no GPU time")) {
		t.Errorf("a software renderer is called a GPU:\n%s", stdout)
	}
}

// TestBenchPictures holds the shape of what bench says of whole pictures: every way of skinning, crowds, passes that
// sum to a picture, and a clock that is never called a GPU's on a software renderer.
func TestBenchPictures(t *testing.T) {
	slow(t)
	stdout, stderr, code := skinlab(t, "bench", "demo:box", "--methods", "sbs", "--skinning", "all", "--instances", "1,3",
		"--json")
	if strings.Contains(stderr, "no headless OpenGL context") {
		t.Skip("this machine has no EGL: ", stderr)
	}
	var o struct {
		Renderer, Clock string
		Skipped         []string
		Rows            []struct {
			Device, Skinning string
			Instances        int
			Frames           int
			NsPerVertex      float64 `json:"ns_per_vertex"`
			Ratio            float64 `json:"ratio_to_lbs"`
			PaletteUs        float64 `json:"palette_us"`
			PictureNs        float64 `json:"picture_ns"`
			NsPerInstance    float64 `json:"ns_per_instance"`
			Passes           []struct {
				Pass     string
				MedianNs float64 `json:"median_ns"`
				P95Ns    float64 `json:"p95_ns"`
			}
		}
	}
	if err := json.Unmarshal([]byte(stdout), &o); err != nil || code != 0 {
		t.Fatalf("exit %d, %v: %s%s", code, err, stdout, stderr)
	}
	software := strings.Contains(o.Renderer, "llvmpipe")
	if software == (o.Clock == "GPU") || o.Clock == "" {
		t.Errorf("the clock of %s is %q", o.Renderer, o.Clock)
	}
	seen := map[string]int{}
	for _, r := range o.Rows {
		seen[r.Skinning] += r.Instances
		if software && r.Device != "software" {
			t.Errorf("the device of %s is %q", o.Renderer, r.Device)
		}
		if !(r.NsPerVertex > 0 && r.Ratio > 0 && r.PaletteUs > 0 && r.Frames >= 3 && r.PictureNs > 0 &&
			r.NsPerInstance == r.PictureNs/float64(r.Instances)) {
			t.Errorf("%+v", r)
		}
		passes := map[string]float64{}
		for _, p := range r.Passes {
			passes[p.Pass] = p.MedianNs
			if !(p.MedianNs > 0 && p.P95Ns >= p.MedianNs) {
				t.Errorf("%s, %d: %+v", r.Skinning, r.Instances, p)
			}
			if p.Pass != "palette" && !(p.MedianNs <= r.PictureNs) {
				t.Errorf("%s, %d: %s takes %g ns of a picture of %g", r.Skinning, r.Instances, p.Pass, p.MedianNs, r.PictureNs)
			}
		}
		if _, skins := passes["skin"]; skins == (r.Skinning == "shader") || passes["shade"] == 0 || passes["palette"] == 0 {
			t.Errorf("%s, %d: passes %v", r.Skinning, r.Instances, passes)
		}
	}
	for _, way := range []string{"shader", "feedback", "compute"} {
		if seen[way] != 4 && !(way == "compute" && len(o.Skipped) > 0) { // crowds of 1 and 3
			t.Errorf("%s: %d instances in all rows, expected 4; left out: %q", way, seen[way], o.Skipped)
		}
	}
}

// TestBenchSubdivided: each row has four times the triangles of the one before it, no pictures, and in a buffer the
// share of a copy's bandwidth.
func TestBenchSubdivided(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	stdout, stderr, code := skinlab(t, "bench", "demo:box", "--methods", "lbs,blend-bones:1", "--device", "gpu",
		"--subdivide", "0,1", "--pictures=false", "--json")
	if strings.Contains(stderr, "no headless OpenGL context") {
		t.Skip("this machine has no EGL: ", stderr)
	}
	var o struct {
		Rows []struct {
			Model, Method string
			Vertices      int
			Bytes         float64 `json:"bytes_per_vertex"`
			Share         float64 `json:"share_of_copy"`
			Frames        int
		}
	}
	if err := json.Unmarshal([]byte(stdout), &o); err != nil || code != 0 {
		t.Fatalf("exit %d, %v: %s%s", code, err, stdout, stderr)
	}
	if len(o.Rows) != 4 {
		t.Fatalf("%d rows, expected two methods on two meshes: %s", len(o.Rows), stdout)
	}
	for i, r := range o.Rows {
		// A closed surface of quads, two triangles each, has as many vertices as quads, and four times as many when
		// divided; seams of the texture have their own.
		base := float64(o.Rows[0].Vertices)
		if finer := float64(r.Vertices) / base; i < 2 && finer != 1 || i >= 2 && !(finer > 3.5 && finer < 4.2) {
			t.Errorf("row %d: %d vertices, the model has %g", i, r.Vertices, base)
		}
		if r.Bytes != 72 || !(r.Share > 0) || r.Frames != 0 {
			t.Errorf("%+v", r)
		}
	}
}

// A model without clips is timed in its static pose, and fits are trained on poses made from its skeleton.
func TestBenchWithoutClips(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	folder := t.TempDir()
	m := assetstest.Open(t, "demo:bar")
	write := func(name string) string {
		t.Helper()
		data, err := export.Encode(m)
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	with := write("with.glb")
	m.Clips = nil
	without := write("without.glb")
	if _, stderr, code := skinlab(t, "deform", without, "--clip", "stress:twist", "--time", "1", "-o", "-"); code != 0 {
		t.Errorf("the pose of a clip that is made: exit %d: %s", code, stderr)
	}
	rows := object(t, "bench", without, "--methods", "lbs,half-way,"+with, "--sizes", "none")["rows"].([]any)
	if len(rows) != 3 {
		t.Errorf("rows %v", rows)
	}
}
