package export

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/assets"
	"skinlab/internal/clients"
	"skinlab/internal/gltftest"
	"skinlab/internal/longtest"
	"skinlab/skinning"
	"skinlab/skinning/remodel"
)

// scripts are the parts of other people's programs that exports are held against.
var scripts = filepath.Join("testdata", "clients")

// clientFile is an exported file and the model that it should show.
type clientFile struct {
	path  string
	model *skinning.Model
}

// clientFiles exports every model of the list, one more time with shear, some with proxies, some with helper bones, and
// the built-in ones as they are.
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
		again, _, out := export(t, gltftest.HalfWay(t, m, e.operator, 12), data, folder, Options{RMS: 0.003})
		add(e.name, out, again)
	}
	again, _, out := export(t, sheared(t), nil, nil, Options{RMS: 0.003})
	add("sheared", out, again)
	for _, name := range []string{"RobotExpressive.glb", "CesiumMan.glb"} {
		m, data, folder := source(t, name)
		again, _, out := export(t, gltftest.Enveloped(t, m, 12), data, folder, Options{RMS: 0.003})
		add("proxies-"+name, out, again)
	}
	for _, name := range []string{"demo:arm", "Fox.glb", "RobotExpressive.glb", "human_male.glb"} {
		m, data, folder := source(t, name)
		again, _, out := export(t, gltftest.Helped(t, m, 12, name != "Fox.glb"), data, folder, Options{RMS: 0.003})
		add("helpers-"+name, out, again)
	}
	again, _, out = export(t, gltftest.Helped(t, stretched(t), 12, true), nil, nil, Options{RMS: 0.003})
	add("helpers-stretched", out, again)
	for _, name := range []string{"demo:arm", filepath.Join("examples", "arm_examples.glb")} {
		m, fitted, data, folder, e := fittedArm(t, name)
		again, _, out := export(t, fitted, data, folder, Options{RMS: e.RMS / m.Diagonal()})
		add("enveloping-"+filepath.Base(name), out, again)
	}
	data := encoded(t, gltftest.Morphing(9))
	morphing := decoded(t, "morphing.glb", data)
	again, _, out = export(t, freed(t, remodel.BindRigid(morphing), -1, 0), data, nil, Options{})
	add("free-joints", out, again)
	for _, name := range append(assets.BuiltIn(), "two-sets") {
		var m *skinning.Model
		if name == "two-sets" {
			m, _, _ = source(t, "CesiumMan.glb")
			m.Skin.SetSecond(skinning.TwistSwing, spreadWeights(m))
		} else {
			m, _, _ = source(t, name)
		}
		data := encoded(t, m)
		m = decoded(t, name, data)
		add("plain-"+name, data, m)
	}
	return files
}

// TestClients holds exported and encoded files against other people's programs.
func TestClients(t *testing.T) {
	longtest.Only(t)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	if err := clients.Install(ctx, scripts); err != nil {
		t.Skipf("exports are not held against the Khronos validator and three.js: %v", err)
	}
	files := clientFiles(t)
	t.Run("KhronosValidator", func(t *testing.T) { validate(t, files) })
	t.Run("ThreeJS", func(t *testing.T) { poseElsewhere(t, files) })
}

// validate: the Khronos validator finds no error in any file.
func validate(t *testing.T, files []clientFile) {
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
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, "node", append([]string{"validate.mjs"}, paths...)...)
	command.Dir = scripts
	out, err := command.Output()
	if err == nil {
		err = json.Unmarshal(out, &results)
	}
	if err != nil {
		t.Fatal(err)
	}
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

// poseElsewhere: three.js skins every file as we do. Its matrices are float64, its tracks float32 like ours, its blends
// of keys its own: 1e-6 of the diagonal. It does not normalise quaternions that are kept in shorts, whose length is off
// by 1e-5: 5e-6, a hundredth of what these exports may be off between keys. SimpleSkin's own rotation keys are written
// with three digits, (0, 0, 0.707, 0.707); we normalise them and three.js does not, which is 1.5e-4 of a length.
func poseElsewhere(t *testing.T, files []clientFile) {
	var queries []clients.Query
	for _, f := range files {
		q := clients.Query{File: f.path, Poses: []clients.Pose{{Clip: -1}}}
		for clip := range min(len(f.model.Clips), 3) {
			for _, u := range []float64{0, 0.29, 0.613} {
				q.Poses = append(q.Poses, clients.Pose{Clip: clip, Time: u * f.model.Clips[clip].Seconds})
			}
		}
		queries = append(queries, q)
	}
	worst, seen := make([]float64, len(files)), make([]int, len(files))
	err := clients.ThreeJS().Run(t.Context(), scripts, queries,
		func(query, pose int, parts []clients.Part, positions []float64) error {
			m, p := files[query].model, queries[query].Poses[pose]
			sampled, palette := gltftest.Posed(m, p.Clip, p.Time)
			for _, s := range parts {
				for _, part := range m.Skin.Parts {
					if part.Node != s.Node || part.Primitive != s.Primitive {
						continue
					}
					if s.Count != part.VertexCount {
						return fmt.Errorf("%d vertices, expected %d", s.Count, part.VertexCount)
					}
					seen[query] += s.Count
					for v := range s.Count {
						at := gltftest.LinearBlend(m, sampled, palette, part.FirstVertex+v)
						worst[query] = math.Max(worst[query], at.Sub(mgl64.Vec3(positions[3*v:3*v+3])).Len())
					}
				}
				positions = positions[3*s.Count:]
			}
			return nil
		})
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range files {
		worst, seen := worst[i]/f.model.Diagonal(), seen[i]
		t.Logf("%s: %.2g of the diagonal over %d vertices", filepath.Base(f.path), worst, seen)
		if want := len(f.model.Skin.Positions) * len(queries[i].Poses); seen != want {
			t.Errorf("%s: %d vertices compared, expected %d", filepath.Base(f.path), seen, want)
		}
		tolerance := 5e-6
		if name := filepath.Base(f.path); strings.HasPrefix(name, "plain-") || strings.HasPrefix(name, "helpers-") {
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
