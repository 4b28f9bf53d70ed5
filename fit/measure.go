package fit

import (
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/training"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/metrics"
	"skinlab/skinning/parallel"
)

// MeasureModels measures models on examples, each by linear blending: the model of the examples, and models that have
// its vertices, and its joints before others that their rigs drive. Mean and Deviation are left out.
func MeasureModels(x *training.Examples, models ...*skinning.Model) []Measured {
	ways := make([]func(i int) *skinning.Model, len(models))
	for k, m := range models {
		ways[k] = func(int) *skinning.Model { return m }
	}
	return MeasureEach(x, ways...)
}

// MeasureEach is [MeasureModels] where a way to pose the skin may have a model of its own for each example.
func MeasureEach(x *training.Examples, ways ...func(i int) *skinning.Model) []Measured {
	rest := x.Model.Skin.RestShape(make([]float64, len(x.Model.MorphSlots))).Positions
	errors := []*metrics.Errors{metrics.NewErrors(x.Model)}
	for len(errors) < len(ways) {
		errors = append(errors, errors[0].Beside())
	}
	frames := make([]*skinning.Frame, len(ways))
	for i, pose := range x.Frames {
		shape, target := rest, x.Targets[i]
		if x.Morphed != nil {
			shape, target = x.Morphed[i].Rest, x.Morphed[i].Target
		}
		for k, way := range ways {
			if m := way(i); frames[k] == nil || frames[k].Model != m {
				frames[k] = skinning.NewFrame(m, nil)
			}
			for j := range pose.Matrices {
				frames[k].SetMatrix(j, &pose.Matrices[j])
			}
			frames[k].DriveRigs()
			errors[k].Add(target, blend(frames[k], shape), shape, pose)
		}
	}
	out := make([]Measured, len(ways))
	d := x.Model.Diagonal()
	for k, e := range errors[:len(ways)] {
		out[k] = Measured{EE: metrics.Percent(e.EE()), RMS: e.RMS(), RMSmm: 1e3 * e.RMS() * d, Max: e.Max()}
	}
	return out
}

// blend poses a shape by linear blending with a frame's matrices.
func blend(f *skinning.Frame, shape []mgl64.Vec3) []mgl64.Vec3 {
	out := make([]mgl64.Vec3, len(shape))
	parallel.Runs(len(shape), func(lo, hi int) {
		var buf []skinning.Influence
		for v := lo; v < hi; v++ {
			buf = f.Model.Skin.Of(buf[:0], v)
			var m geom.Affine
			for _, in := range buf {
				for k, c := range f.Matrices[in.Joint] {
					m[k] += float64(in.Weight) * c
				}
			}
			out[v] = m.Apply(shape[v])
		}
	})
	return out
}
