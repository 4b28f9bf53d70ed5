package enveloping

import (
	"context"
	"fmt"
	"io"
	"math"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit"
	"skinlab/fit/training"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/messages"
	"skinlab/skinning/metrics"
)

// Method is enveloping as a row of the table of fits.
var Method = &fit.Method{
	Name: "enveloping", Title: "Enveloping", Noun: "proxy bone", Suffix: "-envelope", Learns: fit.Shapes,
	Gives:   "Bones all over the skin that learn shapes: sculpted ones, or what a method makes of poses.",
	Sketch:  fit.SketchOver,
	Help:    "Add proxy bones that learn from example shapes, or from a method's",
	Example: "--targets shapes/ --clip exercise -o fitted.glb",
	Options: []fit.Option{
		{Name: "proxies", Kind: fit.Count, Default: defaultProxies, Least: 1, Most: 1000, Help: "proxy bones to add at most",
			Slider: &fit.Slider{Title: "Max proxies", Most: 120, Step: 1, Default: defaultProxies}},
		{Name: "target", Most: math.Inf(1),
			Help: "stop when the enveloping error falls below this percentage, with the fewest proxy bones that have it there"},
		{Name: "rigid", Default: defaultRigid, Most: 1000,
			Help: "vertices that trained weights predict better than this share of the mean error are left to them"},
		{Name: "history", Kind: fit.Switch, Most: 1,
			Help: "measure models of fewer proxy bones too, from 5 up; the last is the same"},
		{Name: fit.AsPublished, Kind: fit.Switch, Most: 1, Help: "as the paper has it: any joint predicts a key gradient, " +
			"nothing is known of the rig's weights, and the fit ends at the reduced Poisson solve",
			Slider: &fit.Slider{Title: "As published", More: true}},
	},
	Run:     func(ctx context.Context, job *fit.Job) (*fit.Result, error) { return runMethod(ctx, job, Fit) },
	Others:  []fit.Other{trainedSSD},
	Differs: differs,
}

// SSDMethod is trained SSD weights as a row of the table of fits.
var SSDMethod = &fit.Method{
	Name: "ssd", Title: "Trained SSD", Noun: "bone", Suffix: "-ssd", Learns: fit.Shapes,
	Help:    "Train the weights of the model's own joints on example shapes, or on a method's",
	Example: "--teach dqs -o fitted.glb",
	Options: []fit.Option{{Name: fit.AsPublished, Kind: fit.Switch, Most: 1,
		Help:   "as the paper has it: nothing is known of the rig's weights",
		Slider: &fit.Slider{Title: "As published", More: true}},
		{Name: "for", Kind: fit.Choice, Words: methodNames(), Most: float64(len(methodNames()) - 1),
			Help: "the method for which the weights are trained"}},
	Run: func(ctx context.Context, job *fit.Job) (*fit.Result, error) {
		if method := skinning.Method(job.Int("for")); method != skinning.LBS {
			return runFor(ctx, job, method)
		}
		return runMethod(ctx, job, fitSSD)
	},
	Differs:  WeightsDiffer,
	Baseline: true,
}

// methodNames lists the names of the direct methods in the order of their numbers.
func methodNames() (names []string) {
	for _, m := range skinning.Methods() {
		names = append(names, m.String())
	}
	return names
}

// trainedSSD is a way of posing that a fit learns beside its model.
var trainedSSD = fit.Other{Name: "ssd", Title: "Trained SSD",
	Help: "The model's own joints with weights that the examples have taught",
	Deform: func(_ context.Context, r *fit.Result) (*fit.Deformation, error) {
		l := r.Learned.(*Learned)
		return &fit.Deformation{Pose: l.posing(l.Trained.Pose)}, nil
	}}

// posing adapts a function that poses the skin by the joints of the original model to frames of the fitted model, in
// which the added joints come after these.
func (l *Learned) posing(pose func(rest []mgl64.Vec3, matrices []geom.Affine) []mgl64.Vec3) func(*skinning.Frame) []mgl64.Vec3 {
	return func(f *skinning.Frame) []mgl64.Vec3 {
		return pose(f.Model.Skin.RestPositions(f.Morphs), f.Matrices[:len(l.Examples.Parents)])
	}
}

