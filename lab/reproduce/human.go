package main

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/assets"
	"skinlab/fit/training"
	"skinlab/skinning"
)

// The human and its target meshes, in the folder of models that are not built in.
const (
	humanModel   = "human_male.glb"
	humanTargets = "examples/human_male_exercise_targets"
)

// human returns the human with all its target meshes. They are not built in: where they are not in the folder of
// models, there is no model, and missing says which file is not there.
func human(w *work) (m *skinning.Model, set *training.Set, missing string, err error) {
	type read struct {
		m   *skinning.Model
		set *training.Set
	}
	r, err := once(w, humanModel, func() (read, error) {
		m, set, err := readHuman(w.opt.Folder)
		return read{m, set}, err
	})
	if file := new(fs.PathError); errors.Is(err, fs.ErrNotExist) && errors.As(err, &file) {
		return nil, nil, filepath.Base(file.Path), nil
	}
	return r.m, r.set, "", err
}

// readHuman reads the human and the shapes of its targets: little-endian float32, x, y and z of each vertex.
func readHuman(folder string) (*skinning.Model, *training.Set, error) {
	name := filepath.Join(folder, humanTargets)
	text, err := os.ReadFile(name + ".json")
	if err != nil {
		return nil, nil, err
	}
	var info struct {
		Clip     string
		Vertices int
		Times    []float64 // seconds in the clip, one for each shape
	}
	if err := json.Unmarshal(text, &info); err != nil {
		return nil, nil, fmt.Errorf("%s.json: %w", name, err)
	}
	data, err := os.ReadFile(name + ".f32")
	if err != nil {
		return nil, nil, err
	}
	if len(data) != 12*info.Vertices*len(info.Times) {
		return nil, nil, fmt.Errorf("%s.f32: %d bytes, expected %d shapes of %d vertices", name, len(data), len(info.Times),
			info.Vertices)
	}
	path := filepath.Join(folder, humanModel)
	if _, err := os.Stat(path); err != nil {
		return nil, nil, err
	}
	m, err := assets.Open(path)
	if err != nil {
		return nil, nil, err
	}
	set := &training.Set{Times: info.Times}
	if set.Clip, err = m.ClipIndex(info.Clip); err != nil {
		return nil, nil, err
	}
	for range info.Times {
		shape := make([]mgl64.Vec3, info.Vertices)
		for v := range shape {
			for c := range 3 {
				shape[v][c] = float64(math.Float32frombits(binary.LittleEndian.Uint32(data)))
				data = data[4:]
			}
		}
		set.Targets = append(set.Targets, shape)
	}
	return m, set, nil
}
