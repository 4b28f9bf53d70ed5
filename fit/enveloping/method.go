package enveloping

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit"
	"skinlab/fit/training"
	"skinlab/skinning"
	"skinlab/skinning/messages"
	"skinlab/skinning/metrics"
)

// Method is enveloping as a row of the table of fits.
var Method = &fit.Method{
	Name: "enveloping", Title: "Enveloping", Noun: "proxy bone", Suffix: "-envelope", Learns: fit.Shapes,
	Help:    "Add proxy bones that learn from example shapes, or from a method's",
	Example: "--targets shapes/ --clip exercise -o fitted.glb",
	Options: []fit.Option{
		{Name: "proxies", Kind: fit.Count, Default: defaultProxies, Least: 1, Most: 1000, Help: "proxy bones to add at most",
			Slider: &fit.Slider{Title: "Most bones", Most: 120, Step: 1, Default: 40}},
		{Name: "target", Most: math.Inf(1),
			Help: "stop when the enveloping error falls below this percentage, with the fewest proxy bones that have it there"},
		{Name: "rigid", Default: defaultRigid, Most: 1000, Above: true,
			Help: "vertices that trained weights predict better than this share of the mean error are left to them"},
		{Name: "history", Kind: fit.Switch, Most: 1,
			Help: "measure models of fewer proxy bones too, from 5 up; the last is the same"},
	},
	Run:    func(ctx context.Context, job *fit.Job) (*fit.Result, error) { return runMethod(ctx, job, Fit) },
	Others: []fit.Other{poseSpaceDeformation},
}

// SSDMethod is trained weights as such a row.
var SSDMethod = &fit.Method{
	Name: "ssd", Title: "Trained SSD", Noun: "bone", Suffix: "-ssd", Learns: fit.Shapes,
	Help:     "Train the weights of the model's own joints on example shapes, or on a method's",
	Example:  "--teach dqs -o fitted.glb",
	Run:      func(ctx context.Context, job *fit.Job) (*fit.Result, error) { return runMethod(ctx, job, FitSSD) },
	Others:   []fit.Other{poseSpaceDeformation},
	Baseline: true,
}

// poseSpaceDeformation interpolates the error of a fit's trained weights over the poses (see psd.go).
var poseSpaceDeformation = fit.Other{Name: "psd", Title: "Pose space deformation",
	Deform: func(ctx context.Context, r *fit.Result) (func(f *skinning.Frame) []mgl64.Vec3, error) {
		l := r.Learned.(*Learned)
		psd, err := NewPSD(ctx, l.Examples, l.Trained, 0)
		if err != nil {
			return nil, err
		}
		return func(f *skinning.Frame) []mgl64.Vec3 {
			return psd.Pose(f.Model.Skin.RestShape(f.Morphs).Positions, f.Matrices)
		}, nil
	}}

// Learned is the result of a fit with its examples, for what is made from both later.
type Learned struct {
	*Result
	Examples *Examples
}

// fitting is one run of a method.
type fitting struct {
	*attempt // the best
	ctx      context.Context
	job      *fit.Job
	m        *skinning.Model
	details  *Details
	report   *fit.Report
	start    time.Time
	elapsed  time.Duration // of all fits
	last     fit.Progress
	shown    *Model // the model of the last progress
	taken    int    // the number of steps of the solver's history that have been passed on
}

// attempt is one fit and what is known of it.
type attempt struct {
	set    *training.Set // with its poses chosen
	x      *Examples
	out    *Result
	fitted *skinning.Model
	clips  fit.ClipTable // of a method that teaches, measured; nil where nobody asked or that was cancelled
}

type fitter func(ctx context.Context, x *Examples, opt Options) (*Result, error)

// runMethod fits, and measures what the job asks for. A cancelled fit leaves out the tests that were still to come.
func runMethod(ctx context.Context, job *fit.Job, learn fitter) (*fit.Result, error) {
	f := &fitting{ctx: ctx, job: job, m: job.Model, start: time.Now()}
	if err := f.run(learn); err != nil {
		return nil, fmt.Errorf("%s: %w", f.m.Name, err)
	}
	return &fit.Result{Model: f.fitted, Report: f.report, Last: f.last, Learned: &Learned{f.out, f.x}}, nil
}

