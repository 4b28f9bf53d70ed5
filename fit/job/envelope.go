package job

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/enveloping"
	"skinlab/fit/poses"
	"skinlab/skinning"
)

// Training says which example pairs enveloping and trained SSD learn from: poses, and the shapes that go with them.
//
// The shapes are Targets, one per pose in vertex order; or, where they are nil, those of Teacher at these poses. The
// model's own, with its morph targets, are taught by LBS; other methods teach without them, and where the fitted model
// keeps them, errors are of what it shows.
type Training struct {
	Clip    int       // of Times; RangeOfMotion for Frames poses made from the skeleton
	Times   []float64 // seconds in it, one per example
	Targets [][]mgl64.Vec3
	Teacher skinning.Method
	// Of a teacher, in place of Clip and Times: its poses in parts of several clips. Where Train and Times are empty,
	// Frames poses are chosen from all clips of the file.
	Train  []Part
	Frames int // 0 means as many as usual

	chosen []poses.Moment // from all clips; nil before that
}

// rangeOfMotion reports whether the poses are made from the skeleton, and how many.
func (t *Training) rangeOfMotion() (n int, ok bool) {
	n, ok = t.Frames, t.Clip == RangeOfMotion
	for _, p := range t.Train {
		if p.Clip == RangeOfMotion {
			n, ok = p.Frames, true
		}
	}
	if n == 0 {
		n = partFrames
	}
	return n, ok
}

// moments lists the poses, unless they are made from the skeleton.
func (t *Training) moments(m *skinning.Model) ([]poses.Moment, error) {
	switch {
	case t.chosen != nil:
		return t.chosen, nil
	case len(t.Train) > 0:
		return Moments(m, t.Train)
	}
	at := make([]poses.Moment, len(t.Times))
	for i, time := range t.Times {
		at[i] = poses.Moment{Clip: t.Clip, Time: time}
	}
	return at, nil
}

// settled returns the training with its poses chosen, where that is left to the table of all clips.
func (t *Training) settled(m *skinning.Model, table []ClipError) *Training {
	if t.Targets != nil || t.Times != nil || len(t.Train) > 0 || t.Clip == RangeOfMotion {
		return t
	}
	out := *t
	if len(ownClips(m)) == 0 {
		out.Clip = RangeOfMotion
		return &out
	}
	if out.Frames == 0 {
		out.Frames = defaultFrames
	}
	out.chosen = choose(m, table, out.Frames).moments
	return &out
}

// name is what a report says of the poses.
func (t *Training) name(m *skinning.Model) string {
	switch _, made := t.rangeOfMotion(); {
	case made:
		return "range of motion"
	case t.Times != nil:
		return m.Clips[t.Clip].Name
	}
	return trainingName(m, t.Train)
}

// OwnExamples is the training on a model's example set ([enveloping.ExampleClip]).
func OwnExamples(m *skinning.Model) (*Training, error) {
	t, err := exampleSet(m)
	if err != nil {
		return nil, fmt.Errorf("%w: give --targets DIR or --teach METHOD", err)
	}
	return t, nil
}

func exampleSet(m *skinning.Model) (t *Training, err error) {
	clip, err := m.ClipIndex(enveloping.ExampleClip)
	if err == nil {
		t, err = ownShapes(m, clip)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w: it has no example set", m.Name, err)
	}
	return t, nil
}

// ownShapes is the shapes that a clip shows with morph targets, at its keys.
func ownShapes(m *skinning.Model, clip int) (*Training, error) {
	if !ShowsShapes(m, clip) {
		return nil, fmt.Errorf("clip %q shows no shapes by morph targets", skinning.Shortened(m.Clips[clip].Name))
	}
	return &Training{Clip: clip, Times: m.Clips[clip].KeyTimes()}, nil
}

// ShowsShapes reports whether a clip animates morph targets of the skin, so that its poses have shapes of their own.
func ShowsShapes(m *skinning.Model, clip int) bool {
	if len(m.Skin.Morphs) > 0 {
		for i := range m.Clips[clip].Channels {
			if m.Clips[clip].Channels[i].Path == skinning.PathWeights {
				return true
			}
		}
	}
	return false
}

// Examples pairs the model's poses with the shapes.
func (t *Training) Examples(m *skinning.Model) (*enveloping.Examples, error) {
	if t.Targets != nil {
		return enveloping.FromTargets(m, t.Clip, t.Times, t.Targets)
	}
	bare := withoutMorphs(m)
	if t.Teacher == skinning.LBS {
		x, err := enveloping.Taught(bare, t.Teacher, m, t.Clip, t.Times)
		if err == nil && keepsMorphs(m) {
			err = addShown(x, m, t)
		}
		return x, err
	}
	n, made := t.rangeOfMotion()
	var frames []*skinning.Frame
	if made {
		frames = poses.RangeOfMotion(bare, n)
	} else {
		at, err := t.moments(m)
		if err != nil {
			return nil, err
		}
		frames = poses.At(bare, at)
	}
	targets := make([][]mgl64.Vec3, len(frames))
	for i, f := range frames {
		targets[i] = f.Reference(t.Teacher).Positions
	}
	x, err := enveloping.NewExamples(bare, frames, targets)
	if err == nil && !made && keepsMorphs(m) {
		err = addShown(x, m, t)
	}
	return x, err
}

