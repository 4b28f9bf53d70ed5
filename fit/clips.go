package fit

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"

	"skinlab/fit/training"
	"skinlab/skinning"
	"skinlab/skinning/compare"
	"skinlab/skinning/messages"
	"skinlab/skinning/metrics"
)

// ClipError is how far a fit is from its target in a clip.
type ClipError struct {
	Name   string `json:"name"`
	Frames int    `json:"frames"` // that were measured, spread evenly over the clip
	Errors
	Worse bool `json:"worse"` // than linear blending
	// Way is the way round that joints turn where a method teaches, see [skinning.Signs.Way].
	Way string `json:"way,omitempty"`

	// Lost is the number of channels of a clip that has lost all of them, or 0: it plays nothing, and is not learnt.
	Lost int `json:"channels_left_out,omitempty"`

	// HalfTurns are the errors in poses that are in no other number, nil for none.
	HalfTurns *ClipHalfTurns `json:"half_turns,omitempty"`

	far   bool    // it says nothing of the fit: a pose of it is broken, see [training.GoesFar], or it plays nothing
	rigid float64 // RMS error of the best single joints
}

// ClipHalfTurns are the errors of a fit, and of linear blending, in poses of half turns, see [compare.Apart].
type ClipHalfTurns struct {
	Poses   int     `json:"poses"`
	Joints  string  `json:"joints"`
	Degrees float64 `json:"degrees"` // the largest angle between them
	RMS     float64 `json:"rms"`     // a fraction of the diagonal, as all
	LBSRMS  float64 `json:"lbs_rms"`
}

// counted returns how many poses are in the clip's errors. Half turns are, where there are no others.
func (c *ClipError) counted() int {
	if a := c.HalfTurns; a != nil && a.Poses < c.Frames {
		return c.Frames - a.Poses
	}
	return c.Frames
}

// halfTurns says how many poses of the clips are half turns, and where they count; "" where there are none. A clip that
// has no other poses is measured in them, see [compare.Apart]. Learnt says that the fit has learnt from them: its clips
// have no other poses, see [training.WithoutHalfTurns], or it follows a clip, as a decomposition does.
func (t ClipTable) halfTurns(learnt bool) string {
	some, poses, counted, farthest := 0, 0, 0, ClipHalfTurns{}
	for i := range t {
		poses, counted = poses+t[i].Frames, counted+t[i].counted()
		if a := t[i].HalfTurns; a != nil {
			some += a.Poses
			if a.Degrees > farthest.Degrees {
				farthest = *a
			}
		}
	}
	if some == 0 {
		return ""
	}
	note := metrics.HalfTurnNote(some, poses, farthest.Joints) + " They are in no other number of the table"
	if counted > poses-some {
		note += " but where a clip has no other poses"
	}
	note += ", "
	if learnt {
		return note + "and the fit has learnt from them."
	}
	return note + "and the fit has not learnt from them."
}

// setFit fills in the errors of the fit.
func (c *ClipError) setFit(rms, most float64) {
	c.RMS, c.Max = rms, most
	c.EE = ReportedEE(100*rms/max(c.rigid, metrics.Rounding), rms)
	c.Judge()
}

// alike is the share of an error within which two are the same: weights are rounded to float32.
const alike = 1e-4

// Judge decides whether the fit is worse.
func (c *ClipError) Judge() {
	c.Worse = c.RMS > max(c.LBSRMS*(1+alike), metrics.LeastVisible) && !c.far
}

// counts reports whether the clip says anything of the fit: one in which linear blending has no error does only if it
// got worse.
func (c *ClipError) counts() bool { return c.Worse || c.LBSRMS > metrics.LeastVisible && !c.far }

// grown is by how much the largest error is that of linear blending.
func (c *ClipError) grown() float64 { return c.Max / max(c.LBSMax, metrics.LeastVisible) }

// muchGrown is the growth of a largest error that verdicts name.
const muchGrown = 1.5

