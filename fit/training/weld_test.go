package training

import (
	"math"
	"slices"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
)

// TestWeld: vertices at one place at rest are one point if they are in every shape too, up to a distance too small
// to see. They are two where a shape parts them, or has a number that is none.
func TestWeld(t *testing.T) {
	a, b := mgl64.Vec3{0, 0, 0}, mgl64.Vec3{2, 0, 0}
	rest := []mgl64.Vec3{a, b, a, a, b, a, b}
	moved := func(by float64) []mgl64.Vec3 {
		out := slices.Clone(rest)
		for v := range out {
			out[v] = out[v].Mul(3)
		}
		out[2][1] = by  // a copy of vertex 0
		out[3][1] = 0.1 // parted from it
		out[5][1] = 0.1 // parted as vertex 3 is
		out[6][2] = math.NaN()
		return out
	}
	for by, want := range map[float64][2][]int{ // metres; the diagonal is 2
		9e-5: {{0, 1, 0, 2, 1, 2, 3}, {0, 1, 3, 6}},
		2e-4: {{0, 1, 2, 3, 1, 3, 4}, {0, 1, 2, 3, 6}},
	} {
		point, first := Weld(rest, [][]mgl64.Vec3{rest, moved(by)}, 2)
		if !slices.Equal(point, want[0]) || !slices.Equal(first, want[1]) {
			t.Errorf("%g m apart: points %v with vertices %v first, expected %v", by, point, first, want)
		}
	}
}
