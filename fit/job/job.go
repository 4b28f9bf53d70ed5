// Package job runs a fit from start to end: training poses, solver, test poses and the report that tools read. The
// command line and the viewer start fits through it.
package job

import (
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"skinlab/fit/blendbones"
	"skinlab/fit/poses"
	"skinlab/skinning"
	"skinlab/skinning/compare"
)

// Spec says what to fit.
type Spec struct {
	Method   string          // "blend-bones" or "half-way"
	Operator skinning.Method // what is made linear
	Bones    int             // blend bones at most; 0 means 10
	Target   float64         // stop below this EE, percent; 0 means never
	// Train says which poses are trained on. Where it is empty they are chosen from all clips of the file, and the fit is
	// made again where it is worse than linear blending in one of them; a model without clips has the range of motion.
	Train    []Part
	Frames   int  // poses where Train is empty; 0 means 24, of the range of motion 12
	AllClips bool // measure all clips of the file after the fit, whatever it was trained on
	Test     int  // clip to test on; negative for none
	Workers  int  // 0 means all cores
}

// Outcome is a finished or cancelled fit.
type Outcome struct {
	*blendbones.Result
	Fitted *skinning.Model // the model with blend bones and new weights; with these alone where none were added
	Report Report
}

// Report is what `fit --json` prints. RMS and Max are fractions of the rest pose's diagonal, EE percentages.
type Report struct {
	Model            string           `json:"model"`
	Method           string           `json:"method"`
	Operator         string           `json:"operator"`
	Vertices         int              `json:"vertices"`
	MasterBones      int              `json:"master_bones"`
	AddedBones       int              `json:"added_bones"`
	Train            string           `json:"train"`
	Frames           int              `json:"frames"`
	EE               skinning.Percent `json:"ee"`
	RMS              float64          `json:"rms"`
	Max              float64          `json:"max"`
	Seconds          float64          `json:"seconds"`
	InfluencesBefore float64          `json:"influences_before"`
	InfluencesAfter  float64          `json:"influences_after"`
	Reason           string           `json:"reason"`
	// Why says why this operator, where nobody named one.
	Why  string `json:"operator_why,omitempty"`
	Test *Test  `json:"test,omitempty"`
	// Clips is the errors in all clips of the file that there is a truth of; empty where nothing was measured.
	Clips    []ClipError `json:"clips"`
	Warnings []string    `json:"warnings,omitempty"`
	Refits   int         `json:"refits,omitempty"` // how often the fit was made again for clips that got worse
	History  []Step      `json:"history"`
	Output   string      `json:"output,omitempty"`
	Note     string      `json:"note,omitempty"`
}

// Test is the error on poses that were not trained on.
type Test struct {
	Clip   string           `json:"clip"`
	Frames int              `json:"frames"`
	EE     skinning.Percent `json:"ee"`
	RMS    float64          `json:"rms"`
	Max    float64          `json:"max"`
	// Plain linear blending with the file's own weights, on the same poses.
	LBSEE  skinning.Percent `json:"lbs_ee"`
	LBSRMS float64          `json:"lbs_rms"`
	LBSMax float64          `json:"lbs_max"`
}

// Step is one point of the history. What is nothing for blend bones; enveloping has two steps without added bones.
type Step struct {
	What       string           `json:"what,omitempty"`
	AddedBones int              `json:"added_bones"`
	EE         skinning.Percent `json:"ee"`
	Seconds    float64          `json:"seconds"`
}