// Bounds of the frames that are measured. They are fewer where there are many clips, and so few of hundreds of clips or
// of a huge skin or skeleton that measuring takes less time and memory than the fit.
const (
	framesOfAll    = 160     // of all clips together, where that leaves each its leastFrames
	mostOfAll      = 1600    // of all clips together, where that leaves each its leastOfHuge
	leastFrames    = 12      // of each clip
	leastOfHuge    = 3       // of each clip, always
	mostPositions  = 1 << 26 // vertices times frames of all clips
	mostJointPoses = 1 << 19 // joints times frames of a clip
)

// framesOf returns the number of frames of a clip that are measured. A clip that is left out of the training has as
// many as its test, see [TestOn], so that a printout has one number for it.
func framesOf(m *skinning.Model, clip, clips int, leftOut []int) int {
	n := compare.PosesOf(m.Clips[clip].Seconds)
	if m.Clips[clip].Seconds == 0 {
		return n
	}
	if !slices.Contains(leftOut, clip) {
		n = min(max(framesOfAll/clips, min(leastFrames, mostOfAll/clips)), max(n, 4))
	}
	n = min(n, mostPositions/max(len(m.Skin.Positions)*clips, 1), mostJointPoses/max(len(m.Skeleton.Joints), 1))
	return max(n, leastOfHuge)
}

// ClipTable is all clips of a file, in their order.
type ClipTable []ClipError

// MeasureLinear measures linear blending in all clips of the file against a set's teacher: the half of the table that a
// fit does not change. It is cut short where ctx is done.
func MeasureLinear(ctx context.Context, m *skinning.Model, set *training.Set, workers int) ClipTable {
	clips, size := training.OwnClips(m), max(m.Diagonal(), 1e-300)
	table := make(ClipTable, 0, len(clips))
	for _, c := range clips {
		s := compare.Survey{Reference: set.Reference(), Subjects: compare.Direct(skinning.LBS), Clip: c,
			Frames: framesOf(m, c, len(clips), set.LeftOut), ShortestPath: !set.LongWay, Workers: workers}
		out, err := s.Run(ctx, m)
		if err != nil {
			return table
		}
		l := &out[0]
		table = append(table, ClipError{Name: m.Clips[c].Name, Frames: s.Frames,
			Errors: Errors{LBSEE: metrics.Percent(l.EE), LBSRMS: l.RMS / size, LBSMax: l.Max / size},
			Way:    skinning.SignsOf(m, c, !set.LongWay).Way(),
			rigid:  l.Rigid / size, far: training.GoesFar(m, c, s.Frames)})
		if m.Clips[c].LostAll() {
			table[c].Lost, table[c].far = m.Clips[c].Lost, true
		}
		if a := l.HalfTurns; a != nil {
			table[c].HalfTurns = &ClipHalfTurns{Poses: a.Poses, Joints: a.Joints, Degrees: a.Degrees, LBSRMS: a.RMS / size}
		}
	}
	return table
}

// MeasureFit returns the table with the half of a fitted model and the method that poses it, or nil where ctx is done
// before.
func (t ClipTable) MeasureFit(ctx context.Context, m *skinning.Model, fitted compare.Subject, p *training.Poses,
	workers int) ClipTable {
	size := max(m.Diagonal(), 1e-300)
	out := append(ClipTable{}, t...)
	for c := range out {
		fitted.Clip = c
		s := compare.Survey{Reference: p.Teacher, Subjects: []compare.Subject{fitted}, Clip: c,
			Frames: out[c].Frames, ShortestPath: !p.LongWay, Workers: workers, WithoutEE: true}
		got, err := s.Run(ctx, m)
		if err != nil {
			return nil
		}
		out[c].setFit(got[0].RMS/size, got[0].Max/size)
		if a := out[c].HalfTurns; a != nil {
			own := *a
			own.RMS = got[0].HalfTurns.RMS / size
			out[c].HalfTurns = &own
		}
	}
	return out
}

// Linear returns the RMS error of linear blending in every clip, as a fraction of the diagonal: NaN where a pose of the
// clip is broken.
func (t ClipTable) Linear() []float64 {
	out := make([]float64, len(t))
	for i := range t {
		out[i] = t[i].LBSRMS
		if t[i].far {
			out[i] = math.NaN()
		}
	}
	return out
}