// Learned is the result of a fit with its examples, for uses of both after the fit.
type Learned struct {
	*Result
	Examples *training.Examples
}

// fitting is one run of a method.
type fitting struct {
	job     *fit.Job
	learn   fitter
	method  skinning.Method // that weights are trained for
	start   time.Time
	elapsed time.Duration // of all fits
	last    fit.Progress  // that was reported
}

// attempt is one fit and its measurements.
type attempt struct {
	run    *fitting
	x      *training.Examples
	out    *Result
	fitted *skinning.Model
}

type fitter func(ctx context.Context, x *training.Examples, opt Options) (*Result, error)

// runMethod fits, and measures what the job asks for.
func runMethod(ctx context.Context, job *fit.Job, learn fitter) (*fit.Result, error) {
	f := &fitting{job: job, learn: learn, start: time.Now()}
	best, report, err := fit.RunOnShapes(ctx, fit.ShapeFit[*attempt]{Job: job, Stage: f.stage, Learn: f.attempt,
		Report: f.makeReport})
	if err != nil {
		return nil, err
	}
	return &fit.Result{Model: best.fitted, Report: report, Last: f.last, Learned: &Learned{best.out, best.x}}, nil
}

// attempt learns from examples.
func (f *fitting) attempt(ctx context.Context, _ *training.Poses,
	x *training.Examples) (*attempt, *skinning.Model, error) {
	a := &attempt{run: f, x: x}
	var err error
	if a.out, err = f.learn(ctx, a.x, f.options()); err != nil {
		return nil, nil, err
	}
	f.elapsed += a.out.Elapsed
	a.fitted, err = f.skinned(a.out.Model)
	return a, a.fitted, err
}

// skinned makes the skinned model of a state of the fit.
func (f *fitting) skinned(m *Model) (*skinning.Model, error) {
	fitted, err := m.With(f.job.Model)
	if err != nil {
		return nil, err
	}
	return training.WithMorphs(fitted, f.job.Model), nil
}

// options are the solver's.
func (f *fitting) options() Options {
	opt := Options{Workers: f.job.Workers, History: f.job.Steps, Skinned: f.skinned}
	if f.job.On(fit.AsPublished) {
		opt.Recipe = Published()
	}
	if f.job.Method.Count() != nil {
		opt.Proxies, opt.Target, opt.Rigid = f.job.Int("proxies"), f.job.Value("target"), new(f.job.Value("rigid"))
		opt.History = opt.History || f.job.On("history")
	}
	if f.job.Progress != nil {
		opt.Progress = func(p fit.Progress) {
			f.last = p
			f.job.Progress(p)
		}
	}
	return opt
}

// stage reports the work after the fit.
func (f *fitting) stage(what string) {
	if f.job.Progress != nil {
		f.last.Stage, f.last.Now.Elapsed = what, time.Since(f.start)
		f.job.Progress(f.last)
	}
}

// makeReport makes the report of the best attempt.
func (f *fitting) makeReport(a *attempt, p *training.Poses) (*fit.Report, *fit.UnseenTests) {
	o, d := a.out, f.job.Model.Diagonal()
	f.last = o.Last // the last attempt may not be the best
	f.last.Now = fit.Step{Added: o.Model.Proxies(), EE: o.Fit.EE, Elapsed: o.Elapsed,
		Model: func() *skinning.Model { return a.fitted }}
	r := fit.NewReport(f.job, p, a.fitted, &f.last.Now)
	of, ssd := measured(o.Fit, d), measured(o.SSD, d)
	r.Seconds, r.History = f.elapsed.Seconds(), o.Points
	r.EE, r.RMS, r.Max, r.Frames, r.Reason = of.EE, of.RMS, of.Max, len(a.x.Targets), string(o.Reason)
	details := &Details{Mean: of.Mean, Deviation: of.Deviation, RMSmm: of.RMSmm, SSDEE: ssd.EE, SSDRMS: ssd.RMS,
		SSDMax: ssd.Max, SSDMean: ssd.Mean, SSDDeviation: ssd.Deviation}
	for v := range o.Model.Weights {
		if o.Model.Fixed(v) {
			details.Fixed++
		}
	}
	r.Details = details
	return r, &details.UnseenTests
}

