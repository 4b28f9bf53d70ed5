package assets

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
)

// clients returns the folder of other people's glTF programs, installing them on first use, or skips the test saying
// why.
func clients(t *testing.T) string {
	t.Helper()
	dir := filepath.Join("testdata", "clients")
	for _, tool := range []string{"node", "npm"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("%s is not installed: exports are not held against the Khronos validator and three.js", tool)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "node_modules", ".package-lock.json")); err == nil {
		return dir
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	install := exec.CommandContext(ctx, "npm", "ci", "--no-audit", "--no-fund")
	install.Dir = dir
	if out, err := install.CombinedOutput(); err != nil {
		os.RemoveAll(filepath.Join(dir, "node_modules")) // no half installation for the next run
		t.Skipf("the clients cannot be installed (%v): %s", err, lastLine(out))
	}
	return dir
}

func lastLine(text []byte) string {
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return lines[len(lines)-1]
}

// runClient runs a script of the clients and decodes what it prints.
func runClient(t *testing.T, dir, script string, input []byte, result any, args ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, "node", append([]string{script}, args...)...)
	command.Dir = dir
	command.Stdin = bytes.NewReader(input)
	out, err := command.Output()
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		t.Fatalf("%s: %v: %s", script, err, failed.Stderr)
	}
	if err == nil {
		err = json.Unmarshal(out, result)
	}
	if err != nil {
		t.Fatalf("%s: %v", script, err)
	}
}

// clientFile is an exported file and the model that it should show.
type clientFile struct {
	path  string
	model *skinning.Model
}

// clientFiles exports every model of the list, one more time with shear, some with proxies, and the built-in ones as
// they are.
func clientFiles(t *testing.T) []clientFile {
	dir := t.TempDir()
	var files []clientFile
	add := func(name string, data []byte, m *skinning.Model) {
		path := filepath.Join(dir, strings.NewReplacer(":", "-", ".gltf", "", ".glb", "").Replace(name)+".glb")
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		files = append(files, clientFile{path, m})
	}
	for _, e := range exported {
		m, data, folder := source(t, e.name)
		again, _, out := export(t, halfWay(t, m, e.operator, 12), data, folder, ExportOptions{RMS: 0.003})
		add(e.name, out, again)
	}
	again, _, out := export(t, sheared(t), nil, nil, ExportOptions{RMS: 0.003})
	add("sheared", out, again)
	for _, name := range []string{"RobotExpressive.glb", "CesiumMan.glb"} {
		m, data, folder := source(t, name)
		again, _, out := export(t, enveloped(t, m, 12), data, folder, ExportOptions{RMS: 0.003})
		add("proxies-"+name, out, again)
	}
	for _, name := range []string{"demo:arm", filepath.Join("examples", "arm_examples.glb")} {
		m, fitted, data, folder, e := fittedArm(t, name)
		again, _, out := export(t, fitted, data, folder, ExportOptions{RMS: e.RMS / m.Diagonal()})
		add("enveloping-"+filepath.Base(name), out, again)
	}
	for _, name := range BuiltIn() {
		m, _, _ := source(t, name)
		data, err := Encode(m)
		if err != nil {
			t.Fatal(err)
		}
		if m, err = decodeBytes(name, data, nil); err != nil {
			t.Fatal(err)
		}
		add("plain-"+name, data, m)
	}
	return files
}

// TestClients holds exported and encoded files against other people's programs.
func TestClients(t *testing.T) {
	if testing.Short() {
		t.Skip("short: the tests of baking run what is concurrent in it")
	}
	dir := clients(t)
	files := clientFiles(t)
	t.Run("KhronosValidator", func(t *testing.T) { validate(t, dir, files) })
	t.Run("ThreeJS", func(t *testing.T) { poseElsewhere(t, dir, files) })
}

