package enveloping

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/training"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// errProblem reports examples that cannot be learnt from.
var errProblem = errors.New("enveloping: bad examples")

// Example is one pair: a skeletal pose and the skin that goes with it.
type Example struct {
	Matrices []geom.Affine          // C_j, one per joint
	Target   []mgl64.Vec3           // one per vertex, metres, in the world of the pose
	Morphed  *training.MorphedShape // errors are measured on it; nil for Target and the rest pose
}

// Examples are what enveloping learns from. They are read-only while a fit runs.
type Examples struct {
	Rest      []mgl64.Vec3
	Triangles [][3]uint32
	Parent    []int // the joint relative to which each joint turns, −1 for none
	// Rigged is the weights of each vertex in the file's rig; nil where it has none. They decide where the examples do
	// not.
	Rigged [][]skinning.Share
	Pairs  []Example
	// Weights multiply the squared errors of the pairs in the fit. They are above 0; nil means 1 each. Reported
	// errors do not use them.
	Weights []float64

	model  *skinning.Model // whose rest pose and skeleton these are; nil where that is not known
	priors int             // how many of the pairs, the last ones, are priors: see withPriors
}

// FromSet makes the examples of a training set for a model. The set's poses must have been chosen. Examples that go too
// far from the origin are an error, see [training.Examples.Check].
func FromSet(m *skinning.Model, set *training.Set) (*Examples, error) {
	s, err := set.Examples(m)
	if err == nil {
		err = s.Check()
	}
	if err != nil {
		return nil, err
	}
	return fromExamples(s, set.Weights())
}

// fromExamples converts the examples of a training set. Weights w multiply the squared errors of the poses; nil means 1
// each. They are not scaled to a mean of 1: the weight of a clip in which nothing deforms is a thousand times
// that of the others, which would then count as little as priors.
func fromExamples(s *training.Examples, w []float64) (*Examples, error) {
	x, err := NewExamples(s.Model, s.Frames, s.Targets)
	if err != nil {
		return nil, err
	}
	for i := range s.Morphed {
		x.Pairs[i].Morphed = &s.Morphed[i]
	}
	x.Weights = w
	return x, x.check()
}

// NewExamples takes rest pose, triangles and skeleton from a model. Targets has the skin of each frame, in the order of
// the frames.
func NewExamples(m *skinning.Model, frames []*skinning.Frame, targets [][]mgl64.Vec3) (*Examples, error) {
	x := &Examples{Rest: geom.Vecs64(m.Skin.Positions), Triangles: m.Skin.Triangles,
		Rigged: skinning.SharesOf(&m.Skin.Influences), model: m}
	for _, j := range m.Skeleton.Joints {
		x.Parent = append(x.Parent, j.Parent)
	}
	if len(frames) != len(targets) {
		return nil, fmt.Errorf("%w: %d poses for %d targets", errProblem, len(frames), len(targets))
	}
	for i, f := range frames {
		x.Pairs = append(x.Pairs, Example{Matrices: f.Matrices, Target: targets[i]})
	}
	return x, x.check()
}

// without returns the examples without one, for leave-one-out validation (RTER section 7.1).
func (x *Examples) without(i int) *Examples {
	out := *x
	out.Pairs = slices.Delete(slices.Clone(x.Pairs), i, i+1)
	if x.Weights != nil {
		out.Weights = slices.Delete(slices.Clone(x.Weights), i, i+1)
	}
	return &out
}

// withoutRig returns the examples without the rig's weights.
func (x *Examples) withoutRig() *Examples {
	out := *x
	out.Rigged = nil
	return &out
}

