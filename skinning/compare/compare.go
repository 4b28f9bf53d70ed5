// Package compare measures skinning methods against a reference over the frames of a clip.
package compare

import (
	"context"
	"fmt"
	"io"
	"math"
	"text/tabwriter"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
	"skinlab/skinning/messages"
	"skinlab/skinning/metrics"
)

// Subject is one side of a comparison: a method on the model itself, or a fitted model with the same skin.
type Subject struct {
	Name   string // in tables
	Title  string // on pictures
	Path   string // of the file of Model; "" for none
	Method skinning.Method
	Model  *skinning.Model // nil means the model itself
	Clip   int             // of Model, where it is not nil
	// Deform returns the posed skin where no palette produces it. Method is not used then. The frame belongs to Model,
	// or to the model itself if Model is nil.
	Deform func(f *skinning.Frame) []mgl64.Vec3
}

// Direct returns one subject per method, on the model itself.
func Direct(methods ...skinning.Method) []Subject {
	s := make([]Subject, len(methods))
	for i, m := range methods {
		s[i] = Subject{Name: m.String(), Title: m.Title(), Method: m}
	}
	return s
}

// Options choose what is compared.
type Options struct {
	Reference skinning.Reference // nil means linear blending
	// Examples is set if the reference is shapes made by morph targets, and not a skinning method. EE is then relative
	// to the best rigid prediction from the rest pose without morph targets.
	Examples     bool
	Subjects     []Subject
	Clip         int       // index into the model's clips
	Frames       int       // poses, spread evenly over the clip with both ends; 1 means its start
	Times        []float64 // seconds in the clip, in place of Frames; nil for none
	ShortestPath bool      // false follows rotations continuously through the clip
	Series       bool      // keep every frame's values in Row.Series
	// Progress is told how many frames are measured; it may be nil.
	Progress func(done, of int)
}

// Row is the result of one subject over all frames.
type Row struct {
	Method         string          `json:"method"`
	EE             metrics.Percent `json:"ee"`               // see metrics.Errors.EE
	RMS            float64         `json:"rms"`              // fraction of the rest-pose diagonal
	Max            float64         `json:"max"`              // fraction of the rest-pose diagonal
	Top            float64         `json:"-"`                // fraction of the rest-pose diagonal, see metrics.Errors.Top
	VolumeRatioMin float64         `json:"volume_ratio_min"` // over the rest volume; 1 for a skin that encloses none
	VolumeRatioMax float64         `json:"volume_ratio_max"`
	// The time in the clip, in seconds, and the vertex of the largest error.
	WorstTime   float64 `json:"worst_time"`
	WorstVertex int     `json:"worst_vertex"`
	// HalfTurns is the error in poses that are in no other number of the row, nil for none.
	HalfTurns *Apart `json:"half_turns,omitempty"`
	// Series holds one sample a frame, in the clip's order, if Options.Series is set.
	Series []Sample `json:"series,omitempty"`
}

// Sample is the result of one subject in one frame.
type Sample struct {
	Time        float64 `json:"time"`         // seconds in the clip
	RMS         float64 `json:"rms"`          // fraction of the rest-pose diagonal
	Max         float64 `json:"max"`          // fraction of the rest-pose diagonal
	VolumeRatio float64 `json:"volume_ratio"` // volume over the rest volume
	HalfTurn    bool    `json:"half_turn,omitempty"`
}

// Times returns n times spread evenly from 0 to seconds, both included. A clip of no length is a single pose.
func Times(seconds float64, n int) []float64 {
	if seconds == 0 {
		n = min(n, 1)
	}
	t := make([]float64, n)
	for i := range t {
		t[i] = seconds * float64(i) / float64(max(n-1, 1))
	}
	return t
}

