package helperbones

import (
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/training"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// mostPriorVertices is the largest number of vertices of a model that has prior poses: their shapes take memory.
const mostPriorVertices = 40_000

// withPriorPoses returns the examples with prior poses appended, or the same examples where the poses are not of clips
// that a method teaches.
//
// The joints of a clip turn together: in a run the left arm turns as the right leg does. Controllers that learn from
// few clips may read the wrong one of such joints, and fail in another clip. A taught fit therefore learns from prior
// poses too. The teacher makes their shapes. Examples from files have no teacher, and no prior poses.
//
// Where feet hang from the root, such a pose tears the legs from them. Linear blending then errs by many times what
// it errs by in the clips, and helper bones would be spent on poses that no clip shows. So the weight of a prior pose
// falls with the squared error of linear blending in it, and it never counts for more than a pose of the clips does.
func withPriorPoses(x *training.Examples, p *training.Poses, recipe *Recipe) *training.Examples {
	if p.Times == nil || !p.Taught || len(x.Rest) > mostPriorVertices {
		return x
	}
	linear := 0.0 // mean squared error of linear blending in the clips' poses
	for n, f := range x.Frames {
		linear += x.Weight(n) / x.TotalWeight() * squareDistance(f.Positions(skinning.LBS), x.Targets[n])
	}
	var palettes [][]geom.Affine
	var targets [][]mgl64.Vec3
	var weights []float64
	prior := training.PriorPoses(x.Frames, recipe.PriorPoses, true)
	for _, f := range prior {
		target, share := p.Teacher.Positions(f), recipe.PriorWeight/float64(len(prior))*x.TotalWeight()
		if e := squareDistance(f.Positions(skinning.LBS), target); e > linear {
			share *= linear / e
		}
		if share > 0 { // else linear blending is exact in the clips
			palettes, targets, weights = append(palettes, f.Matrices), append(targets, target), append(weights, share)
		}
	}
	return x.WithPriors(palettes, targets, weights)
}

// squareDistance returns the sum of the squared distances between the points of two shapes.
func squareDistance(a, b []mgl64.Vec3) (sum float64) {
	for v := range a {
		sum += a[v].Sub(b[v]).LenSqr()
	}
	return sum
}
