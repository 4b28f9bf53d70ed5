package bench

import (
	"fmt"

	"github.com/go-gl/mathgl/mgl32"

	"skinlab/skinning"
)

// Subdivide returns a model whose skin has every triangle divided into four, as many times as given: each time the
// surface has about four times as many vertices, so that the cost of vertices can be measured. For 0 it returns the
// model itself.
//
// A new vertex halves an edge. Its position, normal, texture coordinates, influences and inputs of methods are the
// means of those of the edge's ends. The four strongest influences are kept, in each weight set. Morph targets are
// left out. Joints, clips and rigs are the model's own. The vertices depend on the triangles only, so that a fitted
// model is divided like the model that it was fitted to.
func Subdivide(m *skinning.Model, times int) *skinning.Model {
	if times < 0 {
		panic(fmt.Sprintf("bench: Subdivide: %d times", times))
	}
	if times == 0 {
		return m
	}
	out := *m
	out.Name = fmt.Sprintf("%s × %d", m.Name, 1<<(2*times))
	for range times {
		out.Skin = divided(&out.Skin)
	}
	return &out
}

// divided divides each part by itself: parts share no vertices.
func divided(from *skinning.Mesh) skinning.Mesh {
	var to skinning.Mesh
	for _, in := range from.Inputs {
		to.SetInput(skinning.InputData{Input: in.Input})
	}
	for _, part := range from.Parts {
		d := divider{from: from, to: &to, middles: map[[2]uint32]uint32{}}
		d.moved = uint32(len(to.Positions)) - uint32(part.FirstVertex)
		firstVertex, firstTriangle := len(to.Positions), len(to.Triangles)
		for v := range part.VertexCount {
			d.blend(uint32(part.FirstVertex+v), uint32(part.FirstVertex+v))
		}
		for _, t := range from.Triangles[part.FirstTriangle : part.FirstTriangle+part.TriangleCount] {
			a, b, c := d.middle(t[0], t[1]), d.middle(t[1], t[2]), d.middle(t[2], t[0])
			u, v, w := t[0]+d.moved, t[1]+d.moved, t[2]+d.moved
			to.Triangles = append(to.Triangles, [3]uint32{u, a, c}, [3]uint32{a, v, b}, [3]uint32{c, b, w}, [3]uint32{a, b, c})
		}
		part.FirstVertex, part.VertexCount = firstVertex, len(to.Positions)-firstVertex
		part.FirstTriangle, part.TriangleCount = firstTriangle, len(to.Triangles)-firstTriangle
		to.Parts = append(to.Parts, part)
	}
	return to
}

// divider makes the vertices of a part.
type divider struct {
	from, to *skinning.Mesh
	moved    uint32 // index of a vertex in to less that in from, modulo 2³²
	middles  map[[2]uint32]uint32
	raw      []skinning.Influence
}

// middle returns the vertex of to that halves an edge of from.
func (d *divider) middle(a, b uint32) uint32 {
	edge := [2]uint32{min(a, b), max(a, b)}
	at, ok := d.middles[edge]
	if !ok {
		at = uint32(len(d.to.Positions))
		d.middles[edge] = at
		d.blend(edge[0], edge[1])
	}
	return at
}

// blend adds the mean of two vertices, which are the same for a copy.
func (d *divider) blend(a, b uint32) {
	from, to := d.from, d.to
	to.Positions = append(to.Positions, from.Positions[a].Add(from.Positions[b]).Mul(0.5))
	n := from.Normals[a].Add(from.Normals[b])
	if length := n.Len(); length > 1e-3 { // two normals that are opposite have no mean
		n = n.Mul(1 / length)
	} else {
		n = from.Normals[a]
	}
	to.Normals = append(to.Normals, n)
	if from.UVs != nil {
		to.UVs = append(to.UVs, mgl32.Vec2.Mul(from.UVs[a].Add(from.UVs[b]), 0.5))
	}
	if from.SecondUVs != nil {
		to.SecondUVs = append(to.SecondUVs, mgl32.Vec2.Mul(from.SecondUVs[a].Add(from.SecondUVs[b]), 0.5))
	}
	if from.Colors != nil {
		var mean skinning.Color
		for k := range mean {
			mean[k] = uint16((uint32(from.Colors[a][k]) + uint32(from.Colors[b][k])) / 2)
		}
		to.Colors = append(to.Colors, mean)
	}
	if from.Tangents != nil { // its length does not matter
		t := from.Tangents[a].Vec3().Add(from.Tangents[b].Vec3()).Mul(0.5)
		to.Tangents = append(to.Tangents, t.Vec4(from.Tangents[a][3]))
	}
	d.bind(&to.Influences, &from.Influences, int(a), int(b))
	for i := range from.Inputs {
		in, half := &from.Inputs[i], &to.Inputs[i]
		if in.Components == 0 {
			d.bind(&half.Weights, &in.Weights, int(a), int(b))
		}
		for k := range in.Components {
			half.Values = append(half.Values, (in.Values[in.Components*int(a)+k]+in.Values[in.Components*int(b)+k])/2)
		}
	}
}

// bind adds the mean of the influences of two vertices in a weight set.
func (d *divider) bind(to, from *skinning.Influences, a, b int) {
	d.raw = from.Of(d.raw[:0], a)
	if a != b {
		d.raw = from.Of(d.raw, b)
		d.raw = strongest(d.raw)
	}
	to.Append(d.raw, 0)
}

// strongest sums the influences of each joint, in place, and returns the four strongest. Among equals the first wins.
func strongest(raw []skinning.Influence) []skinning.Influence {
	n := 0
	for _, x := range raw {
		k := 0
		for k < n && raw[k].Joint != x.Joint {
			k++
		}
		if k < n {
			raw[k].Weight += x.Weight
		} else {
			raw[n] = x
			n++
		}
	}
	raw = raw[:n]
	for i := range raw { // insertion sort: eight at most, as a rule
		for k := i; k > 0 && raw[k].Weight > raw[k-1].Weight; k-- {
			raw[k], raw[k-1] = raw[k-1], raw[k]
		}
	}
	return raw[:min(n, 4)]
}
