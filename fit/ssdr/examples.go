package ssdr

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"
	"gonum.org/v1/gonum/floats"

	"skinlab/fit/training"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// ErrProblem reports examples or options that cannot be learnt from.
var ErrProblem = errors.New("bad examples")

// Examples are pairs of a pose of the primary joints and the skin that goes with it. They are read-only while a fit
// runs.
type Examples struct {
	Rest      []mgl64.Vec3       // one per vertex, rest space, metres
	Triangles [][3]uint32        // of vertices
	Rigged    [][]skinning.Share // per vertex the rig's weights of primary joints; nil where there is no rig
	Palettes  [][]geom.Affine    // [example][joint]: rest space to world; nil for a mesh sequence
	Targets   [][]mgl64.Vec3     // [example][vertex], metres, world space
	// Importance multiplies the squared errors of each example. It is above 0; nil means 1 each.
	Importance []float64
	Model      *skinning.Model // whose skin and skeleton these are; nil where there is none
}

// FromSet makes the examples of a training set for a model. The set's poses must have been chosen. Examples that go too
// far from the origin are an error, see [training.Examples.Check]. Morph targets are left out of the examples, since
// bones cannot learn them.
func FromSet(m *skinning.Model, set *training.Set) (*Examples, error) {
	s, err := set.Examples(m)
	if err != nil {
		return nil, err
	}
	if err := s.Check(); err != nil {
		return nil, err
	}
	x := NewExamples(s, set)
	return x, x.Validate()
}

// NewExamples takes rest pose, triangles, weights, poses and targets from the examples of a set, and their importance
// from the set. It has mean 1, so that errors keep their size.
func NewExamples(s *training.Examples, set *training.Set) *Examples {
	m := s.Model
	x := &Examples{Rest: geom.Vecs64(m.Skin.Positions), Triangles: m.Skin.Triangles, Model: m, Targets: s.Targets,
		Rigged: skinning.SharesOf(&m.Skin.Influences)}
	for _, f := range s.Frames {
		x.Palettes = append(x.Palettes, f.Matrices)
	}
	if w := set.Weights(); w != nil {
		x.Importance = slices.Clone(w)
		floats.Scale(float64(len(w))/floats.Sum(w), x.Importance)
	}
	return x
}

// Primaries returns D, the number of primary joints.
func (x *Examples) Primaries() int {
	if len(x.Palettes) == 0 {
		return 0
	}
	return len(x.Palettes[0])
}

// ImportanceOf returns the importance of an example.
func (x *Examples) ImportanceOf(n int) float64 {
	if x.Importance == nil {
		return 1
	}
	return x.Importance[n]
}

// TotalImportance returns the importance of all examples together.
func (x *Examples) TotalImportance() (sum float64) {
	for n := range x.Targets {
		sum += x.ImportanceOf(n)
	}
	return sum
}

// Pick returns the examples of some indices, in that order.
func (x *Examples) Pick(indices []int) *Examples {
	out := *x
	out.Palettes, out.Targets, out.Importance = nil, nil, nil
	for _, n := range indices {
		out.Targets = append(out.Targets, x.Targets[n])
		if x.Palettes != nil {
			out.Palettes = append(out.Palettes, x.Palettes[n])
		}
		if x.Importance != nil {
			out.Importance = append(out.Importance, x.Importance[n])
		}
	}
	return &out
}

// Validate returns [ErrProblem], with the element's name and numbers, where the examples are not whole: lengths that
// differ, no vertices or examples, indices out of range, numbers that are not finite.
func (x *Examples) Validate() error {
	joints := x.Primaries()
	switch {
	case len(x.Rest) == 0 || len(x.Targets) == 0:
		return fmt.Errorf("%w: %d vertices, %d examples", ErrProblem, len(x.Rest), len(x.Targets))
	case x.Palettes != nil && len(x.Palettes) != len(x.Targets):
		return fmt.Errorf("%w: %d poses for %d targets", ErrProblem, len(x.Palettes), len(x.Targets))
	case x.Rigged != nil && len(x.Rigged) != len(x.Rest):
		return fmt.Errorf("%w: weights of %d vertices, the rest pose has %d", ErrProblem, len(x.Rigged), len(x.Rest))
	case x.Importance != nil && len(x.Importance) != len(x.Targets):
		return fmt.Errorf("%w: importance of %d examples of %d", ErrProblem, len(x.Importance), len(x.Targets))
	}
	for k, t := range x.Triangles {
		if v := slices.Max(t[:]); int(v) >= len(x.Rest) {
			return fmt.Errorf("%w: triangle %d has vertex %d of %d", ErrProblem, k, v, len(x.Rest))
		}
	}
	if v := firstBad(x.Rest); v >= 0 {
		return fmt.Errorf("%w: vertex %d: rest position %v is not a number", ErrProblem, v, x.Rest[v])
	}
	if err := validateWeights(x.Rigged, joints); err != nil {
		return err
	}
	for n := range x.Targets {
		if err := x.validateExample(n, joints); err != nil {
			return err
		}
	}
	return nil
}