// Worse lists the clips that got worse.
func (t ClipTable) Worse() (worse []training.WorseClip) {
	for i := range t {
		if c := &t[i]; c.Worse {
			worse = append(worse, training.WorseClip{Clip: i, Ratio: c.RMS / max(c.LBSRMS, metrics.LeastVisible)})
		}
	}
	return worse
}

// Spare returns the RMS error, as a fraction of the diagonal, that the keys of each of a file's clips may add to the
// fit's before the clip is worse than with linear blending: at least that of rounding, and 0 for a clip that is worse
// already, or is not in the table. Rows are in the order of the clips.
func (t ClipTable) Spare(clips []skinning.Clip) []float64 {
	out := make([]float64, len(clips))
	for i := range clips {
		if len(t) == 0 || t[0].Name != clips[i].Name {
			continue
		}
		c := &t[0]
		t = t[1:]
		if !c.Worse && !c.far && c.EE.Known() {
			out[i] = max(max(c.LBSRMS, metrics.LeastVisible)-c.RMS, metrics.KernelRounding)
		}
	}
	return out
}

// gain is the mean over the clips of the share of linear blending's error that the fit removes. A clip that got worse
// counts 0.
func (t ClipTable) gain() (sum float64) {
	for i := range t {
		if c := &t[i]; c.counts() {
			sum += max(1-c.RMS/c.LBSRMS, 0)
		}
	}
	return sum / float64(max(len(t), 1))
}

// WorseInMean returns why the fit should not replace the file's own weights: it is worse in the mean over the clips
// that count. It is "" where the fit is not, or nothing was measured.
func (t ClipTable) WorseInMean() string {
	fitted, linear, count := 0.0, 0.0, 0
	for i := range t {
		if c := &t[i]; c.counts() && c.EE.Known() && c.LBSEE.Known() {
			fitted, linear, count = fitted+float64(c.EE), linear+float64(c.LBSEE), count+1
		}
	}
	if !(fitted > linear*(1+alike)) {
		return ""
	}
	return fmt.Sprintf("worse in the mean over %s than the file's own weights: EE %.2f %% for %.2f %%",
		messages.Count(count, "clip", "clips"), fitted/float64(count), linear/float64(count))
}

// learnt returns the table with empty rows for the clips that poses leave out: a fit must not be chosen by the clip
// that it is tested on.
func (t ClipTable) learnt(p *training.Poses) ClipTable {
	out := slices.Clone(t)
	for _, c := range p.LeftOut {
		if c < len(out) {
			out[c] = ClipError{}
		}
	}
	return out
}

// Attempt is one fit to poses.
type Attempt[A any] struct {
	Of    A
	Poses *training.Poses
	Clips ClipTable // against the method that teaches; nil where no table is asked for or the fit was cancelled
	Again bool      // it was made twice, see [Learn]
}

// Learn decides which poses a fit learns from, with what weights, and fits. Poses that a job leaves open are chosen
// from all clips, weighed by the errors of linear blending there. Teacher is the model of which a method makes the true
// shapes. Fit returns a fit and the fitted model, which is measured in all clips; measuring is called before that.
//
// With refit, a fit whose poses were chosen and that makes clips worse than linear blending is made once more with more
// weight for them. The second fit is kept where it gains something and fewer clips got worse, or as many and the gain
// is larger.
func Learn[A any](ctx context.Context, job *Job, teacher *skinning.Model, refit bool, measuring func(),
	fit func(p *training.Poses) (A, compare.Subject, error)) (best *Attempt[A], err error) {
	var table ClipTable
	if set := job.Training; set.Taught() && (job.Tests.AllClips || set.Open()) {
		table = MeasureLinear(ctx, teacher, set, job.Workers)
	}
	attempt := func(p *training.Poses) (*Attempt[A], error) {
		of, subject, err := fit(p)
		a := &Attempt[A]{Of: of, Poses: p}
		if err == nil && len(table) > 0 && ctx.Err() == nil {
			measuring()
			a.Clips = table.MeasureFit(ctx, teacher, subject, p, job.Workers)
		}
		return a, err
	}
	poses, err := job.Training.Choose(job.Model, table.Linear())
	if err == nil {
		best, err = attempt(poses)
	}
	if err == nil && refit {
		best, err = best.refit(ctx, attempt)
	}
	if err == nil {
		job.TellClips(best.Clips)
	}
	return best, err
}

