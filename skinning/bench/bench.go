// Package bench times the CPU kernels on a model: the cost of one frame of skinning, per vertex.
package bench

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"skinlab/skinning"
	"skinlab/skinning/compare"
	"skinlab/skinning/simd"
)

// Options choose what is timed. All fields but Progress are needed.
type Options struct {
	Subjects []compare.Subject
	Levels   []simd.Level       // forms of the kernels, each of [simd.Levels]; a row for each subject in each
	Threads  []int              // workers of the deformer; again a row for each
	Repeats  int                // timed rounds; medians over them are reported
	Round    time.Duration      // a round of one method poses the model as often as fits in this
	Progress func(done, of int) // is told how many rounds are timed; may be nil
}

// Row is one method's cost on one device.
type Row struct {
	Model       string  `json:"model"`
	Vertices    int     `json:"vertices"`
	Method      string  `json:"method"`
	Device      string  `json:"device"`        // "cpu"; "gpu"; "software" for a GL renderer that is the CPU
	NsPerVertex float64 `json:"ns_per_vertex"` // positions and normals, median
	RatioToLBS  float64 `json:"ratio_to_lbs"`  // see [Ratio]
	PaletteUs   float64 `json:"palette_us"`    // forward kinematics and what else the method computes once a pose; median

	*Kernel   // of rows of the CPU's kernels
	*Memory   // of rows that pose into memory: not of a GL renderer's vertex stage
	*Picture  // of rows that a GL renderer gives
	*Envelope // of rows with proxy bones
}

// CPU times subjects one after the other in every round, and returns medians over the rounds. A machine that slows down
// then slows all subjects alike.
func CPU(ctx context.Context, m *skinning.Model, opt Options) ([]Row, error) {
	vertices := len(m.Skin.Positions)
	switch {
	case vertices == 0:
		return nil, fmt.Errorf("%s: no skinned mesh to time", m.Name)
	case len(opt.Threads) == 0 || slices.Min(opt.Threads) < 1 || opt.Repeats < 1 || opt.Round <= 0 || len(opt.Levels) == 0:
		return nil, fmt.Errorf("%v threads, %d repeats of %v, levels %v", opt.Threads, opt.Repeats, opt.Round, opt.Levels)
	}
	var forms []*form
	stages := make(map[stageKey]*stage)
	for _, level := range opt.Levels {
		for i, threads := range opt.Threads {
			f := newForm(m, level, threads, &opt, stages)
			defer f.close()
			forms = append(forms, f)
			if i > 0 {
				f.first = forms[len(forms)-1-i]
			}
		}
	}
	machine := newCopier(forms[0].most())
	for k := range opt.Repeats {
		for i, f := range forms {
			if opt.Progress != nil {
				opt.Progress(k*len(forms)+i, opt.Repeats*len(forms))
			}
			if err := f.round(ctx, machine, opt.Round); err != nil {
				return nil, err
			}
		}
	}
	var rows []Row
	for _, f := range forms {
		for i := range f.subjects {
			row := f.row(i, vertices)
			row.Model, row.Method = m.Name, opt.Subjects[i].Name
			row.RatioToLBS = Ratio(&opt.Subjects[i], f.subjects[i].ratio)
			rows = append(rows, row)
		}
	}
	return rows, nil
}

// posesPerModel is the number of poses through which a benchmark cycles, so that no result can be reused.
const posesPerModel = 8

// Poses returns poses spread over a clip with their frames, or the static pose if there is no such clip. All have the
// same morph weights, because only skinning is timed.
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

// Ratio returns the median over rounds of a subject's time over that of linear blending right before and after it. The
// machine's speed drifts, so that this is less noisy than the ratio of the medians. It is 1 for linear blending itself.
func Ratio(s *compare.Subject, rounds []float64) float64 {
	if s.Model == nil && s.Method == skinning.LBS {
		return 1
	}
	return Median(rounds)
}

// Median returns the middle of x. It does not change x.
func Median(x []float64) float64 {
	x = slices.Sorted(slices.Values(x))
	n := len(x)
	return (x[(n-1)/2] + x[n/2]) / 2
}

// Processor names the CPU as the system does, else by its architecture.
func Processor() string {
	if f, err := os.Open("/proc/cpuinfo"); err == nil {
		defer f.Close()
		for s := bufio.NewScanner(f); s.Scan(); {
			if key, value, ok := strings.Cut(s.Text(), ":"); ok && strings.TrimSpace(key) == "model name" {
				return strings.TrimSpace(value)
			}
		}
	}
	return runtime.GOARCH
}
