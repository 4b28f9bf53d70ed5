package transfer

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
)

// The walk from a triangle nearby ends at the point of the surface that is nearest over all shapes, as a search of
// all triangles finds it, and the distance is that of the point: 1e-9 m² is rounding of the sums. Some walks end in a
// hollow of the rough shapes: 1 of 50 is allowed.
func TestNearestOverShapes(t *testing.T) {
	var s multiFrameSurface
	var triangles [][3]uint32
	for seed := range uint64(6) {
		shape, of := rough(12, 0.05, seed)
		for v := range shape {
			shape[v][seed%3] *= 1 + 0.2*float64(seed)
		}
		s.shapes, triangles = append(s.shapes, shape), of
	}
	s.triangles = triangles
	around := newMesh(s.shapes[0], triangles).neighbours(s.shapes[0])
	x := newTree(s.shapes[0], triangles)
	rng := rand.New(rand.NewPCG(1, 9))
	missed := 0
	for range 200 {
		truth := point{int32(rng.IntN(len(triangles))), mgl64.Vec3{0.2, 0.3, 0.5}}
		s.vertex = nil
		for _, shape := range s.shapes {
			by := mgl64.Vec3{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}.Mul(0.02)
			s.vertex = append(s.vertex, truth.of(shape, triangles).Add(by))
		}
		least := math.Inf(1)
		for i := range triangles {
			_, d := s.nearest(int32(i))
			least = min(least, d)
		}
		start, _, _ := x.nearest(s.vertex[0], mgl64.Vec3{}, -1, math.Inf(1))
		q, d := s.walk(start.triangle, around)
		sum := 0.0
		for k, shape := range s.shapes {
			e := q.of(shape, triangles).Sub(s.vertex[k])
			sum += e.Dot(e)
		}
		if !(math.Abs(sum-d) < 1e-9) || d < least-1e-9 {
			t.Fatalf("%g m² at a point of %g m², the least is %g", d, sum, least)
		}
		if d > least+1e-9 {
			missed++
		}
	}
	if missed > 4 {
		t.Errorf("%d of 200 walks end elsewhere", missed)
	}
}

// A vertex on the side of a triangle that no other shares is on a border; one on a shared side or within is not.
func TestBorder(t *testing.T) {
	positions := []mgl64.Vec3{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {1, 0, 0}}
	m := newMesh(positions, [][3]uint32{{0, 1, 2}, {4, 3, 2}}) // 4 is a copy of 1
	for _, c := range []struct {
		weights mgl64.Vec3
		want    bool
	}{{mgl64.Vec3{0.5, 0.5, 0}, true}, {mgl64.Vec3{0, 0.5, 0.5}, false}, {mgl64.Vec3{0.3, 0.3, 0.4}, false},
		{mgl64.Vec3{1, 0, 0}, true}} {
		if p := (point{0, c.weights}); m.onBorder(&p) != c.want {
			t.Errorf("%v: on the border %v", c.weights, !c.want)
		}
	}
}
