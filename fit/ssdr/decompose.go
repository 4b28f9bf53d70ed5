package ssdr

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"

	"skinlab/fit"
	"skinlab/fit/training"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/parallel"
)

// Options say how to decompose.
type Options struct {
	Recipe  *Recipe // nil means [Ours]
	Bones   int     // H, the number of helper bones to insert; 0 solves only the weights of the primary joints
	Scale   bool    // helper bones have a uniform scale in each example
	Workers int     // 0 means all processors; the result does not depend on it
	// Start has the weights and motions to begin with, and Bones counts its helper bones too. Where its weights are
	// nil, they are solved for the motions. A nil Start begins with no helper bone.
	Start *Decomposition
	// Progress is told each round, on Decompose's goroutine; nil for none. It may ask the solver for its current
	// state. The solver is nil while starts are compared.
	Progress func(step Step, s *Solver)
}

func (o *Options) validate(x *training.Examples) error {
	if o.Bones < 0 || o.Bones+x.Primaries() > 1<<16 {
		return fmt.Errorf("%w: %d helper bones for %d joints", training.ErrExamples, o.Bones, x.Primaries())
	}
	if o.Recipe == nil {
		o.Recipe = Ours()
	}
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	if o.Start == nil {
		return nil
	}
	if o.Start.Weights != nil && len(o.Start.Weights) != len(x.Rest) {
		return fmt.Errorf("%w: the start has weights of %d vertices of %d", training.ErrExamples, len(o.Start.Weights), len(x.Rest))
	}
	for h, motion := range o.Start.Motions {
		if len(motion) != len(x.Targets) {
			return fmt.Errorf("%w: bone %d of the start has %d motions of %d", training.ErrExamples, h, len(motion), len(x.Targets))
		}
	}
	return training.ValidateWeights(o.Start.Weights, x.Primaries()+len(o.Start.Motions))
}

// Decomposition is weights and the helper bones' motions. A cancelled fit returns the best so far.
type Decomposition struct {
	Weights [][]skinning.Share // per vertex, the largest first; Joint ≥ D means helper bone Joint−D
	Motions [][]geom.Affine    // [helper][example]: Ŝ_h,n, rest space to world
	RMS     float64            // metres, over vertices and examples, each example by its importance
	History []Step
	// Reason is [fit.NoGain] where there are fewer bones than were asked for, because a further one would influence
	// too few vertices, or would not lower the error.
	Reason fit.Reason
}

// Step is one round: motions and weights, after an insertion or without one.
type Step struct {
	Bones      int           // helper bones after it
	Round      int           // counted from 1 after the last insertion; 0 while bones are inserted
	RMS        float64       // metres
	Insert     time.Duration // the times of its three parts
	Transforms time.Duration
	Weights    time.Duration
}

// Decompose is Algorithm 1. A done context ends it with the best decomposition so far and [fit.Cancelled].
func Decompose(ctx context.Context, x *training.Examples, opt Options) (*Decomposition, error) {
	if opt.Bones+x.Primaries() == 0 {
		return nil, fmt.Errorf("%w: no bones", training.ErrExamples)
	}
	if err := errors.Join(x.Validate(), opt.validate(x)); err != nil {
		return nil, err
	}
	if opt.Recipe.Starts != nil && opt.Start == nil && opt.Bones > 0 && ctx.Err() == nil {
		opt.Start = bestStart(ctx, x, opt)
	}
	return decompose(ctx, x, opt, 0), nil
}

// decompose is Algorithm 1 from the start of some options. Trial is that of [Recipe.NewBone].
func decompose(ctx context.Context, x *training.Examples, opt Options, trial int) *Decomposition {
	d := &decomposing{Solver: newSolver(x, &opt), ctx: ctx, opt: &opt, trial: trial}
	d.begin(opt.Start)
	reason := d.run()
	d.TrimWeights()
	if d.removeInsignificant() > 0 && reason != fit.Cancelled {
		reason = fit.NoGain
	}
	out := d.Current()
	out.History, out.Reason = d.history, reason
	return out
}

// decomposing is a run of Algorithm 1.
type decomposing struct {
	*Solver
	ctx     context.Context
	opt     *Options
	trial   int
	history []Step
	last    [][]geom.Affine // the motions that the round before has solved: [helper][example]; nil in a first round
	factor  float64         // by which motions are extrapolated
}

// run is Algorithm 1.
func (d *decomposing) run() fit.Reason {
	if d.ctx.Err() != nil {
		return fit.Cancelled
	}
	start := time.Now()
	d.SolveWeights(true) // line 2
	d.record(Step{Weights: time.Since(start)})
	reason := d.insertAll()
	if reason != fit.Cancelled && d.Helpers() > 0 {
		if r := d.iterate(); r == fit.Cancelled || reason == fit.Converged {
			reason = r
		}
	}
	return reason
}

