package enveloping

import (
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
)

// weldNear is how far apart copies of a vertex may lie in the examples, as a share of the diagonal: some roundings to
// float32.
const weldNear = 1e-6

// welded returns the examples with one vertex for all copies of it, into which files split vertices along seams. Solved
// for one by one, copies would come apart and the surface would open. Copies lie at the same place at rest and in every
// example. Of is the welded vertex of each vertex.
func (x *Examples) welded() (out *Examples, of []int) {
	of = make([]int, len(x.Rest))
	at := make(map[mgl64.Vec3][]int, len(x.Rest)) // vertices that stand for others
	near := weldNear * x.diagonal()
	var kept []int
	for v, p := range x.Rest {
		of[v] = -1
		for _, k := range at[p] {
			if x.together(v, k, near) {
				of[v] = of[k]
				break
			}
		}
		if of[v] < 0 {
			of[v] = len(kept)
			kept = append(kept, v)
			at[p] = append(at[p], v)
		}
	}
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

// together reports whether two vertices lie at the same place in every example.
func (x *Examples) together(a, b int, near float64) bool {
	for i := range x.Pairs {
		if !(x.Pairs[i].Target[a].Sub(x.Pairs[i].Target[b]).Len() <= near) {
			return false
		}
	}
	return true
}

// split gives every copy of a vertex what the welded one has.
func split[T any](welded []T, of []int) []T {
	out := make([]T, len(of))
	for v, k := range of {
		out[v] = welded[k]
	}
	return out
}

// split gives the weights of welded vertices to all their copies.
func (s *SSD) split(of []int) *SSD {
	return &SSD{split(s.Weights, of), split(s.square, of), split(s.rigid, of)}
}

// split is as [SSD.split].
func (m *Model) split(of []int) *Model {
	return &Model{Rig: m.Rig, Weights: split[[]skinning.Share](m.Weights, of)}
}
