// Package advise answers which way of skinning suits a character: it tries the direct methods and the fits with their
// default options, measures all of them alike, and recommends one by the rules of [Recommend].
package advise

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"skinlab/fit"
	"skinlab/fit/training"
	"skinlab/skinning"
	"skinlab/skinning/bench"
	"skinlab/skinning/compare"
	"skinlab/skinning/messages"
	"skinlab/skinning/metrics"
	"skinlab/skinning/simd"
)

// Options say what is tried and what it is measured against.
type Options struct {
	Fits []*fit.Method // the table of fits; those that learn scans or sequences are left out
	// Reference is what the ways are measured against, and what fits learn; Examples is set if these are the model's own
	// example shapes instead.
	Reference skinning.Reference
	Examples  bool
	Clips     []int         // that are measured
	Frames    int           // poses of each clip, spread evenly over it
	Limit     time.Duration // of each fit, which then ends with the best that it has
	Gate      float64       // the largest RMS error that will do, as a fraction of the rest diagonal; 0 for none
	Workers   int           // of each fit; 0 means all cores
	// Export writes a fit to a file that is not kept. It may be nil.
	Export func(ctx context.Context, r *fit.Result) (Written, error)
	// Doing is told what is done at the moment; it may be nil.
	Doing func(what string)
}

// Written is the size of a fit's file, and how well its keys follow the fit.
type Written struct {
	Bytes int64 `json:"bytes"` // more than the model's own file
	// KeyError is the largest distance from the live bones at times between keys, as a fraction of the rest diagonal. An
	// engine, which plays the keys, has it beside the fit's own error. KeyErrorClip is the clip that has it.
	KeyError     float64 `json:"error_between_keys,omitempty"`
	KeyErrorClip string  `json:"-"`
}

// Needs is what an engine must have to play a way of skinning.
type Needs string

const (
	Nothing Needs = "nothing"  // plain glTF: added joints have keys in every clip
	Shader  Needs = "a shader" // the method is not linear blending
)

// Way is one way of skinning and what was measured of it.
type Way struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	// Errors against the reference, over all poses. RMS and Max are fractions of the rest diagonal. EE is NaN where the
	// reference has every vertex follow a single joint.
	EE  metrics.Percent `json:"ee"`
	RMS float64         `json:"rms"`
	Max float64         `json:"max"`
	// The least and the most volume of a pose over that at rest.
	VolumeMin float64 `json:"volume_min"`
	VolumeMax float64 `json:"volume_max"`
	// HalfTurns is the number of poses in which joints that share vertices are half a turn apart, if the way blends their
	// rotations and the skin may tear there.
	HalfTurns int `json:"half_turns"`
	// Costs on one thread of this machine: of a vertex, and of a pose beside that of its vertices.
	NsPerVertex float64 `json:"ns_per_vertex"`
	PoseUs      float64 `json:"pose_us"`
	Written
	Needs   Needs   `json:"needs"`
	Live    bool    `json:"live"`              // poses that are in no clip need a runtime that drives the added joints
	Seconds float64 `json:"seconds,omitempty"` // the fit's
	Stopped bool    `json:"stopped,omitempty"` // by the limit: more time may give less error
	Failed  string  `json:"failed,omitempty"`  // why there is no result
}

// fitted reports whether the way is a fit.
func (w *Way) fitted() bool { return w.Needs == Nothing && w.Name != skinning.LBS.String() }

// Advice is all ways, linear blending by the file's weights first, and the one that is recommended.
type Advice struct {
	Model    string  `json:"model"`
	Against  string  `json:"against"`
	Clips    int     `json:"clips"`
	Own      int     `json:"own_clips"` // of the file
	Poses    int     `json:"poses"`
	LeftOut  int     `json:"poses_left_out"` // half turns, which are in no error
	Diagonal float64 `json:"diagonal"`       // metres
	Gate     float64 `json:"gate,omitempty"`
	Ways     []Way   `json:"ways"`
	// Notes are sentences: what else must be known of the numbers.
	Notes []string `json:"notes"`
	// Command is the command line that makes the fit; "" for none, or where nobody asked for it.
	Command string `json:"command,omitempty"`
	Choice
}

// Chosen returns the recommended way.
func (a *Advice) Chosen() *Way {
	return &a.Ways[slices.IndexFunc(a.Ways, func(w Way) bool { return w.Name == a.Choose })]
}