// EnvelopeSpec says what to fit to examples.
type EnvelopeSpec struct {
	Method      string // "enveloping", or "ssd" for the weights alone
	Training    *Training
	Proxies     int     // at most; 0 means 80
	Target      float64 // see [enveloping.Options]; 0 means none
	Rigid       float64 // see [enveloping.Options]; 0 means 0.6
	LeaveOneOut bool
	Test        int             // a clip to test on; negative for none
	TestModel   *skinning.Model // whose own examples are a test too, see [SameJoints]; nil for none
	HeldOut     *Training       // a test on shapes that were kept from the training; nil for none
	AllClips    bool            // measure all clips of the file after the fit
	Workers     int             // 0 means all cores
	History     bool            // see [enveloping.Options]
	AllProxies  bool            // see [enveloping.Options]
	// Progress is told what is being done and the best so far, at least five times a second; it may be nil. The calls
	// follow each other, from more than one goroutine.
	Progress func(enveloping.Progress)
}

// EnvelopeOutcome is a finished or cancelled fit.
type EnvelopeOutcome struct {
	*enveloping.Result
	Examples *enveloping.Examples
	Fitted   *skinning.Model
	Report   EnvelopeReport
}

// EnvelopeReport is what `fit enveloping --json` and `fit ssd --json` print. Operator is the teacher, or "examples".
// RMS and largest errors are fractions of the rest pose's diagonal; EE, and the mean and deviation over the vertices
// (RTER figure 11), are percentages of the best rigid prediction.
type EnvelopeReport struct {
	Report
	Mean         float64          `json:"mean"`
	Deviation    float64          `json:"deviation"`
	Fixed        int              `json:"fixed_vertices"` // posed by trained weights alone
	SSDEE        skinning.Percent `json:"ssd_ee"`
	SSDRMS       float64          `json:"ssd_rms"`
	SSDMax       float64          `json:"ssd_max"`
	SSDMean      float64          `json:"ssd_mean"`
	SSDDeviation float64          `json:"ssd_deviation"`
	Unseen       *UnseenTest      `json:"unseen,omitempty"`
	HeldOut      *UnseenTest      `json:"held_out,omitempty"`
	Without      string           `json:"without,omitempty"` // which clips are not in Clips, and why
	LeaveOneOut  *UnseenTest      `json:"loocv,omitempty"`
}

// UnseenTest is the errors on poses that were not trained on, of every way that learns from the same examples.
type UnseenTest struct {
	Clip   string   `json:"clip"`
	Frames int      `json:"frames"`       // that were tested on
	Of     int      `json:"of"`           // so many: more where Ctrl-C came before the last
	LBS    Measured `json:"lbs,omitzero"` // plain linear blending with the file's own weights; not in leave-one-out
	SSD    Measured `json:"ssd"`
	PSD    Measured `json:"psd"`
	Fit    Measured `json:"fit"`
}

// Measured is [enveloping.Errors] with lengths as fractions of the diagonal.
type Measured struct {
	EE        skinning.Percent `json:"ee"`
	RMS       float64          `json:"rms"`
	Max       float64          `json:"max"`
	Mean      float64          `json:"mean"`
	Deviation float64          `json:"deviation"`
}

func measured(e enveloping.Errors, diagonal float64) Measured {
	if diagonal == 0 {
		diagonal = 1
	}
	return Measured{skinning.Percent(e.EE), e.RMS / diagonal, e.Max / diagonal, e.Mean, e.Dev}
}

