// Package bench times the CPU kernels on a model: what one frame of skinning costs per vertex.
package bench

import (
	"context"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"

	"skinlab/skinning"
)

// Options choose what is timed. All fields are needed.
type Options struct {
	Methods []skinning.Method
	Threads int           // workers of the deformer
	Repeats int           // timed rounds; medians over them are reported
	Round   time.Duration // a round of one method poses the model as often as fits in this
}

// Row is one method's cost on one device.
type Row struct {
	Model       string  `json:"model"`
	Vertices    int     `json:"vertices"`
	Method      string  `json:"method"`
	Device      string  `json:"device"`
	NsPerVertex float64 `json:"ns_per_vertex"` // positions and normals, median
	RatioToLBS  float64 `json:"ratio_to_lbs"`  // median over the rounds of this method's time over LBS's of the same round
	PaletteUs   float64 `json:"palette_us"`    // forward kinematics, polar decomposition and rotation centres of a pose, median
}

// CPU times methods one after the other in every round, so that a machine that slows down slows all of them, and returns
// medians. Poses run through the first clip where there is one, so that no result can be reused.
func CPU(ctx context.Context, m *skinning.Model, opt Options) ([]Row, error) {
	vertices := len(m.Skin.Positions)
	switch {
	case vertices == 0:
		return nil, fmt.Errorf("%s: no skinned mesh to time", m.Name)
	case opt.Threads < 1 || opt.Repeats < 1 || opt.Round <= 0:
		return nil, fmt.Errorf("%d threads, %d repeats of %v", opt.Threads, opt.Repeats, opt.Round)
	}
	b := newBench(m, opt.Threads)
	defer b.deformer.Close()
	ns := make([][]float64, len(opt.Methods))
	ratio := make([][]float64, len(opt.Methods))
	var palette []float64
	counts := make([]int, len(opt.Methods))
	for i, method := range opt.Methods {
		counts[i] = b.calibrate(method, opt.Round)
	}
	lbsCount := b.calibrate(skinning.LBS, opt.Round)
	for range opt.Repeats {
		palette = append(palette, b.palettes()*1e6)
		lbs := b.frames(skinning.LBS, lbsCount)
		for i, method := range opt.Methods {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			seconds := lbs
			if method != skinning.LBS {
				seconds = b.frames(method, counts[i])
			}
			ns[i] = append(ns[i], seconds*1e9/float64(vertices))
			ratio[i] = append(ratio[i], seconds/lbs)
		}
	}
	rows := make([]Row, len(opt.Methods))
	for i, method := range opt.Methods {
		rows[i] = Row{m.Name, vertices, method.String(), "cpu", median(ns[i]), median(ratio[i]), median(palette)}
	}
	return rows, nil
}

type bench struct {
	model    *skinning.Model
	deformer *skinning.Deformer
	poses    []*skinning.Pose
	posed    []*skinning.Frame // one frame per pose
	out      skinning.Output
}

const posesPerModel = 8

func newBench(m *skinning.Model, threads int) *bench {
	b := &bench{model: m, deformer: skinning.NewDeformer(m, threads), out: skinning.NewOutput(m)}
	centers := skinning.NewCenterSets(&m.Skin.Influences, &m.Skeleton)
	for i := range posesPerModel {
		p := m.NewPose()
		if len(m.Clips) > 0 {
			m.SamplePose(p, 0, m.Clips[0].Seconds*float64(i)/posesPerModel)
		}
		f := skinning.NewFrame(m, centers)
		f.SetPose(p)
		copy(f.Morphs, b.morphs(f)) // the same rest shape in all, so that only skinning is timed
		b.poses, b.posed = append(b.poses, p), append(b.posed, f)
	}
	return b
}

func (b *bench) morphs(f *skinning.Frame) []float64 {
	if len(b.posed) > 0 {
		return b.posed[0].Morphs
	}
	return f.Morphs
}

// frames returns the seconds of one frame, averaged over n.
func (b *bench) frames(method skinning.Method, n int) float64 {
	start := time.Now()
	for i := range n {
		b.deformer.Deform(&b.out, method, b.posed[i%len(b.posed)])
	}
	return time.Since(start).Seconds() / float64(n)
}

// calibrate warms up and returns how many frames fill a round.
func (b *bench) calibrate(method skinning.Method, round time.Duration) int {
	return max(1, int(round.Seconds()/b.frames(method, 2)))
}

// palettes returns the seconds that one pose takes to become a frame.
func (b *bench) palettes() float64 {
	start := time.Now()
	for i, p := range b.poses {
		b.posed[i].SetPose(p)
		copy(b.posed[i].Morphs, b.posed[0].Morphs)
	}
	return time.Since(start).Seconds() / float64(len(b.poses))
}

func median(x []float64) float64 {
	x = slices.Sorted(slices.Values(x))
	n := len(x)
	return (x[(n-1)/2] + x[n/2]) / 2
}

// WriteTable prints rows for people.
func WriteTable(out io.Writer, rows []Row) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "model\tvertices\tmethod\tns/vertex\tratio to lbs\tpalette µs\t")
	for _, r := range rows {
		fmt.Fprintf(w, "%s\t%d\t%s\t%.2f\t%.2f\t%.1f\t\n", r.Model, r.Vertices, r.Method, r.NsPerVertex, r.RatioToLBS, r.PaletteUs)
	}
	w.Flush()
}