// Run tries all ways.
func Run(ctx context.Context, m *skinning.Model, opt Options) (*Advice, error) {
	if len(m.Skin.Positions) == 0 {
		return nil, fmt.Errorf("%s: no skinned mesh", m.Name)
	}
	a := &Advice{Model: m.Name, Against: "examples", Clips: len(opt.Clips), Own: len(training.OwnClips(m)),
		Diagonal: m.Diagonal(), Gate: opt.Gate}
	a.Notes = []string{}
	if !opt.Examples {
		a.Against = opt.Reference.String()
		if err := a.leaveOutHalfTurns(m, &opt); err != nil {
			return nil, err
		}
	}
	if !opt.Examples && slices.ContainsFunc(opt.Clips, m.ShowsExamples) {
		m = m.WithoutMorphs() // no method poses the example shapes
	}
	subjects := compare.Direct(skinning.Methods()...)
	for i := range subjects {
		w := Way{Name: subjects[i].Name, Title: subjects[i].Title, Needs: Shader}
		if subjects[i].Method == skinning.LBS {
			w.Needs = Nothing
		}
		if opt.Examples { // the morph targets of the skin hold the examples
			subjects[i].Model = m.WithoutMorphs()
		}
		a.Ways = append(a.Ways, w)
	}
	turning := make([]bool, len(subjects)) // blends rotations
	for i := range subjects {
		turning[i] = subjects[i].Method.Reads() != 0
	}
	for _, method := range opt.Fits {
		if method.Learns != fit.Operator && method.Learns != fit.Shapes {
			continue
		}
		w, subject, err := try(ctx, m, method, &opt)
		if err != nil {
			return nil, err
		}
		a.Ways = append(a.Ways, w)
		if subject != nil {
			subjects = append(subjects, *subject)
			turning = append(turning, method.Learns == fit.Operator)
		}
	}
	if err := a.measure(ctx, m, &opt, subjects, turning); err != nil {
		return nil, err
	}
	a.Choice = Recommend(a.Ways, a.Diagonal, opt.Gate, a.Against)
	a.note(m)
	return a, nil
}

// note says what else must be known of the numbers.
func (a *Advice) note(m *skinning.Model) {
	if slices.ContainsFunc(a.Ways, func(w Way) bool { return w.EE == 0 && w.RMS > messages.Rounding }) {
		a.Notes = append(a.Notes, compare.UnseenNote(a.Diagonal))
	}
	for i := range a.Ways {
		w := &a.Ways[i]
		if note := compare.KeyNote(w.Title, w.KeyError, w.KeyErrorClip, a.Diagonal); note != "" &&
			!slices.Contains(a.Reasons, note) {
			a.Notes = append(a.Notes, note)
		}
	}
	a.Notes = append(a.Notes, metrics.SkinBody(m).Notes()...)
}

// leaveOutHalfTurns counts the half turns, and leaves out clips that have no other poses.
func (a *Advice) leaveOutHalfTurns(m *skinning.Model, opt *Options) error {
	var clips []int
	apart, poses := compare.Apart{}, 0
	for _, clip := range opt.Clips {
		times := training.TimesIn(clip, compare.Times(m.Clips[clip].Seconds, opt.Frames))
		kept, farthest := training.SplitHalfTurns(m, times)
		if n := len(times) - len(kept); n > 0 {
			apart.Poses += n
			if farthest.Degrees > apart.Degrees {
				apart.Joints, apart.Degrees = farthest.Text(m), farthest.Degrees
			}
		}
		if poses += len(times); len(kept) > 0 {
			clips = append(clips, clip)
		}
	}
	switch {
	case len(clips) == 0:
		return fmt.Errorf("%s: %s Nothing can be advised from these: choose other clips", m.Name,
			metrics.HalfTurnNote(poses, poses, apart.Joints))
	case apart.Poses > 0:
		a.Notes = append(a.Notes, apart.Note(poses))
	}
	opt.Clips, a.Clips, a.LeftOut = clips, len(clips), apart.Poses
	return nil
}

// doing says what is done.
func (o *Options) doing(format string, args ...any) {
	if o.Doing != nil {
		o.Doing(fmt.Sprintf(format, args...))
	}
}

// set is what fits learn.
func (o *Options) set(m *skinning.Model) (*training.Set, error) {
	if o.Examples {
		return training.Own(m)
	}
	return &training.Set{Teacher: o.Reference}, nil
}

