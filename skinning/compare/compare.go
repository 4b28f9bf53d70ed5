// Package compare measures skinning methods against a reference over the frames of a clip.
package compare

import (
	"context"
	"fmt"
	"io"
	"math"
	"text/tabwriter"

	"skinlab/skinning"
)

// Options choose what is compared. All fields are needed.
type Options struct {
	Reference    skinning.Method
	Methods      []skinning.Method
	Clip         int  // index into the model's clips
	Frames       int  // poses, spread evenly over the clip with both ends; 1 means its start
	ShortestPath bool // false follows rotations continuously through the clip
}

// Row is what one method does over all frames.
type Row struct {
	Method         string  `json:"method"`
	EE             float64 `json:"ee"`               // percent, see skinning.Errors.EE
	RMS            float64 `json:"rms"`              // fraction of the rest-pose diagonal
	Max            float64 `json:"max"`              // fraction of the rest-pose diagonal
	VolumeRatioMin float64 `json:"volume_ratio_min"` // smallest volume over the rest volume
	VolumeRatioMax float64 `json:"volume_ratio_max"`
	// Where the largest error is: seconds in the clip, and the vertex.
	WorstTime   float64 `json:"worst_time"`
	WorstVertex int     `json:"worst_vertex"`
}

// Times returns n times spread evenly over seconds, with both ends.
func Times(seconds float64, n int) []float64 {
	t := make([]float64, n)
	for i := range t {
		t[i] = seconds * float64(i) / float64(max(n-1, 1))
	}
	return t
}

// Run measures every method, in float64. The rest volume is that of the undeformed skin without morph targets.
func Run(ctx context.Context, m *skinning.Model, opt Options) ([]Row, error) {
	switch {
	case len(m.Skin.Positions) == 0:
		return nil, fmt.Errorf("%s: no skinned mesh to compare", m.Name)
	case opt.Clip < 0 || opt.Clip >= len(m.Clips):
		return nil, fmt.Errorf("%s: no clip to compare over", m.Name)
	case opt.Frames < 1:
		return nil, fmt.Errorf("%d frames", opt.Frames)
	}
	frame, pose := skinning.NewFrame(m, nil), m.NewPose()
	var signs *skinning.Signs
	if !opt.ShortestPath {
		signs = skinning.NewSigns(m, opt.Clip)
	}
	restVolume := skinning.Volume(m.Skin.RestShape(make([]float64, len(m.MorphSlots))).Positions, m.Skin.Triangles)
	rows := make([]Row, len(opt.Methods))
	errs := make([]*skinning.Errors, len(opt.Methods))
	for i, method := range opt.Methods {
		rows[i] = Row{Method: method.String(), VolumeRatioMin: math.Inf(1), VolumeRatioMax: math.Inf(-1)}
		errs[i] = skinning.NewErrors(m)
	}
	for _, t := range Times(m.Clips[opt.Clip].Seconds, opt.Frames) {
		m.SamplePose(pose, opt.Clip, t)
		frame.SetPose(pose)
		if signs != nil {
			signs.Apply(frame, t)
		}
		rest := m.Skin.RestShape(frame.Morphs).Positions
		want := frame.Reference(opt.Reference)
		for i, method := range opt.Methods {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			got := frame.Reference(method)
			before := errs[i].Max()
			if v := errs[i].Add(want.Positions, got.Positions, rest, frame); errs[i].Max() > before {
				rows[i].WorstTime, rows[i].WorstVertex = t, v
			}
			ratio := skinning.Volume(got.Positions, m.Skin.Triangles) / restVolume
			rows[i].VolumeRatioMin = math.Min(rows[i].VolumeRatioMin, ratio)
			rows[i].VolumeRatioMax = math.Max(rows[i].VolumeRatioMax, ratio)
		}
	}
	for i := range rows {
		rows[i].EE, rows[i].RMS, rows[i].Max = finite(errs[i].EE()), errs[i].RMS(), errs[i].Max()
		rows[i].VolumeRatioMin, rows[i].VolumeRatioMax = finite(rows[i].VolumeRatioMin), finite(rows[i].VolumeRatioMax)
	}
	return rows, nil
}

// finite keeps infinities (an EE over no local deformation, a flat mesh's volume ratio) out of JSON, which has none.
func finite(x float64) float64 {
	if math.IsInf(x, 0) || math.IsNaN(x) {
		return 0
	}
	return x
}

// WriteTable prints rows for people.
func WriteTable(out io.Writer, rows []Row) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "method\tEE %\tRMS\tlargest\tvolume from\tto\tworst at s\tvertex\t")
	for _, r := range rows {
		fmt.Fprintf(w, "%s\t%.3f\t%.2e\t%.2e\t%.3f\t%.3f\t%.2f\t%d\t\n",
			r.Method, r.EE, r.RMS, r.Max, r.VolumeRatioMin, r.VolumeRatioMax, r.WorstTime, r.WorstVertex)
	}
	w.Flush()
	fmt.Fprintln(out, "RMS and largest error are fractions of the rest pose's diagonal, volumes of the rest volume.")
}
