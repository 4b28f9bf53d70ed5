package ssdr

import "skinlab/fit/training"

// points are the vertices without their copies, see [training.Weld]. Copies get the same weights, so that seams stay
// closed, and a ring goes across a seam.
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

// rings returns the neighbours of each point over the edges of the triangles, in ascending order.
func (p *points) rings(triangles [][3]uint32) [][]int {
	out := make([][]int, len(p.vertex))
	for _, t := range triangles {
		for c := range t {
			a, b := p.of[t[c]], p.of[t[(c+1)%3]]
			if a != b {
				out[a], out[b] = append(out[a], b), append(out[b], a)
			}
		}
	}
	for k := range out {
		out[k] = sortedSet(out[k])
	}
	return out
}
