// Package implicit makes smooth closed meshes from implicit surfaces: blended primitives, polygonisation, adaptive
// isotropic remeshing, mirroring, and joint weights by heat diffusion over the result. The generator of the built-in
// models runs it offline; nothing of it is linked into skinlab.
package implicit

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"
)

// Shape is a solid: the points where At is negative. At is roughly the signed distance in metres. Beyond Radius metres
// from Centre the solid does not reach; unions use that to skip far shapes.
type Shape struct {
	At     func(p mgl64.Vec3) float64
	Centre mgl64.Vec3
	Radius float64
}

// smoothMin blends two distances over a width of k metres; with k = 0 it is the minimum. The result is never larger
// than either, and equals the smaller one where they differ by k or more. Its second derivative is continuous, so that
// the seam does not show in the shading (Quilez, "smooth minimum", cubic form).
func smoothMin(a, b, k float64) float64 {
	h := k - math.Abs(a-b)
	if h <= 0 {
		return math.Min(a, b)
	}
	h /= k
	return math.Min(a, b) - h*h*h*k/6
}

// farFactor scales the distance to a bounding sphere before a union trusts it: the primitives' distances are
// first-order estimates, which may be short of the true distance.
const farFactor = 0.7

// beyond returns a lower estimate of how far p is outside the shape's bounding sphere.
func (s *Shape) beyond(p mgl64.Vec3) float64 {
	return farFactor * (p.Sub(s.Centre).Len() - s.Radius)
}

// Union blends shapes from first to last over k metres. The shape whose bounding sphere is nearest is evaluated first.
// Shapes that are farther away than its surface by k or more are skipped.
func Union(k float64, shapes ...Shape) Shape {
	return enclose(func(p mgl64.Vec3) float64 {
		first, nearest := 0, math.Inf(1)
		for i := range shapes {
			if b := shapes[i].beyond(p); b < nearest {
				first, nearest = i, b
			}
		}
		near := shapes[first].At(p)
		d := math.Inf(1)
		for i := range shapes {
			switch {
			case i == first:
				d = smoothMin(d, near, k)
			case shapes[i].beyond(p) < near+k:
				d = smoothMin(d, shapes[i].At(p), k)
			}
		}
		return d
	}, shapes)
}

// Carve takes tools away from a body, each with an edge rounded over k metres.
func Carve(k float64, body Shape, tools ...Shape) Shape {
	at := func(p mgl64.Vec3) float64 {
		d := body.At(p)
		for i := range tools {
			if tools[i].beyond(p) >= k-d {
				continue
			}
			d = -smoothMin(-d, tools[i].At(p), k)
		}
		return d
	}
	return Shape{At: at, Centre: body.Centre, Radius: body.Radius}
}

// Mirror returns the mirror image of s in the plane x = 0.
func Mirror(s Shape) Shape {
	c := s.Centre
	c[0] = -c[0]
	return Shape{At: func(p mgl64.Vec3) float64 { p[0] = -p[0]; return s.At(p) }, Centre: c, Radius: s.Radius}
}

// Both blends s with its mirror image over k metres.
func Both(k float64, s Shape) Shape { return Union(k, s, Mirror(s)) }

// Place takes s, modelled with x, y, z for the frame's x, T, z, to where the frame is.
func Place(f Frame, s Shape) Shape {
	return Shape{
		At:     func(p mgl64.Vec3) float64 { return s.At(f.local(p)) },
		Centre: f.At(s.Centre[0], s.Centre[1], s.Centre[2]),
		Radius: s.Radius,
	}
}

// Gradient returns the gradient of s at p, and its length, from differences over the corners of a tetrahedron.
func (s *Shape) Gradient(p mgl64.Vec3) (unit mgl64.Vec3, length float64) {
	const h = 2e-5 // metres: far below any feature, far above rounding
	var g mgl64.Vec3
	for _, c := range [4]mgl64.Vec3{{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}} {
		g = g.Add(c.Mul(s.At(p.Add(c.Mul(h)))))
	}
	g = g.Mul(1 / (4 * h))
	l := g.Len()
	if l == 0 {
		return mgl64.Vec3{0, 1, 0}, 0
	}
	return g.Mul(1 / l), l
}

// Project moves p onto the surface by damped Newton steps along the gradient; it starts within reach metres of it.
func (s *Shape) Project(p mgl64.Vec3, reach float64) mgl64.Vec3 {
	for range 6 {
		d := s.At(p)
		if math.Abs(d) < 1e-6 {
			break
		}
		g, l := s.Gradient(p)
		step := d / math.Max(l, 0.2)
		p = p.Sub(g.Mul(math.Max(-reach, math.Min(reach, step))))
	}
	return p
}

// enclose gives a bounding sphere to a union.
func enclose(at func(p mgl64.Vec3) float64, shapes []Shape) Shape {
	lo, hi := mgl64.Vec3{math.Inf(1), math.Inf(1), math.Inf(1)}, mgl64.Vec3{math.Inf(-1), math.Inf(-1), math.Inf(-1)}
	for _, s := range shapes {
		for c := range lo {
			lo[c] = math.Min(lo[c], s.Centre[c]-s.Radius)
			hi[c] = math.Max(hi[c], s.Centre[c]+s.Radius)
		}
	}
	centre := lo.Add(hi).Mul(0.5)
	radius := 0.0
	for _, s := range shapes {
		radius = math.Max(radius, s.Centre.Sub(centre).Len()+s.Radius)
	}
	return Shape{At: at, Centre: centre, Radius: radius}
}

// Smoothstep rises from 0 at a to 1 at b with level ends.
func Smoothstep(x, a, b float64) float64 {
	u := max(0, min(1, (x-a)/(b-a)))
	return u * u * (3 - 2*u)
}
