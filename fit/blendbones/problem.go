package blendbones

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"skinlab/fit"
	"skinlab/skinning"
	"skinlab/skinning/rig"
)

// Problem is a model and the poses that it is trained on.
type Problem struct {
	Model    *skinning.Model
	Operator skinning.Method   // one of skinning.Operators
	Frames   []*skinning.Frame // poses of the model; those that are unrolled train without antipodality resolution
}

// ErrProblem marks a problem that no fit can start from.
var ErrProblem = errors.New("blend bones: bad problem")

// Validate reports every defect of the problem.
func (p *Problem) Validate() error {
	var errs []error
	bad := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("%w: "+format, append([]any{ErrProblem}, args...)...))
	}
	if p.Model == nil || len(p.Model.Skin.Positions) == 0 {
		bad("the model has no skin")
	}
	if !p.Operator.IsOperator() {
		bad("%s needs no blend bones", p.Operator.Title())
	}
	if len(p.Frames) == 0 {
		bad("no training poses")
	}
	for i, f := range p.Frames {
		for j := range f.Matrices {
			if !f.Matrices[j].IsFinite() {
				bad("pose %d: joint %d %q is not finite", i, j, f.Model.Skeleton.Joints[j].Name)
				break
			}
		}
	}
	return errors.Join(errs...)
}

// roomFor reports an error where the joints and added bones are more than the 16 bits of an influence can number.
func (p *Problem) roomFor(bones int) error {
	if n := len(p.Model.Skeleton.Joints); n+bones > 1<<16 {
		return fmt.Errorf("%w: %d joints and %d added ones: an influence can name %d", ErrProblem, n, bones, 1<<16)
	}
	return nil
}

// Options tune [Solve].
type Options struct {
	Recipe   *Recipe                  // the steps; nil means [Ours]
	MaxBones int                      // blend bones to place at most; 0 means 10
	Target   float64                  // stop when EE falls below this percentage; 0 means run to MaxBones
	LongWay  bool                     // of the rig, see [rig.BlendBones]
	Weights  []float64                // of the poses' squared errors, above 0; nil for 1 each. Results are without them
	Workers  int                      // 0 means GOMAXPROCS; the result does not depend on it
	Progress func(history []fit.Step) // called after each step on Solve's goroutine; may be nil
}

func (o *Options) validate(p *Problem) error {
	if o.MaxBones < 0 || o.MaxBones > 1000 {
		return fmt.Errorf("%w: %d blend bones: from 0 to 1000", ErrProblem, o.MaxBones)
	}
	if !(o.Target >= 0) {
		return fmt.Errorf("%w: target EE of %g percent", ErrProblem, o.Target)
	}
	if o.Weights != nil && len(o.Weights) != len(p.Frames) {
		return fmt.Errorf("%w: %d weights of %d poses", ErrProblem, len(o.Weights), len(p.Frames))
	}
	for i, w := range o.Weights {
		if !(w > 0) || math.IsInf(w, 0) {
			return fmt.Errorf("%w: pose %d: weight %g", ErrProblem, i, w)
		}
	}
	return nil
}

// Result is the best model so far, so that a cancelled fit is still usable.
type Result struct {
	Rig     *Rig
	EE      float64 // percent, over all training poses
	RMS     float64 // fraction of the rest-pose diagonal
	Max     float64
	History []fit.Step // one step per number of blend bones, from 0 on
	Reason  fit.Reason
	Elapsed time.Duration
}

// Rig is the result of a fit: blend bones, numbered after the master joints, and weights over both.
type Rig struct {
	Operator   skinning.Method
	LongWay    bool // see [rig.BlendBones]
	Bones      []rig.BlendBone
	Influences skinning.Influences // w'-weights; indices from the number of master joints on are blend bones
}

// Model returns m with the rig's bones and weights. Linear blending of the result looks like the operator on m.
func (r *Rig) Model(m *skinning.Model) (*skinning.Model, error) {
	return (&rig.BlendBones{Operator: r.Operator, Bones: r.Bones, LongWay: r.LongWay}).On(m, r.Influences)
}

// rig copies the solution.
func (s *solution) rig(operator skinning.Method, longWay bool) *Rig {
	out := &Rig{Operator: operator, LongWay: longWay}
	for _, b := range s.bones {
		placed := rig.BlendBone{Joint: s.in.joints + len(out.Bones), Masters: slices.Clone(b.joints),
			Weights: slices.Clone(b.u), Swings: slices.Clone(b.swings)}
		if operator == skinning.COR {
			if center, ok := s.in.frames[0].CenterOfRotation(b.joints, b.u); ok {
				placed.Center = &center
			}
		}
		out.Bones = append(out.Bones, placed)
	}
	out.Influences.Bindings = make([]skinning.Binding, 0, len(s.weights))
	var raw [maxJoints]skinning.Influence
	for v := range s.weights {
		w := &s.weights[v]
		for k := range w.count {
			raw[k] = skinning.Influence{Joint: uint16(w.bone[k]), Weight: float32(w.weight[k])}
		}
		out.Influences.Append(raw[:w.count], 0)
	}
	return out
}
