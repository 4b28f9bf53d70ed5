package clients_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"skinlab/assets"
	"skinlab/assets/gltf/export"
	"skinlab/internal/clients"
	"skinlab/internal/gltftest"
	"skinlab/internal/longtest"
	"skinlab/skinning"
)

// TestMeshopt: characters that gltf-transform compresses are posed to the bit as what it decompresses itself. An export
// of one has no compression and says so, and it plays the same within
// float32.
func TestMeshopt(t *testing.T) {
	longtest.Only(t)
	if err := clients.Install(t.Context(), scripts); err != nil {
		t.Skip(err)
	}
	shared, err := filepath.Abs(gltftest.SharedModels(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"CesiumMan.glb", "Fox.glb", "RobotExpressive.glb"} {
		for _, level := range []string{"medium", "high"} {
			folder := t.TempDir()
			packed, plain := filepath.Join(folder, "packed.glb"), filepath.Join(folder, "plain.glb")
			command := exec.CommandContext(t.Context(), "node", "compress.mjs", level, filepath.Join(shared, name), packed, plain)
			command.Dir = scripts
			if out, err := command.CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			if data, err := os.ReadFile(packed); err != nil || !bytes.Contains(data, []byte("EXT_meshopt_compression")) {
				t.Fatalf("%s, %s: not compressed: %v", name, level, err)
			}
			exported := filepath.Join(folder, "exported.glb")
			m, err := assets.Open(packed)
			if err != nil {
				t.Fatalf("%s, %s: %v", name, level, err)
			}
			report, err := export.File(t.Context(), exported, packed, m, export.Options{})
			if err != nil || !slices.ContainsFunc(report.Warnings, func(w string) bool { return bytes.Contains([]byte(w), []byte("is compressed with")) }) {
				t.Errorf("%s, %s: %v, warnings %q", name, level, err, report.Warnings)
			}
			if data, err := os.ReadFile(exported); err != nil || bytes.Contains(data, []byte("meshopt")) {
				t.Errorf("%s, %s: the export is compressed: %v", name, level, err)
			}
			want, again := shapes(t, plain), shapes(t, exported)
			for c, got := range shapes(t, packed) {
				if !slices.Equal(got.Positions, want[c].Positions) || !slices.Equal(got.Normals, want[c].Normals) {
					t.Errorf("%s, %s, clip %d is posed in another way than its plain twin", name, level, c)
				}
				most := 0.0 // an export has its weights in float32
				for v, p := range again[c].Positions {
					most = max(most, p.Sub(want[c].Positions[v]).Len()/m.Diagonal())
				}
				if !(most < 1e-6) {
					t.Errorf("%s, %s, clip %d: the export is %g of the diagonal off", name, level, c, most)
				}
			}
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
