package decompose

import (
	"context"
	"fmt"
	"io"
	"math"
	"time"

	"skinlab/fit"
	"skinlab/fit/ssdr"
	"skinlab/skinning"
	"skinlab/skinning/compare"
	"skinlab/skinning/messages"
	"skinlab/skinning/metrics"
)

// Method is the decomposition of sequences as a row of the table of fits.
var Method = &fit.Method{
	Name: "decompose", Title: "Decomposed sequence", Noun: "bone", Suffix: "-bones", Learns: fit.Sequence,
	Gives:   "Bones, weights and a clip for a mesh that moves without bones.",
	Sketch:  fit.SketchMoving,
	Help:    "Turn a mesh sequence into bones, weights and a clip; a skeleton's own joints stay locked",
	Example: "--bones 10 -o fitted.glb",
	Options: []fit.Option{
		{Name: "bones", Kind: fit.Count, Default: 10, Least: 1, Most: 1000, Help: "bones to add",
			Slider: &fit.Slider{Title: "Bones", Most: 40, Step: 1, Default: 10}},
		{Name: "rounds", Kind: fit.Count, Default: defaultRounds, Least: 1, Most: 100_000,
			Help: "rounds of motions and weights at most"},
	},
	Run: runMethod,
}

// fitting is one run of the method.
type fitting struct {
	job   *fit.Job
	q     *sequence
	start time.Time
	// percent times an RMS error in metres is EE, the percentage of the error of the best rigid predictions.
	percent float64
	last    fit.Progress
}

func runMethod(ctx context.Context, job *fit.Job) (*fit.Result, error) {
	return (&fitting{job: job, start: time.Now()}).run(ctx)
}

func (f *fitting) run(ctx context.Context) (*fit.Result, error) {
	var err error
	var clips fit.ClipTable
	beside := false // a method poses the frames, and the model has weights of its own
	if f.q, err = newSequence(ctx, f.job.Model, f.job.Training); err == nil {
		f.stage("best single joints")
		f.percent = f.q.percent(ctx)
		beside = f.job.Tests.AllClips && f.q.poses.Taught && f.q.m == f.job.Model
	}
	if beside {
		f.stage("linear blending")
		clips = fit.MeasureLinear(ctx, f.q.learnt(f.q.x.Model), f.job.Training, f.job.Workers)
	}
	if ctx.Err() != nil {
		return nil, fmt.Errorf("%w: %w", fit.ErrNoModel, ctx.Err())
	}
	if err != nil {
		return nil, err
	}
	opt := ssdr.Options{Recipe: Recipe(f.job.Int("rounds")), Bones: f.job.Int("bones"), Workers: f.job.Workers}
	if n := len(f.q.free); opt.Bones < n {
		return nil, fmt.Errorf("%s for %d free joints", messages.Count(opt.Bones, "bone", "bones"), n)
	}
	if f.job.Progress != nil {
		opt.Progress = f.tell
	}
	s, err := Solve(ctx, f.q.x, f.q.m.Diagonal(), opt)
	if err != nil {
		return nil, err
	}
	elapsed := time.Since(f.start)
	f.stage("errors")
	fitted, err := f.q.model(s.Decomposition)
	if err != nil {
		return nil, err
	}
	now := fit.Step{Added: len(s.Motions), EE: f.percent * s.RMS, Elapsed: elapsed,
		Model: func() *skinning.Model { return fitted }}
	f.last = fit.Progress{Now: now, History: []fit.Step{now}, Share: 1}
	report := f.report(s, fitted)
	// A cancelled fit is measured too: it is written, and may be worse than the file was.
	clips = clips.MeasureFit(context.WithoutCancel(ctx), f.q.learnt(f.q.x.Model),
		compare.Subject{Model: f.q.learnt(fitted)}, f.q.poses, f.job.Workers)
	report.Clips = append(report.Clips, clips...)
	if beside && len(clips) == 0 {
		report.Without = "Stress clips are not measured beside linear blending."
	}
	report.Warnings = append(report.Warnings, clips.Warnings(report.Diagonal)...)
	f.job.TellClips(report.Clips)
	return &fit.Result{Model: fitted, Report: report, Last: f.last}, nil
}

