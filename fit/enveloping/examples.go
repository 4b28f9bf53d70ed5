package enveloping

import (
	"math"

	"skinlab/fit/training"
)

// withoutRig returns the examples without the rig's weights. These decide where the examples do not.
func withoutRig(x *training.Examples) *training.Examples {
	out := *x
	out.Rigged = nil
	return &out
}

// withoutMorphed returns the examples with errors measured on the shapes that fits learn from.
func withoutMorphed(x *training.Examples) *training.Examples {
	out := *x
	out.Morphed = nil
	return &out
}

// roots returns the square roots of the weights. These are not of mean 1: the weight of a clip in which nothing deforms
// is a thousand times that of the others, which would then count as little as priors.
func roots(x *training.Examples) []float64 {
	out := make([]float64, len(x.Targets))
	for i := range out {
		out[i] = math.Sqrt(x.Weight(i))
	}
	return out
}

// welded returns the examples with one vertex in place of all its copies, see [training.Weld]. Of maps each vertex to
// its welded one.
func welded(x *training.Examples) (out *training.Examples, of []int) {
	of, kept := training.Weld(x.Rest, x.Targets, x.Diagonal())
	if len(kept) == len(x.Rest) {
		return x, of
	}
	w := *x
	w.Rest, w.Rigged = training.Pick(x.Rest, kept), training.Pick(x.Rigged, kept)
	w.Triangles = make([][3]uint32, len(x.Triangles))
	for k, t := range x.Triangles {
		for c, v := range t {
			w.Triangles[k][c] = uint32(of[v])
		}
	}
	w.Targets = nil
	for _, target := range x.Targets {
		w.Targets = append(w.Targets, training.Pick(target, kept))
	}
	return &w, of
}
