package enveloping

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

// humanExamples pairs every 21st key of the human's clip "exercise" with its target mesh.
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
	x, err := FromTargets(m, clip, info.Times, targets)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// BenchmarkFit times whole fits: RTER table 1 has 6 minutes for 11,106 vertices and 31 poses, and 30 seconds for 2,610 vertices.
func BenchmarkFit(b *testing.B) {
	for _, c := range []struct {
		name     string
		examples func(testing.TB) *Examples
		proxies  int
	}{
		{"human", humanExamples, 80},
		{"arm", func(t testing.TB) *Examples {
			x, err := FromSet(openModel(t, "examples/arm_examples.glb"))
			if err != nil {
				t.Fatal(err)
			}
			return x
		}, 30},
	} {
		b.Run(c.name, func(b *testing.B) {
			x := c.examples(b)
			for b.Loop() {
				r, err := Fit(context.Background(), x, Options{Proxies: c.proxies})
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric(r.Fit.EE, "EE%")
				b.ReportMetric(r.SSD.EE, "SSD-EE%")
			}
		})
	}
}