func (f *fitting) run(learn fitter) error {
	ctx, m, job, set := f.ctx, f.m, f.job, f.job.Training
	unseen, heldOut, err := job.Tests.Of(m, set) // before the fit, not after it
	if err != nil {
		return err
	}
	teacher := m
	if !training.KeepsMorphs(m) {
		teacher = training.WithoutMorphs(m)
	}
	var table fit.ClipTable
	if set.Taught() {
		if job.Tests.AllClips || set.Open() {
			table = fit.MeasureLinear(ctx, teacher, set.Teacher, job.Workers)
		}
		set = set.ChoosePoses(m, table.Linear())
	}
	options, refits := f.options(), 0
	f.attempt, refits, err = fit.Refit(ctx, set, func(set *training.Set) (*attempt, fit.ClipTable, error) {
		a, err := f.learn(learn, set, options)
		if err == nil && len(table) > 0 && ctx.Err() == nil {
			f.stage("all clips")
			a.clips = table.MeasureFit(ctx, teacher, a.fitted, set.Teacher, job.Workers)
		}
		return a, a.clips, err
	})
	if err != nil {
		return err
	}
	f.makeReport()
	if f.report.Refits = refits; f.set.Taught() {
		f.report.Clips = append(fit.ClipTable{}, f.clips...)
	} else if job.Tests.AllClips && ctx.Err() == nil {
		f.stage("all clips")
		if err := f.measureShapes(); err != nil {
			return err
		}
	}
	f.report.Warnings = f.report.Clips.Warnings()
	for _, test := range []struct {
		test *training.Test
		to   **UnseenTest
	}{{unseen, &f.details.Unseen}, {heldOut, &f.details.HeldOut}} {
		if test.test == nil || ctx.Err() != nil {
			continue
		}
		f.stage(test.test.Stage)
		u, err := f.unseen(test.test)
		if err != nil && ctx.Err() == nil {
			return err
		}
		*test.to = u
	}
	if job.Tests.LeaveOneOut && ctx.Err() == nil {
		return f.leaveOneOut(options)
	}
	return nil
}

// learn learns from a set.
func (f *fitting) learn(learn fitter, set *training.Set, options Options) (*attempt, error) {
	f.last, f.shown, f.taken = fit.Progress{}, nil, 0
	a := &attempt{set: set}
	var err error
	if a.x, err = FromSet(f.m, set); err != nil {
		return a, err
	}
	if n := len(a.x.Pairs); f.job.Tests.LeaveOneOut && n < 2 { // before the fit, not after it
		return a, fmt.Errorf("%w: %s, leaving one out takes two", ErrProblem, messages.Count(n, "example", "examples"))
	}
	if a.out, err = learn(f.ctx, a.x, options); err != nil {
		return a, err
	}
	f.elapsed += a.out.Elapsed
	if a.fitted, err = a.out.Model.With(f.m); err == nil {
		a.fitted = training.WithMorphs(a.fitted, f.m)
	}
	return a, err
}

// options are the solver's.
func (f *fitting) options() Options {
	opt := Options{Workers: f.job.Workers, History: f.job.Steps}
	if f.job.Method.Count() != nil {
		opt.Proxies, opt.Target, opt.Rigid = f.job.Int("proxies"), f.job.Value("target"), f.job.Value("rigid")
		opt.History = opt.History || f.job.On("history")
	}
	if f.job.Progress != nil {
		opt.Progress = f.tell
	}
	return opt
}

// tell passes the solver's progress on.
func (f *fitting) tell(p Progress) {
	if p.Model != nil && p.Model != f.shown {
		f.shown = p.Model
		f.last.Now = f.step(p.Model, p.Proxies, p.EE, p.Elapsed)
	}
	f.last.Now.EE, f.last.Now.Elapsed = p.EE, p.Elapsed
	f.take(p.History)
	f.last.Stage, f.last.Share = p.Stage, f.share(&p)
	f.job.Progress(f.last)
}

// stage tells what is being done after the fit.
func (f *fitting) stage(what string) {
	if f.job.Progress != nil {
		f.last.Stage, f.last.Now.Elapsed = what, time.Since(f.start)
		f.job.Progress(f.last)
	}
}

