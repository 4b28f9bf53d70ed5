package metrics

import (
	"slices"

	"github.com/go-gl/mathgl/mgl32"
)

// OpenEdges returns the number of edges of a surface that do not join two triangles of the same orientation. A surface
// with none is closed, and [Volume] is the volume that it encloses. Vertices in the same place count as one, since
// files split them along the seams of textures, and triangles without area do not count.
func OpenEdges(positions []mgl32.Vec3, triangles [][3]uint32) int {
	place := make(map[mgl32.Vec3]uint32, len(positions))
	welded := make([]uint32, len(positions))
	for v, p := range positions {
		at, ok := place[p]
		if !ok {
			at = uint32(len(place))
			place[p] = at
		}
		welded[v] = at
	}
	// An edge in one direction has a key with an even last bit, and in the other direction one with an odd last bit. On
	// a closed surface there are equally many of both.
	edges := make([]uint64, 0, 3*len(triangles))
	for _, t := range triangles {
		a, b, c := welded[t[0]], welded[t[1]], welded[t[2]]
		if a == b || b == c || c == a {
			continue
		}
		edges = append(edges, edgeKey(a, b), edgeKey(b, c), edgeKey(c, a))
	}
	slices.Sort(edges)
	open := 0
	for i := 0; i < len(edges); {
		balance, k := 0, i
		for ; k < len(edges) && edges[k]>>1 == edges[i]>>1; k++ {
			balance += 1 - 2*int(edges[k]&1)
		}
		open += max(balance, -balance)
		i = k
	}
	return open
}

// edgeKey combines two places, the lower one first. The last bit says whether they were in that order. Places are below
// 2³¹.
func edgeKey(a, b uint32) uint64 {
	if a < b {
		return uint64(a)<<32 | uint64(b)<<1
	}
	return uint64(b)<<32 | uint64(a)<<1 | 1
}