// Run measures every method, in float64. Poses of half turns are measured apart, see [Row.HalfTurns]. The rest volume is
// that of the undeformed skin without morph targets.
func Run(ctx context.Context, m *skinning.Model, opt Options) ([]Row, error) {
	switch {
	case len(m.Skin.Positions) == 0:
		return nil, fmt.Errorf("%s: no skinned mesh to compare", m.Name)
	case opt.Clip < 0 || opt.Clip >= len(m.Clips):
		return nil, fmt.Errorf("%s: no clip to compare over", m.Name)
	case opt.Frames < 1 && opt.Times == nil:
		return nil, fmt.Errorf("%d frames", opt.Frames)
	}
	if opt.Reference == nil {
		opt.Reference = skinning.LBS
	}
	own := Pose(m, opt.Clip, opt.ShortestPath)
	unmorphed := m.Skin.RestPositions(make([]float64, len(m.MorphSlots)))
	body := metrics.SkinBody(m)
	restVolume := metrics.RestVolume(metrics.Volume(body, unmorphed), m.Diagonal())
	rows := make([]Row, len(opt.Subjects))
	// The first also finds the best rigid prediction, which is the same for all subjects.
	errs := make([]*metrics.Errors, len(opt.Subjects))
	inApart := make([]*metrics.Errors, len(opt.Subjects)) // errors in half turns
	others := make([]*Posed, len(opt.Subjects))
	for i, subject := range opt.Subjects {
		if subject.Model != nil {
			if len(subject.Model.Skin.Positions) != len(m.Skin.Positions) {
				return nil, fmt.Errorf("%s: a skin of %d vertices, %s has %d", subject.Name, len(subject.Model.Skin.Positions),
					m.Name, len(m.Skin.Positions))
			}
		}
		others[i] = subject.pose(m, own, opt.Clip, opt.ShortestPath)
		rows[i] = Row{Method: subject.Name, VolumeRatioMin: math.Inf(1), VolumeRatioMax: math.Inf(-1)}
		if i == 0 {
			errs[0] = metrics.NewErrors(m)
		} else {
			errs[i] = errs[0].Beside()
		}
		inApart[i] = errs[0].Beside()
	}
	times := opt.Times
	if times == nil {
		times = Times(m.Clips[opt.Clip].Seconds, opt.Frames)
	}
	halfTurns := &apart{marks: make([]bool, len(times))} // examples are true in every pose
	if !opt.Examples {
		halfTurns = findApart(m, len(times), func(i int) *skinning.Frame { return own.At(times[i]) })
	}
	for k, t := range times {
		if opt.Progress != nil {
			opt.Progress(k, len(times))
		}
		frame := own.At(t)
		rest := unmorphed
		if !opt.Examples {
			rest = m.Skin.RestPositions(frame.Morphs)
		}
		want := opt.Reference.Positions(frame)
		for i, subject := range opt.Subjects {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			at := frame
			if others[i] != own {
				at = others[i].At(t)
			}
			got := want
			if at != frame || subject.Method != opt.Reference {
				got = at.Positions(subject.Method)
			}
			ratio := 1.0 // for a skin without volume
			if restVolume != 0 {
				ratio = metrics.Volume(body, got) / restVolume
			}
			last := inApart[i]
			if halfTurns.marks[k] {
				last.Add(want, got, rest, frame)
			}
			if halfTurns.takes(k) {
				last = errs[i]
				before := last.Max()
				if v := last.Add(want, got, rest, frame); last.Max() > before {
					rows[i].WorstTime, rows[i].WorstVertex = t, v
				}
				rows[i].VolumeRatioMin = math.Min(rows[i].VolumeRatioMin, ratio)
				rows[i].VolumeRatioMax = math.Max(rows[i].VolumeRatioMax, ratio)
			}
			if opt.Series {
				rms, largest := last.Last()
				rows[i].Series = append(rows[i].Series, Sample{t, rms, largest, finite(ratio), halfTurns.marks[k]})
			}
		}
	}
	for i := range rows {
		rows[i].EE, rows[i].RMS, rows[i].Max = metrics.Percent(errs[i].EE()), errs[i].RMS(), errs[i].Max()
		rows[i].Top = errs[i].Top()
		rows[i].HalfTurns = halfTurns.error(m, inApart[i].RMS(), inApart[i].Max())
		rows[i].VolumeRatioMin, rows[i].VolumeRatioMax = finite(rows[i].VolumeRatioMin), finite(rows[i].VolumeRatioMax)
	}
	return rows, nil
}