func (x *Examples) check() error {
	if len(x.Rest) == 0 || len(x.Triangles) == 0 || len(x.Parent) == 0 || len(x.Pairs) == 0 {
		return fmt.Errorf("%w: %d vertices, %d triangles, %d joints, %d examples", errProblem, len(x.Rest), len(x.Triangles),
			len(x.Parent), len(x.Pairs))
	}
	if x.Weights != nil && len(x.Weights) != len(x.Pairs) {
		return fmt.Errorf("%w: %d weights of %d examples", errProblem, len(x.Weights), len(x.Pairs))
	}
	for k, t := range x.Triangles {
		for _, v := range t {
			if int(v) >= len(x.Rest) {
				return fmt.Errorf("%w: triangle %d has vertex %d of %d", errProblem, k, v, len(x.Rest))
			}
		}
	}
	for i, e := range x.Pairs {
		if len(e.Target) != len(x.Rest) || len(e.Matrices) != len(x.Parent) {
			return fmt.Errorf("%w: example %d has %d vertices and %d joints, the rest pose %d and %d",
				errProblem, i, len(e.Target), len(e.Matrices), len(x.Rest), len(x.Parent))
		}
		if v := firstBad(e.Target); v >= 0 {
			return fmt.Errorf("%w: example %d, vertex %d: position %v is not a number", errProblem, i, v, e.Target[v])
		}
		if s := e.Morphed; s != nil && (len(s.Rest) != len(x.Rest) || len(s.Target) != len(x.Rest) ||
			firstBad(s.Rest) >= 0 || firstBad(s.Target) >= 0) {
			return fmt.Errorf("%w: example %d: what it shows is not %d positions", errProblem, i, len(x.Rest))
		}
		for j := range e.Matrices {
			for _, c := range e.Matrices[j] {
				if !geom.IsFinite(c) {
					return fmt.Errorf("%w: example %d, joint %d: its matrix is not a number", errProblem, i, j)
				}
			}
		}
	}
	return nil
}

// firstBad returns the first position with a coordinate that is no finite number; −1 for none.
func firstBad(positions []mgl64.Vec3) int {
	return slices.IndexFunc(positions, func(p mgl64.Vec3) bool { return !geom.IsFinite(p[0] + p[1] + p[2]) })
}

// diagonal returns the rest pose's bounding diagonal, metres.
func (x *Examples) diagonal() float64 {
	lo, hi := geom.Bounds(x.Rest)
	return hi.Sub(lo).Len()
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

// given returns the number of pairs that are no priors. They come first.
func (x *Examples) given() int { return len(x.Pairs) - x.priors }

// weight returns the weight of a pair's squared errors.
func (x *Examples) weight(i int) float64 {
	if x.Weights == nil {
		return 1
	}
	return x.Weights[i]
}

// roots returns the square roots of the weights.
func (x *Examples) roots() []float64 {
	out := make([]float64, len(x.Pairs))
	for i := range out {
		out[i] = math.Sqrt(x.weight(i))
	}
	return out
}

// joints returns the joints' matrices in every pair.
func (x *Examples) joints() [][]geom.Affine {
	out := make([][]geom.Affine, len(x.Pairs))
	for i := range out {
		out[i] = x.Pairs[i].Matrices
	}
	return out
}

// welded returns the examples with one vertex in place of all its copies, see [training.Weld]. Of maps each vertex to
// its welded one.
func (x *Examples) welded() (out *Examples, of []int) {
	shapes := make([][]mgl64.Vec3, len(x.Pairs))
	for i := range x.Pairs {
		shapes[i] = x.Pairs[i].Target
	}
	of, kept := training.Weld(x.Rest, shapes, x.diagonal())
	if len(kept) == len(x.Rest) {
		return x, of
	}
	w := *x
	w.Rest, w.Pairs = pick(x.Rest, kept), make([]Example, len(x.Pairs))
	w.Triangles = make([][3]uint32, len(x.Triangles))
	for k, t := range x.Triangles {
		for c, v := range t {
			w.Triangles[k][c] = uint32(of[v])
		}
	}
	if x.Rigged != nil {
		w.Rigged = pick(x.Rigged, kept)
	}
	for i, e := range x.Pairs {
		w.Pairs[i] = Example{Matrices: e.Matrices, Target: pick(e.Target, kept)}
	}
	return &w, of
}

// pick returns the values at some places.
func pick[T any](all []T, places []int) []T {
	out := make([]T, len(places))
	for k, v := range places {
		out[k] = all[v]
	}
	return out
}