// refit makes the second fit of [Learn], if there is to be one, and returns the better of the two.
func (a *Attempt[A]) refit(ctx context.Context,
	attempt func(*training.Poses) (*Attempt[A], error)) (*Attempt[A], error) {
	clips := a.Clips.learnt(a.Poses)
	worse := clips.Worse()
	more := a.Poses.Favour(worse)
	if more == nil || len(worse) == 0 || ctx.Err() != nil {
		return a, nil
	}
	second, err := attempt(more)
	if ctx.Err() != nil {
		return a, nil // this one was cancelled, that before is whole
	}
	if err != nil {
		return nil, err
	}
	a.Again, second.Again = true, true
	table := second.Clips.learnt(more)
	fewer, gain := len(worse)-len(table.Worse()), table.gain()
	if gain > 0 && (fewer > 0 || fewer == 0 && gain > clips.gain()) {
		return second, nil
	}
	return a, nil
}

// mostWarned is how many clips are warned of by name: the table marks all of them.
const mostWarned = 8

// Warnings has a line for each of the first clips that got worse, and one that counts the others.
func (t ClipTable) Warnings(diagonal float64) (lines []string) {
	worse := t.Worse()
	for i, w := range worse {
		if i == mostWarned {
			return append(lines, messages.Count(len(worse)-i, "more clip", "more clips")+" got worse, as the table says")
		}
		lines = append(lines, t[w.Clip].warning("clip", diagonal))
	}
	return lines
}

// warning says that the clip got worse, or the poses of it that were tested.
func (c *ClipError) warning(poses string, diagonal float64) string {
	return fmt.Sprintf("%s %s got worse: EE %s %% and RMS %s, by linear blending %s %% and %s", poses,
		messages.Printable(c.Name), c.EE.Text(2), messages.ReportLength(c.RMS, diagonal), c.LBSEE.Text(2), messages.ReportLength(c.LBSRMS, diagonal))
}

// Verdict says in a few words whether linear blending is beaten, in the clips and on the poses of tests: "" where
// neither were measured.
func (r *Report) Verdict() string {
	clips, tests := r.Clips.verdict(), strings.Join(r.WorseOn, " and ")
	if bad := r.Clips.WorseInMean(); bad != "" {
		clips = bad
	}
	lost := r.Clips.lost()
	switch {
	case r.Unchanged:
		return "nothing was added, and the file's weights stay as they are" + lost
	case tests == "":
		return clips + lost
	case clips == "":
		return "worse than linear blending on " + tests
	case len(r.Clips.Worse()) > 0:
		return clips + " and on " + tests + lost
	default:
		return clips + ", but worse on " + tests + lost
	}
}

// lost names the clips that have lost all of their channels; "" for none.
func (t ClipTable) lost() string {
	var names []string
	for i := range t {
		if t[i].Lost > 0 {
			names = append(names, messages.Printable(t[i].Name))
		}
	}
	if len(names) == 0 {
		return ""
	}
	list, _ := messages.List(names)
	return " (all channels are lost in " + list + ")"
}

