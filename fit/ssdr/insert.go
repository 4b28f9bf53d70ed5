package ssdr

import (
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/procrustes"
	"skinlab/skinning/geom"
	"skinlab/skinning/parallel"
)

// leastVertices is the least number of vertices that a helper bone must influence to be kept (section 4.3).
const leastVertices = 4

// worst returns the point of largest error (equation 7) that is not barred, −1 for none with an error beyond rounding.
func (p *problem) worst(barred []bool) int {
	at, most := -1, p.rounding
	for k, e := range p.errors {
		if !barred[k] && e > most {
			at, most = k, e
		}
	}
	return at
}

// rigid returns the rigid motion of some points from rest to their targets in each example.
func (p *problem) rigid(points []int) []geom.Affine {
	out := make([]geom.Affine, len(p.x.Targets))
	parallel.For(p.workers, len(out), func(_, n int) {
		out[n] = procrustes.Rigid(len(points), func(k int) (x, y mgl64.Vec3) {
			return p.rest[points[k]], p.target(n, points[k])
		})
	})
	return out
}

// removeWeak removes helper bones that influence fewer than leastVertices vertices, and reports how many. Weights have
// to be solved again afterwards.
func (p *problem) removeWeak() (removed int) {
	for b := len(p.bones) - 1; b >= p.primaries && len(p.bones) > 1; b-- {
		influenced := 0.0
		for k, shares := range p.weights {
			for _, s := range shares {
				if int(s.Joint) == b {
					influenced += p.points.copies[k]
				}
			}
		}
		if influenced < leastVertices {
			p.dropWeights(b)
			p.removeHelper(b)
			removed++
		}
	}
	return removed
}

// dropWeights takes a bone out of all weights. A point that follows no other bone has no weights until they are solved.
func (p *problem) dropWeights(bone int) {
	for k, shares := range p.weights {
		kept := shares[:0]
		for _, s := range shares {
			if int(s.Joint) != bone {
				kept = append(kept, s)
			}
		}
		p.weights[k] = kept
	}
}
