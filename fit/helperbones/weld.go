package helperbones

import "github.com/go-gl/mathgl/mgl64"

// weldNear is how far apart copies of a vertex may lie in the examples, as a share of the diagonal: some roundings to
// float32.
const weldNear = 1e-6

// points are the vertices without the copies into which files split them along seams. Copies lie at the same place at
// rest and in every example. They get the same weights, so that seams stay closed, and a ring goes across a seam.
type points struct {
	of     []int     // the point of each vertex
	vertex []int     // a vertex of each point
	copies []float64 // the number of vertices of each point
}

// weld finds the points of examples.
func weld(x *Examples, near float64) *points {
	p := &points{of: make([]int, len(x.Rest))}
	at := make(map[mgl64.Vec3][]int, len(x.Rest)) // points at a place
	for v, place := range x.Rest {
		k := -1
		for _, other := range at[place] {
			if x.together(v, p.vertex[other], near) {
				k = other
				break
			}
		}
		if k < 0 {
			k = len(p.vertex)
			p.vertex, p.copies = append(p.vertex, v), append(p.copies, 0)
			at[place] = append(at[place], k)
		}
		p.of[v] = k
		p.copies[k]++
	}
	return p
}

// together reports whether two vertices lie at the same place in every example.
func (x *Examples) together(a, b int, near float64) bool {
	for n := range x.Targets {
		if !(x.Targets[n][a].Sub(x.Targets[n][b]).Len() <= near) {
			return false
		}
	}
	return true
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
