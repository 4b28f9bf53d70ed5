package fit

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"strings"

	"skinlab/fit/training"
	"skinlab/skinning"
	"skinlab/skinning/compare"
	"skinlab/skinning/messages"
	"skinlab/skinning/metrics"
)

// Report is what `fit --json` prints. RMS and Max are fractions of the rest pose's diagonal, EE percentages.
type Report struct {
	Model            string          `json:"model"`
	Method           string          `json:"method"`
	Operator         string          `json:"operator"`      // the method that is imitated or teaches, or "examples"
	For              string          `json:"for,omitempty"` // the method that weights were trained for; "" for linear blending
	Vertices         int             `json:"vertices"`
	MasterBones      int             `json:"master_bones"`
	AddedBones       int             `json:"added_bones"`
	Unchanged        bool            `json:"unchanged,omitempty"` // no bone was added, and the weights are the file's
	Train            string          `json:"train"`
	Learnt           *training.Poses `json:"-"`
	Frames           int             `json:"frames"`
	EE               metrics.Percent `json:"ee"`
	RMS              float64         `json:"rms"`
	Max              float64         `json:"max"`
	Diagonal         float64         `json:"diagonal"` // of the rest pose, metres
	Seconds          float64         `json:"seconds"`
	InfluencesBefore float64         `json:"influences_before"`
	InfluencesAfter  float64         `json:"influences_after"`
	Reason           string          `json:"reason"`
	// Why says why this operator was chosen; "" where a person named it.
	Why  string `json:"operator_why,omitempty"`
	Test *Test  `json:"test,omitempty"`
	// WorseOn names the test poses on which the fit is worse than linear blending, see [Report.Judge].
	WorseOn []string `json:"worse_on,omitempty"`
	// Clips are the errors in all clips of the file whose true shapes are known; empty where nothing was measured.
	Clips    ClipTable `json:"clips"`
	Without  string    `json:"without,omitempty"` // which clips are not in Clips, and why
	LBSOf    string    `json:"-"`                 // the weights that Clips have under LBS; "" for the file's
	Warnings []string  `json:"warnings,omitempty"`
	Refitted bool      `json:"refitted,omitempty"` // fitted twice, because clips got worse
	History  []Point   `json:"history"`
	Output   string    `json:"output,omitempty"`
	// Levels are the levels of detail, and Suggested the pose files, that were written beside the output.
	Levels    []Level  `json:"lod,omitempty"`
	Suggested []string `json:"suggested,omitempty"`
	Note      string   `json:"note,omitempty"`
	// KeyError is the largest distance between keys of the output from the live bones, as a fraction of the rest
	// diagonal: [skinning.FitRecord.KeyError]. Nil without an output that was baked.
	KeyError *float64 `json:"error_between_keys,omitempty"`
	// Differs are the [Method.Differs] of a fit that ran as published.
	Differs []string `json:"differs,omitempty"`

	// Details are further measurements of a fit. Their JSON is an object whose keys are added to those of the report.
	Details Details `json:"-"`
}

// Level is a fit with only the first of its added bones. Errors are over the examples.
type Level struct {
	AddedBones int `json:"added_bones"`
	Measured
	Output string `json:"output"`
}

// Details are a fit's own part of a report.
type Details interface {
	// WriteText prints the report's head and the details, before the table of clips.
	WriteText(w io.Writer, r *Report)
}

// Point is one point of the history. What names a point without added bones; enveloping has two of them.
type Point struct {
	What       string          `json:"what,omitempty"`
	AddedBones int             `json:"added_bones"`
	EE         metrics.Percent `json:"ee"`
	Seconds    float64         `json:"seconds"`
}

// Test is the error in a clip.
type Test struct {
	Clip   string `json:"clip"`
	Learnt bool   `json:"trained_on,omitempty"` // examples are of this clip, see [training.Poses.Learns]
	Frames int    `json:"frames"`
	Errors
}

// Errors are those of a fit and, in the fields LBS, those of plain linear blending with the file's own weights on the
// same poses. RMS and Max are fractions of the rest pose's diagonal.
type Errors struct {
	EE     metrics.Percent `json:"ee"`
	RMS    float64         `json:"rms"`
	Max    float64         `json:"max"`
	LBSEE  metrics.Percent `json:"lbs_ee"`
	LBSRMS float64         `json:"lbs_rms"`
	LBSMax float64         `json:"lbs_max"`
}

