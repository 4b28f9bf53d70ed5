package command

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"image/png"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"skinlab/assets"
	"skinlab/skinning"
	"skinlab/skinning/simd"
)

const models = "../../shared/models"

// Exit codes of the program.
const (
	exitData  = 1
	exitUsage = 2
)

// programPath is the program. Most tests run it as a process of its own: exit codes, streams and signals are the real ones.
var programPath string

func TestMain(m *testing.M) {
	if _, err := os.Stat("../main.go"); err != nil { // and so `go test` keeps no result when that file changes
		panic(err)
	}
	folder, err := os.MkdirTemp("", "skinlab")
	if err != nil {
		panic(err)
	}
	programPath = filepath.Join(folder, "skinlab.exe") // Windows runs no other name
	if out, err := exec.Command("go", "build", "-o", programPath, "..").CombinedOutput(); err != nil {
		panic(fmt.Sprintf("go build: %v: %s", err, out))
	}
	code := m.Run()
	os.RemoveAll(folder)
	os.Exit(code)
}

// program prepares the program without a display.
func program(args ...string) *exec.Cmd {
	cmd := exec.Command(programPath, args...)
	for _, e := range os.Environ() {
		if !strings.HasPrefix(e, "DISPLAY=") && !strings.HasPrefix(e, "WAYLAND_DISPLAY=") {
			cmd.Env = append(cmd.Env, e)
		}
	}
	return cmd
}

