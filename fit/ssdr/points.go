package ssdr

import (
	"slices"

	"skinlab/fit/training"
)

// points are the vertices without their copies, see [training.Weld]. Copies get the same weights, so that seams stay
// closed, and neighbours are found across a seam.
type points struct {
	of     []int     // the point of each vertex
	vertex []int     // the first vertex of each point
	copies []float64 // the number of vertices of each point
}

// pointsOf finds the points of examples whose rest pose has that diagonal, metres.
func pointsOf(x *Examples, diagonal float64) *points {
	p := &points{}
	p.of, p.vertex = training.Weld(x.Rest, x.Targets, diagonal)
	p.copies = make([]float64, len(p.vertex))
	for _, k := range p.of {
		p.copies[k]++
	}
	return p
}

// patches returns each of the centres, followed by its neighbours over the edges of the triangles in ascending order.
func (p *points) patches(triangles [][3]uint32, centres []int) [][]int {
	out, at := make([][]int, len(centres)), make(map[int]int, len(centres))
	for i, k := range centres {
		at[k] = i
	}
	for _, t := range triangles {
		for c := range t {
			a, b := p.of[t[c]], p.of[t[(c+1)%3]]
			if i, ok := at[a]; ok && a != b {
				out[i] = append(out[i], b)
			}
			if i, ok := at[b]; ok && a != b {
				out[i] = append(out[i], a)
			}
		}
	}
	for i, k := range centres {
		slices.Sort(out[i])
		out[i] = append([]int{k}, slices.Compact(out[i])...)
	}
	return out
}
