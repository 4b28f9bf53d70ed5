package metrics_test

import (
	"testing"

	"github.com/go-gl/mathgl/mgl32"

	"skinlab/skinning/metrics"
)

// TestOpenEdges counts on a tetrahedron, whole, split along all edges as textured files are, and with faults that each
// open a known number of edges.
func TestOpenEdges(t *testing.T) {
	corners := []mgl32.Vec3{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}
	faces := [][3]uint32{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}
	var split []mgl32.Vec3
	var own [][3]uint32
	for _, f := range faces {
		n := uint32(len(split))
		split = append(split, corners[f[0]], corners[f[1]], corners[f[2]])
		own = append(own, [3]uint32{n, n + 1, n + 2})
	}
	turned := append([][3]uint32{{0, 1, 2}}, faces[1:]...)
	flat := append(append([][3]uint32{}, faces...), [3]uint32{1, 1, 3})
	for _, c := range []struct {
		name      string
		positions []mgl32.Vec3
		triangles [][3]uint32
		want      int
	}{
		{"closed", corners, faces, 0},
		{"split along its edges", split, own, 0},
		{"with a triangle without area", corners, flat, 0},
		{"without a face", corners, faces[1:], 3},
		{"with a face turned over", corners, turned, 6}, // each of its edges is gone along twice the same way
		{"nothing", nil, nil, 0},
	} {
		if got := metrics.OpenEdges(c.positions, c.triangles); got != c.want {
			t.Errorf("%s: %d open edges, expected %d", c.name, got, c.want)
		}
	}
}
