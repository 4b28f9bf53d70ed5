package enveloping

import (
	"errors"
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/training"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// ErrProblem reports examples that cannot be learnt from.
var ErrProblem = errors.New("enveloping: bad examples")

// Example is one pair: a skeletal pose and the skin that goes with it.
type Example struct {
	Matrices []geom.Affine          // C_j, one per joint
	Target   []mgl64.Vec3           // one per vertex, metres, in the world of the pose
	Morphed  *training.MorphedShape // what errors are measured on; nil for Target and the rest pose
}

// Examples are what enveloping learns from. They are read-only while a fit runs.
type Examples struct {
	Rest      []mgl64.Vec3
	Triangles [][3]uint32
	Parent    []int // of each joint in whose frame it turns, −1 for none
	// Rigged is the weights of each vertex that the rig came with; nil where there are none. They decide what the examples
	// leave open.
	Rigged [][]skinning.Share
	Pairs  []Example

	model  *skinning.Model // that the rest pose and the skeleton are of; nil where nobody knows
	priors int             // how many of the pairs, the last ones, are priors: see withPriorPoses
	turns  priorTurns      // those of small rotations among them: see withPriorTurns
}

// FromSet makes the examples of a training set, whose poses are settled, for a model. Those that go too far from the
// origin are an error, see [training.Examples.Check].
func FromSet(m *skinning.Model, set *training.Set) (*Examples, error) {
	s, err := set.Examples(m)
	if err != nil {
		return nil, err
	}
	if err := s.Check(); err != nil {
		return nil, err
	}
	x, err := NewExamples(s.Model, s.Frames, s.Targets)
	if err == nil && s.Morphed != nil {
		err = x.AddMorphedShapes(s.Morphed)
	}
	return x, err
}

// NewExamples takes rest pose, triangles and skeleton from a model. Targets has the skin of each frame, in the order of
// the frames.
func NewExamples(m *skinning.Model, frames []*skinning.Frame, targets [][]mgl64.Vec3) (*Examples, error) {
	x := &Examples{Rest: make([]mgl64.Vec3, len(m.Skin.Positions)), Triangles: m.Skin.Triangles, model: m}
	for v, p := range m.Skin.Positions {
		x.Rest[v] = geom.Vec64(p)
	}
	var buf []skinning.Influence
	for v := range x.Rest {
		buf = m.Skin.Of(buf[:0], v)
		own := make([]skinning.Share, len(buf))
		for k, in := range buf {
			own[k] = skinning.Share{Joint: in.Joint, Weight: float64(in.Weight)}
		}
		x.Rigged = append(x.Rigged, own)
	}
	for _, j := range m.Skeleton.Joints {
		x.Parent = append(x.Parent, j.Parent)
	}
	connectFlatRigs(x.Parent, x.Rigged)
	if len(frames) != len(targets) {
		return nil, fmt.Errorf("%w: %d poses for %d targets", ErrProblem, len(frames), len(targets))
	}
	for i, f := range frames {
		x.Pairs = append(x.Pairs, Example{Matrices: f.Matrices, Target: targets[i]})
	}
	return x, x.check()
}

// Without returns the examples without one, for leave-one-out validation (RTER section 7.1).
func (x *Examples) Without(i int) *Examples {
	out := *x
	out.Pairs = append(append(make([]Example, 0, len(x.Pairs)-1), x.Pairs[:i]...), x.Pairs[i+1:]...)
	return &out
}

func (x *Examples) check() error {
	if len(x.Rest) == 0 || len(x.Triangles) == 0 || len(x.Parent) == 0 || len(x.Pairs) == 0 {
		return fmt.Errorf("%w: %d vertices, %d triangles, %d joints, %d examples", ErrProblem, len(x.Rest), len(x.Triangles),
			len(x.Parent), len(x.Pairs))
	}
	for k, t := range x.Triangles {
		for _, v := range t {
			if int(v) >= len(x.Rest) {
				return fmt.Errorf("%w: triangle %d has vertex %d of %d", ErrProblem, k, v, len(x.Rest))
			}
		}
	}
	for i, e := range x.Pairs {
		if len(e.Target) != len(x.Rest) || len(e.Matrices) != len(x.Parent) {
			return fmt.Errorf("%w: example %d has %d vertices and %d joints, the rest pose %d and %d",
				ErrProblem, i, len(e.Target), len(e.Matrices), len(x.Rest), len(x.Parent))
		}
		for v, p := range e.Target {
			if !finite(p[0] + p[1] + p[2]) {
				return fmt.Errorf("%w: example %d, vertex %d: position %v is not a number", ErrProblem, i, v, p)
			}
		}
		if !checkMorphed(e.Morphed, len(x.Rest)) {
			return fmt.Errorf("%w: example %d: what it shows is not %d positions", ErrProblem, i, len(x.Rest))
		}
		for j := range e.Matrices {
			for _, c := range e.Matrices[j] {
				if !finite(c) {
					return fmt.Errorf("%w: example %d, joint %d: its matrix is not a number", ErrProblem, i, j)
				}
			}
		}
	}
	return nil
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// diagonal returns the rest pose's bounding diagonal, metres.
func (x *Examples) diagonal() float64 {
	lo, hi := x.Rest[0], x.Rest[0]
	for _, p := range x.Rest {
		for k := range p {
			lo[k], hi[k] = math.Min(lo[k], p[k]), math.Max(hi[k], p[k])
		}
	}
	return hi.Sub(lo).Len()
}
