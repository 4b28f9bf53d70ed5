// Package bench times the CPU kernels on a model: what one frame of skinning costs per vertex.
package bench

import (
	"context"
	"fmt"
	"slices"
	"time"

	"skinlab/skinning"
	"skinlab/skinning/compare"
	"skinlab/skinning/simd"
)

// Options choose what is timed. All fields are needed.
type Options struct {
	Subjects []compare.Subject
	Levels   []simd.Level  // forms of the kernels, each of [simd.Levels]; a row for each subject in each
	Threads  int           // workers of the deformer
	Repeats  int           // timed rounds; medians over them are reported
	Round    time.Duration // a round of one method poses the model as often as fits in this
}

// Row is one method's cost on one device.
type Row struct {
	Model       string  `json:"model"`
	Vertices    int     `json:"vertices"`
	Method      string  `json:"method"`
	Device      string  `json:"device"`        // "cpu"; "gpu"; "software" for a GL renderer that is the CPU
	NsPerVertex float64 `json:"ns_per_vertex"` // positions and normals, median
	RatioToLBS  float64 `json:"ratio_to_lbs"`  // median over the rounds of this method's time over LBS's of the same round
	PaletteUs   float64 `json:"palette_us"`    // forward kinematics, polar decomposition and rotation centres of a pose, median

	*Kernel   // of rows of the CPU's kernels
	*Picture  // of rows that a GL renderer gives
	*Envelope // of rows with proxy bones
}

// CPU times subjects one after the other in every round, so that a machine that slows down slows all of them, and returns
// medians.
func CPU(ctx context.Context, m *skinning.Model, opt Options) ([]Row, error) {
	vertices := len(m.Skin.Positions)
	switch {
	case vertices == 0:
		return nil, fmt.Errorf("%s: no skinned mesh to time", m.Name)
	case opt.Threads < 1 || opt.Repeats < 1 || opt.Round <= 0 || len(opt.Levels) == 0:
		return nil, fmt.Errorf("%d threads, %d repeats of %v, %d levels", opt.Threads, opt.Repeats, opt.Round, len(opt.Levels))
	}
	forms := make([]form, len(opt.Levels))
	most := 0
	for k, level := range opt.Levels {
		forms[k] = newForm(m, level, &opt)
		defer forms[k].close()
		for _, s := range forms[k].subjects {
			most = max(most, s.traffic)
		}
	}
	machine := newCopier(most, opt.Threads)
	for range opt.Repeats {
		rates := make(map[int]float64) // of this round's copies, by their bytes
		for k := range forms {
			if err := forms[k].round(ctx, machine, rates, opt.Round); err != nil {
				return nil, err
			}
		}
	}
	var rows []Row
	for k := range forms {
		for i, s := range forms[k].subjects {
			r := &s.measures
			rows = append(rows, Row{Model: m.Name, Vertices: vertices, Method: opt.Subjects[i].Name, Device: "cpu",
				NsPerVertex: Median(r.seconds) * 1e9 / float64(vertices), RatioToLBS: Median(r.ratio), PaletteUs: Median(r.palette) * 1e6,
				Kernel: r.kernel(opt.Levels[k], s.traffic, vertices), Envelope: envelopeOf(s.model)})
		}
	}
	return rows, nil
}

// form is all that is timed at one level, and linear blending at that level, which it is held against.
type form struct {
	lbs      *subject
	subjects []*subject
}

func newForm(m *skinning.Model, level simd.Level, opt *Options) form {
	f := form{lbs: newSubject(m, skinning.LBS, 0, level, opt)}
	for _, s := range opt.Subjects {
		model := s.Model
		if model == nil {
			model = m
		}
		f.subjects = append(f.subjects, newSubject(model, s.Method, s.Clip, level, opt))
	}
	return f
}

func (f *form) close() {
	f.lbs.deformer.Close()
	for _, s := range f.subjects {
		s.deformer.Close()
	}
}

