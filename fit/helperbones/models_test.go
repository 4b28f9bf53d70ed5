package helperbones

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/assets"
	"skinlab/fit/training"
	"skinlab/skinning"
)

// modelsFolder holds the real models; tests on them are skipped where it is absent.
const modelsFolder = "../../../shared/models"

// openModel opens one of the real models.
func openModel(t testing.TB, name string) *skinning.Model {
	t.Helper()
	path := filepath.Join(modelsFolder, name)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("%s is not here", path)
	}
	m, err := assets.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// armExamples is the real arm's own 31 examples.
func armExamples(t testing.TB) *Examples {
	t.Helper()
	m := openModel(t, "examples/arm_examples.glb")
	set, err := training.Own(m)
	if err != nil {
		t.Fatal(err)
	}
	x, err := FromSet(m, set)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// humanExamples pairs every 21st key of the human's clip "exercise" with its target mesh: 49.
func humanExamples(t testing.TB) *Examples {
	t.Helper()
	m := openModel(t, "human_male.glb")
	text, err := os.ReadFile(filepath.Join(modelsFolder, "examples/human_male_exercise_targets.json"))
	if err != nil {
		t.Fatal(err)
	}
	var info struct {
		Clip     string    `json:"clip"`
		Vertices int       `json:"vertices"`
		Times    []float64 `json:"times"`
	}
	if err := json.Unmarshal(text, &info); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(modelsFolder, "examples/human_male_exercise_targets.f32"))
	if err != nil || len(data) != 12*info.Vertices*len(info.Times) {
		t.Fatalf("%d bytes for %d × %d vertices: %v", len(data), len(info.Times), info.Vertices, err)
	}
	targets := make([][]mgl64.Vec3, len(info.Times))
	for i := range targets {
		targets[i] = make([]mgl64.Vec3, info.Vertices)
		for v := range targets[i] {
			for c := range 3 {
				targets[i][v][c] = float64(math.Float32frombits(binary.LittleEndian.Uint32(data)))
				data = data[4:]
			}
		}
	}
	clip, err := m.ClipIndex(info.Clip)
	if err != nil {
		t.Fatal(err)
	}
	x, err := FromSet(m, &training.Set{Clip: clip, Times: info.Times, Targets: targets})
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// TestRealSets holds errors below those of linear blending, millimetres.
func TestRealSets(t *testing.T) {
	for name, c := range map[string]struct {
		load  func(testing.TB) *Examples
		bones int
		most  float64
	}{"arm": {armExamples, 4, 1.00}, "human": {humanExamples, 4, 1.60}} {
		x := c.load(t)
		d, err := Decompose(context.Background(), x, Options{Bones: c.bones})
		if err != nil {
			t.Fatal(err)
		}
		again := x.RMS(d.Weights, d.Motions)
		t.Logf("%s: rig %.3f mm, %d bones %.3f mm", name, 1e3*x.RMS(x.Rigged, nil), len(d.Motions), 1e3*again)
		if !(math.Abs(again-d.RMS) <= 1e-6*again) { // sums in another form
			t.Errorf("%s: says %g m, is %g m", name, d.RMS, again)
		}
		if len(d.Motions) != c.bones || !(1e3*again <= c.most) {
			t.Errorf("%s: %d bones, %.3f mm; at most %.2f mm", name, len(d.Motions), 1e3*again, c.most)
		}
	}
}
