// Package job runs a fit from start to end: training poses, solver, test poses and the report that tools read. The
// command line and the viewer start fits through it.
package job

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"skinlab/fit/blendbones"
	"skinlab/fit/poses"
	"skinlab/skinning"
	"skinlab/skinning/compare"
)

// RangeOfMotion as a training clip stands for poses made from the skeleton.
const RangeOfMotion = -1

// Spec says what to fit.
type Spec struct {
	Method   string          // "blend-bones" or "half-way"
	Operator skinning.Method // what is made linear
	Bones    int             // blend bones at most; 0 means 10
	Target   float64         // stop below this EE, percent; 0 means never
	Clip     int             // training clip; RangeOfMotion for none
	Frames   int             // training poses; 0 means 12
	Test     int             // clip to test on; negative for none
	Workers  int             // 0 means all cores
}

// Outcome is a finished or cancelled fit.
type Outcome struct {
	*blendbones.Result
	Fitted *skinning.Model // the model with blend bones and new weights; with these alone where none were added
	Report Report
}

// Report is what `fit --json` prints. RMS and Max are fractions of the rest pose's diagonal, EE percentages.
type Report struct {
	Model            string  `json:"model"`
	Method           string  `json:"method"`
	Operator         string  `json:"operator"`
	Vertices         int     `json:"vertices"`
	MasterBones      int     `json:"master_bones"`
	AddedBones       int     `json:"added_bones"`
	Train            string  `json:"train"`
	Frames           int     `json:"frames"`
	EE               float64 `json:"ee"`
	RMS              float64 `json:"rms"`
	Max              float64 `json:"max"`
	Seconds          float64 `json:"seconds"`
	InfluencesBefore float64 `json:"influences_before"`
	InfluencesAfter  float64 `json:"influences_after"`
	Reason           string  `json:"reason"`
	Test             *Test   `json:"test,omitempty"`
	History          []Step  `json:"history"`
	Output           string  `json:"output,omitempty"`
	Note             string  `json:"note,omitempty"`
}

// Test is the error on poses that were not trained on.
type Test struct {
	Clip   string  `json:"clip"`
	Frames int     `json:"frames"`
	EE     float64 `json:"ee"`
	RMS    float64 `json:"rms"`
	Max    float64 `json:"max"`
}

// Step is one point of the history. What is nothing for blend bones; enveloping has two steps without added bones.
type Step struct {
	What       string  `json:"what,omitempty"`
	AddedBones int     `json:"added_bones"`
	EE         float64 `json:"ee"`
	Seconds    float64 `json:"seconds"`
}