func (t ClipTable) verdict() string {
	n, grown, most := 0, 0, muchGrown
	for i := range t {
		c := &t[i]
		if c.counts() {
			n++
		}
		if c.counts() && c.grown() > muchGrown {
			grown, most = grown+1, max(most, c.grown())
		}
	}
	text := ""
	switch bad := len(t.Worse()); {
	case len(t) == 0:
		return ""
	case n == 0:
		return "exact, as linear blending is"
	case bad > 0:
		text = fmt.Sprintf("worse than linear blending in %d of %d clips", bad, n)
	case n == 1 && len(t) == 1:
		text = "as good as linear blending or better in its clip"
	case n == 1:
		text = "as good as linear blending or better in the one clip where linear blending errs"
	default:
		text = fmt.Sprintf("as good as linear blending or better in all %d clips", n)
		if n < len(t) {
			text += " where linear blending errs"
		}
	}
	if grown > 0 {
		text += fmt.Sprintf(" (largest error up to %.1f times as large in %d)", most, grown)
	}
	return text
}

// learntHalfTurns reports whether the fit has learnt from half turns.
func (r *Report) learntHalfTurns() bool { return r.Learnt != nil && r.Learnt.HalfTurns() != nil }

const eeText = "EE is the RMS in percent of that of the best single joint for each vertex."

// writeClips prints the table, or what its numbers are where there is none.
func (r *Report) writeClips(out io.Writer) {
	if len(r.Clips) == 0 {
		if r.EE.Known() && r.MasterBones > 0 {
			fmt.Fprintln(out, eeText)
		} else if r.EE.Known() {
			fmt.Fprintln(out, "EE is the RMS in percent of that of the mesh at rest.")
		}
		return
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	unit, perDiagonal := messages.ReportUnit(r.Diagonal)
	length := func(fraction float64) string { return messages.ReportNumber(fraction, perDiagonal) }
	half := r.Clips.halfTurns(r.learntHalfTurns())
	fmt.Fprint(w, "clip\tposes\tEE %\tRMS\tlargest\tLBS: EE %\tRMS\tlargest\t")
	if half != "" {
		fmt.Fprint(w, "half turns\tRMS\tLBS\t")
	}
	fmt.Fprintln(w)
	for i := range r.Clips {
		c := &r.Clips[i]
		mark := ""
		switch {
		case c.Lost > 0:
			mark = fmt.Sprintf(" all %d channels lost", c.Lost)
		case c.Worse:
			mark = " worse"
		}
		fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%s\t%s\t%s\t%s\t", messages.Printable(c.Name), c.counted(), c.EE.Text(2),
			length(c.RMS), length(c.Max), c.LBSEE.Text(2), length(c.LBSRMS), length(c.LBSMax))
		switch a := c.HalfTurns; {
		case a != nil:
			fmt.Fprintf(w, "%d\t%s\t%s\t", a.Poses, length(a.RMS), length(a.LBSRMS))
		case half != "":
			fmt.Fprint(w, "0\t\t\t")
		}
		fmt.Fprintln(w, mark)
	}
	w.Flush()
	fmt.Fprintf(out, "RMS and largest error in %s. %s\n", unit, eeText)
	if half != "" {
		fmt.Fprintln(out, half)
	}
	sentence := "The fit is " + r.Verdict()
	if r.Unchanged {
		sentence = "The fit: " + r.Verdict()
	}
	all := "All clips"
	if len(r.Clips) == 1 {
		all = "The clip"
	}
	fmt.Fprintf(out, "%s against %s, LBS: plain linear blending with %s. %s.\n", all,
		strings.ReplaceAll(r.Operator, "examples", "their own shapes"), cmp.Or(r.LBSOf, "the file's weights"), sentence)
	still := 0
	for i := range r.Clips {
		if !r.Clips[i].counts() {
			still++
		}
	}
	fmt.Fprintf(out, "RMS errors up to %s cannot be seen and count as none", r.Length(metrics.LeastVisible))
	if still > 0 {
		fmt.Fprintf(out, "; linear blending has none in %s", messages.Count(still, "clip", "clips"))
	}
	fmt.Fprintln(out, ".")
	var long []string
	for i := range r.Clips {
		if r.Clips[i].Way == "long" {
			long = append(long, messages.Printable(r.Clips[i].Name))
		}
	}
	if len(long) > 0 {
		fmt.Fprintf(out, "Rotations go the long way round, past 180 degrees, in %s.\n", strings.Join(long, ", "))
	}
}
