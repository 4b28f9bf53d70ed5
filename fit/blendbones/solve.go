package blendbones

import (
	"context"
	"errors"
	"math"
	"runtime"
	"slices"
	"time"

	"skinlab/fit"
	"skinlab/skinning"
	"skinlab/skinning/metrics"
	"skinlab/skinning/remodel"
)

// Solve runs Algorithm 1 by the steps of a recipe. Its only error is that of a bad problem. A cancelled fit has a
// result.
func Solve(ctx context.Context, p *Problem, opt Options) (*Result, error) {
	if err := errors.Join(opt.validate(p), p.Validate()); err != nil {
		return nil, err
	}
	if opt.MaxBones == 0 {
		opt.MaxBones = 10
	}
	if err := p.roomFor(opt.MaxBones); err != nil {
		return nil, err
	}
	r := newRun(ctx, p, opt)
	r.record()
	return r.result(r.solve()), nil
}

// HalfWay is the baseline of ALNS figure 7, after Mohr and Gleicher 2003. Every joint with a parent gets one extra
// joint, rotated halfway between the two, and weights are found by the w'-step of [Solve]. The halfway transform is the
// equal blend of two dual quaternions, which is their slerp. MaxBones and Target of the options are not used.
func HalfWay(ctx context.Context, p *Problem, opt Options) (*Result, error) {
	if err := errors.Join(opt.validate(p), p.Validate()); err != nil {
		return nil, err
	}
	r := newRun(ctx, p, opt)
	r.record()
	for _, pair := range remodel.JointPairs(&p.Model.Skeleton) {
		joints := []uint16{uint16(min(pair.Joint, pair.Parent)), uint16(max(pair.Joint, pair.Parent))}
		if b := (&bone{joints: joints, u: []float64{0.5, 0.5}, span: joints}); len(r.setsOf(b)) > 0 {
			if err := p.roomFor(len(r.bones) + 1); err != nil {
				return nil, err
			}
			r.place(b)
		}
	}
	r.listBones()
	r.solveWeights(r.reach(r.all()), true)
	r.record()
	return r.result(fit.BoneLimit), nil
}

// run is one call of Solve.
type run struct {
	*solution
	ctx     context.Context
	opt     *Options
	problem *Problem
	start   time.Time
	size    float64 // the rest diagonal, metres
	history []fit.Step
	judge   *input // what errors are measured by where a fit is trained on another operator; nil for the solution's own
}

func newRun(ctx context.Context, p *Problem, opt Options) *run {
	if opt.Workers <= 0 {
		opt.Workers = runtime.GOMAXPROCS(0)
	}
	if opt.Recipe == nil {
		opt.Recipe = Ours()
	}
	r := &run{ctx: ctx, opt: &opt, problem: p, start: time.Now(), size: p.Model.Diagonal()}
	teacher := p.Operator
	if opt.Recipe.Teacher != nil {
		teacher = opt.Recipe.Teacher(teacher)
	}
	r.solution = newSolution(newInput(p, teacher, &opt), opt.Recipe, opt.Workers)
	r.stop = func() bool { return ctx.Err() != nil }
	if teacher != p.Operator {
		r.judge = newInput(p, p.Operator, &opt)
	}
	return r
}

// solve is Algorithm 1: it adds bones one by one, moves all after each, and once more in the end.
func (r *run) solve() fit.Reason {
	if r.ee() < exact {
		return fit.NothingToDo
	}
	candidates := r.candidates()
	reason := fit.BoneLimit
	for reason == fit.BoneLimit && len(r.bones) < r.opt.MaxBones && !r.met() {
		best := r.bestCandidate(candidates)
		switch {
		case r.stop():
			return fit.Cancelled
		case best == nil || r.ee() < exact: // a bone always lowers the error of prior poses
			reason = fit.NoGain
			continue
		}
		r.place(best.bone)
		r.listBones()
		last := len(r.bones) - 1
		r.alternate(r.sharing(last), []int{last}, r.opt.Recipe.Rounds)
		r.record()
	}
	if r.met() {
		reason = fit.TargetMet
	}
	r.settle()
	return reason
}

// settle improves a placed set of bones. It moves all of them together and extends them by further joints, in turns.
func (r *run) settle() {
	recipe, all := r.opt.Recipe, r.all()
	for turn := range recipe.Settle {
		if r.stop() || turn > 0 && !recipe.Extend(r.solution) {
			break
		}
		r.alternate(all, all, recipe.SettleRounds)
	}
	if met, had := r.met(), slices.Clone(r.weights); recipe.Thin > 0 && !r.stop() {
		r.thin(recipe.Thin)
		if met && !r.met() {
			r.weights = had
		}
	}
	if recipe.Settle > 0 {
		r.history = r.history[:len(r.history)-1] // this many bones are better now
		r.record()
	}
}

// exact is an EE in percent that is none.
const exact = 1e-9

// met reports whether the target is met.
func (r *run) met() bool { return r.opt.Target > 0 && r.ee() < r.opt.Target }

// alternate is the repeat-until loop of Algorithm 1. First the vertices in reach of the fresh bones choose among all
// bones anew. Then rounds of a u-step of the group and a w'-step follow. A round that does not lower the error is taken
// back.
func (r *run) alternate(group, fresh []int, rounds int) {
	r.solveWeights(r.reach(fresh), true)
	damping := r.opt.Recipe.Damping
	for range rounds {
		before, saved := r.total(), r.save(group)
		r.opt.Recipe.Bones(r.solution, group, damping)
		r.solveWeights(r.reach(group), false)
		after := r.total()
		if r.stop() || !(after < before) {
			r.restore(saved)
			damping *= 10
			if r.stop() || !(0 < damping && damping <= 1) {
				return
			}
		} else if after > before*(1-r.opt.Recipe.Enough) {
			return
		}
	}
}

// errors returns the sum of the squared errors over all vertices and given poses, and the largest.
func (r *run) errors() (sum, most float64) {
	if r.judge == nil {
		return r.solution.errors()
	}
	return r.posedBy(r.judge).errors()
}

// ee is the enveloping error in percent over the given poses, see [metrics.EnvelopingError].
func (r *run) ee() float64 {
	sum, _ := r.errors()
	return r.envelopingError(sum)
}

func (r *run) envelopingError(sum float64) float64 {
	in := r.in
	if r.judge != nil {
		in = r.judge
	}
	return metrics.EnvelopingError(sum, in.rigid, len(in.rest)*in.given, r.size)
}

// record adds the present state to the history and reports it.
func (r *run) record() {
	rig, m := r.rig(r.problem.Operator, r.opt.LongWay), r.problem.Model
	r.history = append(slices.Clip(r.history), fit.Step{Added: len(rig.Bones), EE: r.ee(), Elapsed: time.Since(r.start),
		Model: fit.LazyModel(func() (*skinning.Model, error) { return rig.Model(m) })})
	if r.opt.Progress != nil {
		r.opt.Progress(r.history)
	}
}

// result returns the present state, with the reason unless the fit was cancelled.
func (r *run) result(reason fit.Reason) *Result {
	if r.stop() {
		reason = fit.Cancelled
	}
	sum, most := r.errors()
	out := &Result{Rig: r.rig(r.problem.Operator, r.opt.LongWay), EE: r.envelopingError(sum), History: r.history, Reason: reason}
	if r.size > 0 {
		out.RMS, out.Max = math.Sqrt(sum/float64(len(r.in.rest)*r.in.given))/r.size, math.Sqrt(most)/r.size
	}
	out.Elapsed = time.Since(r.start)
	return out
}
