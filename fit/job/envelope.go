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

// Training says which example pairs enveloping and trained SSD learn from: the poses of a clip, and the shapes that go
// with them.
type Training struct {
	Clip  int       // whose poses are learnt; RangeOfMotion for poses made from the skeleton
	Times []float64 // seconds in it, one per example
	// The shapes are Targets, one per time in vertex order; or, where they are nil, those of Teacher at these times. The
	// model's own, with its morph targets, are taught by LBS; other methods teach without them, and where the fitted model
	// keeps them, errors are of what it shows.
	Targets [][]mgl64.Vec3
	Teacher skinning.Method
	Frames  int // of RangeOfMotion; 0 means 12
}

// OwnExamples is the training on a model's example set ([enveloping.ExampleClip]).
func OwnExamples(m *skinning.Model) (*Training, error) {
	var t *Training
	clip, err := m.ClipIndex(enveloping.ExampleClip)
	if err == nil {
		t, err = ownShapes(m, clip)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w: it has no example set: give --targets DIR or --teach METHOD", m.Name, err)
	}
	return t, nil
}

// ownShapes is the shapes that a clip shows with morph targets, at its keys.
func ownShapes(m *skinning.Model, clip int) (*Training, error) {
	if !ShowsShapes(m, clip) {
		return nil, fmt.Errorf("clip %q shows no shapes by morph targets", m.Clips[clip].Name)
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
	if t.Clip != RangeOfMotion {
		teacher := bare
		if t.Teacher == skinning.LBS {
			teacher = m
		}
		x, err := enveloping.Taught(bare, t.Teacher, teacher, t.Clip, t.Times)
		if err == nil && keepsMorphs(m) {
			err = addShown(x, m, t)
		}
		return x, err
	}
	m = bare
	n := t.Frames
	if n == 0 {
		n = defaultFrames
	}
	frames := poses.RangeOfMotion(m, n)
	targets := make([][]mgl64.Vec3, len(frames))
	for i, f := range frames {
		targets[i] = f.Reference(t.Teacher).Positions
	}
	return enveloping.NewExamples(m, frames, targets)
}

// defaultFrames is how many training poses a clip gives where nobody says.
const defaultFrames = 12

// EnvelopeSpec says what to fit to examples.
type EnvelopeSpec struct {
	Method      string // "enveloping", or "ssd" for the weights alone
	Training    *Training
	Proxies     int     // at most; 0 means 80
	Target      float64 // see [enveloping.Options]; 0 means none
	Rigid       float64 // see [enveloping.Options]; 0 means 0.6
	LeaveOneOut bool
	Test        int  // a clip to test on; negative for none
	Workers     int  // 0 means all cores
	History     bool // see [enveloping.Options]
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
	Mean         float64     `json:"mean"`
	Deviation    float64     `json:"deviation"`
	Fixed        int         `json:"fixed_vertices"` // posed by trained weights alone
	SSDEE        float64     `json:"ssd_ee"`
	SSDRMS       float64     `json:"ssd_rms"`
	SSDMax       float64     `json:"ssd_max"`
	SSDMean      float64     `json:"ssd_mean"`
	SSDDeviation float64     `json:"ssd_deviation"`
	Unseen       *UnseenTest `json:"unseen,omitempty"`
	LeaveOneOut  *UnseenTest `json:"loocv,omitempty"`
}

// UnseenTest is the errors on poses that were not trained on, of every way that learns from the same examples.
type UnseenTest struct {
	Clip   string   `json:"clip"`
	Frames int      `json:"frames"` // that were tested on
	Of     int      `json:"of"`     // so many: more where Ctrl-C came before the last
	SSD    Measured `json:"ssd"`
	PSD    Measured `json:"psd"`
	Fit    Measured `json:"fit"`
}

// Measured is [enveloping.Errors] with lengths as fractions of the diagonal.
type Measured struct {
	EE        float64 `json:"ee"`
	RMS       float64 `json:"rms"`
	Max       float64 `json:"max"`
	Mean      float64 `json:"mean"`
	Deviation float64 `json:"deviation"`
}

func measured(e enveloping.Errors, diagonal float64) Measured {
	if diagonal == 0 {
		diagonal = 1
	}
	return Measured{e.EE, e.RMS / diagonal, e.Max / diagonal, e.Mean, e.Dev}
}

// Envelope fits enveloping, or trains SSD alone. A cancelled fit is an outcome, the best that there was, without the
// tests that it did not come to; it is an error, [enveloping.ErrNoModel], only where there was nothing yet.
func Envelope(ctx context.Context, m *skinning.Model, spec EnvelopeSpec) (*EnvelopeOutcome, error) {
	if len(m.Skin.Positions) == 0 {
		return nil, fmt.Errorf("%s: no skinned mesh to fit", m.Name)
	}
	if m.Blend != nil || m.Envelope != nil {
		return nil, fmt.Errorf("%s: the model has been fitted already: fit the one that it was made from", m.Name)
	}
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
		History: spec.History, Progress: say}
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
	if spec.Test >= 0 && ctx.Err() == nil {
		stage("unseen poses")
		if out.Report.Unseen, err = out.unseen(ctx, m, &spec); err != nil && ctx.Err() == nil {
			return nil, fmt.Errorf("%s: %w", m.Name, err)
		}
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
		out.Report.LeaveOneOut = &UnseenTest{out.Report.Train, g.Done, len(x.Pairs), measured(g.SSD, d), measured(g.PSD, d),
			measured(g.Fit, d)}
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
			Train:       "range of motion", Frames: len(o.Examples.Pairs), EE: fit.EE, RMS: fit.RMS, Max: fit.Max,
			Seconds:          o.Elapsed.Seconds(),
			InfluencesBefore: before, InfluencesAfter: after, Reason: o.Reason.String(), AddedBones: o.Model.Proxies(),
		},
		Mean: fit.Mean, Deviation: fit.Deviation, Fixed: len(m.Skin.Positions),
		SSDEE: ssd.EE, SSDRMS: ssd.RMS, SSDMax: ssd.Max, SSDMean: ssd.Mean, SSDDeviation: ssd.Deviation,
	}
	if t.Clip != RangeOfMotion {
		r.Train = m.Clips[t.Clip].Name
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
		r.History = append(r.History, Step{step.What, step.Proxies, step.EE, step.Elapsed.Seconds()})
	}
}