func (x *Examples) validateExample(n, joints int) error {
	if len(x.Targets[n]) != len(x.Rest) {
		return fmt.Errorf("%w: example %d has %d vertices, the rest pose %d", ErrProblem, n, len(x.Targets[n]), len(x.Rest))
	}
	if v := firstBad(x.Targets[n]); v >= 0 {
		return fmt.Errorf("%w: example %d, vertex %d: position %v is not a number", ErrProblem, n, v, x.Targets[n][v])
	}
	if x.Palettes != nil {
		if len(x.Palettes[n]) != joints {
			return fmt.Errorf("%w: example %d has %d joints, the first %d", ErrProblem, n, len(x.Palettes[n]), joints)
		}
		for j := range joints {
			if !x.Palettes[n][j].IsFinite() {
				return fmt.Errorf("%w: example %d, joint %d: its matrix is not a number", ErrProblem, n, j)
			}
		}
	}
	if w := x.ImportanceOf(n); !(w > 0 && w <= math.MaxFloat32) {
		return fmt.Errorf("%w: example %d has importance %g", ErrProblem, n, w)
	}
	return nil
}

// validateWeights reports the first weight that is none, or that is of none of so many bones.
func validateWeights(weights [][]skinning.Share, bones int) error {
	for v, shares := range weights {
		for _, s := range shares {
			if int(s.Joint) >= bones || !(s.Weight >= 0 && s.Weight < 2) {
				return fmt.Errorf("%w: vertex %d: weight %g of bone %d of %d", ErrProblem, v, s.Weight, s.Joint, bones)
			}
		}
	}
	return nil
}

// firstBad returns the first point with a coordinate that is NaN or infinite, −1 for none.
func firstBad(points []mgl64.Vec3) int {
	return slices.IndexFunc(points, func(p mgl64.Vec3) bool {
		s := p[0]*0 + p[1]*0 + p[2]*0 // NaN and ±Inf times 0 are NaN
		return s != 0
	})
}

// Blend returns the vertices in example n: Σ w·S·v over primary joints and helper bones. Motions is [helper][example].
func (x *Examples) Blend(n int, weights [][]skinning.Share, motions [][]geom.Affine) []mgl64.Vec3 {
	out := make([]mgl64.Vec3, len(x.Rest))
	d := x.Primaries()
	for v, p := range x.Rest {
		for _, s := range weights[v] {
			if b := int(s.Joint); b < d {
				out[v] = out[v].Add(x.Palettes[n][b].Apply(p).Mul(s.Weight))
			} else {
				out[v] = out[v].Add(motions[b-d][n].Apply(p).Mul(s.Weight))
			}
		}
	}
	return out
}

// RMS returns the root of the mean squared distance, over vertices and examples, of [Examples.Blend] from the targets,
// metres. Importance is not used.
func (x *Examples) RMS(weights [][]skinning.Share, motions [][]geom.Affine) float64 {
	sum := 0.0
	for n, target := range x.Targets {
		for v, p := range x.Blend(n, weights, motions) {
			sum += p.Sub(target[v]).LenSqr()
		}
	}
	return math.Sqrt(sum / float64(len(x.Rest)*len(x.Targets)))
}

// Reach returns how much of the skin under helper bone h each primary joint moves: Σ over vertices of the bone's weight
// times the joint's, by the rig's weights where there are any.
func (x *Examples) Reach(weights [][]skinning.Share, h int) []float64 {
	joints := x.Primaries()
	reached := make([]float64, joints)
	for v, shares := range weights {
		for _, own := range shares {
			if int(own.Joint) != joints+h {
				continue
			}
			from := shares
			if x.Rigged != nil {
				from = x.Rigged[v]
			}
			for _, s := range from {
				if int(s.Joint) < joints {
					reached[s.Joint] += own.Weight * s.Weight
				}
			}
		}
	}
	return reached
}