// Envelope fits enveloping, or trains SSD alone. A cancelled fit is an outcome, the best that there was, without the
// tests that it did not come to; it is an error, [enveloping.ErrNoModel], only where there was nothing yet.
func Envelope(ctx context.Context, m *skinning.Model, spec EnvelopeSpec) (*EnvelopeOutcome, error) {
	if len(m.Skin.Positions) == 0 {
		return nil, fmt.Errorf("%s: no skinned mesh to fit", m.Name)
	}
	if len(m.Rigs) > 0 {
		return nil, fmt.Errorf("%s: the model has been fitted already: fit the one that it was made from", m.Name)
	}
	tests, err := spec.tests(m) // before the fit, not after it
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.Name, err)
	}
	taught, teacher := spec.Training.Targets == nil && spec.Training.Teacher != skinning.LBS, m
	if !keepsMorphs(m) {
		teacher = withoutMorphs(m)
	}
	var table []ClipError
	if taught && (spec.AllClips || len(spec.Training.Train) == 0 && spec.Training.Times == nil) {
		table = clipTable(ctx, teacher, spec.Training.Teacher, spec.Workers)
	}
	spec.Training = spec.Training.settled(m, table)
	x, err := spec.Training.Examples(m)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.Name, err)
	}
	poses := make([][]skinning.Affine, len(x.Pairs))
	for i := range x.Pairs {
		poses[i] = x.Pairs[i].Matrices
	}
	if err := near(m, poses); err != nil {
		return nil, err
	}
	if err := nearShapes(m, x); err != nil {
		return nil, err
	}
	if n := len(x.Pairs); spec.LeaveOneOut && n < 2 { // before the fit, not after it
		return nil, fmt.Errorf("%s: %w: %d example, leaving one out takes two", m.Name, enveloping.ErrProblem, n)
	}
	start := time.Now()
	out := &EnvelopeOutcome{Examples: x}
	report, stop := steady(spec.Progress, reportPause, laterEnvelope)
	defer stop()
	var last enveloping.Progress
	say := func(p enveloping.Progress) {
		if last = p; report != nil {
			report(p)
		}
	}
	options := enveloping.Options{Proxies: spec.Proxies, Target: spec.Target, Rigid: spec.Rigid, Workers: spec.Workers,
		History: spec.History, AllProxies: spec.AllProxies, Progress: say}
	if spec.Progress == nil {
		options.Progress = nil
	}
	fit := enveloping.Fit
	if spec.Method == "ssd" {
		fit = enveloping.FitSSD
	}
	if out.Result, err = fit(ctx, x, options); err != nil {
		return nil, fmt.Errorf("%s: %w", m.Name, err)
	}
	if out.Fitted, err = out.Model.With(m); err != nil {
		return nil, fmt.Errorf("%s: %w", m.Name, err)
	}
	out.Fitted = WithMorphs(out.Fitted, m)
	out.report(m, &spec)
	stage := func(what string) {
		last.Stage, last.Elapsed = what, time.Since(start)
		say(last)
	}
	if spec.AllClips && ctx.Err() == nil {
		stage("all clips")
		if taught {
			out.Report.Clips = measureFit(ctx, table, teacher, out.Fitted, spec.Training.Teacher, spec.Workers)
		} else if out.Report.Clips, err = out.shapeTable(ctx, m, &spec); err != nil {
			return nil, fmt.Errorf("%s: %w", m.Name, err)
		}
		out.Report.Clips = append([]ClipError{}, out.Report.Clips...) // in JSON an array where there are none
		out.Report.Warnings = clipWarnings(out.Report.Clips)
	}
	for _, test := range tests {
		if ctx.Err() != nil {
			break
		}
		stage(test.stage)
		u, err := out.unseen(ctx, m, test, spec.Workers)
		if err != nil && ctx.Err() == nil {
			return nil, fmt.Errorf("%s: %w", m.Name, err)
		}
		*test.to(&out.Report) = u
	}
	if spec.LeaveOneOut && ctx.Err() == nil {
		g, err := enveloping.LeaveOneOut(ctx, x, options,
			func(done, of int) { stage(fmt.Sprintf("leave one out: %d of %d", done, of)) })
		if err != nil && ctx.Err() != nil {
			return out, nil // before the first was done
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.Name, err)
		}
		if spec.Method == "ssd" {
			g.Fit = g.SSD
		}
		d := m.Diagonal()
		out.Report.LeaveOneOut = &UnseenTest{Clip: out.Report.Train, Frames: g.Done, Of: len(x.Pairs),
			SSD: measured(g.SSD, d), PSD: measured(g.PSD, d), Fit: measured(g.Fit, d)}
	}
	return out, nil
}

func laterEnvelope(p enveloping.Progress, by time.Duration) enveloping.Progress {
	p.Elapsed += by
	return p
}

