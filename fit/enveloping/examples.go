package enveloping

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/enveloping/flatrigs"
	"skinlab/fit/training"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/parallel"
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
	// Weights multiply the squared errors of the given pairs in the fit. They are above 0; nil means 1 each. Reported
	// errors do not use them.
	Weights []float64

	model  *skinning.Model // whose rest pose and skeleton these are; nil where that is not known
	priors int             // how many of the pairs, the last ones, are priors: see withPriorPoses
	turns  priorTurns      // the priors of small rotations among them: see withPriorTurns
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
// each. They are not scaled to a mean of 1 (row 176): the weight of a clip in which nothing deforms is a thousand times
// that of the others, which would then count as little as priors.
func fromExamples(s *training.Examples, w []float64) (*Examples, error) {
	x, err := NewExamples(s.Model, s.Frames, s.Targets)
	if err == nil && s.Morphed != nil {
		err = x.addMorphedShapes(s.Morphed)
	}
	if err == nil {
		x.Weights = w
	}
	return x, err
}

// NewExamples takes rest pose, triangles and skeleton from a model. Targets has the skin of each frame, in the order of
// the frames.
func NewExamples(m *skinning.Model, frames []*skinning.Frame, targets [][]mgl64.Vec3) (*Examples, error) {
	x := &Examples{Rest: geom.Vecs64(m.Skin.Positions), Triangles: m.Skin.Triangles, Rigged: skinning.SharesOf(&m.Skin.Influences), model: m}
	for _, j := range m.Skeleton.Joints {
		x.Parent = append(x.Parent, j.Parent)
	}
	flatrigs.Connect(x.Parent, x.Rigged)
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
	out.Pairs = append(append(make([]Example, 0, len(x.Pairs)-1), x.Pairs[:i]...), x.Pairs[i+1:]...)
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
		for v, p := range e.Target {
			if !geom.IsFinite(p[0] + p[1] + p[2]) {
				return fmt.Errorf("%w: example %d, vertex %d: position %v is not a number", errProblem, i, v, p)
			}
		}
		if !checkMorphed(e.Morphed, len(x.Rest)) {
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

// diagonal returns the rest pose's bounding diagonal, metres.
func (x *Examples) diagonal() float64 {
	lo, hi := geom.Bounds(x.Rest)
	return hi.Sub(lo).Len()
}

// addMorphedShapes sets the shapes with morph targets on which errors are measured, one per pair in the order of the
// pairs. Bones cannot learn morph targets, but they carry them along. It returns [errProblem] where a shape has
// another number of vertices, or a coordinate that is not a finite number.
func (x *Examples) addMorphedShapes(shapes []training.MorphedShape) error {
	if len(shapes) != len(x.Pairs) {
		return fmt.Errorf("%w: %d poses for %d morphed shapes", errProblem, len(x.Pairs), len(shapes))
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
	out, own := make([]float64, len(x.Rest)), x.ownJoints()
	parallel.For(workers, parallel.Chunks(len(out)), func(_, c int) {
		lo, hi := parallel.Chunk(c, len(out))
		sums := make([]float64, len(x.Parent))
		for v := lo; v < hi; v++ {
			clear(sums)
			for i := range x.Pairs {
				rest, target := x.measured(i)
				addRigid(sums, x.Pairs[i].Matrices, rest[v], target[v])
			}
			out[v] = math.Inf(1)
			for _, j := range own {
				out[v] = min(out[v], sums[j])
			}
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

// checkMorphed reports whether a shape has finite coordinates for all vertices. A nil shape passes.
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
	return geom.IsFinite(sum)
}

// unscaled divides twelve scaled numbers per pair by the root of its weight, and returns them as one matrix per pair.
func unscaled(scaled, roots []float64) []geom.Affine {
	out := make([]geom.Affine, len(roots))
	for i := range out {
		for k, v := range scaled[12*i : 12*i+12] {
			out[i][k] = v / roots[i]
		}
	}
	return out
}
