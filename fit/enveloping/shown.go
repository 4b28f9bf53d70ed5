package enveloping

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/parallel"
	"skinlab/skinning/geom"
)

// Shown is what a pose shows where morph targets move the skin before its bones do. No bone can learn that, so that it
// is no part of an example that is learnt; but the bones carry it along, and errors are of what is seen.
type Shown struct {
	Rest   []mgl64.Vec3 // the unposed shape
	Target []mgl64.Vec3 // and where it is to be in the pose; both one per vertex, metres
}

// AddShown makes the errors of examples those of what their poses show. Shapes has one for each pair, in their order.
// It returns an error, [ErrProblem], where one has not a number for each coordinate of each vertex.
func (x *Examples) AddShown(shapes []Shown) error {
	if len(shapes) != len(x.Pairs) {
		return fmt.Errorf("%w: %d poses show %d shapes", ErrProblem, len(x.Pairs), len(shapes))
	}
	for i := range shapes {
		x.Pairs[i].Shown = &shapes[i]
	}
	return x.check()
}

// seen returns the unposed shape and the target that pair i is measured by.
func (x *Examples) seen(i int) (rest, target []mgl64.Vec3) {
	if s := x.Pairs[i].Shown; s != nil {
		return s.Rest, s.Target
	}
	return x.Rest, x.Pairs[i].Target
}

// shows reports whether a pair is measured by something else than what is learnt.
func (x *Examples) shows() bool {
	return slices.ContainsFunc(x.Pairs, func(e Example) bool { return e.Shown != nil })
}

// learnt returns the examples measured by what is learnt of them.
func (x *Examples) learnt() *Examples {
	if !x.shows() {
		return x
	}
	out := *x
	out.Pairs = slices.Clone(x.Pairs)
	for i := range out.Pairs {
		out.Pairs[i].Shown = nil
	}
	return &out
}

// shownRigidErrors is rigidErrors by what the pairs show.
func shownRigidErrors(x *Examples, workers int) []float64 {
	out := make([]float64, len(x.Rest))
	parallel.For(workers, parallel.Chunks(len(out)), func(_, c int) {
		lo, hi := parallel.Chunk(c, len(out))
		sums := make([]float64, len(x.Parent))
		for v := lo; v < hi; v++ {
			clear(sums)
			for i := range x.Pairs {
				rest, target := x.seen(i)
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

// ok reports whether that is numbers for so many vertices, or nothing.
func (s *Shown) ok(vertices int) bool {
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
