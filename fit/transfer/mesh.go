package transfer

import (
	"math"

	"skinlab/skinning/geom"

	"github.com/go-gl/mathgl/mgl64"
)

// mesh holds the properties of a mesh that do not change with its shape.
type mesh struct {
	triangles [][3]uint32
	border    [][3]bool // of each triangle: its side from corner k to the next joins no other triangle
}

// places returns, for every vertex, the first vertex with the same position. These are one point of the surface, which
// files split along the seams of textures.
func places(positions []mgl64.Vec3) []uint32 {
	first := make(map[mgl64.Vec3]uint32, len(positions))
	place := make([]uint32, len(positions))
	for v, p := range positions {
		if _, ok := first[p]; !ok {
			first[p] = uint32(v)
		}
		place[v] = first[p]
	}
	return place
}

// newMesh finds the borders.
func newMesh(positions []mgl64.Vec3, triangles [][3]uint32) *mesh {
	place := places(positions)
	side := func(t [3]uint32, k int) [2]uint32 {
		a, b := place[t[k]], place[t[(k+1)%3]]
		return [2]uint32{min(a, b), max(a, b)}
	}
	count := make(map[[2]uint32]int, 2*len(triangles))
	for _, t := range triangles {
		for k := range t {
			count[side(t, k)]++
		}
	}
	m := &mesh{triangles: triangles, border: make([][3]bool, len(triangles))}
	for i, t := range triangles {
		for k := range t {
			m.border[i][k] = count[side(t, k)] == 1
		}
	}
	return m
}

// onBorder reports whether a point lies on the border of a hole. The missing surface beyond the border may be nearer.
func (m *mesh) onBorder(p *point) bool {
	for k, border := range m.border[p.triangle] {
		if border && p.weights[(k+2)%3] == 0 {
			return true
		}
	}
	return false
}

// vertexAreas returns a third of the area of the triangles around each vertex.
func vertexAreas(positions []mgl64.Vec3, triangles [][3]uint32) []float64 {
	areas := make([]float64, len(positions))
	for _, t := range triangles {
		share := areaVector(positions, t).Len() / 6
		for _, v := range t {
			areas[v] += share
		}
	}
	return areas
}

// vertexNormals returns the unit normals of the vertices, by area; zero for a vertex without any.
func vertexNormals(positions []mgl64.Vec3, triangles [][3]uint32) []mgl64.Vec3 {
	normals := make([]mgl64.Vec3, len(positions))
	for _, t := range triangles {
		n := areaVector(positions, t)
		for _, v := range t {
			normals[v] = normals[v].Add(n)
		}
	}
	for v, n := range normals {
		if length := n.Len(); length > 0 {
			normals[v] = n.Mul(1 / length)
		}
	}
	return normals
}

// sample chooses vertices, at most most, spread evenly over the area. It adds up the areas in the order of the mesh,
// and takes a vertex for each equal part of the sum. Vertices without area are never chosen.
func sample(areas []float64, most int) (chosen []int) {
	sum := 0.0
	for _, a := range areas {
		sum += a
	}
	part, reached := sum/float64(most), 0.0
	next := part / 2
	for v, a := range areas {
		reached += a
		if reached > next && a > 0 {
			chosen = append(chosen, v)
			next = part*math.Floor(reached/part+0.5) + part/2
		}
	}
	return chosen
}

// diagonal returns the diagonal of the bounding box.
func diagonal(points []mgl64.Vec3) float64 {
	lo, hi := geom.Bounds(points)
	return hi.Sub(lo).Len()
}

// pick returns some elements of a list.
func pick[T any](list []T, which []int) []T {
	out := make([]T, len(which))
	for i, w := range which {
		out[i] = list[w]
	}
	return out
}

// shareOut divides weights by their sum.
func shareOut(weights []float64) []float64 {
	sum := 0.0
	for _, w := range weights {
		sum += w
	}
	for i := range weights {
		weights[i] /= sum
	}
	return weights
}
