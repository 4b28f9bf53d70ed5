package metrics_test

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl32"

	"skinlab/assets/demo"
	"skinlab/internal/assetstest"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/metrics"
)

// A region is a closed body: its volume does not change as it moves. Tolerance: float32 positions moved by 3 m hold
// 2e-7 m; over a surface of at most 4 m² that is 1e-6 m³, and no part of a volume of a cubic metre is lost.
func TestRegionIsClosed(t *testing.T) {
	for _, name := range demo.Names() {
		m := assetstest.Open(t, demo.Prefix+name)
		moved := make([]mgl32.Vec3, len(m.Skin.Positions))
		for v, p := range m.Skin.Positions {
			moved[v] = p.Add(mgl32.Vec3{1, -2, 3})
		}
		found := 0
		for j := range m.Skeleton.Joints {
			r := metrics.NewRegion(m, j)
			if len(metrics.TrianglesOfRegion(r)) > 0 {
				found++
			}
			here, there := metrics.Volume(r, m.Skin.Positions), metrics.Volume(r, moved)
			if !(math.Abs(here-there) <= 1e-6) {
				t.Errorf("%s, %s: %g m³, %g m³ elsewhere", name, m.Skeleton.Joints[j].Name, here, there)
			}
			if len(metrics.TrianglesOfRegion(r)) > 0 && !(here > 0) {
				t.Errorf("%s, %s: a region of %d triangles has %g m³", name, m.Skeleton.Joints[j].Name,
					len(metrics.TrianglesOfRegion(r)), here)
			}
			if n := testing.AllocsPerRun(2, func() { metrics.Volume(r, moved) }); n != 0 {
				t.Errorf("%s, %s: %g allocations", name, m.Skeleton.Joints[j].Name, n)
			}
		}
		if found < len(m.Skeleton.Joints)/2 {
			t.Errorf("%s: only %d of %d joints have a region", name, found, len(m.Skeleton.Joints))
		}
	}
}

// The region of a cut through a box of two joints is the part between the rigid ends, whose volume is known. Seams,
// where the file holds two vertices in one place, are no rims.
func TestRegionOfABox(t *testing.T) {
	m := &skinning.Model{}
	m.Skeleton.Nodes = []skinning.Node{{Parent: -1, Rest: geom.IdentityTransform()},
		{Parent: 0, Rest: geom.IdentityTransform()}}
	if err := m.Skeleton.SortNodes(); err != nil {
		t.Fatal(err)
	}
	m.Skeleton.Joints = []skinning.Joint{{Node: 0, Parent: -1}, {Node: 1, Parent: 0}}
	s := &m.Skin
	// Rings of 4 corners at x = 0, 1, 2, 3, 5; the third alone is bound to both joints. Every side has its own
	// vertices.
	rings := []struct{ x, weight float32 }{{0, 0}, {1, 0}, {2, 0.5}, {3, 1}, {5, 1}}
	corners := [][2]float32{{1, 1}, {-1, 1}, {-1, -1}, {1, -1}}
	for i := range rings[1:] {
		for k := range corners {
			first := uint32(len(s.Positions))
			for _, at := range [][2]int{{i, k}, {i, (k + 1) % 4}, {i + 1, (k + 1) % 4}, {i + 1, k}} {
				ring, c := rings[at[0]], corners[at[1]]
				s.Positions = append(s.Positions, mgl32.Vec3{ring.x, c[0], c[1]})
				s.Append([]skinning.Influence{{Joint: 0, Weight: 1 - ring.weight}, {Joint: 1, Weight: ring.weight}}, 0)
			}
			s.Triangles = append(s.Triangles, [3]uint32{first, first + 1, first + 2}, [3]uint32{first, first + 2, first + 3})
		}
	}
	r := metrics.NewRegion(m, 1)
	if n, v := len(metrics.TrianglesOfRegion(r)), metrics.Volume(r, s.Positions); n != 16 ||
		!(math.Abs(v-8) <= 1e-12) { // small integers are exact
		t.Errorf("%d triangles, %g m³: want 16 and 2·2·2", n, v)
	}
	if r := metrics.NewRegion(m, 0); len(metrics.TrianglesOfRegion(r)) != 0 || metrics.Volume(r, s.Positions) != 0 {
		t.Errorf("the root, with which all turns, has a region of %d triangles", len(metrics.TrianglesOfRegion(r)))
	}
}
