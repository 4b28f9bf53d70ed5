package enveloping

import "slices"

// neighboursOf returns the 1-ring of each of n vertices: those at the other ends of its triangles' edges, ascending.
func neighboursOf(triangles [][3]uint32, n int) [][]int32 {
	out := make([][]int32, n)
	for _, t := range triangles {
		for k, v := range t {
			for _, u := range [...]uint32{t[(k+1)%3], t[(k+2)%3]} {
				if u != v {
					out[v] = append(out[v], int32(u))
				}
			}
		}
	}
	for v := range out {
		slices.Sort(out[v])
		out[v] = slices.Compact(out[v])
	}
	return out
}
