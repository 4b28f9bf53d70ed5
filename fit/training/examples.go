package training

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"
	"gonum.org/v1/gonum/floats"

	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// ErrExamples reports examples or options that cannot be learnt from.
var ErrExamples = errors.New("bad examples")

// MorphedShape is an example with morph targets applied. Morph targets move the rest shape before skinning. Bones
// cannot reproduce that motion, so that fits learn from shapes without it; but errors are measured on shapes with it.
type MorphedShape struct {
	Rest   []mgl64.Vec3 // the shape before skinning
	Target []mgl64.Vec3 // its target in the pose; both have one position per vertex, metres
}

// Examples are pairs of a pose and the skin that goes with it: what every fit to shapes learns from, and what it is
// measured on. They are read-only while a fit runs.
type Examples struct {
	Model     *skinning.Model    // whose skin and skeleton these are; nil where there is none
	Rest      []mgl64.Vec3       // one per vertex, rest space, metres, without morph targets
	Triangles [][3]uint32        // of vertices
	Parents   []int              // of each joint of the model, −1 for none
	Rigged    [][]skinning.Share // per vertex the rig's weights of joints; nil where there is no rig
	Palettes  [][]geom.Affine    // [example][joint]: rest space to world; nil for a mesh sequence
	Targets   [][]mgl64.Vec3     // [example][vertex], metres, in the world of the pose, without morph targets
	Weights   []float64          // of the examples' squared errors in a fit, above 0; nil for 1 each
	Priors    int                // how many of the examples, the last ones, are prior ones: see [Examples.WithPriors]

	// These are one per example that is not a prior one.
	Frames  []*skinning.Frame // the model in the poses
	Morphed []MorphedShape    // what errors are measured on; nil for Rest and Targets
}

// NewExamples pairs frames of a model with the skin in each.
func NewExamples(m *skinning.Model, frames []*skinning.Frame, targets [][]mgl64.Vec3) *Examples {
	x := &Examples{Model: m, Rest: geom.Vecs64(m.Skin.Positions), Triangles: m.Skin.Triangles,
		Rigged: skinning.SharesOf(&m.Skin.Influences), Frames: frames, Targets: targets}
	for j := range m.Skeleton.Joints {
		x.Parents = append(x.Parents, m.Skeleton.Joints[j].Parent)
	}
	for _, f := range frames {
		x.Palettes = append(x.Palettes, f.Matrices)
	}
	return x
}

// Examples is [Poses.Examples] of the set's poses.
func (s *Set) Examples(m *skinning.Model) (*Examples, error) {
	p, err := s.Choose(m, nil)
	if err != nil {
		return nil, err
	}
	return p.Examples()
}

// Examples pairs the poses with the shapes, and weighs them. An example that goes too far from the origin is an error:
// neighbouring float32 numbers there are farther apart than the model is large. It comes from a broken clip or file,
// and a fit to it is noise.
func (p *Poses) Examples() (*Examples, error) { return p.ExamplesUntil(context.Background()) }

// ExamplesUntil is [Poses.Examples], or ctx's error where ctx is done before.
func (p *Poses) ExamplesUntil(ctx context.Context) (*Examples, error) {
	x := p.examples(ctx)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return x, x.near()
}

// examples is Examples wherever they are. It is cut short where ctx is done.
func (p *Poses) examples(ctx context.Context) *Examples {
	if p.Targets != nil {
		return NewExamples(p.Model, p.frames(p.Model), p.Targets)
	}
	bare := p.Model.WithoutMorphs()
	frames, shown := p.frames(bare), p.frames(p.Model)
	posed := frames
	if !p.Taught { // morph targets first, then linear blending, is the example's shape
		posed = shown
	}
	targets := shapesOf(ctx, posed, p.Teacher)
	x := NewExamples(bare, frames, targets)
	x.Weights = p.Weights
	if p.Times != nil && KeepsMorphs(p.Model) {
		x.Morphed = morphed(shown, shapesOf(ctx, shown, p.Teacher))
	}
	return x
}

// Primaries returns D, the number of joints of the poses.
func (x *Examples) Primaries() int {
	if len(x.Palettes) == 0 {
		return 0
	}
	return len(x.Palettes[0])
}

// Given returns the number of examples that are not prior ones. They come first.
func (x *Examples) Given() int { return len(x.Targets) - x.Priors }

// Weight returns the weight of an example.
func (x *Examples) Weight(n int) float64 {
	if x.Weights == nil {
		return 1
	}
	return x.Weights[n]
}

// TotalWeight returns the weight of all examples together.
func (x *Examples) TotalWeight() (sum float64) {
	for n := range x.Targets {
		sum += x.Weight(n)
	}
	return sum
}

