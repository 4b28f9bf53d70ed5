// Package ssdrtest opens the examples of real models, for the tests of packages that decompose them.
package ssdrtest

import (
	"encoding/binary"
	"encoding/json"
	"math"
	"os"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/training"
	"skinlab/internal/assetstest"
	"skinlab/skinning"
)

// Arm is the real arm's own 31 examples.
func Arm(t testing.TB) *training.Examples {
	t.Helper()
	m := assetstest.Open(t, "examples/arm_examples.glb")
	set, err := training.Own(m)
	if err != nil {
		t.Fatal(err)
	}
	x, err := set.Examples(m)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// Human pairs every 21st key of the human's clip "exercise" with its target mesh: 49.
func Human(t testing.TB) *training.Examples {
	t.Helper()
	m, set := HumanSet(t)
	x, err := set.Examples(m)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// HumanSet returns the model and the training set of [Human].
func HumanSet(t testing.TB) (*skinning.Model, *training.Set) {
	t.Helper()
	m := assetstest.Open(t, "human_male.glb")
	text, err := os.ReadFile(assetstest.Path(t, "examples/human_male_exercise_targets.json"))
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
	data, err := os.ReadFile(assetstest.Path(t, "examples/human_male_exercise_targets.f32"))
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
	return m, &training.Set{Clip: clip, Times: info.Times, Targets: targets}
}
