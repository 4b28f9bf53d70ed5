package enveloping

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/training"
	"skinlab/skinning/geom"
	"skinlab/skinning/parallel"
)

// AddMorphedShapes makes errors be measured on shapes with morph targets, one per pair in the order of the pairs: bones
// carry along what they cannot learn. It returns [ErrProblem] where a shape has another number of vertices, or a coordinate that is not a finite number.
func (x *Examples) AddMorphedShapes(shapes []training.MorphedShape) error {
	if len(shapes) != len(x.Pairs) {
		return fmt.Errorf("%w: %d poses for %d morphed shapes", ErrProblem, len(x.Pairs), len(shapes))
	}
	for i := range shapes {
		x.Pairs[i].Morphed = &shapes[i]
	}
	return x.check()
}

// measured returns the rest shape and the target by which the error of pair i is measured.
func (x *Examples) measured(i int) (rest, target []mgl64.Vec3) {
	if s := x.Pairs[i].Morphed; s != nil {
		return s.Rest, s.Target
	}
	return x.Rest, x.Pairs[i].Target
}

// hasMorphed reports whether a pair is measured on another shape than fits learn from.
func (x *Examples) hasMorphed() bool {
	return slices.ContainsFunc(x.Pairs, func(e Example) bool { return e.Morphed != nil })
}

// withoutMorphed returns the examples with errors measured on the shapes that fits learn from.
func (x *Examples) withoutMorphed() *Examples {
	if !x.hasMorphed() {
		return x
	}
	out := *x
	out.Pairs = slices.Clone(x.Pairs)
	for i := range out.Pairs {
		out.Pairs[i].Morphed = nil
	}
	return &out
}

// morphedRigidErrors is rigidErrors of examples with morphed shapes.
func morphedRigidErrors(x *Examples, workers int) []float64 {
	out := make([]float64, len(x.Rest))
	parallel.For(workers, parallel.Chunks(len(out)), func(_, c int) {
		lo, hi := parallel.Chunk(c, len(out))
		sums := make([]float64, len(x.Parent))
		for v := lo; v < hi; v++ {
			clear(sums)
			for i := range x.Pairs {
				rest, target := x.measured(i)
				addRigid(sums, x.Pairs[i].Matrices, rest[v], target[v])
			}
			out[v] = slices.Min(sums)
		}
	})
	return out
}

// addRigid adds ‖C_j·p − y‖² for every joint.
func addRigid(sums []float64, matrices []geom.Affine, p, y mgl64.Vec3) {
	for j := range sums {
		d := matrices[j].Apply(p).Sub(y)
		sums[j] += d.Dot(d)
	}
}

// checkMorphed reports whether a shape has finite coordinates for so many vertices. A nil shape has.
func checkMorphed(s *training.MorphedShape, vertices int) bool {
	if s == nil {
		return true
	}
	sum := 0.0
	for _, shape := range [...][]mgl64.Vec3{s.Rest, s.Target} {
		if len(shape) != vertices {
			return false
		}
		for _, p := range shape {
			sum += math.Abs(p[0]) + math.Abs(p[1]) + math.Abs(p[2])
		}
	}
	return finite(sum)
}