// stage reports the work beside the rounds.
func (f *fitting) stage(what string) {
	f.last.Stage, f.last.Now.Elapsed = what, time.Since(f.start)
	if f.job.Progress != nil {
		f.job.Progress(f.last)
	}
}

// tell reports a round. S is nil while a start is made. Then the step has no bones while it solves the first weights.
func (f *fitting) tell(step ssdr.Step, s *ssdr.Solver) {
	switch {
	case s == nil && step.Bones == 0:
		f.stage("first weights")
		return
	case s == nil:
		f.stage("places for " + messages.Count(step.Bones, "bone", "bones"))
		return
	}
	d := s.Current()
	f.last.Now = fit.Step{Added: step.Bones, EE: f.percent * step.RMS,
		Model: fit.LazyModel(func() (*skinning.Model, error) { return f.q.model(d) })}
	f.last.Share = math.Max(f.last.Share, float64(step.Round)/float64(f.job.Int("rounds")))
	f.stage("")
}

func (f *fitting) report(s *Solution, fitted *skinning.Model) *fit.Report {
	r := fit.NewReport(f.job, f.q.poses, fitted, &f.last.Now)
	r.Vertices, r.Frames = len(f.q.x.Rest), len(f.q.poses.Times)
	e, size := f.q.measure(context.Background(), fitted, f.q.errors.Beside()), f.q.m.Diagonal()
	r.RMS, r.Max = e.RMS(), e.Max()
	r.EE = fit.ReportedEE(e.EE(), r.RMS)
	r.Reason = string(s.Reason)
	if s.Fewer != "" {
		r.Warnings = append(r.Warnings, fmt.Sprintf("%d of %d bones: %s", len(s.Motions), f.job.Int("bones"), s.Fewer))
	}
	if names := f.q.unlearnt(); len(names) > 0 {
		list, _ := messages.List(names)
		r.Warnings = append(r.Warnings, fmt.Sprintf("%s left out of the file, %s: the bones have the motion of %q alone",
			messages.Count(len(names), "clip is", "clips are"), list, messages.Shortened(r.Train)))
	}
	if n := f.q.lostMorphs(); n > 0 && f.q.m != f.job.Model { // of a skin the writing of the file names them
		r.Warnings = append(r.Warnings, fmt.Sprintf("the new model does not keep of %s: %s", r.Model,
			messages.Count(n, "morph target", "morph targets")))
	}
	elapsed := time.Duration(0)
	for i, step := range s.History {
		elapsed += step.Insert + step.Transforms + step.Weights
		if last := i == len(s.History)-1; last || i&(i-1) == 0 { // 0, 1, 2, 4, 8, …
			r.History = append(r.History, fit.Point{What: messages.Count(i, "round", "rounds"), AddedBones: step.Bones,
				EE: metrics.Percent(f.percent * step.RMS), Seconds: elapsed.Seconds()})
		}
	}
	r.Details = &Details{RMSUnits: r.RMS * size, MaxUnits: r.Max * size, Locked: f.q.lockedNodes()}
	return r
}

// Details are a decomposition's part of a report.
type Details struct {
	RMSUnits float64 `json:"rms_units"` // over vertices and frames, in the model's units
	MaxUnits float64 `json:"max_units"` // the largest distance, in the same
	Locked   int     `json:"locked_joints"`
}

// WriteText prints the head of the report.
func (d *Details) WriteText(w io.Writer, r *fit.Report) {
	taught, from, locked := "", "the frames", ""
	if r.Learnt.Taught {
		taught, from = " as "+r.Operator+" poses it", r.Operator+" over "+messages.Count(r.Frames, "frame", "frames")
	}
	if d.Locked > 0 {
		locked = " on " + messages.Count(d.Locked, "locked joint", "locked joints")
	}
	fmt.Fprintf(w, "%s: %s in %s of %s%s%s, %s after %.2f s%s\n", r.Model, messages.Count(r.AddedBones, "bone", "bones"),
		messages.Count(r.Frames, "frame", "frames"), messages.Printable(r.Train), taught, locked, r.Reason, r.Seconds,
		r.Ending())
	r.WriteHistory(w)
	fmt.Fprintf(w, "EE %s %%, RMS %s and largest error %s from %s, influences %.2f a vertex\n", r.EE.Text(3),
		r.Length(r.RMS), r.Length(r.Max), from, r.InfluencesAfter)
}