// MarshalJSON joins the details to the report.
func (r *Report) MarshalJSON() ([]byte, error) {
	type plain Report // without this method
	out, err := json.Marshal((*plain)(r))
	if err != nil || r.Details == nil {
		return out, err
	}
	more, err := json.Marshal(r.Details)
	if err != nil || bytes.Equal(more, []byte("{}")) {
		return out, err
	}
	return append(append(out[:len(out)-1], ','), more[1:]...), nil
}

// NewReport makes a report with what all fits report alike. P are the poses that it learnt from.
func NewReport(job *Job, p *training.Poses, fitted *skinning.Model, last *Step) *Report {
	m, operator := job.Model, skinning.Examples
	if p.Taught {
		operator = p.Teacher.String()
	}
	before, _ := m.Skin.Stats()
	after, _ := fitted.Skin.Stats()
	return &Report{
		Model: m.Name, Diagonal: m.Diagonal(), Method: job.Method.Name, Operator: operator,
		Vertices: len(m.Skin.Positions), MasterBones: m.Skeleton.JointNodes(), AddedBones: last.Added,
		Train: p.Name, Learnt: p, Unchanged: len(fitted.Added()) == 0 && sameSkin(&m.Skin, &fitted.Skin),
		Seconds: last.Elapsed.Seconds(), InfluencesBefore: before, InfluencesAfter: after, Clips: ClipTable{},
	}
}

// sameSkin reports whether two skins over the same joints have the same rest positions and, but for the rounding of
// weights to float32 and back, the same weights.
func sameSkin(a, b *skinning.Mesh) bool {
	if !slices.Equal(a.Positions, b.Positions) || !reflect.DeepEqual(a.Inputs, b.Inputs) {
		return false
	}
	var own, fitted []skinning.Influence
	for v := range a.Positions {
		own, fitted = a.Influences.Of(own[:0], v), b.Influences.Of(fitted[:0], v)
		left := map[uint16]float64{}
		for _, in := range own {
			left[in.Joint] += float64(in.Weight)
		}
		for _, in := range fitted {
			left[in.Joint] -= float64(in.Weight)
		}
		for _, d := range left {
			if !(math.Abs(d) <= 1e-6) {
				return false
			}
		}
	}
	return true
}

// ReportedEE is a solver's EE as [metrics.ReportedError] has it; rms is a fraction of the diagonal.
func ReportedEE(ee, rms float64) metrics.Percent {
	if rms <= metrics.LeastVisible {
		return 0
	}
	if ee > 0 && !(100*rms/ee > metrics.LeastMotion) {
		ee = math.NaN()
	}
	return metrics.Percent(ee)
}

// TestOn measures a fitted model on a clip that need not have been trained on. It returns nil where it is cancelled.
func TestOn(ctx context.Context, m, fitted *skinning.Model, operator skinning.Method, clip int) *Test {
	n := compare.PosesOf(m.Clips[clip].Seconds)
	out := Measure(ctx, m, fitted, operator, training.TimesIn(clip, compare.Times(m.Clips[clip].Seconds, n)))
	if out != nil {
		out.Clip = m.Clips[clip].Name
	}
	return out
}

// Measure measures a fitted model, and linear blending, at some times against the operator on the original, with the
// morph targets that are shown there, without the half turns among them. It returns nil where it is cancelled.
func Measure(ctx context.Context, m, fitted *skinning.Model, operator skinning.Method, at []training.ClipTime) *Test {
	e := metrics.NewErrors(m)
	l := e.Beside()
	at = training.WithoutHalfTurns(m, at, fitted.LongWay())
	var own, other *compare.Posed // of one clip
	for i, t := range at {
		if ctx.Err() != nil {
			return nil
		}
		if i == 0 || t.Clip != at[i-1].Clip {
			own, other = compare.Pose(m, t.Clip, !fitted.LongWay()), compare.Pose(fitted, t.Clip, true)
		}
		master, live := own.At(t.Time), other.At(t.Time)
		rest := m.Skin.RestPositions(master.Morphs)
		want := master.Positions(operator)
		e.Add(want, live.Positions(skinning.LBS), rest, master)
		l.Add(want, master.Positions(skinning.LBS), rest, master)
	}
	return &Test{Frames: len(at), Errors: Errors{EE: metrics.Percent(e.EE()), RMS: e.RMS(), Max: e.Max(),
		LBSEE: metrics.Percent(l.EE()), LBSRMS: l.RMS(), LBSMax: l.Max()}}
}

