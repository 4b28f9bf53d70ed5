// Package papers makes tables of the papers with our own fits, with the papers' numbers beside them.
package papers

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"skinlab/fit"
	"skinlab/fit/blendbones"
	"skinlab/fit/training"
	"skinlab/skinning"
	"skinlab/skinning/bench"
	"skinlab/skinning/compare"
	"skinlab/skinning/simd"
)

// TableRow is one row of ALNS tables 3 and 4. Times are medians in milliseconds a frame, on one thread.
type TableRow struct {
	Model            string    `json:"model"`
	Vertices         int       `json:"vertices"`
	Bones            int       `json:"bones"`
	InfluencesBefore float64   `json:"influences_before"`
	Scales           bool      `json:"scales"` // a joint scales in the clip; else SDQS and DIB skip their scale phase
	Frames           int       `json:"frames"`
	BlendBones       int       `json:"blend_bones"`
	EE               float64   `json:"ee"`               // of the fit to DQS, or to SDQS where a joint scales; percent
	Full             *fit.Test `json:"full,omitempty"`   // of the same fit on the whole clip that it was trained on
	Unseen           *fit.Test `json:"unseen,omitempty"` // and on the clip after that; nil where there is no such clip
	FitSeconds       float64   `json:"fit_seconds"`
	InfluencesAfter  float64   `json:"influences_after"`
	LBS              float64   `json:"lbs_ms"`
	// The nonlinear methods, and linear blending with blend bones fitted to them.
	Direct map[string]float64 `json:"direct_ms"`
	Blend  map[string]float64 `json:"blend_ms"`
	Ratio  map[string]float64 `json:"blend_ratio_to_lbs"` // medians over rounds of the two, one after the other
	// Blend and Ratio with bones that were fitted as published; nil where there are none.
	Published      map[string]float64 `json:"published_ms,omitempty"`
	PublishedRatio map[string]float64 `json:"published_ratio_to_lbs,omitempty"`
}

// Fits runs a fit with our defaults and as published; the second may be nil.
type Fits func(ctx context.Context, job fit.Job) (ours, published *fit.Result, err error)

// paperBones are the numbers of blend bones of ALNS table 3's box and tube. Characters have 10.
var paperBones = map[string]int{"demo:box": 4, "demo:tube": 12}

// ALNSBones is the number of blend bones of a model in ALNS table 3.
func ALNSBones(m *skinning.Model) int {
	if n := paperBones[m.Name]; n > 0 {
		return n
	}
	return 10
}

// ALNSTraining is the poses that a model is trained on: see [ALNSRow].
func ALNSTraining(m *skinning.Model) training.Part {
	train := training.Part{}
	if len(m.Clips) == 0 {
		train.Clip = training.RangeOfMotion
	}
	if clip, err := m.ClipIndex("train"); err == nil {
		train = training.Part{Clip: clip, Frames: len(m.Clips[clip].KeyTimes())}
	}
	return train
}

// paperOperators are the methods that ALNS table 3 makes linear.
var paperOperators = []skinning.Method{skinning.DQS, skinning.SDQS, skinning.DIB}