// validate: the Khronos validator finds no error in any file.
func validate(t *testing.T, dir string, files []clientFile) {
	var paths []string
	for _, f := range files {
		paths = append(paths, f.path)
	}
	var results []struct {
		File             string
		Errors, Warnings int
		Messages         []struct {
			Code, Message, Pointer string
			Severity               int
		}
	}
	runClient(t, dir, "validate.mjs", nil, &results, paths...)
	if len(results) != len(paths) {
		t.Fatalf("%d results for %d files", len(results), len(paths))
	}
	for _, r := range results {
		t.Logf("%s: %d errors, %d warnings", filepath.Base(r.File), r.Errors, r.Warnings)
		for i, m := range r.Messages {
			if m.Severity == 0 && i < 5 {
				t.Errorf("%s: %s at %s: %s", filepath.Base(r.File), m.Code, m.Pointer, m.Message)
			}
		}
		if r.Errors > 0 {
			t.Errorf("%s: %d errors", filepath.Base(r.File), r.Errors)
		}
	}
}

type clientPose struct {
	Clip int     `json:"clip"`
	Time float64 `json:"time"`
}

// poseElsewhere: three.js skins every file as we do. Its matrices are float64, its tracks float32 like ours, its blends of
// keys its own: 1e-6 of the diagonal. It does not normalise quaternions that are kept in shorts, whose length is off by
// 1e-5: 5e-6, a hundredth of what these exports may be off between keys. SimpleSkin's own rotation keys are written with three digits, (0, 0,
// 0.707, 0.707); we normalise them and three.js does not, which is 1.5e-4 of a length.
func poseElsewhere(t *testing.T, dir string, files []clientFile) {
	type query struct {
		File  string       `json:"file"`
		Poses []clientPose `json:"poses"`
	}
	var queries []query
	for _, f := range files {
		q := query{File: f.path, Poses: []clientPose{{-1, 0}}}
		for clip := range min(len(f.model.Clips), 3) {
			for _, u := range []float64{0, 0.29, 0.613} {
				q.Poses = append(q.Poses, clientPose{clip, u * f.model.Clips[clip].Seconds})
			}
		}
		queries = append(queries, q)
	}
	input, err := json.Marshal(queries)
	if err != nil {
		t.Fatal(err)
	}
	var answers [][][]struct {
		Node, Primitive int
		Positions       []float64
	}
	runClient(t, dir, "pose.mjs", input, &answers)
	for i, f := range files {
		worst, seen := 0.0, 0
		for k, shown := range answers[i] {
			pose, palette := posed(f.model, queries[i].Poses[k].Clip, queries[i].Poses[k].Time)
			for _, s := range shown {
				for _, part := range f.model.Skin.Parts {
					if part.Node != s.Node || part.Primitive != s.Primitive {
						continue
					}
					if len(s.Positions) != 3*part.VertexCount {
						t.Fatalf("%s: %d numbers for %d vertices", f.path, len(s.Positions), part.VertexCount)
					}
					seen += part.VertexCount
					for v := range part.VertexCount {
						p := linearBlend(f.model, pose, palette, part.FirstVertex+v)
						worst = math.Max(worst, p.Sub(mgl64.Vec3(s.Positions[3*v:3*v+3])).Len())
					}
				}
			}
		}
		worst /= f.model.Diagonal()
		t.Logf("%s: %.2g of the diagonal over %d vertices", filepath.Base(f.path), worst, seen)
		if want := len(f.model.Skin.Positions) * len(queries[i].Poses); seen != want {
			t.Errorf("%s: %d vertices compared, expected %d", filepath.Base(f.path), seen, want)
		}
		tolerance := 5e-6
		if strings.HasPrefix(filepath.Base(f.path), "plain-") {
			tolerance = 1e-6
		}
		if filepath.Base(f.path) == "SimpleSkin.glb" {
			tolerance = 2e-4
		}
		if !(worst <= tolerance) {
			t.Errorf("%s: %.3g of the diagonal", filepath.Base(f.path), worst)
		}
	}
}
