package assets

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/internal/gltftest"
	"skinlab/skinning"
)

type referenceEntry struct {
	File        string
	Clip        *string
	ClipIndex   *int `json:"clip_index"`
	Time        float64
	Node        int
	Primitive   int
	VertexCount int `json:"vertex_count"`
	Centroid    mgl64.Vec3
	Min, Max    mgl64.Vec3
	Vertices    []int
	Positions   []mgl64.Vec3
}

// TestReferencePositions holds every entry of reference_lbs.json. Tolerance: 1e-6 of the rest-pose diagonal for float32
// rest positions, weights and keys (6e-8 each), and on top of it √3/2 · 1e-6 units, because the references are rounded
// to the sixth decimal. The file itself allows 1e-4 of the model's size.
func TestReferencePositions(t *testing.T) {
	dir := gltftest.SharedModels(t)
	text, err := os.ReadFile(filepath.Join(dir, "reference_lbs.json"))
	if err != nil {
		t.Skip(err)
	}
	var file struct{ Entries []referenceEntry }
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Entries) == 0 {
		t.Fatal("no entries")
	}
	const tolerance, rounding = 1e-6, 0.87e-6
	models := map[string]*skinning.Model{}
	worst, worstFile := 0.0, ""
	for _, e := range file.Entries {
		m := models[e.File]
		if m == nil {
			if m, err = Open(filepath.Join(dir, filepath.FromSlash(e.File))); err != nil {
				t.Errorf("%s: %v", e.File, err)
				continue
			}
			models[e.File] = m
		}
		d := referenceDistance(t, m, &e)
		if !(d <= tolerance+rounding/m.Diagonal()) {
			t.Errorf("%s clip %v at %g s, node %d, primitive %d: off by %.3g of the diagonal", e.File, e.ClipIndex, e.Time,
				e.Node, e.Primitive, d)
		}
		if d > worst {
			worst, worstFile = d, e.File
		}
	}
	t.Logf("%d entries in %d files, worst %.3g of the diagonal (%s)", len(file.Entries), len(models), worst, worstFile)
}

// referenceDistance returns the largest distance of a sampled vertex, the centroid and the bounds, as a fraction of the
// model's rest diagonal.
func referenceDistance(t *testing.T, m *skinning.Model, e *referenceEntry) float64 {
	clip := -1
	if e.ClipIndex != nil {
		clip = *e.ClipIndex
		if got, err := m.ClipIndex(*e.Clip); err != nil || m.Clips[got].Name != m.Clips[clip].Name {
			t.Errorf("%s: clip %q is called %q here (%v)", e.File, *e.Clip, m.Clips[clip].Name, err)
		}
	}
	pose, palette := gltftest.Posed(m, clip, e.Time)
	for _, part := range m.Skin.Parts {
		if part.Node != e.Node || part.Primitive != e.Primitive {
			continue
		}
		if part.VertexCount != e.VertexCount {
			t.Errorf("%s: %d vertices, expected %d", e.File, part.VertexCount, e.VertexCount)
			return math.Inf(1)
		}
		worst := 0.0
		for i, v := range e.Vertices {
			worst = math.Max(worst, gltftest.LinearBlend(m, pose, palette, part.FirstVertex+v).Sub(e.Positions[i]).Len())
		}
		var sum mgl64.Vec3
		lo, hi := mgl64.Vec3{math.Inf(1), math.Inf(1), math.Inf(1)}, mgl64.Vec3{math.Inf(-1), math.Inf(-1), math.Inf(-1)}
		for v := range part.VertexCount {
			p := gltftest.LinearBlend(m, pose, palette, part.FirstVertex+v)
			sum = sum.Add(p)
			for c := range p {
				lo[c], hi[c] = math.Min(lo[c], p[c]), math.Max(hi[c], p[c])
			}
		}
		worst = math.Max(worst, sum.Mul(1/float64(part.VertexCount)).Sub(e.Centroid).Len())
		return math.Max(worst, math.Max(lo.Sub(e.Min).Len(), hi.Sub(e.Max).Len())) / m.Diagonal()
	}
	t.Errorf("%s: no skinned part of node %d, primitive %d", e.File, e.Node, e.Primitive)
	return math.Inf(1)
}

// TestLoadEverySharedModel loads every model outside hostile/ and checks its invariants.
func TestLoadEverySharedModel(t *testing.T) {
	dir := gltftest.SharedModels(t)
	count := 0
	for _, pattern := range []string{"*.gl*", "conformance/*.gl*", "examples/*.gl*", "sequences/*.gl*"} {
		paths, err := filepath.Glob(filepath.Join(dir, filepath.FromSlash(pattern)))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			count++
			m, err := Open(path)
			if err != nil {
				t.Errorf("%s: %v", path, err)
				continue
			}
			gltftest.CheckModel(t, m)
		}
	}
	if count == 0 {
		t.Fatal("no models found")
	}
}
