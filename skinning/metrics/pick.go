package metrics

import (
	"math"
	"runtime"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning/geom"
	"skinlab/skinning/parallel"
)

// Hit is where a ray meets a surface.
type Hit struct {
	Triangle    int
	Barycentric mgl64.Vec3 // weights of the triangle's corners, sum 1
	Vertex      uint32     // the corner that is nearest to the point
	Distance    float64    // from the ray's origin, metres
}

// pickBlock is the number of triangles that a goroutine searches at a time.
const pickBlock = 1 << 16

// pickEdge is the distance outside a triangle, as a fraction of its size, at which a ray still meets it. It covers the
// rounding of float64, so that no ray passes between two triangles.
const pickEdge = 1e-9

// pickSliver is the sine of the angle between two edges, or between ray and triangle, below which a triangle is
// ignored, because its orientation is only rounding of float32 positions.
const pickSliver = 1e-9

// Pick finds the first triangle that a ray meets, from either side; of several at the same distance the first in order.
// The direction need not have unit length. Triangles without area and those with a corner that is not finite are never
// met. It searches them all: 1,000,000 take some milliseconds (Möller, Trumbore 1997, Fast, Minimum Storage
// Ray/Triangle Intersection).
func Pick(positions []mgl32.Vec3, triangles [][3]uint32, origin, direction mgl64.Vec3) (Hit, bool) {
	length := direction.Len()
	if !(length > 0) || math.IsInf(length, 0) {
		return Hit{}, false
	}
	direction = direction.Mul(1 / length)
	workers := min(runtime.GOMAXPROCS(0), (len(triangles)+pickBlock-1)/pickBlock)
	best := ray{triangle: -1, distance: math.Inf(1)}
	found := make([]ray, workers)
	parallel.For(workers, workers, func(_, k int) {
		lo, hi := k*len(triangles)/workers, (k+1)*len(triangles)/workers
		found[k] = pickFrom(positions, triangles[lo:hi], origin, direction)
		found[k].triangle += lo
	})
	for _, f := range found {
		if f.distance < best.distance {
			best = f
		}
	}
	if math.IsInf(best.distance, 1) {
		return Hit{}, false
	}
	t := triangles[best.triangle]
	h := Hit{Triangle: best.triangle, Barycentric: mgl64.Vec3{1 - best.u - best.v, best.u, best.v},
		Distance: best.distance}
	at := origin.Add(direction.Mul(best.distance))
	least := math.Inf(1)
	for _, v := range t {
		if d := geom.Vec64(positions[v]).Sub(at).Len(); d < least {
			h.Vertex, least = v, d
		}
	}
	return h, true
}

// ray is the nearest meeting so far; its distance is +Inf where there is none.
type ray struct {
	triangle       int
	distance, u, v float64
}

func pickFrom(positions []mgl32.Vec3, triangles [][3]uint32, o, d mgl64.Vec3) ray {
	best := ray{distance: math.Inf(1)}
	for i, t := range triangles {
		pa, pb, pc := &positions[t[0]], &positions[t[1]], &positions[t[2]]
		ax, ay, az := float64(pa[0]), float64(pa[1]), float64(pa[2])
		bx, by, bz := float64(pb[0])-ax, float64(pb[1])-ay, float64(pb[2])-az // edges
		cx, cy, cz := float64(pc[0])-ax, float64(pc[1])-ay, float64(pc[2])-az
		hx, hy, hz := d[1]*cz-d[2]*cy, d[2]*cx-d[0]*cz, d[0]*cy-d[1]*cx
		det := bx*hx + by*hy + bz*hz
		inverse := 1 / det // infinite for a triangle that is seen edge-on: what follows is then no number in range
		sx, sy, sz := o[0]-ax, o[1]-ay, o[2]-az
		u := (sx*hx + sy*hy + sz*hz) * inverse
		if !(u >= -pickEdge && u <= 1+pickEdge) {
			continue
		}
		qx, qy, qz := sy*bz-sz*by, sz*bx-sx*bz, sx*by-sy*bx
		v := (d[0]*qx + d[1]*qy + d[2]*qz) * inverse
		if !(v >= -pickEdge && u+v <= 1+pickEdge) {
			continue
		}
		at := (cx*qx + cy*qy + cz*qz) * inverse
		if !(at >= 0 && at < best.distance) {
			continue
		}
		// A sliver's determinant is rounding: anything could seem to meet it.
		if det*det > pickSliver*pickSliver*(bx*bx+by*by+bz*bz)*(cx*cx+cy*cy+cz*cz) {
			best = ray{i, at, u, v}
		}
	}
	return best
}
