package blendbones

import (
	"context"
	"math"
	"slices"
	"time"

	"skinlab/fit"
	"skinlab/fit/training"
	"skinlab/skinning"
	"skinlab/skinning/compare"
	"skinlab/skinning/metrics"
	"skinlab/skinning/remodel"
)

// Method is blend bones as a row of the table of fits.
var Method = &fit.Method{
	Name: "blend-bones", Title: "Blend bones", Noun: "blend bone", Suffix: "-blend", Learns: fit.Operator,
	Gives:   "Bones between the joints, so that plain linear skinning bends like the method you choose, in any engine.",
	Help:    "Add blend bones, samples of a nonlinear method",
	Example: "--operator dqs --bones 10 --train walk:12 -o fitted.glb",
	Options: []fit.Option{
		{Name: "bones", Kind: fit.Count, Default: 10, Least: 1, Most: 1000, Help: "blend bones to add at most",
			Slider: &fit.Slider{Title: "Max bones", Most: 40, Step: 1, Default: 10}},
		{Name: "target", Most: math.Inf(1), Help: "stop when the enveloping error falls below this percentage",
			Slider: &fit.Slider{Title: "Target EE", More: true, Most: 20, Step: 0.5, Unit: "%", Nothing: "none"}},
		{Name: fit.AsPublished, Kind: fit.Switch, Most: 1, Help: "the paper's algorithm alone, without what this fit adds to it",
			Slider: &fit.Slider{Title: "As published", More: true}},
		fit.ShortestPath,
	},
	Differs: differs,
	Run: func(ctx context.Context, job *fit.Job) (*fit.Result, error) {
		if job.On(fit.AsPublished) {
			return runMethod(ctx, job, Solve, Published())
		}
		return runMethod(ctx, job, Solve, Ours())
	},
}

// WithRecipe returns the method with a recipe of one's own, which the option to fit as published does not change.
func WithRecipe(r *Recipe) *fit.Method {
	m := *Method
	m.Run = func(ctx context.Context, job *fit.Job) (*fit.Result, error) { return runMethod(ctx, job, Solve, r) }
	return &m
}

// RunHalfWay runs a job with [HalfWay].
func RunHalfWay(ctx context.Context, job *fit.Job) (*fit.Result, error) {
	return runMethod(ctx, job, HalfWay, Ours())
}

// solve is [Solve] or [HalfWay].
type solve func(ctx context.Context, p *Problem, opt Options) (*Result, error)

// fitting is one run of a method.
type fitting struct {
	ctx     context.Context
	job     *fit.Job
	solve   solve
	recipe  *Recipe
	elapsed time.Duration // of all fits
}

// attempt is one fit.
type attempt struct {
	problem *Problem
	result  *Result
	fitted  *skinning.Model
}

// runMethod fits, and measures what the job asks for.
func runMethod(ctx context.Context, job *fit.Job, solve solve, recipe *Recipe) (*fit.Result, error) {
	merged := *job
	merged.Model = remodel.MergeEqualJoints(job.Model) // so that one blend bone serves all skins
	f := &fitting{ctx: ctx, job: &merged, solve: solve, recipe: recipe}
	best, err := fit.Learn(ctx, f.job, merged.Model, recipe.Refit, func() {}, f.attempt)
	if err != nil {
		return nil, err
	}
	return f.outcome(best), nil
}