// Details are the parts of a report that only enveloping and trained weights have. RMS and largest errors are fractions
// of the rest pose's diagonal; EE, and the mean and deviation over the vertices (RTER figure 11), are percentages of
// the best rigid prediction.
type Details struct {
	Mean         float64         `json:"mean"`
	Deviation    float64         `json:"deviation"`
	RMSmm        float64         `json:"rms_mm"`
	Fixed        int             `json:"fixed_vertices"` // that follow the model's own joints alone
	SSDEE        metrics.Percent `json:"ssd_ee,omitzero"`
	SSDRMS       float64         `json:"ssd_rms,omitzero"`
	SSDMax       float64         `json:"ssd_max,omitzero"`
	SSDMean      float64         `json:"ssd_mean,omitzero"`
	SSDDeviation float64         `json:"ssd_deviation,omitzero"`
	fit.UnseenTests
}

// LeaveOutSSD removes the errors of trained weights of the model's own joints from the report. A fit of weights over
// more joints calls it, because its own errors take their place.
func (d *Details) LeaveOutSSD() {
	d.SSDEE, d.SSDRMS, d.SSDMax, d.SSDMean, d.SSDDeviation = 0, 0, 0, 0, 0
	for _, t := range []*fit.UnseenTest{d.Unseen, d.HeldOut, d.Sequence, d.LeaveOneOut} {
		if t != nil {
			t.SSD = fit.Measured{}
		}
	}
}

func measured(e Errors, diagonal float64) fit.Measured {
	if diagonal == 0 {
		diagonal = 1
	}
	return fit.Measured{EE: metrics.Percent(e.EE), RMS: e.RMS / diagonal, RMSmm: 1e3 * e.RMS, Max: e.Max / diagonal,
		Mean: e.Mean, Deviation: e.Dev}
}

// WriteText is [fit.Details].
func (d *Details) WriteText(w io.Writer, r *fit.Report) {
	made := messages.Count(r.MasterBones, "bone", "bones")
	switch {
	case r.AddedBones > 0:
		made += fmt.Sprintf(" and %d added, %d of %d vertices fixed to joints", r.AddedBones, d.Fixed, r.Vertices)
	case r.Unchanged:
		made += ", none added"
	default:
		made = "new weights of its " + made + ", none added"
	}
	fmt.Fprintf(w, "%s: %s of %s of %s: %s, %s after %.2f s%s\n", r.Model, r.Method,
		messages.Count(r.Frames, example(r.Operator), example(r.Operator)+"s"), messages.Printable(r.Train), made,
		r.Reason, r.Seconds, r.Ending())
	if len(r.History) > 3 {
		r.WriteHistory(w)
	}
	fmt.Fprintln(w, "                                EE %   mean %    ± %      RMS   largest")
	unit, perDiagonal := messages.ReportUnit(r.Diagonal)
	line := func(name string, e fit.Measured) {
		fmt.Fprintf(w, "%-27s  %7s  %7.2f  %5.1f  %7s  %7s\n", name, e.EE.Text(2), e.Mean, e.Deviation,
			messages.ReportNumber(e.RMS, perDiagonal), messages.ReportNumber(e.Max, perDiagonal))
	}
	ssd := fit.Measured{EE: d.SSDEE, RMS: d.SSDRMS, Max: d.SSDMax, Mean: d.SSDMean, Deviation: d.SSDDeviation}
	if ssd != (fit.Measured{}) {
		line("training, SSD", ssd)
	}
	method := r.Method
	if method == SSDMethod.Name { // its fit is SSD, which has a line already
		method = ""
	}
	if method != "" {
		line("training, "+method, fit.Measured{EE: r.EE, RMS: r.RMS, Max: r.Max, Mean: d.Mean, Deviation: d.Deviation})
	}
	d.Each(method, line)
	d.WritePoses(w)
	fmt.Fprintf(w, "Percent of the best rigid prediction, mean and deviation over vertices; RMS and largest error in %s.\n"+
		"Influences %.2f -> %.2f a vertex.\n", unit, r.InfluencesBefore, r.InfluencesAfter)
}

// example names an example that an operator makes, or one of shapes.
func example(operator string) string {
	if operator == "examples" {
		return "shape"
	}
	return operator + " pose"
}