// share guesses how much is done: training the weights takes about a fifth, and the rest is proportional to the
// proxies.
func (f *fitting) share(p *Progress) float64 {
	const weights = 0.2
	if len(p.History) < 2 || f.job.Method.Count() == nil {
		return 0.05
	}
	return weights + (1-weights)*float64(p.History[len(p.History)-1].Proxies)/float64(max(f.job.Int("proxies"), 1))
}

// step is a state of the fit with its model.
func (f *fitting) step(m *Model, proxies int, ee float64, elapsed time.Duration) fit.Step {
	return fit.Step{Added: proxies, EE: ee, Elapsed: elapsed, Model: sync.OnceValue(func() *skinning.Model {
		fitted, err := m.With(f.m)
		if err != nil {
			panic(err) // a solver's model is valid for the model that it was solved for
		}
		return training.WithMorphs(fitted, f.m)
	})}
}

// take passes on the steps that the solver's history has gained. Those of weights alone are marks to compare with.
func (f *fitting) take(history []Step) {
	for _, s := range history[f.taken:] {
		if s.What != StepProxies {
			f.last.Marks = append(slices.Clip(f.last.Marks), fit.Mark{Name: s.What, EE: s.EE})
		}
		if s.Model != nil {
			f.last.History = withStep(f.last.History, f.step(s.Model, s.Proxies, s.EE, s.Elapsed))
		}
	}
	f.taken = len(history)
}

// withStep returns a history with one more step, in which the number of bones always rises. Since proxies that move
// nothing are pruned, a model of more groups may have no more bones than the last: it replaces those that have as many
// bones and a larger error.
func withStep(history []fit.Step, s fit.Step) []fit.Step {
	n := len(history)
	for n > 0 && history[n-1].Added >= s.Added && history[n-1].EE > s.EE {
		n--
	}
	if n > 0 && history[n-1].Added >= s.Added {
		return history
	}
	return append(history[:n:n], s)
}

// makeReport fills in what is known after the fit.
func (f *fitting) makeReport() {
	o, d := f.out, f.m.Diagonal()
	f.last, f.taken = fit.Progress{Share: f.last.Share}, 0 // the last attempt may not be the best
	f.take(o.History)
	f.last.Now = fit.Step{Added: o.Model.Proxies(), EE: o.Fit.EE, Elapsed: o.Elapsed,
		Model: func() *skinning.Model { return f.fitted }}
	job := *f.job
	job.Training = f.set
	r := fit.NewReport(&job, f.fitted, &f.last.Now)
	of, ssd := measured(o.Fit, d), measured(o.SSD, d)
	r.Seconds = f.elapsed.Seconds()
	r.EE, r.RMS, r.Max, r.Frames, r.Reason = of.EE, of.RMS, of.Max, len(f.x.Pairs), o.Reason.String()
	if !f.set.Taught() {
		r.Operator = "examples"
	}
	for _, step := range o.History {
		r.History = append(r.History, fit.Point{What: step.What, AddedBones: step.Proxies, EE: metrics.Percent(step.EE),
			Seconds: step.Elapsed.Seconds()})
	}
	f.details = &Details{Mean: of.Mean, Deviation: of.Deviation, SSDEE: ssd.EE, SSDRMS: ssd.RMS, SSDMax: ssd.Max,
		SSDMean: ssd.Mean, SSDDeviation: ssd.Deviation}
	for v := range o.Model.Weights {
		if o.Model.Fixed(v) {
			f.details.Fixed++
		}
	}
	f.report, r.Details = r, f.details
}

// leaveOneOut fits again without each example. Where the context is done before the first, the report has no such row.
func (f *fitting) leaveOneOut(options Options) error {
	tell := func(done, of int) { f.stage(fmt.Sprintf("leave one out: %d of %d", done, of)) }
	g, err := LeaveOneOut(f.ctx, f.x, options, tell)
	if err != nil && f.ctx.Err() != nil {
		return nil
	}
	if err != nil {
		return err
	}
	if f.job.Method.Count() == nil {
		g.Fit = g.SSD
	}
	d := f.m.Diagonal()
	f.details.LeaveOneOut = &UnseenTest{Clip: f.report.Train, Frames: g.Done, Of: len(f.x.Pairs),
		SSD: measured(g.SSD, d), PSD: measured(g.PSD, d), Fit: measured(g.Fit, d)}
	return nil
}
