package fit

import (
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/training"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/metrics"
	"skinlab/skinning/parallel"
)

// ShapeErrors measures models on examples, each by linear blending: the examples' own model, and others that have its
// vertices, and its joints before those that their rigs drive. Mean and Deviation are left out.
type ShapeErrors struct {
	Plain  Measured // of the examples' own model
	x      *training.Examples
	errors *metrics.Errors // of the examples' own model
}

// NewShapeErrors measures the examples' own model.
func NewShapeErrors(x *training.Examples) *ShapeErrors {
	s := &ShapeErrors{x: x, errors: metrics.NewErrors(x.Model)}
	s.Plain = s.measure(s.errors, func(int) *skinning.Model { return x.Model })
	return s
}

// Of measures a model.
func (s *ShapeErrors) Of(m *skinning.Model) Measured {
	return s.OfEach(func(int) *skinning.Model { return m })
}

// OfEach measures a way to pose the skin that may have another model for each example.
func (s *ShapeErrors) OfEach(way func(i int) *skinning.Model) Measured {
	return s.measure(s.errors.Beside(), way)
}

func (s *ShapeErrors) measure(e *metrics.Errors, way func(i int) *skinning.Model) Measured {
	var f *skinning.Frame
	for i, pose := range s.x.Frames {
		shape, target := s.x.Measured(i)
		if m := way(i); f == nil || f.Model != m {
			f = skinning.NewFrame(m, nil)
		}
		for j := range pose.Matrices {
			f.SetMatrix(j, &pose.Matrices[j])
		}
		f.DriveRigs()
		e.Add(target, blend(f, shape), shape, pose)
	}
	return Measured{EE: metrics.Percent(e.EE()), RMS: e.RMS(), RMSmm: 1e3 * e.RMS() * s.x.Model.Diagonal(), Max: e.Max()}
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
