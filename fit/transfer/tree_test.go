package transfer

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/go-gl/mathgl/mgl64"
)

// rough is a sphere of radius 1 m, of rings of vertices that are moved by up to so much by chance.
func rough(rings int, most float64, seed uint64) (positions []mgl64.Vec3, triangles [][3]uint32) {
	rng := rand.New(rand.NewPCG(seed, 3))
	n := uint32(2 * rings)
	for i := range rings + 1 {
		for k := range n {
			s, c := math.Sincos(math.Pi * float64(i) / float64(rings))
			u, v := math.Sincos(2 * math.Pi * float64(k) / float64(n))
			p := mgl64.Vec3{s * v, c, s * u}
			for a := range p {
				p[a] += most * (2*rng.Float64() - 1)
			}
			positions = append(positions, p)
			if i > 0 {
				a, b := (uint32(i)-1)*n+k, (uint32(i)-1)*n+(k+1)%n
				triangles = append(triangles, [3]uint32{a, b, a + n}, [3]uint32{b, b + n, a + n})
			}
		}
	}
	return positions, triangles
}

// The tree finds the point that a search of all triangles finds, also in another shape than it was built for, and by
// normals. 1e-12 is rounding, m².
func TestTreeNearest(t *testing.T) {
	positions, triangles := rough(12, 0.1, 1)
	x := newTree(positions, triangles)
	for shape := range 2 {
		if shape > 0 {
			other, _ := rough(12, 0.3, 2)
			for v := range other {
				other[v][0] *= 3
			}
			x.pose(other)
		}
		rng := rand.New(rand.NewPCG(uint64(shape), 5))
		random := func() mgl64.Vec3 { return mgl64.Vec3{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()} }
		for range 40 {
			p, normal := random(), random().Normalize()
			for _, cosine := range []float64{-2, agree} {
				least := math.Inf(1)
				for i := range triangles {
					if q := (point{int32(i), facet(x, i, p)}); x.normals[i].Dot(normal) >= cosine {
						d := q.of(x.positions, triangles).Sub(p)
						least = min(least, d.Dot(d))
					}
				}
				q, d, found := x.nearest(p, normal, cosine, math.Inf(1))
				at := q.of(x.positions, triangles).Sub(p)
				if found == math.IsInf(least, 1) || found && (!(math.Abs(d-least) < 1e-12) || !(math.Abs(at.Dot(at)-d) < 1e-12)) {
					t.Fatalf("shape %d, cosine %g: %g m², found %v at %g, expected %g", shape, cosine, d, found, at.Dot(at), least)
				}
				if _, _, near := x.nearest(p, normal, cosine, 0.99*least); near {
					t.Fatalf("found within 0.99 of the least distance")
				}
			}
		}
	}
}

// facet returns the weights of the point of a triangle nearest to p, by a descent over a fine grid of weights: an
// answer of its own, within 1e-7 of the right squared distance.
func facet(x *tree, i int, p mgl64.Vec3) (best mgl64.Vec3) {
	least := math.Inf(1)
	try := func(u, v float64) {
		if u < 0 || v < 0 || u+v > 1 {
			return
		}
		w := mgl64.Vec3{1 - u - v, u, v}
		q := point{int32(i), w}
		d := q.of(x.positions, x.triangles).Sub(p)
		if s := d.Dot(d); s < least {
			least, best = s, w
		}
	}
	try(0, 0)
	try(1, 0)
	try(0, 1)
	for step := 0.5; step > 1e-7; {
		before := least
		u, v := best[1], best[2]
		for _, d := range [][2]float64{{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, -1}, {-1, 1}} {
			try(u+step*d[0], v+step*d[1])
		}
		if least == before {
			step /= 2
		}
	}
	return best
}
