// Package bench times the CPU kernels on a model: what one frame of skinning costs per vertex.
package bench

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"text/tabwriter"
	"time"

	"skinlab/skinning"
	"skinlab/skinning/compare"
)

// Options choose what is timed. All fields are needed.
type Options struct {
	Subjects []compare.Subject
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

	*Traffic  // of rows of the CPU's kernels
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
	case opt.Threads < 1 || opt.Repeats < 1 || opt.Round <= 0:
		return nil, fmt.Errorf("%d threads, %d repeats of %v", opt.Threads, opt.Repeats, opt.Round)
	}
	lbs := newSubject(m, skinning.LBS, 0, opt.Threads, opt.Round)
	defer lbs.deformer.Close()
	subjects := make([]*subject, len(opt.Subjects))
	for i, s := range opt.Subjects {
		model := s.Model
		if model == nil {
			model = m
		}
		subjects[i] = newSubject(model, s.Method, s.Clip, opt.Threads, opt.Round)
		defer subjects[i].deformer.Close()
	}
	most := 0
	for _, s := range subjects {
		most = max(most, s.traffic)
	}
	machine := newCopier(most, opt.Threads)
	measured := make([]measures, len(subjects))
	for range opt.Repeats {
		rates := make(map[int]float64) // of this round's copies, by their bytes
		for _, s := range subjects {
			if rates[s.traffic] == 0 {
				rates[s.traffic] = machine.rate(s.traffic, opt.Round)
			}
		}
		before := lbs.frames()
		for i, s := range subjects {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			seconds := s.frames()
			after := lbs.frames() // the machine's speed drifts: each subject is held against its neighbours in time
			measured[i].add(seconds, 2*seconds/(before+after), s.palettes(), rates[s.traffic], float64(s.traffic)/seconds)
			before = after
		}
	}
	rows := make([]Row, len(subjects))
	for i, s := range opt.Subjects {
		r := &measured[i]
		rows[i] = Row{Model: m.Name, Vertices: vertices, Method: s.Name, Device: "cpu",
			NsPerVertex: Median(r.seconds) * 1e9 / float64(vertices), RatioToLBS: Median(r.ratio), PaletteUs: Median(r.palette) * 1e6,
			Traffic:  r.traffic(subjects[i].traffic, vertices),
			Envelope: envelopeOf(subjects[i].model)}
	}
	return rows, nil
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
}

const posesPerModel = 8

func newSubject(m *skinning.Model, method skinning.Method, clip, threads int, round time.Duration) *subject {
	s := &subject{model: m, method: method, deformer: skinning.NewDeformer(m, threads), out: skinning.NewOutput(m)}
	s.poses, s.posed = Poses(m, clip)
	stream := skinning.NewStream(s.out.Positions, s.out.Normals, m.Skin.Positions, m.Skin.Normals, &m.Skin.Influences, s.posed[0].Centers.OfVertex)
	s.traffic = stream.Traffic(method)
	s.count = 2
	s.count = max(1, int(round.Seconds()/s.frames()))
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

// WriteTable prints what skinning costs for people.
func WriteTable(out io.Writer, rows []Row) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	// Columns that would say the same in all rows are left out.
	pictures := slices.ContainsFunc(rows, func(r Row) bool { return r.Picture != nil })
	memory := slices.ContainsFunc(rows, func(r Row) bool { return r.Traffic != nil })
	crowds := crowds(rows)
	fmt.Fprintf(w, "model\tvertices\tmethod\tdevice\t%s%sns/vertex\tratio to lbs\t%spalette µs\t\n",
		columnIf(pictures, "skinning"), columnIf(crowds, "instances"), columnIf(memory, "GB/s\tcopy GB/s\tof copy"))
	for _, r := range rows {
		skinning, instances := "–", 1
		if r.Picture != nil {
			skinning, instances = r.Skinning, r.Instances
		}
		traffic := ""
		if memory {
			traffic = r.Traffic.cells()
		}
		fmt.Fprintf(w, "%s\t%d\t%s\t%s\t%s%s%.2f\t%.2f\t%s%.1f\t\n", r.Model, r.Vertices, r.Method, r.Device,
			columnIf(pictures, skinning), columnIf(crowds, strconv.Itoa(instances)), r.NsPerVertex, r.RatioToLBS, traffic, r.PaletteUs)
	}
	w.Flush()
}
