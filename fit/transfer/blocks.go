package transfer

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"
)

// blockPoints is how many points a block has at most.
const blockPoints = 12

// block is points of a frame that stand together, in a ball. A mark that is farther from the ball than from its nearest
// point, and than each of the block's points is from its nearest mark, need not be compared with these.
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

// newBlocks divides points, of which those that stand together follow each other.
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

// nearby orders points so that those that stand together follow each other: halves of the points along the longest
// side of their box, and halves of these.
func nearby(points []mgl64.Vec3) []int32 {
	triangles := make([][3]uint32, len(points)) // without area
	for i := range triangles {
		triangles[i] = [3]uint32{uint32(i), uint32(i), uint32(i)}
	}
	return newTree(points, triangles).order
}