// If mostFailures new bones in a row have to be removed again, insertion ends with [fit.NoGain].
const mostFailures = 8

// insertAll is lines 3 to 8 of Algorithm 1. A bone that is removed again is tried elsewhere.
func (d *decomposing) insertAll() fit.Reason {
	barred := make([]bool, len(d.rest))
	for failed := 0; d.Helpers() < d.opt.Bones; {
		if d.ctx.Err() != nil {
			return fit.Cancelled
		}
		start := time.Now()
		motion, point := d.recipe.NewBone(d.Solver, barred, d.trial)
		if motion == nil || failed == mostFailures {
			return fit.NoGain
		}
		d.addBone(motion)
		d.sumBones(len(d.bones) - 1)
		inserted := time.Since(start)
		d.SolveWeights(true)
		d.last = nil
		removed := 0
		for i := range d.recipe.RoundsBetween {
			if i > 0 && d.ctx.Err() != nil {
				break
			}
			step := d.round(false)
			removed = d.removeInsignificant()
			if removed > 0 {
				break
			}
			if i == 0 {
				step.Insert = inserted
			}
			d.record(step)
		}
		failed++
		if removed == 0 {
			failed = 0
		}
		barred[point] = removed > 0
	}
	return fit.Converged
}

// patience is the number of rounds over which the fall of the error is averaged, since momentum makes it uneven.
const patience = 5

// iterate is lines 9 to 12.
func (d *decomposing) iterate() fit.Reason {
	d.last = nil
	for round := range d.recipe.Rounds {
		if d.ctx.Err() != nil {
			return fit.Cancelled
		}
		step := d.round((round+1)%d.recipe.Thorough == 0)
		step.Round = round + 1
		d.record(step)
		if round < patience {
			continue
		}
		before := d.history[len(d.history)-1-patience].RMS
		if !(before-d.RMS() >= patience*d.recipe.Enough*before) {
			return fit.Converged
		}
	}
	return fit.RoundLimit
}

// The factor by which momentum grows after a round that was accepted, and the divisor by which it shrinks after one
// that was not.
const moreMomentum, lessMomentum = 1.2, 2

// round solves the motions, and then the weights. Weights and motions depend on each other, so that alternating steps
// creep. So the motions of a round are extrapolated by the change since the round before (Nesterov 1983). Where that
// raises the error, the round's own motions are taken, and the error falls in every round.
func (d *decomposing) round(thorough bool) (step Step) {
	thorough = thorough || d.recipe.Thorough == 1
	start := time.Now()
	least := d.objective()
	d.solveMotions()
	solved, last := slices.Clone(d.bones[d.primaries:]), d.last
	d.last = solved
	step.Transforms = time.Since(start)
	start = time.Now()
	if last == nil {
		d.factor = d.recipe.Momentum
	} else if d.factor > 0 {
		weights, errors := d.saved()
		d.moveTo(d.extrapolated(solved, last), thorough)
		if d.objective() <= least {
			d.factor *= moreMomentum
			step.Weights = time.Since(start)
			return step
		}
		d.factor /= lessMomentum
		d.weights, d.errors = weights, errors
	}
	d.moveTo(solved, thorough)
	step.Weights = time.Since(start)
	return step
}

// extrapolated returns the motions moved on.
func (d *decomposing) extrapolated(solved, last [][]geom.Affine) [][]geom.Affine {
	out := make([][]geom.Affine, len(solved))
	parallel.For(d.workers, len(out), func(_, h int) {
		out[h] = make([]geom.Affine, len(solved[h]))
		for n := range out[h] {
			x := &out[h][n]
			for c, v := range solved[h][n] {
				x[c] = v + d.factor*(v-last[h][n][c])
			}
			*x = nearestMotion(*x, d.scale)
		}
	})
	return out
}

// saved returns a copy of the weights and their errors.
func (d *decomposing) saved() (weights [][]skinning.Share, errors []float64) {
	for _, w := range d.weights {
		weights = append(weights, slices.Clone(w))
	}
	return weights, slices.Clone(d.errors)
}

// moveTo sets the helper bones' motions and solves the weights.
func (s *Solver) moveTo(motions [][]geom.Affine, thorough bool) {
	copy(s.bones[s.primaries:], motions)
	s.sumBones(s.primaries)
	s.SolveWeights(thorough)
}

func (d *decomposing) record(step Step) {
	step.Bones, step.RMS = d.Helpers(), d.RMS()
	d.history = append(d.history, step)
	if d.opt.Progress != nil {
		d.opt.Progress(step, d.Solver)
	}
}