func skinlab(t *testing.T, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	var out, errs bytes.Buffer
	cmd := program(args...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// object runs a command with --json and decodes its one object.
func object(t *testing.T, args ...string) map[string]any {
	t.Helper()
	stdout, stderr, code := skinlab(t, append(args, "--json")...)
	if code != 0 {
		t.Fatalf("%v: exit %d: %s", args, code, stderr)
	}
	dec := json.NewDecoder(strings.NewReader(stdout))
	var o map[string]any
	if err := dec.Decode(&o); err != nil {
		t.Fatalf("%v: %v in %q", args, err, stdout)
	}
	if dec.More() {
		t.Fatalf("%v: more than one object on standard output", args)
	}
	return o
}

func TestInfo(t *testing.T) {
	o := object(t, "info", "demo:box")
	if o["vertices"] != 5166.0 || o["joints"] != 2.0 {
		t.Errorf("demo:box has %v vertices and %v joints", o["vertices"], o["joints"])
	}
	for _, key := range []string{"triangles", "clips", "influences"} {
		if o[key] == nil {
			t.Errorf("no %q", key)
		}
	}
	clip := o["clips"].([]any)[0].(map[string]any)
	if clip["name"] != "twist" || !(clip["seconds"].(float64) > 0) {
		t.Errorf("first clip %v", clip)
	}
	influences := o["influences"].(map[string]any)
	if influences["max"] != 2.0 || !(influences["mean"].(float64) > 1) {
		t.Errorf("influences %v", influences)
	}
}

// The file must hold what the float64 reference computes: to 1e-9 m, the digits that are written.
func TestDeformWritesTheReference(t *testing.T) {
	m, err := assets.Open("demo:tube")
	if err != nil {
		t.Fatal(err)
	}
	clip, err := m.ClipIndex("writhe")
	if err != nil {
		t.Fatal(err)
	}
	pose, frame := m.NewPose(), skinning.NewFrame(m, nil)
	m.SamplePose(pose, clip, 0.7)
	frame.SetPose(pose)
	for _, method := range skinning.Methods() {
		path := filepath.Join(t.TempDir(), "posed.obj")
		object(t, "deform", "demo:tube", "--method", method.String(), "--clip", "writhe", "--time", "0.7", "-o", path)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		want, v, vn := frame.Reference(method), 0, 0
		for lines := bufio.NewScanner(bytes.NewReader(data)); lines.Scan(); {
			var x, y, z float64
			if n, _ := fmt.Sscanf(lines.Text(), "v %g %g %g", &x, &y, &z); n == 3 {
				p := want.Positions[v]
				if d := max(abs(x-p[0]), abs(y-p[1]), abs(z-p[2])); !(d <= 1e-9) {
					t.Fatalf("%v: vertex %d is off by %g m", method, v, d)
				}
				v++
			} else if n, _ := fmt.Sscanf(lines.Text(), "vn %g %g %g", &x, &y, &z); n == 3 {
				vn++
			}
		}
		if v != 1380 || vn != 1380 {
			t.Errorf("%v: %d positions and %d normals, want 1380", method, v, vn)
		}
	}
}

func abs(x float64) float64 { return max(x, -x) }

func TestCompareAndBench(t *testing.T) {
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
	o = object(t, "bench", "demo:tube", "--methods", "lbs,sbs", "--device", "cpu", "--sizes", "none")
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
	o := object(t, "bench", "demo:box", "--paper", "alns")
	row := o["rows"].([]any)[0].(map[string]any)
	if row["blend_bones"] != 4.0 || row["frames"] != 4.0 || !(row["ee"].(float64) <= 3.8) ||
		!(row["lbs_ms"].(float64) > 0) {
		t.Errorf("ALNS table 3: %v", row)
	}
	// Trained on 4 poses of one clip, tested on all of it and on the next: the box's one bend is what it has seen.
	for name, clip := range map[string]string{"full": "train", "unseen": "twist"} {
		test, ok := row[name].(map[string]any)
		if !ok || test["clip"] != clip || !(test["frames"].(float64) > 60) ||
			!(test["ee"].(float64) < 2*row["ee"].(float64)) {
			t.Errorf("ALNS table 4, %s: %v", name, row[name])
		}
	}
	for _, group := range []string{"direct_ms", "blend_ms", "blend_ratio_to_lbs"} {
		for _, operator := range []string{"dqs", "sdqs", "dib"} {
			if x, ok := row[group].(map[string]any)[operator].(float64); !ok || !(x > 0) {
				t.Errorf("%s of %s is %v", group, operator, x)
			}
		}
	}
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

func TestExitCodes(t *testing.T) {
	out := filepath.Join(t.TempDir(), "x")
	broken := filepath.Join(t.TempDir(), "broken.glb")
	if err := os.WriteFile(broken, []byte("glTF\x02\x00\x00\x00"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		code int
		says string
		args []string
	}{
		{1, "no such file", []string{"info", "missing.glb"}},
		{1, "broken.glb", []string{"info", broken}},
		{1, "demo:", []string{"info", "demo:nobody"}},
		{1, "missing.glb", []string{"missing.glb"}},
		{1, "display", []string{"view", "demo:box"}},
		{2, "info", []string{"info"}},
		{2, "arguments", []string{"info", "demo:box", "demo:tube"}},
		{2, "--nonsense", []string{"info", "demo:box", "--nonsense"}},
		{2, "--method", []string{"deform", "demo:box", "--method", "magic", "-o", out}},
		{2, "--methods", []string{"compare", "demo:box", "--methods", "lbs,magic"}},
		{2, "-o", []string{"deform", "demo:box"}},
		{2, "-o", []string{"render", "demo:box"}},
		{2, "--size", []string{"render", "demo:box", "--size", "0x9", "-o", out}},
		{2, "--clip", []string{"render", "demo:box", "--clip", "nosuch", "-o", out}},
		{2, "--frames", []string{"compare", "demo:box", "--frames", "0"}},
		{2, "--device", []string{"bench", "demo:box", "--device", "abacus"}},
		{2, "--threads", []string{"bench", "--threads", "1,0"}},
		{2, "--simd", []string{"bench", "--simd", "mmx"}},
		{2, "--sizes", []string{"bench", "--sizes", "3x"}},
		{2, "--sizes", []string{"bench", "--sizes", "0"}},
		{2, "--sizes", []string{"bench", "--sizes", "99999M"}},
		{2, "--sizes", []string{"bench", "--sizes", "-3k,none"}},
		{2, "--sizes", []string{"bench", "--sizes", "3k", "--device", "gpu"}},
		{2, "--skinning", []string{"bench", "demo:box", "--skinning", "abacus"}},
		{2, "--instances", []string{"bench", "demo:box", "--instances", "0"}},
		{2, "--instances", []string{"bench", "demo:box", "--instances", "1,5000"}},
		{2, "--time", []string{"deform", "demo:box", "--time", "soon", "-o", out}},
		{2, "--time", []string{"deform", "demo:box", "--time", "NaN", "-o", out}},
		{2, "--poses", []string{"compare", "demo:box", "--poses", "Inf", "-o", out}},
		{2, ".png", []string{"compare", "demo:box", "-o", out + ".jpg"}},
		{2, ".png", []string{"render", "demo:box", "-o", out + ".jpg"}},
		{2, ".png", []string{"demo:box", "--screenshot", out + ".bmp"}},
		{2, ".glb", []string{"fit", "blend-bones", "demo:box", "-o", out + ".gltf"}},
		{2, "--sizes", []string{"bench", "--paper", "alns", "--sizes", "3k"}},
	} {
		stdout, stderr, code := skinlab(t, c.args...)
		if code != c.code || !strings.HasPrefix(stderr, "error: ") || !strings.Contains(stderr, c.says) || stdout != "" {
			t.Errorf("%v: exit %d, want %d naming %q; stdout %q, stderr %q", c.args, code, c.code, c.says, stdout, stderr)
		}
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("a failed command left a file")
	}
}

func TestInterrupt(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no signals to send on Windows")
	}
	cmd := program("compare", "demo:box", "--frames", "100000")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	time.Sleep(500 * time.Millisecond)
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	most := time.Since(start) * time.Duration(runtime.NumCPU()) // that it can have worked before the signal
	_ = cmd.Wait()                                              // the exit code says it all
	if code := cmd.ProcessState.ExitCode(); code != 130 {
		t.Errorf("exit %d, want 130", code)
	}
	// One frame of one method takes milliseconds.
	if d := processorTime(cmd); d > most+2*time.Second {
		t.Errorf("worked for %v, %v at most before it was to stop", d, most)
	}
}

// processorTime is what a command that has ended took of the processors: that of a busy machine is hardly another.
func processorTime(cmd *exec.Cmd) time.Duration {
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
}

func TestHelp(t *testing.T) {
	root := newRoot()
	fit, _, err := root.Find([]string{"fit"})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range slices.Concat(root.Commands(), fit.Commands()) {
		name := strings.TrimPrefix(c.CommandPath(), "skinlab ")
		stdout, stderr, code := skinlab(t, append(strings.Fields(name), "--help")...)
		if code != 0 || !strings.Contains(stdout, "Examples:\nskinlab "+name) || c != fit && !strings.Contains(stdout, "--json") {
			t.Errorf("%s --help: exit %d, %q %q", name, code, stdout, stderr)
		}
	}
	stdout, stderr, code := skinlab(t, "fit")
	for _, m := range fitRows() {
		if code != 0 || !strings.Contains(stdout, m.title) {
			t.Errorf("fit: exit %d, no %q: %q %q", code, m.title, stdout, stderr)
		}
	}
	if stdout, _, code := skinlab(t, "completion", "bash"); code != 0 || !strings.Contains(stdout, "skinlab") {
		t.Errorf("completion bash: exit %d", code)
	}
	if stdout, _, _ := skinlab(t, "__complete", "render", "demo:box", "--method", ""); !strings.Contains(stdout, "dqs") {
		t.Errorf("--method completes to %q", stdout)
	}
	for command, takes := range map[string]bool{"compare": true, "sweep": false, "view": false} {
		if stdout, _, _ := skinlab(t, "__complete", command, "--reference", ""); strings.Contains(stdout,
			exampleReference) != takes {
			t.Errorf("%s --reference completes to %q", command, stdout)
		}
	}
	if stdout, _, _ := skinlab(t, "__complete", "info", ""); !strings.Contains(stdout, "demo:figure") {
		t.Errorf("a model completes to %q", stdout)
	}
}

// Every hostile file gets an answer within a second of processor time and 200 MB, and the ones to be refused get exit
// 1.
func TestHostileFiles(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(models, "hostile", "*.glb"))
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Skip(models + " is not here")
	}
	refused := []string{"animation_missing_node", "bad_json", "cyclic_skeleton", "future_version", "huge_accessor_count",
		"index_out_of_range", "joint_index_out_of_range", "nan_weights", "truncated_bin", "fox_meshopt"}
	for _, file := range files {
		want := 0
		for _, r := range refused {
			if strings.HasSuffix(file, r+".glb") {
				want = 1
			}
		}
		cmd := program("info", file, "--json")
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		_ = cmd.Run() // the exit code is checked below
		if code := cmd.ProcessState.ExitCode(); code != want {
			t.Errorf("%s: exit %d, want %d: %s", file, code, want, &stderr)
		}
		if want == 1 && !strings.Contains(stderr.String(), "error: "+filepath.Base(file)) {
			t.Errorf("%s: the error does not name the file: %s", file, &stderr)
		}
		if took := processorTime(cmd); took > time.Second { // takes under 0.1 s
			t.Errorf("%s: took %v", file, took)
		}
		if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok && usage.Maxrss > 200<<10 { // KiB on Linux
			t.Errorf("%s: took %d KiB of memory", file, usage.Maxrss)
		}
	}
}

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
	// The file plays the same EE that the fit said, within the tenth of it that baked keys may cost.
	rows := object(t, "compare", "demo:tube", "--clip", "train", "--frames", "6", "--methods", "lbs,"+out)["rows"].([]any)
	ee, want := rows[1].(map[string]any)["ee"].(float64), o["ee"].(float64)
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
	if o["train"] != "train, writhe" || o["frames"] != 11.0 {
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
}

// TestFitSaysHow: without flags a fit learns from all clips, says which operator it has chosen and why, measures linear
// blending beside it, and ends its summary with the verdict; a fit that makes clips worse warns of each.
func TestFitSaysHow(t *testing.T) {
	stdout, _, code := skinlab(t, "fit", "blend-bones", "demo:bar", "--bones", "3", "--test", "twist")
	for _, want := range []string{"blend-bones of dqs (no joint scales)", "24 poses of all clips",
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
}

// interrupted runs a command that -o tells where to write, presses Ctrl-C once it has said until, wants exit 130, and
// reads the model that it left.
func interrupted(t *testing.T, out, until string, args ...string) *skinning.Model {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("no signals to send on Windows")
	}
	cmd := program(append(args, "-o", out)...)
	seen := interruptAt(t, cmd, until)
	if code := cmd.ProcessState.ExitCode(); code != 130 {
		t.Errorf("exit %d after %q, want 130", code, seen)
	}
	m, err := assets.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// interruptAt runs a command to its end, with Ctrl-C once its standard error has the text, and returns all of that. How
// it ended is in the command's state.
func interruptAt(t *testing.T, cmd *exec.Cmd, until string) string {
	t.Helper()
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	seen := ""
	for buf := make([]byte, 256); !strings.Contains(seen, until); {
		n, err := stderr.Read(buf)
		if err != nil {
			t.Fatalf("%v after %q", err, seen)
		}
		seen += string(buf[:n])
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	rest, _ := io.ReadAll(stderr)
	_ = cmd.Wait() // the state says it all
	return seen + string(rest)
}

// Ctrl-C ends a fit and leaves the best model so far.
func TestInterruptedFitLeavesAFile(t *testing.T) {
	// Progress says when there is something to keep.
	m := interrupted(t, filepath.Join(t.TempDir(), "fitted.glb"), "  2 bones", "fit", "blend-bones", "demo:figure",
		"--bones", "200")
	if m.Blend == nil || len(m.Blend.Bones) < 1 {
		t.Errorf("the file holds no blend bones")
	}
}

// Ctrl-C while clips are baked leaves a file with the fitted model, and says what of it is coarse, where it does not come
// too late.
func TestInterruptedBaking(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no signals to send on Windows")
	}
	for range 5 {
		out := filepath.Join(t.TempDir(), "fitted.glb")
		cmd := program("fit", "half-way", "demo:figure", "--fps", "1000", "-o", out)
		var told strings.Builder
		cmd.Stdout = &told
		seen := interruptAt(t, cmd, "baking clip")
		if code := cmd.ProcessState.ExitCode(); code != 130 {
			t.Fatalf("exit %d after %q", code, seen)
		}
		m, err := assets.Open(out)
		if err != nil {
			t.Fatal(err)
		}
		if m.Blend == nil || len(m.Blend.Bones) < 1 {
			t.Fatal("the file holds no blend bones")
		}
		if strings.Contains(told.String(), "are baked coarsely") {
			return
		}
	}
	t.Error("no baking was interrupted")
}

// A third Ctrl-C ends the program while it writes what the first has left, and the second has it bake coarsely: the old
// file stays, and nothing lies beside it. It may be too late: the file is whole then, and it is tried again.
func TestInterruptedThrice(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no signals to send on Windows")
	}
	folder := t.TempDir()
	out := filepath.Join(folder, "fitted.glb")
	for try := range 10 {
		if err := os.WriteFile(out, []byte("before"), 0o600); err != nil {
			t.Fatal(err)
		}
		late := !endedWriting(t, out, time.Duration(5*(try+1))*time.Millisecond)
		if late {
			if _, err := assets.Open(out); err != nil {
				t.Fatal(err)
			}
		} else if text, err := os.ReadFile(out); err != nil || string(text) != "before" {
			t.Errorf("the old file holds %d bytes, %v", len(text), err)
		}
		if entries, err := os.ReadDir(folder); err != nil || len(entries) != 1 {
			t.Errorf("%d files are left: %v", len(entries), err)
		}
		if !late {
			return
		}
	}
	t.Error("no third signal ended the program")
}

// endedWriting interrupts a fit, again once it writes, and once more after a while. It reports whether that ended the
// program.
func endedWriting(t *testing.T, out string, while time.Duration) bool {
	t.Helper()
	// A thousand keys a second of every clip take seconds to bake.
	cmd := program("fit", "blend-bones", "demo:figure", "--bones", "200", "--fps", "1000", "--force", "-o", out)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	seen := ""
	for _, until := range []string{"  2 bones", "cancelled: writing"} {
		for buf := make([]byte, 256); !strings.Contains(seen, until); {
			n, err := stderr.Read(buf)
			if err != nil {
				t.Fatalf("%v after %q", err, seen)
			}
			seen += string(buf[:n])
		}
		_ = cmd.Process.Signal(os.Interrupt) // it may have ended
	}
	time.Sleep(while)
	_ = cmd.Process.Signal(os.Interrupt)
	_, _ = io.Copy(io.Discard, stderr)
	_ = cmd.Wait() // its state says it all
	if code := cmd.ProcessState.ExitCode(); cmd.ProcessState.Exited() && code != 130 {
		t.Fatalf("exit %d", code)
	}
	return !cmd.ProcessState.Exited()
}

// A level of skinning kernels that does not exist ends every command with the reason.
func TestUnknownKernelLevel(t *testing.T) {
	cmd := program("info", "demo:box")
	cmd.Env = append(cmd.Env, simd.Variable+"=mmx")
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState.ExitCode() != exitUsage ||
		!strings.Contains(string(out), "SKINLAB_SIMD=mmx: want one of [scalar avx2 avx512]") {
		t.Errorf("exit code %d, %v: %s", cmd.ProcessState.ExitCode(), err, out)
	}
}
