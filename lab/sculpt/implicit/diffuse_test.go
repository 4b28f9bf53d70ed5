package implicit

import (
	"math"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
)

// TestDiffuse weights two bones end to end in a round bar: half and half over their joint, one bone alone at either
// end, rising steadily in between.
func TestDiffuse(t *testing.T) {
	bar := Cone(mgl64.Vec3{-0.3, 0, 0}, mgl64.Vec3{0.3, 0, 0}, 0.05, 0.05)
	raw := Polygonise(bar, mgl64.Vec3{-0.4, -0.1, -0.1}, [3]int{80, 20, 20}, 0.01)
	m := Remesh(bar, raw, func(mgl64.Vec3) float64 { return 0.015 }, 5)
	bones := []Bone{{mgl64.Vec3{-0.3, 0, 0}, mgl64.Vec3{}}, {mgl64.Vec3{}, mgl64.Vec3{0.3, 0, 0}}}
	w := Diffuse(m, bones, 1, nil)
	for v, p := range m.Positions {
		if sum := w[0][v] + w[1][v]; !(math.Abs(sum-1) < 1e-9) {
			t.Fatalf("vertex %d: weights sum to %g", v, sum)
		}
		// Solution of w″ = heat/d²·(w − p) along the bar: an exponential of length d, here 5 cm.
		want := 0.5 * math.Exp(-math.Abs(p[0])/0.05)
		if p[0] > 0 {
			want = 1 - want
		}
		if math.Abs(p[0]) < 0.25 && !(math.Abs(w[1][v]-want) < 0.03) { // the mesh resolves the length by 3 edges
			t.Errorf("x = %.3f: weight %.3f, expected %.3f", p[0], w[1][v], want)
		}
	}
}

// TestDiffuseOwner forbids the second bone everywhere: nothing may be left of it.
func TestDiffuseOwner(t *testing.T) {
	m := Polygonise(Ball(mgl64.Vec3{}, 0.1), mgl64.Vec3{-0.12, -0.12, -0.12}, [3]int{12, 12, 12}, 0.02)
	bones := []Bone{{mgl64.Vec3{-0.1, 0, 0}, mgl64.Vec3{}}, {mgl64.Vec3{}, mgl64.Vec3{0.1, 0, 0}}}
	w := Diffuse(m, bones, 1, func(bone, _ int) bool { return bone == 0 })
	for v := range m.Positions {
		if !(w[1][v] < 1e-12) {
			t.Fatalf("vertex %d: weight %g of a bone that may own nothing", v, w[1][v])
		}
	}
}
