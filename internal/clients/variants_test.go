package clients_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/assets"
	"skinlab/assets/gltf/export"
	"skinlab/internal/clients"
	"skinlab/internal/gltftest"
	"skinlab/internal/longtest"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// kinds are the ways in which public files are written by gltf-transform.
var kinds = []string{"medium", "high", "quantized", "webp", "interleaved", "sparse", "instanced", "variants"}

// TestVariants: files as they are public, made by gltf-transform from characters (compressed by meshopt, quantised, with
// WebP, interleaved, sparse, instanced, with variants of materials), are posed to the bit as their plain twins. Of
// quantised ones the twin is what gltf-transform makes of them in float32, to 1e-6 of the diagonal. An export of a
// compressed file has no compression and says so, and it plays the same within float32.
func TestVariants(t *testing.T) {
	longtest.Only(t)
	if err := clients.Install(t.Context(), scripts); err != nil {
		t.Skip(err)
	}
	shared, err := filepath.Abs(gltftest.SharedModels(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"CesiumMan.glb", "Fox.glb", "RobotExpressive.glb"} {
		for _, kind := range kinds {
			t.Run(name+", "+kind, func(t *testing.T) {
				folder := t.TempDir()
				variant, plain := filepath.Join(folder, "variant.glb"), filepath.Join(folder, "plain.glb")
				command := exec.CommandContext(t.Context(), "node", "variants.mjs", kind, filepath.Join(shared, name), variant, plain)
				command.Dir = scripts
				if out, err := command.CombinedOutput(); err != nil {
					t.Fatalf("%v: %s", err, out)
				}
				tolerance := 0.0 // of the diagonal
				if kind == "quantized" {
					tolerance = 1e-6
				}
				m := samePoses(t, variant, plain, tolerance)
				if data, err := os.ReadFile(variant); err != nil || bytes.Contains(data, []byte("EXT_meshopt_compression")) {
					compressedExport(t, m, variant, plain)
				} else if kind == "medium" || kind == "high" {
					t.Error("not compressed")
				}
			})
		}
	}
}

// samePoses holds a file against its twin in the middle of each clip: the skin, and the places of rigid triangles.
func samePoses(t *testing.T, path, twin string, tolerance float64) *skinning.Model {
	t.Helper()
	m, err := assets.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	want := shapes(t, twin)
	for c, got := range shapes(t, path) {
		if tolerance == 0 {
			if !slices.Equal(got.Positions, want[c].Positions) || !slices.Equal(got.Normals, want[c].Normals) {
				t.Errorf("clip %d is posed in another way than its plain twin", c)
			}
			continue
		}
		if off := farthest(got, want[c]) / m.Diagonal(); !(off <= tolerance) {
			t.Errorf("clip %d is %g of the diagonal off its plain twin", c, off)
		}
	}
	plain, err := assets.Open(twin)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := rigidCorners(m), rigidCorners(plain); len(a) != len(b) {
		t.Errorf("%d corners of rigid triangles, the twin has %d", len(a), len(b))
	} else {
		for i := range a {
			if !(a[i].Sub(b[i]).Len() <= 1e-6*m.Diagonal()) {
				t.Fatalf("corner %d of the rigid triangles is at %v, in the twin at %v", i, a[i], b[i])
			}
		}
	}
	return m
}

// rigidCorners returns the corners of all rigid triangles in the static pose.
func rigidCorners(m *skinning.Model) (all []mgl64.Vec3) {
	globals := make([]geom.Affine, len(m.Skeleton.Nodes))
	m.Skeleton.Globals(globals, m.NewPose())
	for i := range m.Rigid {
		mesh := &m.Rigid[i]
		for _, tri := range mesh.Triangles {
			for _, v := range tri {
				all = append(all, globals[mesh.Parts[0].Node].Apply(geom.Vec64(mesh.Positions[v])))
			}
		}
	}
	return all
}

// farthest returns the largest distance between two shapes.
func farthest(a, b skinning.Shape) (most float64) {
	for v, p := range a.Positions {
		most = max(most, p.Sub(b.Positions[v]).Len())
	}
	return most
}

// compressedExport holds an export of a compressed file against its plain twin.
func compressedExport(t *testing.T, m *skinning.Model, compressed, plain string) {
	t.Helper()
	exported := filepath.Join(t.TempDir(), "exported.glb")
	report, err := export.File(t.Context(), exported, compressed, m, export.Options{})
	if err != nil || !slices.ContainsFunc(report.Warnings, func(w string) bool { return strings.Contains(w, "is compressed with") }) {
		t.Errorf("%v, warnings %q", err, report.Warnings)
	}
	if data, err := os.ReadFile(exported); err != nil || bytes.Contains(data, []byte("meshopt")) {
		t.Errorf("the export is compressed: %v", err)
	}
	want := shapes(t, plain)
	for c, got := range shapes(t, exported) {
		if off := farthest(got, want[c]) / m.Diagonal(); !(off < 1e-6) { // an export has its weights in float32
			t.Errorf("clip %d: the export is %g of the diagonal off", c, off)
		}
	}
}

// shapes returns the shape in the middle of each clip of a file.
func shapes(t *testing.T, path string) (all []skinning.Shape) {
	t.Helper()
	m, err := assets.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	f, pose := skinning.NewFrame(m, nil), m.NewPose()
	for c := range m.Clips {
		m.SamplePose(pose, c, m.Clips[c].Seconds/2)
		f.SetPose(pose)
		all = append(all, f.Reference(skinning.DQS))
	}
	return all
}
