package methods

import (
	"slices"
	"testing"

	"skinlab/fit"
	"skinlab/fit/training"
	"skinlab/internal/assetstest"
	"skinlab/skinning"
)

// cut cuts a skin along all its edges: every triangle gets three vertices of its own. It returns the vertex of which
// each one is a copy.
func cut(m *skinning.Model) (of []uint32) {
	whole := m.Skin
	m.Skin = skinning.Mesh{Parts: slices.Clone(whole.Parts)}
	for k, t := range whole.Triangles {
		n := uint32(len(of))
		of, m.Skin.Triangles = append(of, t[:]...), append(m.Skin.Triangles, [3]uint32{n, n + 1, n + 2})
		for _, v := range t {
			m.Skin.Positions = append(m.Skin.Positions, whole.Positions[v])
			m.Skin.Normals = append(m.Skin.Normals, whole.Normals[v])
			w := whole.Of(nil, int(v))
			for i := range w { // as in a file with four decimals
				w[i].Weight *= 1 + 2e-5*float32(n%3)
			}
			m.Skin.Append(w, 0)
		}
		for i := range m.Skin.Parts {
			if p := &m.Skin.Parts[i]; p.FirstTriangle == k {
				p.FirstVertex, p.VertexCount = 3*k, 3*p.TriangleCount
			}
		}
	}
	return of
}

// TestSeams: copies of a vertex, which files have along seams, are the same in every fit, or the surface would crack.
func TestSeams(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	m := assetstest.Open(t, "demo:tube")
	of := cut(m)
	for _, method := range All() {
		if method.Learns == fit.Sequence || method.Learns == fit.Scans {
			continue
		}
		out := mustRun(t, fit.Job{Method: method, Model: m, Tests: training.Tests{Clip: -1},
			Training: &training.Set{Teacher: skinning.DQS, Parts: []training.Part{{Clip: 0, Frames: 6}}}}).Model
		first, changed := map[uint32][]skinning.Influence{}, false
		for v, vertex := range of {
			w := out.Skin.Of(nil, v)
			if first[vertex] == nil {
				first[vertex] = w
			}
			if !slices.Equal(w, first[vertex]) {
				t.Errorf("%s: vertex %d follows %v, a copy of it %v", method.Name, v, w, first[vertex])
				break
			}
			changed = changed || !slices.Equal(w, m.Skin.Of(nil, v))
		}
		if !changed {
			t.Errorf("%s changed no weights", method.Name)
		}
	}
}
