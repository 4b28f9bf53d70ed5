package enveloping

import (
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/training"
	"skinlab/skinning"
)

// welded returns the examples with one vertex in place of all its copies, see [training.Weld]. Of maps each vertex to
// its welded one.
func (x *Examples) welded() (out *Examples, of []int) {
	shapes := make([][]mgl64.Vec3, len(x.Pairs))
	for i := range x.Pairs {
		shapes[i] = x.Pairs[i].Target
	}
	of, kept := training.Weld(x.Rest, shapes, x.diagonal())
	if len(kept) == len(x.Rest) {
		return x, of
	}
	out = &Examples{Parent: x.Parent, Weights: x.Weights, model: x.model, Triangles: make([][3]uint32, len(x.Triangles)),
		Pairs: make([]Example, len(x.Pairs))}
	for k, t := range x.Triangles {
		for c, v := range t {
			out.Triangles[k][c] = uint32(of[v])
		}
	}
	for _, v := range kept {
		out.Rest = append(out.Rest, x.Rest[v])
		if x.Rigged != nil {
			out.Rigged = append(out.Rigged, x.Rigged[v])
		}
	}
	for i, e := range x.Pairs {
		out.Pairs[i] = Example{Matrices: e.Matrices, Target: make([]mgl64.Vec3, len(kept))}
		for k, v := range kept {
			out.Pairs[i].Target[k] = e.Target[v]
		}
	}
	return out, of
}

// split returns the values of all vertices, given those of the welded ones.
func split[T any](welded []T, of []int) []T {
	out := make([]T, len(of))
	for v, k := range of {
		out[v] = welded[k]
	}
	return out
}

// split returns the weights of all vertices, given those of the welded ones.
func (s *SSD) split(of []int) *SSD {
	return &SSD{split(s.Weights, of), split(s.square, of), split(s.rigid, of)}
}

// split is [SSD.split] for a model.
func (m *Model) split(of []int) *Model {
	return &Model{Rig: m.Rig, Weights: split[[]skinning.Share](m.Weights, of)}
}