// Run fits the model. Progress may be nil; it hears at least five times a second, with no rig while training poses are
// being prepared, and from the beginning where a fit is made again. A cancelled fit is an outcome, not an error.
func Run(ctx context.Context, m *skinning.Model, spec Spec, progress func(blendbones.Progress)) (*Outcome, error) {
	if len(m.Skin.Positions) == 0 {
		return nil, fmt.Errorf("%s: no skinned mesh to fit", m.Name)
	}
	if len(m.Rigs) > 0 {
		return nil, fmt.Errorf("%s: the model has been fitted already: fit the one that it was made from", m.Name)
	}
	if len(spec.Train) == 0 && len(ownClips(m)) == 0 {
		spec.Train = []Part{{RangeOfMotion, spec.Frames}}
	}
	m = m.BoundAlike() // a blend bone serves all skins then
	report, stop := steady(progress, reportPause, laterBlendBones)
	if report != nil {
		report(blendbones.Progress{})
	}
	r := &run{ctx: ctx, m: m, spec: &spec, report: report}
	out, err := r.fit()
	stop()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.Name, err)
	}
	out.Report.Train, out.Report.Clips = trainingName(m, spec.Train), append([]ClipError{}, r.measured...)
	out.Report.Warnings = clipWarnings(r.measured)
	if r.moments != nil && morphsMove(r.problem.Frames) {
		shown := measure(context.WithoutCancel(ctx), m, out.Fitted, spec.Operator, r.moments)
		out.Report.EE, out.Report.RMS, out.Report.Max = shown.EE, shown.RMS, shown.Max
	}
	if spec.Test >= 0 && spec.Test < len(m.Clips) {
		out.Report.Test = test(ctx, m, out.Fitted, spec.Operator, spec.Test)
	}
	return out, nil
}

// run is one call of [Run].
type run struct {
	ctx      context.Context
	m        *skinning.Model
	spec     *Spec
	report   func(blendbones.Progress)
	problem  *blendbones.Problem
	weights  []float64      // of the problem's frames
	moments  []poses.Moment // of the problem's frames; nil for the range of motion
	measured []ClipError    // of the outcome
	elapsed  time.Duration  // of all fits
}

// fit fits, measures all clips where that is asked for, and fits again where the default training has made clips worse.
func (r *run) fit() (*Outcome, error) {
	var table []ClipError
	if r.spec.AllClips || len(r.spec.Train) == 0 {
		table = clipTable(r.ctx, r.m, r.spec.Operator, r.spec.Workers)
	}
	var training *chosen
	if len(r.spec.Train) == 0 {
		n := r.spec.Frames
		if n == 0 {
			n = defaultFrames
		}
		training = choose(r.m, table, n)
	}
	if err := r.pose(training); err != nil {
		return nil, err
	}
	best, err := r.solve()
	if err != nil {
		return nil, err
	}
	measured := func(of *Outcome) []ClipError {
		return measureFit(r.ctx, table, r.m, of.Fitted, r.spec.Operator, r.spec.Workers)
	}
	r.measured = measured(best)
	problem, moments, now := r.problem, r.moments, r.measured
	refits := 0
	for training != nil && worse(r.measured) > 0 && refits < mostRefits && r.ctx.Err() == nil {
		training.favour(now)
		if err := r.pose(training); err != nil {
			return nil, err
		}
		again, err := r.solve()
		if err != nil {
			return nil, err
		}
		refits++
		if now = measured(again); now == nil {
			break // cancelled: the one before is whole
		}
		if worse(now) <= worse(r.measured) {
			best, r.measured, problem, moments = again, now, r.problem, r.moments
		}
	}
	r.problem, r.moments = problem, moments
	best.Report.Refits, best.Report.Seconds = refits, r.elapsed.Seconds()
	return best, nil
}