// Balanced returns the examples with weights of mean 1, so that errors keep their size.
func (x *Examples) Balanced() *Examples {
	if x.Weights == nil {
		return x
	}
	out := *x
	out.Weights = slices.Clone(x.Weights)
	floats.Scale(float64(len(x.Weights))/floats.Sum(x.Weights), out.Weights)
	return &out
}

// WithPriors returns the examples with prior ones after them, which decide only what the given ones leave open.
func (x *Examples) WithPriors(palettes [][]geom.Affine, targets [][]mgl64.Vec3, weights []float64) *Examples {
	out := *x
	out.Priors = len(targets)
	out.Palettes, out.Targets = slices.Concat(x.Palettes, palettes), slices.Concat(x.Targets, targets)
	out.Weights = make([]float64, 0, len(out.Targets))
	for n := range x.Targets {
		out.Weights = append(out.Weights, x.Weight(n))
	}
	out.Weights = append(out.Weights, weights...)
	return &out
}

// Pick returns the examples of some indices, in that order: prior ones last.
func (x *Examples) Pick(indices []int) *Examples {
	given := slices.DeleteFunc(slices.Clone(indices), func(n int) bool { return n >= x.Given() })
	out := *x
	out.Palettes, out.Targets, out.Weights = Pick(x.Palettes, indices), Pick(x.Targets, indices), Pick(x.Weights, indices)
	out.Frames, out.Morphed, out.Priors = Pick(x.Frames, given), Pick(x.Morphed, given), len(indices)-len(given)
	return &out
}

// Without returns the examples without one, for leave-one-out validation (RTER section 7.1).
func (x *Examples) Without(i int) *Examples { return x.Pick(without(len(x.Targets), i)) }

// without returns the numbers below n without some.
func without(n int, some ...int) (others []int) {
	for i := range n {
		if !slices.Contains(some, i) {
			others = append(others, i)
		}
	}
	return others
}

// Pick returns the elements at some places, nil of nil.
func Pick[T any](all []T, places []int) []T {
	if all == nil {
		return nil
	}
	out := make([]T, len(places))
	for k, n := range places {
		out[k] = all[n]
	}
	return out
}

// Diagonal returns the rest pose's bounding diagonal, metres.
func (x *Examples) Diagonal() float64 {
	lo, hi := geom.Bounds(x.Rest)
	return hi.Sub(lo).Len()
}

// Measured returns the rest shape and the target by which the error of an example is measured.
func (x *Examples) Measured(i int) (rest, target []mgl64.Vec3) {
	if x.Morphed != nil {
		return x.Morphed[i].Rest, x.Morphed[i].Target
	}
	return x.Rest, x.Targets[i]
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
// metres. Weights of examples are not used.
func (x *Examples) RMS(weights [][]skinning.Share, motions [][]geom.Affine) float64 {
	sum := 0.0
	for n, target := range x.Targets {
		for v, p := range x.Blend(n, weights, motions) {
			sum += p.Sub(target[v]).LenSqr()
		}
	}
	return math.Sqrt(sum / float64(len(x.Rest)*len(x.Targets)))
}

// shapesOf returns what the teacher makes of frames, in order. It is cut short where ctx is done.
func shapesOf(ctx context.Context, frames []*skinning.Frame, teacher skinning.Reference) (shapes [][]mgl64.Vec3) {
	for _, f := range frames {
		if ctx.Err() != nil {
			break
		}
		shapes = append(shapes, teacher.Positions(f))
	}
	return shapes
}

// morphed pairs the shapes of frames with the shapes before skinning; nil where no morph target has a weight.
func morphed(frames []*skinning.Frame, shapes [][]mgl64.Vec3) (all []MorphedShape) {
	moved := false
	for i, target := range shapes {
		f := frames[i]
		all = append(all, MorphedShape{Rest: f.Model.Skin.RestPositions(f.Morphs), Target: target})
		moved = moved || slices.ContainsFunc(f.Morphs, func(w float64) bool { return w != 0 })
	}
	if !moved {
		return nil
	}
	return all
}

// WithMorphs returns a model that was fitted to m with the morph targets of m, such as those of a face. If they are m's
// example set, it leaves them out: they correct the weights of m, and would correct the fit's again.
func WithMorphs(fitted, m *skinning.Model) *skinning.Model {
	if !KeepsMorphs(m) {
		return fitted
	}
	out := *fitted
	out.Skin.Morphs = m.Skin.Morphs
	return &out
}

// KeepsMorphs reports whether a fit to a model keeps its morph targets.
func KeepsMorphs(m *skinning.Model) bool {
	_, err := Own(m)
	return err != nil && len(m.Skin.Morphs) > 0
}
