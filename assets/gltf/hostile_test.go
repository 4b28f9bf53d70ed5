package gltf

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"skinlab/assets/fault"
	"skinlab/internal/cputime"
	"skinlab/internal/gltftest"
	"skinlab/skinning"
)

// TestHostileFiles gives every file of ../shared/models/hostile what its README asks for. The files that load are held
// against reference positions by TestReferencePositions as well.
func TestHostileFiles(t *testing.T) {
	dir := filepath.Join(gltftest.SharedModels(t), "hostile")
	loads := func(warning string, check func(*testing.T, *skinning.Model)) func(*testing.T, *skinning.Model, error) {
		return func(t *testing.T, m *skinning.Model, err error) {
			if err != nil {
				t.Fatal(err)
			}
			gltftest.CheckModel(t, m)
			if (warning == "") != (len(m.Warnings) == 0) || !gltftest.HasWarning(m, warning) && warning != "" {
				t.Errorf("warnings %q, expected %q", m.Warnings, warning)
			}
			if check != nil {
				check(t, m)
			}
		}
	}
	refused := func(kind error, text string) func(*testing.T, *skinning.Model, error) {
		return func(t *testing.T, m *skinning.Model, err error) {
			if !errors.Is(err, kind) || !strings.Contains(err.Error(), text) {
				t.Errorf("%v: expected %v saying %q", err, kind, text)
			}
		}
	}
	load := func(name string) *skinning.Model {
		m, err := openFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	baseline := load("baseline.glb")
	// likeBaseline compares the posed beam with the well-formed one at 1 s.
	likeBaseline := func(tolerance float64) func(*testing.T, *skinning.Model) {
		return func(t *testing.T, m *skinning.Model) {
			pose, palette := gltftest.Posed(m, 0, 1)
			wantPose, wantPalette := gltftest.Posed(baseline, 0, 1)
			for v := range baseline.Skin.Positions {
				d := gltftest.LinearBlend(m, pose, palette, v).Sub(gltftest.LinearBlend(baseline, wantPose, wantPalette, v)).Len()
				if !(d <= tolerance) {
					t.Fatalf("vertex %d is %g from the baseline's", v, d)
				}
			}
		}
	}
	cases := map[string]func(*testing.T, *skinning.Model, error){
		"animation_missing_node.glb": refused(fault.ErrMalformed, `animation 0 "bend", channel 0: node 99 does not exist`),
		"bad_json.glb":               refused(fault.ErrMalformed, "the JSON is invalid"),
		"baseline.glb":               loads("", nil),
		"cyclic_skeleton.glb":        refused(fault.ErrMalformed, "the node hierarchy is a cycle"),
		"future_version.glb":         refused(fault.ErrUnsupported, "this reader reads 2.0"),
		"huge_accessor_count.glb":    refused(fault.ErrMalformed, "accessor 0: 2147483647 elements"),
		"index_out_of_range.glb":     refused(fault.ErrMalformed, "index 16 is 60000, the primitive has 300 vertices"),
		"joint_index_out_of_range.glb": refused(fault.ErrMalformed,
			"JOINTS_0: vertex 150: joint 200 does not exist, the skin has 3"),
		"morph_and_skin.glb": loads("", func(t *testing.T, m *skinning.Model) {
			if len(m.MorphSlots) != 2 || len(m.Skin.Morphs) != 2 {
				t.Errorf("%d slots, %d morphs", len(m.MorphSlots), len(m.Skin.Morphs))
			}
		}),
		"nan_weights.glb":              refused(fault.ErrMalformed, "WEIGHTS_0: vertex 100 is [NaN"),
		"negative_scale_joint.glb":     loads("", nil),
		"no_inverse_bind_matrices.glb": loads("", nil),
		"quantized.glb":                loads("", likeBaseline(1e-4)), // the README's own bound: int16 steps of 2/32767
		"sparse_positions.glb": loads("", func(t *testing.T, m *skinning.Model) {
			for v := 60; v < 72; v++ {
				p := m.Skin.Positions[v]
				if r := math.Hypot(float64(p[0]), float64(p[2])); !(math.Abs(r-0.4) <= 1e-6) { // float32
					t.Errorf("vertex %d has radius %g, expected 0.4", v, r)
				}
			}
		}),
		"truncated_bin.glb": refused(fault.ErrMalformed, "truncated"),
		"two_weight_sets.glb": loads("", func(t *testing.T, m *skinning.Model) {
			if _, most := m.Skin.Stats(); most != 7 {
				t.Errorf("%d influences at most, expected 7", most)
			}
		}),
		"unnormalised_weights.glb": loads("300 vertices have weights that do not sum to 1", likeBaseline(1e-6)), // rounding
		"weights_u8.glb":           loads("", likeBaseline(1.0/255)),                                            // the README's bound
		"zero_weights.glb": loads("30 vertices have no weight above 0", func(t *testing.T, m *skinning.Model) {
			if got := m.Skin.Of(nil, 200); !slices.Equal(got, []skinning.Influence{{Joint: 0, Weight: 1}}) {
				t.Errorf("vertex 200 follows %v, expected joint 0 alone", got)
			}
		}),
		"fox_meshopt.glb": loads("", func(t *testing.T, m *skinning.Model) {
			if len(m.Skin.Positions) != 434 || len(m.Clips) != 3 {
				t.Errorf("%d vertices and %d clips, expected 434 and 3", len(m.Skin.Positions), len(m.Clips))
			}
		}),
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.gl*"))
	if err != nil || len(files) == 0 {
		t.Fatal(err, len(files))
	}
	for _, path := range files {
		name := filepath.Base(path)
		t.Run(name, func(t *testing.T) {
			check, ok := cases[name]
			if !ok {
				t.Fatal("no expectation for this file")
			}
			var m *skinning.Model
			var err error
			if d := cputime.Of(func() { m, err = openFile(path) }); d > time.Second { // takes under 50 ms
				t.Errorf("took %v", d)
			}
			if err != nil && !strings.HasPrefix(err.Error(), name+": ") {
				t.Errorf("%q does not name the file", err)
			}
			check(t, m, err)
		})
	}
}

// TestSharedModelsTruncated cuts every hostile and conformance file at many places: an error each time, at once.
func TestSharedModelsTruncated(t *testing.T) {
	dir := gltftest.SharedModels(t)
	for _, pattern := range []string{"hostile/*.glb", "conformance/*.glb"} {
		paths, _ := filepath.Glob(filepath.Join(dir, filepath.FromSlash(pattern)))
		for _, path := range paths {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for k := range 40 {
				if _, err := decode(data[:len(data)*k/40], nil, "", progress{}); !errors.Is(err, fault.ErrMalformed) {
					t.Errorf("%s cut at %d/40: %v", path, k, err)
				}
			}
		}
	}
}