// Posed is a model that can be posed at any time of a clip.
type Posed struct {
	clip   int
	deform func(f *skinning.Frame) []mgl64.Vec3
	frame  *skinning.Frame
	pose   *skinning.Pose
	signs  *skinning.Signs
}

// Pose makes a frame that [Posed.At] moves through a clip.
func Pose(m *skinning.Model, clip int, shortestPath bool) *Posed {
	return &Posed{clip: clip, frame: skinning.NewFrame(m, nil), pose: m.NewPose(),
		signs: skinning.SignsOf(m, clip, shortestPath)}
}

// Pose makes the [Posed] of a subject. A subject without a model of its own uses clip of the model m.
func (s *Subject) Pose(m *skinning.Model, clip int, shortestPath bool) *Posed {
	if s.Model != nil {
		m, clip = s.Model, s.Clip
	}
	p := Pose(m, clip, shortestPath)
	p.deform = s.Deform
	return p
}

// pose is Pose. It returns own for a subject without a model.
func (s *Subject) pose(m *skinning.Model, own *Posed, clip int, shortestPath bool) *Posed {
	if s.Model == nil && s.Deform == nil {
		return own
	}
	return s.Pose(m, clip, shortestPath)
}

// At poses the model at a time of its clip and returns its frame, which the next call changes. For a subject with
// Deform, it is a frame of a new model each time, to be posed by linear blending, see [skinning.Frame.Snapshot].
func (p *Posed) At(seconds float64) *skinning.Frame {
	p.frame.Model.SamplePose(p.pose, p.clip, seconds)
	p.frame.SetPose(p.pose)
	if p.signs != nil {
		p.signs.Apply(p.frame, seconds)
	}
	if p.deform != nil {
		return p.frame.Snapshot(p.deform(p.frame))
	}
	return p.frame
}

// finite replaces infinities, such as a flat mesh's volume ratio, because JSON has none.
func finite(x float64) float64 {
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return 0
	}
	return x
}

// WriteTable prints rows as a table, and says below what the numbers are. Poses is how many were measured, and diagonal
// the rest pose's, in metres.
func WriteTable(out io.Writer, rows []Row, poses int, diagonal float64) {
	unit, perDiagonal := messages.ReportUnit(diagonal)
	apart := len(rows) > 0 && rows[0].HalfTurns != nil
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "method\tEE %\tRMS\tlargest\tvolume from\tto\tworst at s\tvertex\t")
	if apart {
		fmt.Fprint(w, "RMS in half turns\t")
	}
	fmt.Fprintln(w)
	length := func(fraction float64) string { return messages.ReportNumber(fraction, perDiagonal) }
	unseen := false
	for _, r := range rows {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%.3f\t%.3f\t", r.Method, r.EE.Text(3), length(r.RMS), length(r.Max),
			r.VolumeRatioMin, r.VolumeRatioMax)
		if r.Max < messages.Rounding {
			fmt.Fprint(w, "–\t–\t")
		} else {
			fmt.Fprintf(w, "%.2f\t%d\t", r.WorstTime, r.WorstVertex)
			unseen = unseen || r.RMS <= metrics.LeastVisible
		}
		if apart {
			fmt.Fprintf(w, "%s\t", length(r.HalfTurns.RMS))
		}
		fmt.Fprintln(w)
	}
	w.Flush()
	counted := poses
	if apart && rows[0].HalfTurns.Poses < poses { // they are in no number but their own
		counted -= rows[0].HalfTurns.Poses
	}
	fmt.Fprintf(out, "RMS and largest error in %s, over %s. EE is the RMS in percent of that of the best single joint for "+
		"each vertex; volumes are shares of the rest volume.\n", unit, messages.Count(counted, "pose", "poses"))
	if unseen {
		fmt.Fprintln(out, UnseenNote(diagonal))
	}
}

// UnseenNote says why an EE is 0 beside an RMS error that is not.
func UnseenNote(diagonal float64) string {
	return fmt.Sprintf("RMS errors up to %s cannot be seen: their EE is 0.",
		messages.ReportLength(metrics.LeastVisible, diagonal))
}