// ALNSRow fits blend bones to a model, once per operator, and times all subjects in one run. It is trained on as many
// poses of the clip named train as that has keys. Without such a clip it is trained on 12 poses of the first clip, or
// of the range of motion.
func ALNSRow(ctx context.Context, m *skinning.Model, fits Fits) (*TableRow, error) {
	train := ALNSTraining(m)
	job := fit.Job{Method: blendbones.Method, Model: m, Tests: training.Tests{Clip: -1},
		Values: fit.Values{"bones": float64(ALNSBones(m))}}
	row := &TableRow{Model: m.Name, Vertices: len(m.Skin.Positions), Bones: m.Skeleton.JointNodes(),
		Direct: map[string]float64{}, Blend: map[string]float64{}, Ratio: map[string]float64{},
		Published: map[string]float64{}, PublishedRatio: map[string]float64{}}
	row.Scales = scalesIn(m, train.Clip)
	own := ALNSOperator(m)
	subjects := compare.Direct(skinning.LBS)
	for _, operator := range paperOperators {
		job.Training = &training.Set{Teacher: operator, Parts: []training.Part{train}}
		out, published, err := fits(ctx, job)
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return nil, err
		}
		if operator == own {
			last := &out.Last.Now
			row.EE, row.FitSeconds, row.BlendBones, row.Frames = last.EE, last.Elapsed.Seconds(), last.Added, out.Report.Frames
			row.InfluencesBefore, row.InfluencesAfter = out.Report.InfluencesBefore, out.Report.InfluencesAfter
			row.generalize(ctx, m, out.Model, train.Clip, own)
		}
		subjects = append(subjects, compare.Subject{Name: operator.String(), Method: operator, Clip: train.Clip},
			compare.Subject{Name: "blend bones of " + operator.String(), Model: out.Model, Clip: train.Clip})
		if published != nil {
			subjects = append(subjects, compare.Subject{Name: "blend bones of " + operator.String() + " as published",
				Model: published.Model, Clip: train.Clip})
		}
	}
	costs, err := timeKernels(ctx, m, subjects)
	if err != nil {
		return nil, err
	}
	milliseconds := func(c *bench.Row) float64 { return c.NsPerVertex * float64(row.Vertices) * 1e-6 }
	row.LBS = milliseconds(&costs[0])
	each := (len(costs) - 1) / len(paperOperators)
	for i, operator := range paperOperators {
		name, of := operator.String(), costs[1+each*i:1+each*(i+1)]
		row.Direct[name], row.Blend[name], row.Ratio[name] = milliseconds(&of[0]), milliseconds(&of[1]), of[1].RatioToLBS
		if each > 2 {
			row.Published[name], row.PublishedRatio[name] = milliseconds(&of[2]), of[2].RatioToLBS
		}
	}
	return row, nil
}

// scalesIn reports whether a joint scales in a clip, or at rest.
func scalesIn(m *skinning.Model, clip int) bool {
	one := *m
	one.Clips = nil
	if clip >= 0 {
		one.Clips = m.Clips[clip : clip+1]
	}
	_, scales := compare.Scales(&one)
	return scales
}

// ALNSOperator is the method whose fit the columns EE are of: dual quaternions, with scale where a joint scales.
func ALNSOperator(m *skinning.Model) skinning.Method {
	if scalesIn(m, ALNSTraining(m).Clip) {
		return skinning.SDQS
	}
	return skinning.DQS
}

// generalize measures a fit on the whole of its training clip, and on a clip that it was not trained on.
func (r *TableRow) generalize(ctx context.Context, m, fitted *skinning.Model, clip int, operator skinning.Method) {
	if clip < 0 {
		return
	}
	r.Full = fit.TestOn(ctx, m, fitted, operator, clip)
	if len(m.Clips) > 1 {
		r.Unseen = fit.TestOn(ctx, m, fitted, operator, (clip+1)%len(m.Clips))
	}
}

// The tables are timed in this many rounds. Each round is long enough for the resolution of the clock.
const (
	rounds    = 50
	roundTime = 2 * time.Millisecond
)

// timeKernels times a frame of each subject on one thread, with the kernels that the processor uses. A frame includes
// the evaluation of blend bones or proxy bones, if any, and skins positions and normals.
func timeKernels(ctx context.Context, m *skinning.Model, subjects []compare.Subject) ([]bench.Row, error) {
	level, err := simd.Default()
	if err != nil {
		return nil, err
	}
	return bench.CPU(ctx, m, bench.Options{Subjects: subjects, Levels: []simd.Level{level}, Threads: []int{1},
		Repeats: rounds, Round: roundTime})
}

// Scaling says in which rows joints scale.
func Scaling(rows []TableRow) string {
	var scale []string
	for _, r := range rows {
		if r.Scales {
			scale = append(scale, r.Model)
		}
	}
	return fmt.Sprintf("Joints scale in: %s. Elsewhere SDQS and DIB are timed without their scale phase.",
		cmp.Or(strings.Join(scale, ", "), "none of these models"))
}