// try fits. The subject is nil where there is no result, which the way says.
func try(ctx context.Context, m *skinning.Model, method *fit.Method, opt *Options) (w Way, s *compare.Subject, err error) {
	w = Way{Name: method.Name, Title: method.Title, Needs: Nothing}
	opt.doing("fitting %s", method.Name)
	set, err := opt.set(m)
	if err != nil {
		return w, nil, err
	}
	timed, cancel := context.WithTimeout(ctx, opt.Limit)
	defer cancel()
	operator, imitable := opt.Reference.(skinning.Method)
	start := time.Now()
	var out *fit.Result
	switch {
	case method.Learns == fit.Shapes || imitable && operator.IsOperator() && !opt.Examples:
		out, err = fit.Run(timed, fit.Job{Method: method, Model: m, Training: set, Tests: training.Tests{Clip: -1},
			Workers: opt.Workers})
	default: // only a comparison makes it of shapes, and no file
		w.Failed = "it imitates a nonlinear method, and no shapes"
		return w, nil, nil
	}
	w.Seconds = time.Since(start).Seconds()
	if ctx.Err() != nil {
		return w, nil, ctx.Err()
	}
	w.Stopped = timed.Err() != nil
	if err != nil {
		w.Failed = err.Error()
		if errors.Is(err, fit.ErrNoModel) || timed.Err() != nil {
			w.Failed = fmt.Sprintf("no result within %v", opt.Limit)
		}
		return w, nil, nil
	}
	w.Live = len(out.Model.Rigs) > 0
	if opt.Export != nil {
		opt.doing("exporting %s", method.Name)
		if w.Written, err = opt.Export(ctx, out); err != nil {
			return w, nil, err
		}
	}
	return w, &compare.Subject{Name: method.Name, Title: method.Title, Model: out.Model}, nil
}

// measure fills in errors, volumes and costs of the ways that have a result: subjects, in the order of the ways.
func (a *Advice) measure(ctx context.Context, m *skinning.Model, opt *Options, subjects []compare.Subject, turning []bool) error {
	var ways []*Way
	for i := range a.Ways {
		if w := &a.Ways[i]; w.Failed == "" {
			w.VolumeMin, w.VolumeMax = math.Inf(1), math.Inf(-1)
			ways = append(ways, w)
		}
	}
	squares, rigid, poses := make([]float64, len(ways)), 0.0, 0
	for _, clip := range opt.Clips {
		opt.doing("measuring %s", m.Clips[clip].Name)
		times := compare.Times(m.Clips[clip].Seconds, opt.Frames)
		if opt.Examples {
			times = m.Clips[clip].KeyTimes()
		}
		for i := range subjects {
			subjects[i].Clip = clip
		}
		rows, err := compare.Run(ctx, m, compare.Options{Reference: opt.Reference, Examples: opt.Examples, Subjects: subjects, Clip: clip,
			Times: times, ShortestPath: true})
		if err != nil {
			return err
		}
		turned := 0 // half turns, which the rows' errors leave out
		if h := rows[0].HalfTurns; h != nil {
			turned = h.Poses
		}
		measured := len(times) - turned
		most, n := 0.0, float64(measured)
		best := 0.0 // RMS of the best rigid prediction in the clip, the same for all rows
		for i, r := range rows {
			w := ways[i]
			if turning[i] {
				w.HalfTurns += turned
			}
			squares[i] += n * r.RMS * r.RMS
			w.Max = max(w.Max, r.Max)
			w.VolumeMin, w.VolumeMax = min(w.VolumeMin, r.VolumeRatioMin), max(w.VolumeMax, r.VolumeRatioMax)
			if r.EE > 0 && r.RMS > most {
				most, best = r.RMS, 100*r.RMS/float64(r.EE)
			}
		}
		rigid += n * best * best
		poses += measured
	}
	a.Poses = poses
	for i, w := range ways {
		w.RMS = math.Sqrt(squares[i] / float64(max(poses, 1)))
		if w.RMS > metrics.LeastVisible { // else its EE is 0
			w.EE = metrics.Percent(100 * math.Sqrt(squares[i]/rigid)) // infinite, which is unknown, without a rigid error
		}
	}
	return a.time(ctx, m, opt, subjects, ways)
}

// Rounds of the costs, of the length of each.
const (
	costRounds = 9
	costRound  = 10 * time.Millisecond
)

// time fills in the costs.
func (a *Advice) time(ctx context.Context, m *skinning.Model, opt *Options, subjects []compare.Subject, ways []*Way) error {
	opt.doing("timing")
	level, err := simd.Default()
	if err != nil {
		return err
	}
	rows, err := bench.CPU(ctx, m, bench.Options{Subjects: subjects, Levels: []simd.Level{level}, Threads: []int{1}, Repeats: costRounds,
		Round: costRound})
	if err != nil {
		return err
	}
	for i, r := range rows {
		ways[i].NsPerVertex, ways[i].PoseUs = r.NsPerVertex, r.PaletteUs
	}
	return nil
}

// MeasuredClips lists at most so many of the file's own clips, evenly spread. For a model without clips it is the first
// stress clip.
func MeasuredClips(m *skinning.Model, most int) []int {
	own := slices.DeleteFunc(training.OwnClips(m), func(c int) bool {
		return !training.KeepsMorphs(m) && m.ShowsShapes(c) // fits leave example shapes out, whose motion nothing else has
	})
	if len(own) == 0 {
		own = []int{0}
	}
	if len(own) <= most {
		return own
	}
	var out []int
	for k := range most {
		out = append(out, own[k*(len(own)-1)/max(most-1, 1)])
	}
	return slices.Compact(out)
}
