package bodymodel

import (
	"testing"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/training"
	"skinlab/internal/ssdrtest"
	"skinlab/skinning/geom"
)

// scansOf are the shapes of examples, without the copies of vertices along seams.
func scansOf(x *training.Examples) *scans {
	lo, hi := geom.Bounds(x.Rest)
	point, first := training.Weld(x.Rest, x.Targets, hi.Sub(lo).Len())
	shapes := make([][]mgl64.Vec3, len(x.Targets))
	for i, shape := range x.Targets {
		for _, v := range first {
			shapes[i] = append(shapes[i], shape[v])
		}
	}
	var triangles [][3]uint32
	for _, t := range x.Triangles {
		triangles = append(triangles, [3]uint32{uint32(point[t[0]]), uint32(point[t[1]]), uint32(point[t[2]])})
	}
	return newScans(shapes, triangles)
}

// armScans are the real arm's own 31 examples.
func armScans(t testing.TB) *scans { return scansOf(ssdrtest.Arm(t)) }

// humanScans are the 49 target shapes of the human's exercise.
func humanScans(t testing.TB) *scans { return scansOf(ssdrtest.Human(t)) }