// testFrames is how many poses of a clip a taught fit is tested on at most.
const testFrames = 100

// unseen measures everything on another clip: the shapes that the clip itself shows, or the teacher's.
func (o *EnvelopeOutcome) unseen(ctx context.Context, m *skinning.Model, spec *EnvelopeSpec) (*UnseenTest, error) {
	clip := &m.Clips[spec.Test]
	t := &Training{Clip: spec.Test, Teacher: spec.Training.Teacher}
	if t.Teacher == skinning.LBS {
		var err error
		if t, err = ownShapes(m, spec.Test); err != nil {
			return nil, err
		}
	} else {
		n := min(max(int(clip.Seconds*testRate)+1, 2), testFrames)
		for i := range n {
			t.Times = append(t.Times, clip.Seconds*float64(i)/float64(n-1))
		}
	}
	x, err := t.Examples(m)
	if err != nil {
		return nil, err
	}
	psd, err := enveloping.NewPSD(ctx, o.Examples, o.Trained, spec.Workers)
	if err != nil {
		return nil, err
	}
	d := m.Diagonal()
	u := &UnseenTest{Clip: clip.Name, Frames: len(x.Pairs), Of: len(x.Pairs), SSD: measured(o.Trained.Measure(x), d),
		PSD: measured(psd.Measure(x), d)}
	u.Fit = measured(o.Model.Measure(x), d)
	return u, nil
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
	fmt.Fprintf(w, "%s: %s of %d %s of %s: %d bones and %d added, %d of %d vertices fixed to joints, %s after %.2f s\n",
		r.Model, r.Method, r.Frames, r.kind(), skinning.Printed(r.Train), r.MasterBones, r.AddedBones, r.Fixed, r.Vertices,
		r.Reason, r.Seconds)
	if len(r.History) > 3 {
		fmt.Fprintln(w, "added bones    EE %  seconds")
		for _, s := range r.History {
			fmt.Fprintf(w, "%11d  %6.2f  %7.2f  %s\n", s.AddedBones, s.EE, s.Seconds, s.What)
		}
	}
	fmt.Fprintln(w, "                                EE %   mean %    ± %      RMS   largest")
	line := func(name string, e Measured) {
		fmt.Fprintf(w, "%-27s  %7.2f  %7.2f  %5.1f  %.1e  %.1e\n", name, e.EE, e.Mean, e.Deviation, e.RMS, e.Max)
	}
	line("training, SSD", Measured{r.SSDEE, r.SSDRMS, r.SSDMax, r.SSDMean, r.SSDDeviation})
	if r.Method != "ssd" {
		line("training, "+r.Method, Measured{r.EE, r.RMS, r.Max, r.Mean, r.Deviation})
	}
	for _, u := range []struct {
		name string
		test *UnseenTest
	}{{"unseen", r.Unseen}, {"leave one out", r.LeaveOneOut}} {
		if u.test == nil {
			continue
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
