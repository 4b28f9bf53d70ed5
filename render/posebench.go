package render

import (
	"context"
	"time"

	"skinlab/skinning"
	"skinlab/skinning/bench"
	"skinlab/skinning/compare"
)

// BenchPoses times the pose pass of subjects as [bench.CPU] times the CPU kernels, headless: rounds one after the other, each
// subject held against linear blending before and after it, medians. Rows of a software renderer have the device "software".
func BenchPoses(ctx context.Context, m *skinning.Model, subjects []compare.Subject, repeats int, round time.Duration) (rows []bench.Row, info Info, err error) {
	err = withHeadless(func(r *Renderer) error {
		rows, info, err = r.benchPoses(ctx, m, subjects, repeats, round)
		return err
	})
	return rows, info, err
}

func (r *Renderer) benchPoses(ctx context.Context, m *skinning.Model, subjects []compare.Subject, repeats int, round time.Duration) ([]bench.Row, Info, error) {
	if err := r.SetModel(m); err != nil {
		return nil, r.info, err
	}
	device := "gpu"
	if r.info.Software {
		device = "software"
	}
	_, own := bench.Poses(m, 0)
	count := func(frames []*skinning.Frame, method skinning.Method) (int, error) {
		if _, err := r.PoseSeconds(frames, method, 2); err != nil { // the first pass compiles and uploads
			return 0, err
		}
		seconds, err := r.PoseSeconds(frames, method, 4)
		return max(2, int(round.Seconds()/max(seconds, 1e-9))), err
	}
	base, err := count(own, skinning.LBS)
	if err != nil {
		return nil, r.info, err
	}
	rows := make([]bench.Row, len(subjects))
	for i, s := range subjects {
		frames, model := own, m
		if s.Model != nil {
			if err := r.SetFitted(s.Model, nil); err != nil {
				return nil, r.info, err
			}
			model = s.Model
			_, frames = bench.Poses(model, s.Clip)
		}
		n, err := count(frames, s.Method)
		if err != nil {
			return nil, r.info, err
		}
		var ns, ratio, palette []float64
		poses, posed := bench.Poses(model, s.Clip)
		for range repeats {
			if err := ctx.Err(); err != nil {
				return nil, r.info, err
			}
			before, err := r.PoseSeconds(own, skinning.LBS, base)
			if err != nil {
				return nil, r.info, err
			}
			seconds, err := r.PoseSeconds(frames, s.Method, n)
			if err != nil {
				return nil, r.info, err
			}
			after, err := r.PoseSeconds(own, skinning.LBS, base)
			if err != nil {
				return nil, r.info, err
			}
			ns = append(ns, seconds*1e9/float64(len(m.Skin.Positions)))
			ratio = append(ratio, 2*seconds/(before+after))
			start := time.Now()
			for k, p := range poses {
				posed[k].SetPose(p)
			}
			palette = append(palette, time.Since(start).Seconds()*1e6/float64(len(poses)))
		}
		rows[i] = bench.Row{Model: m.Name, Vertices: len(m.Skin.Positions), Method: s.Name, Device: device,
			NsPerVertex: bench.Median(ns), RatioToLBS: bench.Median(ratio), PaletteUs: bench.Median(palette)}
	}
	return rows, r.info, nil
}