// attempt fits to poses.
func (f *fitting) attempt(p *training.Poses) (a *attempt, fitted compare.Subject, err error) {
	operator, _ := p.Teacher.(skinning.Method)
	a = &attempt{problem: &Problem{Model: p.Model, Operator: operator}}
	if a.problem.Frames, err = p.Frames(); err != nil {
		return nil, fitted, err
	}
	recipe := *f.recipe
	if p.Times == nil {
		recipe.PriorWeight = recipe.MadePriorWeight
	}
	opt := Options{Workers: f.job.Workers, LongWay: p.LongWay, Recipe: &recipe, Progress: f.progress()}
	if recipe.Refit {
		opt.Weights = p.Weights
	}
	if f.job.Method.Count() != nil {
		opt.MaxBones, opt.Target = f.job.Int("bones"), f.job.Value("target")
	}
	if a.result, err = f.solve(f.ctx, a.problem, opt); err != nil {
		return nil, fitted, err
	}
	f.elapsed += a.result.Elapsed
	a.fitted, err = a.result.Rig.Model(p.Model)
	return a, compare.Subject{Model: a.fitted}, err
}

// progress returns the callback for the solver, or nil if the job has none.
func (f *fitting) progress() func(history []fit.Step) {
	if f.job.Progress == nil {
		return nil
	}
	most := 0
	if f.job.Method.Count() != nil {
		most = f.job.Int("bones")
	}
	return func(history []fit.Step) {
		p := fit.Progress{Now: history[len(history)-1], History: history}
		if most > 0 && p.Now.Added >= most {
			p.Stage = "refining"
		}
		p.Share = f.share(&p, most)
		f.job.Progress(p)
	}
}

// share estimates the part of the work that is done: the share of the bones, or of the way to the target on a
// logarithmic scale, on which errors fall evenly.
func (f *fitting) share(p *fit.Progress, most int) float64 {
	share := float64(p.Now.Added) / float64(max(most, 1))
	if most == 0 {
		return share
	}
	if first, target := p.History[0].EE, f.job.Value("target"); target > 0 && p.Now.EE > 0 && first > target {
		share = max(share, math.Log(first/p.Now.EE)/math.Log(first/target))
	}
	return share
}

// outcome reports the attempt that is kept.
func (f *fitting) outcome(best *fit.Attempt[*attempt]) *fit.Result {
	a, p := best.Of, best.Poses
	r, operator := a.result, a.problem.Operator
	last := fit.Progress{Now: fit.Step{Added: len(r.Rig.Bones), EE: r.EE, Elapsed: r.Elapsed,
		Model: func() *skinning.Model { return a.fitted }}, History: r.History}
	report := fit.NewReport(f.job, p, a.fitted, &last.Now)
	report.Frames, report.Reason, report.Seconds = len(a.problem.Frames), string(r.Reason), f.elapsed.Seconds()
	report.EE, report.RMS, report.Max = fit.ReportedEE(r.EE, r.RMS), r.RMS, r.Max
	if p.Times != nil && morphsMove(a.problem.Frames) {
		shown := fit.Measure(context.WithoutCancel(f.ctx), p.Model, a.fitted, operator, p.Times)
		report.EE, report.RMS, report.Max = shown.EE, shown.RMS, shown.Max
	}
	for _, s := range last.History {
		report.History = append(report.History, fit.Point{AddedBones: s.Added, EE: metrics.Percent(s.EE),
			Seconds: s.Elapsed.Seconds()})
	}
	report.Clips, report.Refitted = append(report.Clips, best.Clips...), best.Again
	report.Warnings = report.Clips.Warnings(report.Diagonal)
	if clip := f.job.Tests.Clip; clip >= 0 && clip < len(p.Model.Clips) {
		report.Test = fit.TestOn(f.ctx, p.Model, a.fitted, operator, clip)
		if report.Test != nil {
			report.Test.Learnt = p.Learns(clip)
			report.Judge("unseen poses", report.Test)
		}
	}
	return &fit.Result{Model: a.fitted, Report: report, Last: last}
}

// morphsMove reports whether the frames differ in their morph targets. Blend bones are fitted to the shape of the first
// frame, so their error then differs from that of the shown shape.
func morphsMove(frames []*skinning.Frame) bool {
	return slices.ContainsFunc(frames, func(f *skinning.Frame) bool { return !slices.Equal(f.Morphs, frames[0].Morphs) })
}