// Judge warns of a test in which the fit is worse than linear blending, unless it is of a clip that is warned of
// already. Poses is what a person calls those that were tested.
func (r *Report) Judge(poses string, t *Test) {
	row := ClipError{Name: t.Clip, Errors: t.Errors}
	said := func(c ClipError) bool { return c.Worse && c.Name == t.Clip }
	row.Judge()
	if !row.Worse || slices.ContainsFunc(r.Clips, said) {
		return
	}
	if t.Learnt {
		poses = "trained poses"
	}
	r.WorseOn = append(r.WorseOn, poses)
	r.Warnings = append(r.Warnings, row.warning(poses+" of", r.Diagonal))
}

// WriteText prints the report for people.
func (r *Report) WriteText(w io.Writer) {
	if r.Details != nil {
		r.Details.WriteText(w, r)
	} else {
		r.writePlain(w)
	}
	r.writeClips(w)
	if r.Without != "" {
		fmt.Fprintln(w, r.Without)
	}
	for _, line := range r.Warnings {
		fmt.Fprintf(w, "warning: %s\n", line)
	}
	for _, line := range r.Differs {
		fmt.Fprintf(w, "not as published: %s\n", line)
	}
	if r.Note != "" {
		fmt.Fprintln(w, r.Note)
	}
	if r.Output != "" {
		fmt.Fprintln(w, r.Output)
	}
	for i := range r.Levels {
		l := &r.Levels[i]
		fmt.Fprintf(w, "%s: %d added, EE %s %%, RMS %s\n", l.Output, l.AddedBones, l.EE.Text(2),
			r.Length(l.RMSmm/(1e3*r.Diagonal)))
	}
	for _, path := range r.Suggested {
		fmt.Fprintln(w, path)
	}
}

// writePlain prints the head of a report without details.
func (r *Report) writePlain(w io.Writer) {
	why := ""
	if r.Why != "" {
		why = " (" + r.Why + ")"
	}
	fmt.Fprintf(w, "%s: %s of %s%s: %s and %d added, %s of %s, %s after %.2f s%s\n",
		r.Model, r.Method, r.Operator, why, messages.Count(r.MasterBones, "bone", "bones"), r.AddedBones,
		messages.Count(r.Frames, "pose", "poses"), messages.Printable(r.Train), r.Reason, r.Seconds, r.Ending())
	r.WriteHistory(w)
	fmt.Fprintf(w, "EE %s %%, RMS %s and largest error %s from %s over %s, influences %.2f -> %.2f a vertex\n",
		r.EE.Text(3), r.Length(r.RMS), r.Length(r.Max), r.target(),
		messages.Count(r.Frames, "training pose", "training poses"), r.InfluencesBefore, r.InfluencesAfter)
	if r.Test != nil {
		t, on := r.Test, "on "
		if t.Learnt {
			on = "trained on, "
		}
		fmt.Fprintf(w, "%s%s, %d poses: EE %s %%, RMS %s, largest %s; "+
			"linear blending: EE %s %%, RMS %s, largest %s\n", on, messages.Printable(t.Clip), t.Frames, t.EE.Text(3),
			r.Length(t.RMS), r.Length(t.Max), t.LBSEE.Text(3), r.Length(t.LBSRMS), r.Length(t.LBSMax))
	}
}

// Length is [messages.ReportLength] of a fraction of the diagonal.
func (r *Report) Length(fraction float64) string { return messages.ReportLength(fraction, r.Diagonal) }

// target names what errors are distances from.
func (r *Report) target() string {
	return strings.ReplaceAll(r.Operator, "examples", "the example shapes")
}

// WriteHistory prints how the error fell.
func (r *Report) WriteHistory(w io.Writer) {
	fmt.Fprintln(w, "added bones    EE %  seconds")
	for _, s := range r.History {
		what := ""
		if s.What != "" {
			what = "  " + s.What
		}
		fmt.Fprintf(w, "%11d  %6s  %7.2f%s\n", s.AddedBones, s.EE.Text(2), s.Seconds, what)
	}
}

// Ending returns the end of a summary line: that there were two fits, if there were, and the verdict.
func (r *Report) Ending() string {
	end := ""
	if r.Refitted {
		end = " in 2 fits"
	}
	if v := r.Verdict(); v != "" {
		end += "; " + v
	}
	return end
}
