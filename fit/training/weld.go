package training

import "github.com/go-gl/mathgl/mgl64"

// weldNear is the largest distance between copies of a vertex in a shape, as a share of the diagonal: a tenth of a
// millimetre on a person. Copies whose weights differ by 1e-4, as in files with four decimals, come 1.3e-5 apart in the
// run of the fox; fitted one by one, proxy bones took them 1.1e-2 apart.
const weldNear = 5e-5

// Weld finds the points of a mesh: its vertices without the copies into which files split them along seams. If copies
// were solved for one by one, they would come apart and the surface would open. Copies lie at the same place in the
// rest pose, and within weldNear of it in every shape. The rest pose has one place per vertex,
// shapes are [example][vertex]; diagonal is that of the rest pose, metres.
//
// It returns the point of each vertex, and the first vertex of each point. Points are in the order of their first
// vertices.
func Weld(rest []mgl64.Vec3, shapes [][]mgl64.Vec3, diagonal float64) (point, first []int) {
	near := weldNear * diagonal
	point = make([]int, len(rest))
	at := make(map[mgl64.Vec3][]int, len(rest)) // points at a place
	for v, place := range rest {
		point[v] = -1
		for _, k := range at[place] {
			if together(shapes, v, first[k], near) {
				point[v] = k
				break
			}
		}
		if point[v] < 0 {
			point[v] = len(first)
			at[place] = append(at[place], len(first))
			first = append(first, v)
		}
	}
	return point, first
}

// together reports whether two vertices lie at the same place in every shape.
func together(shapes [][]mgl64.Vec3, a, b int, near float64) bool {
	for _, shape := range shapes {
		if !(shape[a].Sub(shape[b]).Len() <= near) {
			return false
		}
	}
	return true
}
