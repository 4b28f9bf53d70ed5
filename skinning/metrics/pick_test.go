package metrics

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/internal/cputime"
	"skinlab/skinning/geom"
)

// sphere is a closed unit sphere of rings × around quads.
func sphere(rings, around int) (positions []mgl32.Vec3, triangles [][3]uint32) {
	for r := range rings + 1 {
		sr, cr := math.Sincos(math.Pi * float64(r) / float64(rings))
		for a := range around {
			sa, ca := math.Sincos(2 * math.Pi * float64(a) / float64(around))
			positions = append(positions, geom.Vec32(mgl64.Vec3{sr * ca, cr, sr * sa}))
		}
	}
	at := func(r, a int) uint32 { return uint32(r*around + a%around) }
	for r := range rings {
		for a := range around {
			triangles = append(triangles, [3]uint32{at(r, a), at(r, a+1), at(r+1, a+1)},
				[3]uint32{at(r, a), at(r+1, a+1), at(r+1, a)})
		}
	}
	return positions, triangles
}

// Every ray from outside to the middle of a sphere meets it once, at its surface, and every ray from the middle does:
// from either side, through edges and corners too. The facets lie up to 1 − cos(π/64) = 0.12 percent under the sphere.
func TestPickSphere(t *testing.T) {
	positions, triangles := sphere(64, 128)
	rng := rand.New(rand.NewPCG(9, 9))
	for n := range 2000 {
		d := mgl64.Vec3{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}
		if n%2 == 0 { // straight at a corner
			d = geom.Vec64(positions[rng.IntN(len(positions))])
		}
		d = d.Normalize()
		for _, inside := range []bool{false, true} {
			origin, direction, want := d.Mul(3), d.Mul(-7), 2.0
			if inside {
				origin, direction, want = mgl64.Vec3{}, d.Mul(0.01), 1
			}
			h, ok := Pick(positions, triangles, origin, direction)
			if !ok {
				t.Fatalf("ray %d along %v slips through", n, direction)
			}
			slack := 0.0013
			if !(math.Abs(h.Distance-want) <= slack) {
				t.Fatalf("ray %d: distance %g, want %g", n, h.Distance, want)
			}
			at := origin.Add(direction.Normalize().Mul(h.Distance))
			var from mgl64.Vec3
			nearest := math.Inf(1)
			for k, v := range triangles[h.Triangle] {
				p := geom.Vec64(positions[v])
				from = from.Add(p.Mul(h.Barycentric[k]))
				nearest = math.Min(nearest, p.Sub(at).Len())
			}
			if d := from.Sub(at).Len(); !(d <= 1e-9) { // metres; float64 over a sphere of a metre, slivers at the poles
				t.Fatalf("ray %d: the barycentric point is %g m from the ray's", n, d)
			}
			if got := geom.Vec64(positions[h.Vertex]).Sub(at).Len(); !(got <= nearest+1e-12) {
				t.Fatalf("ray %d: vertex at %g m, the nearest corner is at %g m", n, got, nearest)
			}
		}
	}
	if _, ok := Pick(positions, triangles, mgl64.Vec3{0, 0, 3}, mgl64.Vec3{0, 0, 1}); ok {
		t.Error("a ray hits what is behind it")
	}
	if _, ok := Pick(positions, triangles, mgl64.Vec3{1.01, 0, 3}, mgl64.Vec3{0, 0, -1}); ok {
		t.Error("a ray that passes by hits")
	}
}

func TestPickDegenerate(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	positions := []mgl32.Vec3{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {nan, 0, 1}, {inf, 1, 1}, {2, 0, 0}}
	bad := [][3]uint32{{0, 0, 0}, {0, 1, 1}, {0, 1, 5}, {0, 1, 3}, {4, 1, 2}, {3, 3, 4}}
	down := mgl64.Vec3{0, 0, -1}
	for _, x := range []float64{0, 0.25, 0.5, 1} {
		if h, ok := Pick(positions, bad, mgl64.Vec3{x, 0, 5}, down); ok {
			t.Errorf("a ray at %g hits %+v", x, h)
		}
	}
	good := append(bad, [3]uint32{0, 2, 1}, [3]uint32{0, 1, 2}) // the same place twice
	h, ok := Pick(positions, good, mgl64.Vec3{0.1, 0.7, 5}, down)
	if !ok || h.Triangle != 6 || h.Vertex != 2 || !(math.Abs(h.Distance-5) <= 1e-12) {
		t.Errorf("hit %+v, %v", h, ok)
	}
	for _, direction := range []mgl64.Vec3{{}, {math.NaN(), 0, 0}, {math.Inf(1), 0, 0}, {1, 0, 0}} {
		if h, ok := Pick(positions, good, mgl64.Vec3{0.1, 0.1, 5}, direction); ok {
			t.Errorf("direction %v hits %+v", direction, h)
		}
	}
	if _, ok := Pick(nil, nil, mgl64.Vec3{}, down); ok {
		t.Error("nothing is hit")
	}
}

// A million triangles are searched within 100 ms of processor time; the result is that of one goroutine.
func TestPickLarge(t *testing.T) {
	positions, triangles := sphere(500, 1000)
	o, d := mgl64.Vec3{0.3, 0.2, 3}, mgl64.Vec3{0, 0, -1}
	best := time.Hour
	var h Hit
	for range 5 {
		best = min(best, cputime.Of(func() { h, _ = Pick(positions, triangles, o, d) }))
	}
	t.Logf("%d triangles in %v", len(triangles), best)
	if !testing.Short() && best > 100*time.Millisecond { // takes about 10 ms
		t.Errorf("%d triangles take %v", len(triangles), best)
	}
	if one := pickFrom(positions, triangles, o, d); one.triangle != h.Triangle || one.distance != h.Distance {
		t.Errorf("triangle %d at %g m, one goroutine finds %d at %g m", h.Triangle, h.Distance, one.triangle, one.distance)
	}
}