// pose makes the problem: the poses of the training, or of the spec's parts where that is nil.
func (r *run) pose(training *chosen) (err error) {
	r.problem = &blendbones.Problem{Model: r.m, Operator: r.spec.Operator}
	parts := r.spec.Train
	made := slices.ContainsFunc(parts, func(p Part) bool { return p.Clip == RangeOfMotion })
	if training == nil && made {
		if len(parts) > 1 {
			return fmt.Errorf("%w: the range of motion is trained on alone", poses.ErrClip)
		}
		n := parts[0].Frames
		if n == 0 {
			n = partFrames
		}
		r.problem.Frames = poses.RangeOfMotion(r.m, n)
	} else {
		if training == nil {
			r.moments, err = Moments(r.m, parts)
		} else {
			r.moments, r.weights = training.moments, training.weights()
		}
		if err != nil {
			return err
		}
		r.problem.Frames = poses.At(r.m, r.moments)
	}
	palettes := make([][]skinning.Affine, len(r.problem.Frames))
	for i, f := range r.problem.Frames {
		palettes[i] = f.Matrices
	}
	return near(r.m, palettes)
}

// solve fits the problem.
func (r *run) solve() (*Outcome, error) {
	opt := blendbones.Options{MaxBones: r.spec.Bones, Target: r.spec.Target, Workers: r.spec.Workers, Weights: r.weights,
		Progress: r.report}
	solve := blendbones.Solve
	if r.spec.Method == "half-way" {
		solve = blendbones.HalfWay
	}
	result, err := solve(r.ctx, r.problem, opt)
	if err != nil {
		return nil, err
	}
	r.elapsed += result.Elapsed
	out := &Outcome{Result: result}
	if out.Fitted, err = result.Rig.Model(r.m); err != nil {
		return nil, err
	}
	before, _ := r.m.Skin.Stats()
	after, _ := result.Rig.Influences.Stats()
	out.Report = Report{
		Model: r.m.Name, Method: r.spec.Method, Operator: r.spec.Operator.String(), Vertices: len(r.m.Skin.Positions),
		MasterBones: r.m.Skeleton.JointNodes(), AddedBones: len(result.Rig.Bones), Frames: len(r.problem.Frames),
		EE: reported(result.EE, result.RMS), RMS: result.RMS, Max: result.Max, Seconds: result.Elapsed.Seconds(),
		InfluencesBefore: before, InfluencesAfter: after, Reason: result.Reason.String(),
	}
	for _, s := range result.History {
		out.Report.History = append(out.Report.History,
			Step{AddedBones: len(s.Rig.Bones), EE: skinning.Percent(s.EE), Seconds: s.Elapsed.Seconds()})
	}
	return out, nil
}

func laterBlendBones(p blendbones.Progress, by time.Duration) blendbones.Progress {
	p.Elapsed += by
	return p
}

// morphsMove reports whether the frames differ in their morph targets. Blend bones are fitted to the shape of the
// first, and their error is that of what is shown.
func morphsMove(frames []*skinning.Frame) bool {
	return slices.ContainsFunc(frames, func(f *skinning.Frame) bool { return !slices.Equal(f.Morphs, frames[0].Morphs) })
}

// reported is a solver's EE as [skinning.ReportedError] has it; rms is a fraction of the diagonal.
func reported(ee, rms float64) skinning.Percent {
	if ee > 0 && !(100*rms/ee > skinning.LeastMotion) {
		ee = math.NaN()
	}
	return skinning.Percent(ee)
}

// testRate is how many poses a second a test clip is measured at, and testMost how many at most.
const (
	testRate = 30
	testMost = 400
)

// test measures the fitted model on a clip that need not have been trained on.
func test(ctx context.Context, m, fitted *skinning.Model, operator skinning.Method, clip int) *Test {
	n := min(max(int(m.Clips[clip].Seconds*testRate)+1, 2), testMost)
	at := make([]poses.Moment, n)
	for i, t := range compare.Times(m.Clips[clip].Seconds, n) {
		at[i] = poses.Moment{Clip: clip, Time: t}
	}
	out := measure(ctx, m, fitted, operator, at)
	if out != nil {
		out.Clip = m.Clips[clip].Name
	}
	return out
}

