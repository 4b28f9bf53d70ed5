package metrics

import (
	"math"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning/geom"
)

// leastVolume is the volume below which a surface counts as enclosing none, as a fraction of the diagonal's cube: the
// rounding of float32 positions. A rod a thousand times as long as thick has 3e-6.
const leastVolume = 1e-7

// RestVolume returns the volume against which posed volumes are measured: the volume of the rest pose, or 0 where the
// rest pose encloses none. The ratio of the volumes of a cloth or a torn mesh would be one of roundings.
func RestVolume(volume, diagonal float64) float64 {
	if math.Abs(volume) > leastVolume*diagonal*diagonal*diagonal {
		return volume
	}
	return 0
}

// Volume returns the signed volume in m³ enclosed by triangles: a sum of tetrahedra to the first vertex, positive for
// outward-facing triangles. The volume of an open mesh depends on its position, but only little if its holes are small.
func Volume(positions []mgl64.Vec3, triangles [][3]uint32) float64 {
	if len(positions) == 0 {
		return 0
	}
	origin, sum := positions[0], 0.0
	for _, t := range triangles {
		a, b, c := positions[t[0]].Sub(origin), positions[t[1]].Sub(origin), positions[t[2]].Sub(origin)
		sum += a.Dot(b.Cross(c))
	}
	return sum / 6
}

// Volume32 is [Volume] of float32 positions, summed in float64. It allocates nothing.
func Volume32(positions []mgl32.Vec3, triangles [][3]uint32) float64 {
	if len(positions) == 0 {
		return 0
	}
	return volumeFrom(geom.Vec64(positions[0]), positions, triangles) / 6
}

// volumeFrom returns six times the volume between triangles and an origin.
func volumeFrom(origin mgl64.Vec3, positions []mgl32.Vec3, triangles [][3]uint32) (sum float64) {
	for _, t := range triangles {
		a, b, c := geom.Vec64(positions[t[0]]).Sub(origin), geom.Vec64(positions[t[1]]).Sub(origin),
			geom.Vec64(positions[t[2]]).Sub(origin)
		sum += a.Dot(b.Cross(c))
	}
	return sum
}
