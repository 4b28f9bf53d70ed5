package metrics_test

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/internal/assetstest"
	"skinlab/skinning"
	"skinlab/skinning/metrics"
)

// TestOpenEdges counts on a tetrahedron, whole, split along all edges as textured files are, and with faults that each
// open a known number of edges, or turn triangles against each other at such a number.
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
		open      int
		against   int
	}{
		{"closed", corners, faces, 0, 0},
		{"split along its edges", split, own, 0, 0},
		{"with a triangle without area", corners, flat, 0, 0},
		{"without a face", corners, faces[1:], 3, 0},
		{"with a face turned over", corners, turned, 0, 3},
		{"with a face turned over and without another", corners, turned[:3], 3, 2}, // each face has an edge with each
		{"nothing", nil, nil, 0, 0},
	} {
		b := metrics.NewBody(c.positions, c.triangles)
		if b.OpenEdges() != c.open || b.EdgesAgainst() != c.against {
			t.Errorf("%s: %d open edges and %d between opposite triangles, expected %d and %d", c.name, b.OpenEdges(),
				b.EdgesAgainst(), c.open, c.against)
		}
	}
}

// The volumes of bodies that are known, closed and open, do not depend on where they are. Tolerance 1e-12 m³: sums in
// float64 of numbers below 10.
func TestVolume(t *testing.T) {
	corners := []mgl32.Vec3{{0, 0, 0}, {1, 0, 0}, {0, 2, 0}, {0, 0, 3}}
	box := []mgl32.Vec3{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 2}, {1, 0, 2}, {1, 1, 2}, {0, 1, 2}}
	var sides [][3]uint32 // of a box of 1·1·2 without top and bottom
	for k := range uint32(4) {
		next := (k + 1) % 4
		sides = append(sides, [3]uint32{k, next, next + 4}, [3]uint32{k, next + 4, k + 4})
	}
	for _, c := range []struct {
		name      string
		positions []mgl32.Vec3
		triangles [][3]uint32
		want      float64
	}{
		{"tetrahedron", corners, [][3]uint32{{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}, 1},
		{"box with two holes", box, sides, 2},
		{"box without a side", box, sides[2:], 1}, // three pyramids of 1/3 m³: its one rim has its middle in the box's
		{"nothing", nil, nil, 0},
	} {
		for _, by := range []mgl64.Vec3{{}, {5, -3, 2}} {
			moved := make([]mgl64.Vec3, len(c.positions))
			for v, p := range c.positions {
				moved[v] = mgl64.Vec3{float64(p[0]), float64(p[1]), float64(p[2])}.Add(by)
			}
			if got := metrics.Volume(metrics.NewBody(c.positions, c.triangles), moved); !(math.Abs(got-c.want) <= 1e-12) {
				t.Errorf("%s, moved by %v: %g m³, expected %g", c.name, by, got, c.want)
			}
		}
	}
}

// The volume of two open tubes with capped holes, over that at rest, wherever they are. Tolerance 5e-4: the known
// values have three decimals.
func TestVolumeOfOpenTubes(t *testing.T) {
	m := assetstest.Open(t, "reports/r29_two_skins.glb")
	body := metrics.SkinBody(m)
	if n := body.OpenEdges(); n == 0 {
		t.Error("the tubes have no open edge")
	}
	f, pose := skinning.NewFrame(m, nil), m.NewPose()
	m.SamplePose(pose, 0, 1)
	f.SetPose(pose)
	for method, want := range map[skinning.Method]float64{skinning.LBS: 0.850, skinning.DQS: 0.961} {
		moved := f.Positions(method)
		for range 2 {
			if got := metrics.Volume(body, moved) / metrics.Volume(body, m.Skin.Positions); !(math.Abs(got-want) <= 5e-4) {
				t.Errorf("%v: %.4f of the volume, expected %.3f", method, got, want)
			}
			for v := range moved {
				moved[v] = moved[v].Add(mgl64.Vec3{7, 8, -9})
			}
		}
	}
}