// Run fits the model. Progress may be nil; it hears at least five times a second, with no rig while training poses are
// being prepared. A cancelled fit is an outcome, not an error.
func Run(ctx context.Context, m *skinning.Model, spec Spec, progress func(blendbones.Progress)) (*Outcome, error) {
	if len(m.Skin.Positions) == 0 {
		return nil, fmt.Errorf("%s: no skinned mesh to fit", m.Name)
	}
	if m.Blend != nil || m.Envelope != nil {
		return nil, fmt.Errorf("%s: the model has been fitted already: fit the one that it was made from", m.Name)
	}
	if spec.Frames == 0 {
		spec.Frames = defaultFrames
	}
	m = m.BoundAlike() // a blend bone serves all skins then
	problem := &blendbones.Problem{Model: m, Operator: spec.Operator}
	train := "range of motion"
	if spec.Clip == RangeOfMotion {
		problem.Frames = poses.RangeOfMotion(m, spec.Frames)
	} else {
		frames, err := poses.OfClip(m, spec.Clip, spec.Frames)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", m.Name, err)
		}
		problem.Frames, train = frames, m.Clips[spec.Clip].Name
	}
	poses := make([][]skinning.Affine, len(problem.Frames))
	for i, f := range problem.Frames {
		poses[i] = f.Matrices
	}
	if err := near(m, poses); err != nil {
		return nil, err
	}
	report, stop := steady(progress, reportPause, laterBlendBones)
	opt := blendbones.Options{MaxBones: spec.Bones, Target: spec.Target, Workers: spec.Workers, Progress: report}
	solve := blendbones.Solve
	if spec.Method == "half-way" {
		solve = blendbones.HalfWay
	}
	if report != nil {
		report(blendbones.Progress{})
	}
	result, err := solve(ctx, problem, opt)
	stop()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.Name, err)
	}
	out := &Outcome{Result: result}
	if out.Fitted, err = result.Rig.Model(m); err != nil {
		return nil, fmt.Errorf("%s: %w", m.Name, err)
	}
	before, _ := m.Skin.Stats()
	after, _ := result.Rig.Influences.Stats()
	out.Report = Report{
		Model: m.Name, Method: spec.Method, Operator: spec.Operator.String(), Vertices: len(m.Skin.Positions),
		MasterBones: m.Skeleton.JointNodes(), AddedBones: len(result.Rig.Bones), Train: train, Frames: len(problem.Frames),
		EE: result.EE, RMS: result.RMS, Max: result.Max, Seconds: result.Elapsed.Seconds(),
		InfluencesBefore: before, InfluencesAfter: after, Reason: result.Reason.String(),
	}
	for _, s := range result.History {
		out.Report.History = append(out.Report.History,
			Step{AddedBones: len(s.Rig.Bones), EE: s.EE, Seconds: s.Elapsed.Seconds()})
	}
	if morphsMove(problem.Frames) {
		shown := measure(context.WithoutCancel(ctx), m, out.Fitted, spec.Operator, spec.Clip, spec.Frames)
		out.Report.EE, out.Report.RMS, out.Report.Max = shown.EE, shown.RMS, shown.Max
	}
	if spec.Test >= 0 && spec.Test < len(m.Clips) {
		out.Report.Test = test(ctx, m, out.Fitted, spec.Operator, spec.Test)
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

// testRate is how many poses a second a test clip is measured at, and testMost how many at most.
const (
	testRate = 30
	testMost = 400
)

// test measures the fitted model on a clip that need not have been trained on.
func test(ctx context.Context, m, fitted *skinning.Model, operator skinning.Method, clip int) *Test {
	return measure(ctx, m, fitted, operator, clip, min(max(int(m.Clips[clip].Seconds*testRate)+1, 2), testMost))
}

// measure measures the fitted model on n poses spread evenly over a clip against the operator on the original, with the
// morph targets that the clip shows. It returns nil where it is cancelled.
func measure(ctx context.Context, m, fitted *skinning.Model, operator skinning.Method, clip, n int) *Test {
	e := skinning.NewErrors(m)
	master, live, pose := skinning.NewFrame(m, nil), skinning.NewFrame(fitted, nil), m.NewPose()
	both := fitted.NewPose()
	for _, t := range compare.Times(m.Clips[clip].Seconds, n) {
		if ctx.Err() != nil {
			return nil
		}
		m.SamplePose(pose, clip, t)
		master.SetPose(pose)
		fitted.SamplePose(both, clip, t)
		live.SetPose(both)
		rest := m.Skin.RestShape(master.Morphs).Positions
		e.Add(master.Reference(operator).Positions, live.Reference(skinning.LBS).Positions, rest, master)
	}
	return &Test{m.Clips[clip].Name, n, e.EE(), e.RMS(), e.Max()}
}

// WriteText prints the report for people.
func (r *Report) WriteText(w io.Writer) {
	fmt.Fprintf(w, "%s: %s of %s: %d bones and %d added, %d poses of %s, %s after %.2f s\n",
		r.Model, r.Method, r.Operator, r.MasterBones, r.AddedBones, r.Frames, skinning.Printed(r.Train), r.Reason, r.Seconds)
	fmt.Fprintln(w, "added bones    EE %  seconds")
	for _, s := range r.History {
		fmt.Fprintf(w, "%11d  %6.2f  %7.2f\n", s.AddedBones, s.EE, s.Seconds)
	}
	fmt.Fprintf(w, "EE %.3f %%, RMS %.2e and largest error %.2e of the diagonal, influences %.2f -> %.2f a vertex\n",
		r.EE, r.RMS, r.Max, r.InfluencesBefore, r.InfluencesAfter)
	if r.Test != nil {
		fmt.Fprintf(w, "on %s, %d poses: EE %.3f %%, RMS %.2e, largest %.2e\n", skinning.Printed(r.Test.Clip), r.Test.Frames,
			r.Test.EE, r.Test.RMS, r.Test.Max)
	}
	if r.Note != "" {
		fmt.Fprintln(w, r.Note)
	}
	if r.Output != "" {
		fmt.Fprintln(w, r.Output)
	}
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
