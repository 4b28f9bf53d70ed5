package transfer

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"
)

// blockPoints is the largest number of points of a block.
const blockPoints = 12

// block is a group of points of a frame that are near to each other, with a bounding ball. A mark can be skipped if its
// distance from the ball is larger than that from its nearest point so far, and larger than that of each point of the
// block from its nearest mark so far.
type block struct {
	middle      mgl64.Vec3
	radius      float64
	first, last int     // of the search's points
	far         float64 // squared distance of a mark from the middle from which on no point is nearer to it than to others
}

// setFar sets far, by the largest squared distance of a point to its nearest mark.
func (b *block) setFar(most float64) {
	r := math.Sqrt(most) + b.radius
	b.far = r * r
}

// newBlocks divides points into blocks. Points that are near to each other must follow each other, see [nearby].
func newBlocks(points []oriented) (blocks []block) {
	for first := 0; first < len(points); first += blockPoints {
		b := block{first: first, last: min(first+blockPoints, len(points))}
		some := points[first:b.last]
		for _, p := range some {
			b.middle = b.middle.Add(p.at.Mul(1 / float64(len(some))))
		}
		for _, p := range some {
			b.radius = max(b.radius, p.at.Sub(b.middle).Len())
		}
		blocks = append(blocks, b)
	}
	return blocks
}

// nearby orders points so that those that are near to each other follow each other. It divides the points into halves
// along the longest side of their bounding box, then each half in the same way.
func nearby(points []mgl64.Vec3) []int32 {
	triangles := make([][3]uint32, len(points)) // without area
	for i := range triangles {
		triangles[i] = [3]uint32{uint32(i), uint32(i), uint32(i)}
	}
	return newTree(points, triangles).order
}
