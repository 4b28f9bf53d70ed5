package limbs

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning/parallel"
)

// MostParts is the largest number of parts that [Links] joins in reasonable time.
const MostParts = bridgeEnds

// bridgeEnds is about the number of vertices between which bridges are searched: all vertices of a small mesh, and
// every second, third and so on of each part of a larger one. Computing their distances takes 20 ms.
const bridgeEnds = 4096

// Links returns the neighbours of each vertex: its ring and, if the mesh has several parts, bridges between these, so
// that all vertices are connected. A bridge is an edge from a vertex of one part to a vertex of another. The bridges
// are a minimum spanning tree of the parts by their lengths in the given shape.
func Links(rings [][]int32, shape []mgl64.Vec3, workers int) [][]int32 {
	out := slices.Clone(rings)
	parts := Parts(rings)
	if len(parts) == 1 {
		return out
	}
	step := (len(shape) + bridgeEnds - 1) / bridgeEnds
	part := make([]int, len(out))
	largest := 0
	for k, vertices := range parts {
		if len(vertices) > len(parts[largest]) {
			largest = k
		}
		for _, v := range vertices {
			part[v] = k
		}
	}
	ends := make([][]int, len(parts))
	var outside []int // ends that are not connected to the largest part yet
	for k, vertices := range parts {
		for at := 0; at < len(vertices); at += step {
			ends[k] = append(ends[k], vertices[at])
		}
		if k != largest {
			outside = append(outside, ends[k]...)
		}
	}
	nearest, distance := make([]int, len(out)), make([]float64, len(out))
	for v := range distance {
		distance[v] = math.Inf(1)
	}
	for joined := ends[largest]; len(outside) > 0; {
		parallel.For(workers, parallel.Chunks(len(outside)), func(_, chunk int) {
			lo, hi := parallel.Chunk(chunk, len(outside))
			for _, v := range outside[lo:hi] {
				for _, u := range joined {
					d := shape[u].Sub(shape[v])
					if square := d.Dot(d); square < distance[v] {
						nearest[v], distance[v] = u, square
					}
				}
			}
		})
		next := outside[0]
		for _, v := range outside {
			if distance[v] < distance[next] {
				next = v
			}
		}
		u := nearest[next]
		out[next] = append(slices.Clip(out[next]), int32(u))
		out[u] = append(slices.Clip(out[u]), int32(next))
		joined = ends[part[next]]
		outside = slices.DeleteFunc(outside, func(v int) bool { return part[v] == part[next] })
	}
	return out
}

// Parts returns the vertices of each connected part of a graph.
func Parts(rings [][]int32) (parts [][]int) {
	seen := make([]bool, len(rings))
	for first := range rings {
		if seen[first] {
			continue
		}
		seen[first] = true
		here := []int{first}
		for next := 0; next < len(here); next++ {
			for _, u := range rings[here[next]] {
				if !seen[u] {
					seen[u] = true
					here = append(here, int(u))
				}
			}
		}
		parts = append(parts, here)
	}
	return parts
}