// report fills in what is known after the fit.
func (o *EnvelopeOutcome) report(m *skinning.Model, spec *EnvelopeSpec) {
	t := spec.Training
	fit, ssd := measured(o.Fit, m.Diagonal()), measured(o.SSD, m.Diagonal())
	before, _ := m.Skin.Stats()
	after, _ := o.Fitted.Skin.Stats()
	r := &o.Report
	*r = EnvelopeReport{
		Report: Report{
			Model: m.Name, Method: spec.Method, Operator: "examples", Vertices: len(m.Skin.Positions),
			MasterBones: m.Skeleton.JointNodes(),
			Train:       t.name(m), Frames: len(o.Examples.Pairs), EE: fit.EE, RMS: fit.RMS, Max: fit.Max,
			Seconds:          o.Elapsed.Seconds(),
			InfluencesBefore: before, InfluencesAfter: after, Reason: o.Reason.String(), AddedBones: o.Model.Proxies(),
		},
		Mean: fit.Mean, Deviation: fit.Deviation, Fixed: len(m.Skin.Positions),
		SSDEE: ssd.EE, SSDRMS: ssd.RMS, SSDMax: ssd.Max, SSDMean: ssd.Mean, SSDDeviation: ssd.Deviation,
	}
	if t.Targets == nil && t.Teacher != skinning.LBS {
		r.Operator = t.Teacher.String()
	}
	r.Fixed = 0
	for v := range o.Model.Weights {
		if o.Model.Fixed(v) {
			r.Fixed++
		}
	}
	for _, step := range o.History {
		r.History = append(r.History, Step{step.What, step.Proxies, skinning.Percent(step.EE), step.Elapsed.Seconds()})
	}
}

// EnvelopingProgress says how far a fit is: on a terminal's last line, or in a log a line for every stage. The caller
// calls end when it is over.
func EnvelopingProgress(w io.Writer) (progress func(enveloping.Progress), end func()) {
	s := newStatusLine(w)
	return func(p enveloping.Progress) {
		line := fmt.Sprintf("%s  %6.1f s", p.Stage, p.Elapsed.Seconds())
		if p.Model != nil {
			line = fmt.Sprintf("%3d proxies  EE %7.3f %%  %s", p.Proxies, p.EE, line)
		}
		s.show(p.Stage, line)
	}, s.end
}

// WriteText prints the report for people.
func (r *EnvelopeReport) WriteText(w io.Writer) {
	fmt.Fprintf(w, "%s: %s of %d %s of %s: %d bones and %d added, %d of %d vertices fixed to joints, %s after %.2f s%s\n",
		r.Model, r.Method, r.Frames, r.kind(), skinning.Printed(r.Train), r.MasterBones, r.AddedBones, r.Fixed, r.Vertices,
		r.Reason, r.Seconds, r.ending())
	if len(r.History) > 3 {
		fmt.Fprintln(w, "added bones    EE %  seconds")
		for _, s := range r.History {
			fmt.Fprintf(w, "%11d  %6s  %7.2f  %s\n", s.AddedBones, s.EE.Text(2), s.Seconds, s.What)
		}
	}
	fmt.Fprintln(w, "                                EE %   mean %    ± %      RMS   largest")
	line := func(name string, e Measured) {
		fmt.Fprintf(w, "%-27s  %7s  %7.2f  %5.1f  %.1e  %.1e\n", name, e.EE.Text(2), e.Mean, e.Deviation, e.RMS, e.Max)
	}
	line("training, SSD", Measured{r.SSDEE, r.SSDRMS, r.SSDMax, r.SSDMean, r.SSDDeviation})
	if r.Method != "ssd" {
		line("training, "+r.Method, Measured{r.EE, r.RMS, r.Max, r.Mean, r.Deviation})
	}
	for _, u := range []struct {
		name string
		test *UnseenTest
	}{{"unseen", r.Unseen}, {"held out", r.HeldOut}, {"leave one out", r.LeaveOneOut}} {
		if u.test == nil {
			continue
		}
		if u.test.LBS != (Measured{}) {
			line(u.name+", linear blending", u.test.LBS)
		}
		line(u.name+", SSD", u.test.SSD)
		line(u.name+", SSD with PSD", u.test.PSD)
		if r.Method != "ssd" {
			line(u.name+", "+r.Method, u.test.Fit)
		}
	}
	if l := r.LeaveOneOut; l != nil && l.Frames < l.Of {
		fmt.Fprintf(w, "Leave one out was ended after %d of %d examples: its errors are over those.\n", l.Frames, l.Of)
	}
	fmt.Fprintf(w, "Percent of the best rigid prediction, mean and deviation over vertices; RMS and largest error are fractions of the diagonal.\nInfluences %.2f -> %.2f a vertex.\n",
		r.InfluencesBefore, r.InfluencesAfter)
	r.writeClips(w)
	if r.Without != "" {
		fmt.Fprintln(w, r.Without)
	}
	r.writeWarnings(w)
	if r.Note != "" {
		fmt.Fprintln(w, r.Note)
	}
	if r.Output != "" {
		fmt.Fprintln(w, r.Output)
	}
}

// kind says what the examples are.
func (r *EnvelopeReport) kind() string {
	what := r.Operator + " pose"
	if r.Operator == "examples" {
		what = "shape"
	}
	if r.Frames != 1 {
		what += "s"
	}
	return what
}