// measure measures the fitted model, and linear blending, at moments against the operator on the original, with the
// morph targets that are shown there. It returns nil where it is cancelled.
func measure(ctx context.Context, m, fitted *skinning.Model, operator skinning.Method, at []poses.Moment) *Test {
	e := skinning.NewErrors(m)
	l := e.Beside()
	master, live, pose := skinning.NewFrame(m, nil), skinning.NewFrame(fitted, nil), m.NewPose()
	both := fitted.NewPose()
	for _, t := range at {
		if ctx.Err() != nil {
			return nil
		}
		m.SamplePose(pose, t.Clip, t.Time)
		master.SetPose(pose)
		fitted.SamplePose(both, t.Clip, t.Time)
		live.SetPose(both)
		rest := m.Skin.RestShape(master.Morphs).Positions
		want := master.Reference(operator).Positions
		e.Add(want, live.Reference(skinning.LBS).Positions, rest, master)
		l.Add(want, master.Reference(skinning.LBS).Positions, rest, master)
	}
	return &Test{Frames: len(at), EE: skinning.Percent(e.EE()), RMS: e.RMS(), Max: e.Max(),
		LBSEE: skinning.Percent(l.EE()), LBSRMS: l.RMS(), LBSMax: l.Max()}
}

// WriteText prints the report for people.
func (r *Report) WriteText(w io.Writer) {
	fmt.Fprintf(w, "%s: %s of %s%s: %d bones and %d added, %d poses of %s, %s after %.2f s%s\n",
		r.Model, r.Method, r.Operator, r.reason(), r.MasterBones, r.AddedBones, r.Frames, skinning.Printed(r.Train), r.Reason,
		r.Seconds, r.ending())
	fmt.Fprintln(w, "added bones    EE %  seconds")
	for _, s := range r.History {
		fmt.Fprintf(w, "%11d  %6s  %7.2f\n", s.AddedBones, s.EE.Text(2), s.Seconds)
	}
	fmt.Fprintf(w, "EE %s %%, RMS %.2e and largest error %.2e of the diagonal, influences %.2f -> %.2f a vertex\n",
		r.EE.Text(3), r.RMS, r.Max, r.InfluencesBefore, r.InfluencesAfter)
	if r.Test != nil {
		t := r.Test
		fmt.Fprintf(w, "on %s, %d poses: EE %s %%, RMS %.2e, largest %.2e; "+
			"linear blending: EE %s %%, RMS %.2e, largest %.2e\n", skinning.Printed(t.Clip), t.Frames, t.EE.Text(3), t.RMS,
			t.Max, t.LBSEE.Text(3), t.LBSRMS, t.LBSMax)
	}
	r.writeClips(w)
	r.writeWarnings(w)
	if r.Note != "" {
		fmt.Fprintln(w, r.Note)
	}
	if r.Output != "" {
		fmt.Fprintln(w, r.Output)
	}
}

// reason says why the operator was chosen, where it was not named.
func (r *Report) reason() string {
	if r.Why == "" {
		return ""
	}
	return " (" + r.Why + ")"
}

// ending is the verdict as a summary ends with it.
func (r *Report) ending() string {
	end := ""
	if r.Refits > 0 {
		end = fmt.Sprintf(" in %d fits", 1+r.Refits)
	}
	if v := r.Verdict(); v != "" {
		end += "; " + v
	}
	return end
}

// Progress says how far a fit is: on a terminal's last line, or in a log a line for every bone. The caller calls end
// when it is over.
func Progress(w io.Writer) (progress func(blendbones.Progress), end func()) {
	s := newStatusLine(w)
	return func(p blendbones.Progress) {
		if p.Rig == nil {
			s.show("preparing", fmt.Sprintf("preparing  %6.1f s", p.Elapsed.Seconds()))
			return
		}
		bones := fmt.Sprintf("%3d bones", len(p.Rig.Bones))
		s.show(bones, fmt.Sprintf("%s  EE %7.3f %%  %6.1f s", bones, p.EE, p.Elapsed.Round(100*time.Millisecond).Seconds()))
	}, s.end
}