// round times every subject once.
func (f *form) round(ctx context.Context, machine *copier, rates map[int]float64, round time.Duration) error {
	for _, s := range f.subjects {
		if rates[s.traffic] == 0 {
			rates[s.traffic] = machine.rate(s.traffic, round)
		}
	}
	before := f.lbs.frames()
	for _, s := range f.subjects {
		if err := ctx.Err(); err != nil {
			return err
		}
		seconds := s.frames()
		after := f.lbs.frames() // the machine's speed drifts: each subject is held against its neighbours in time
		s.add(seconds, 2*seconds/(before+after), s.palettes(), rates[s.traffic], float64(s.traffic)/seconds)
		before = after
	}
	return nil
}

// measures are those of one subject, one of each in every round: of a frame, its ratio to linear blending, a palette, and copying.
type measures struct {
	seconds, ratio, palette, copied, share []float64
}

// add notes a round: seconds, ratio, seconds, and the bytes per second of the copy and of the kernel.
func (m *measures) add(seconds, ratio, palette, copied, rate float64) {
	m.seconds, m.ratio, m.palette = append(m.seconds, seconds), append(m.ratio, ratio), append(m.palette, palette)
	m.copied, m.share = append(m.copied, copied), append(m.share, rate/copied)
}

// subject is one model with one method and poses to run through, so that no result can be reused.
type subject struct {
	model    *skinning.Model
	method   skinning.Method
	deformer *skinning.Deformer
	poses    []*skinning.Pose
	posed    []*skinning.Frame // one frame per pose
	out      skinning.Output
	traffic  int // bytes that a frame reads and writes
	count    int // frames in a round
	measures
}

const posesPerModel = 8

func newSubject(m *skinning.Model, method skinning.Method, clip int, level simd.Level, opt *Options) *subject {
	s := &subject{model: m, method: method, deformer: skinning.NewDeformer(m, opt.Threads), out: skinning.NewOutput(m)}
	s.deformer.UseLevel(level)
	s.poses, s.posed = Poses(m, clip)
	stream := skinning.NewStream(s.out.Positions, s.out.Normals, m.Skin.Positions, m.Skin.Normals, &m.Skin.Influences, s.posed[0].Centers.OfVertex)
	s.traffic = stream.Traffic(method)
	s.count = 2
	s.count = max(1, int(opt.Round.Seconds()/s.frames()))
	return s
}

// Poses returns poses spread over a clip, the static pose where there is no such clip, and their frames, all with the same
// morph weights: only skinning is to be timed.
func Poses(m *skinning.Model, clip int) ([]*skinning.Pose, []*skinning.Frame) {
	centers := skinning.NewCenterSets(&m.Skin.Influences, &m.Skeleton)
	var poses []*skinning.Pose
	var frames []*skinning.Frame
	for i := range posesPerModel {
		p := m.NewPose()
		if clip >= 0 && clip < len(m.Clips) {
			m.SamplePose(p, clip, m.Clips[clip].Seconds*float64(i)/posesPerModel)
		}
		if i > 0 {
			copy(p.Morphs, poses[0].Morphs)
		}
		f := skinning.NewFrame(m, centers)
		f.SetPose(p)
		poses, frames = append(poses, p), append(frames, f)
	}
	return poses, frames
}

// frames returns the seconds of one frame of a round, the evaluation of blend bones and of proxy bones included.
func (s *subject) frames() float64 {
	start := time.Now()
	for i := range s.count {
		f := s.posed[i%len(s.posed)]
		f.DriveBlendBones()
		f.DriveProxies()
		s.deformer.Deform(&s.out, s.method, f)
	}
	return time.Since(start).Seconds() / float64(s.count)
}

// palettes returns the seconds that one pose takes to become a frame.
func (s *subject) palettes() float64 {
	start := time.Now()
	for i, p := range s.poses {
		s.posed[i].SetPose(p)
	}
	return time.Since(start).Seconds() / float64(len(s.poses))
}

// Median returns the middle of x, which it leaves as it is.
func Median(x []float64) float64 {
	x = slices.Sorted(slices.Values(x))
	n := len(x)
	return (x[(n-1)/2] + x[n/2]) / 2
}
