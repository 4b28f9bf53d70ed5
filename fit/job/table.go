package job

import (
	"context"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"

	"skinlab/skinning"
)

// TableRow is one row of ALNS table 3. Times of a frame are milliseconds, medians, on one thread.
type TableRow struct {
	Model            string  `json:"model"`
	Vertices         int     `json:"vertices"`
	Bones            int     `json:"bones"`
	InfluencesBefore float64 `json:"influences_before"`
	Frames           int     `json:"frames"`
	BlendBones       int     `json:"blend_bones"`
	EE               float64 `json:"ee"` // of the fit to DQS, percent
	FitSeconds       float64 `json:"fit_seconds"`
	InfluencesAfter  float64 `json:"influences_after"`
	LBS              float64 `json:"lbs_ms"`
	// The nonlinear methods, and linear blending with blend bones fitted to them.
	Direct map[string]float64 `json:"direct_ms"`
	Blend  map[string]float64 `json:"blend_ms"`
	Ratio  map[string]float64 `json:"blend_ratio_to_lbs"` // medians over rounds of the two, one after the other
}

// paperBones are the blend bones of ALNS table 3's box and tube; characters have 10.
var paperBones = map[string]int{"demo:box": 4, "demo:tube": 12}

// paperOperators are the methods that table 3 makes linear.
var paperOperators = []skinning.Method{skinning.DQS, skinning.SDQS, skinning.DIB}

// ALNSRow fits blend bones to a model, one fit per operator, and times everything in one run: training poses are the keys of
// a clip named train where there is one, else 12 poses of the first clip or of the range of motion.
func ALNSRow(ctx context.Context, m *skinning.Model) (*TableRow, error) {
	spec := Spec{Method: "blend-bones", Bones: paperBones[m.Name], Test: -1}
	if len(m.Clips) == 0 {
		spec.Clip = RangeOfMotion
	}
	if clip, err := m.ClipIndex("train"); err == nil {
		spec.Clip, spec.Frames = clip, len(m.Clips[clip].KeyTimes())
	}
	row := &TableRow{Model: m.Name, Vertices: len(m.Skin.Positions), Bones: m.Skeleton.JointNodes(),
		Direct: map[string]float64{}, Blend: map[string]float64{}, Ratio: map[string]float64{}}
	var subjects []*timed
	for _, operator := range paperOperators {
		spec.Operator = operator
		out, err := Run(ctx, m, spec, nil)
		if err != nil {
			return nil, err
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if operator == skinning.DQS {
			row.EE, row.FitSeconds, row.BlendBones, row.Frames = out.EE, out.Elapsed.Seconds(), len(out.Rig.Bones), out.Report.Frames
			row.InfluencesBefore, row.InfluencesAfter = out.Report.InfluencesBefore, out.Report.InfluencesAfter
		}
		subjects = append(subjects, newTimed(m, operator, spec.Clip), newTimed(out.Fitted, skinning.LBS, spec.Clip))
	}
	linear := newTimed(m, skinning.LBS, spec.Clip)
	defer linear.deformer.Close()
	base := make([]float64, rounds)
	times := make([][]float64, len(subjects))
	ratios := make([][]float64, len(subjects))
	for round := range rounds {
		base[round] = linear.run()
		for i, s := range subjects {
			ms := s.run()
			again := linear.run() // the machine's speed drifts: each subject is held against its neighbours in time
			times[i] = append(times[i], ms)
			ratios[i] = append(ratios[i], ms/((base[round]+again)/2))
			base[round] = again
		}
	}
	row.LBS = median(base)
	for i, operator := range paperOperators {
		row.Direct[operator.String()] = median(times[2*i])
		row.Blend[operator.String()] = median(times[2*i+1])
		row.Ratio[operator.String()] = median(ratios[2*i+1])
	}
	for _, s := range subjects {
		s.deformer.Close()
	}
	return row, nil
}

// A subject is timed in this many rounds, each long enough for the clock.
const (
	rounds    = 25
	roundTime = 4 * time.Millisecond
)

// timed poses a model over and over.
type timed struct {
	method   skinning.Method
	deformer *skinning.Deformer
	frame    *skinning.Frame
	out      skinning.Output
	count    int
}

func newTimed(m *skinning.Model, method skinning.Method, clip int) *timed {
	t := &timed{method: method, deformer: skinning.NewDeformer(m, 1), frame: skinning.NewFrame(m, nil), out: skinning.NewOutput(m)}
	pose := m.NewPose()
	if clip >= 0 {
		m.SamplePose(pose, clip, m.Clips[clip].Seconds/2)
	}
	t.frame.SetPose(pose)
	t.count = 2
	t.count = max(2, int(roundTime.Seconds()*1e3/t.run()))
	return t
}

// run returns the milliseconds of one frame: evaluating the blend bones or proxy bones, where there are any, and posing positions and
// normals.
func (t *timed) run() float64 {
	start := time.Now()
	for range t.count {
		t.frame.DriveBlendBones()
		t.frame.DriveProxies()
		t.deformer.Deform(&t.out, t.method, t.frame)
	}
	return time.Since(start).Seconds() * 1e3 / float64(t.count)
}

// drive returns the milliseconds of evaluating the proxy bones alone.
func (t *timed) drive() float64 {
	start := time.Now()
	for range t.count {
		t.frame.DriveProxies()
	}
	return time.Since(start).Seconds() * 1e3 / float64(t.count)
}

func median(x []float64) float64 {
	x = slices.Sorted(slices.Values(x))
	return (x[(len(x)-1)/2] + x[len(x)/2]) / 2
}

// WriteTable prints rows as ALNS table 3 has them, with the ratio of blend bones to linear blending behind.
func WriteTable(out io.Writer, rows []TableRow) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "Model\tVertices\tBones\tInfl.\tFrames\tBlend bones\tEE\tTime\tInfl.'\tLBS\tDQS\tDQS'\tSDQS\tSDQS'\tDIB\tDIB'\tDQS'/LBS\tSDQS'/LBS\tDIB'/LBS\t")
	for _, r := range rows {
		fmt.Fprintf(w, "%s\t%d\t%d\t%.2f\t%d\t%d\t%.2f\t%.2fs\t%.2f\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%.2f\t%.2f\t%.2f\t\n",
			r.Model, r.Vertices, r.Bones, r.InfluencesBefore, r.Frames, r.BlendBones, r.EE, r.FitSeconds, r.InfluencesAfter, r.LBS,
			r.Direct["dqs"], r.Blend["dqs"], r.Direct["sdqs"], r.Blend["sdqs"], r.Direct["dib"], r.Blend["dib"],
			r.Ratio["dqs"], r.Ratio["sdqs"], r.Ratio["dib"])
	}
	w.Flush()
}
