package metrics

import (
	"fmt"
	"math"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
	"skinlab/skinning/messages"
)

// Body is a surface with its holes closed, so that its volume does not depend on where it is. Each rim, a connected
// part of the border, is closed by a fan of triangles from its edges to the mean of their ends. The border of a
// surface goes into every vertex as often as out of it, so the fans close rims of any form. A Body is read-only once
// made.
type Body struct {
	triangles [][3]uint32
	rims      []rim
	against   int // see EdgesAgainst
}

// rim is one connected part of the border: edges as the triangles inside go round them.
type rim struct{ edges [][2]uint32 }

// NewBody finds the holes of a surface at rest. It keeps the triangles.
func NewBody(rest []mgl32.Vec3, triangles [][3]uint32) *Body {
	rims, against := findRims(rest, triangles)
	return &Body{triangles, rims, against}
}

// SkinBody is the body of a model's whole skin.
func SkinBody(m *skinning.Model) *Body { return NewBody(m.Skin.Positions, m.Skin.Triangles) }

// OpenEdges returns the number of edges that do not join two triangles: 0 for a closed surface.
func (b *Body) OpenEdges() (n int) {
	for i := range b.rims {
		n += len(b.rims[i].edges)
	}
	return n - 2*b.against
}

// EdgesAgainst returns the number of edges that join two triangles of opposite orientation, as where a triangle is
// turned over. They are rims of both: volumes are those of the surface cut there, with the cuts closed.
func (b *Body) EdgesAgainst() int { return b.against }

// Notes says how many edges are open or wind against each other, and how volumes are measured there.
func (b *Body) Notes() (notes []string) {
	if n := b.OpenEdges(); n > 0 {
		notes = append(notes, fmt.Sprintf("The skin is open at %s: volumes are measured with the holes closed.",
			messages.Count(n, "edge", "edges")))
	}
	if b.against > 0 {
		notes = append(notes, fmt.Sprintf("Triangles wind against each other at %s: volumes are measured with the skin cut "+
			"there, and the cuts closed.", messages.Count(b.against, "edge", "edges")))
	}
	return notes
}

// Volume returns the signed volume in m³ of a posed body, positive for outward-facing triangles. Positions are those of
// all vertices of its surface. It sums tetrahedra in float64, and allocates nothing.
func Volume[P ~[3]S, S float32 | float64](b *Body, positions []P) (sum float64) {
	if len(b.triangles) == 0 {
		return 0
	}
	at := func(v uint32) mgl64.Vec3 {
		p := positions[v]
		return mgl64.Vec3{float64(p[0]), float64(p[1]), float64(p[2])}
	}
	// Seen from a corner of the body, the tetrahedra are no larger than it: less is cancelled.
	origin := at(b.triangles[0][0])
	for _, t := range b.triangles {
		sum += at(t[0]).Sub(origin).Dot(at(t[1]).Sub(origin).Cross(at(t[2]).Sub(origin)))
	}
	for i := range b.rims {
		edges := b.rims[i].edges
		var middle mgl64.Vec3
		for _, e := range edges {
			middle = middle.Add(at(e[0]).Sub(origin)).Add(at(e[1]).Sub(origin))
		}
		middle = middle.Mul(0.5 / float64(len(edges)))
		for _, e := range edges {
			sum += middle.Dot(at(e[1]).Sub(origin).Cross(at(e[0]).Sub(origin))) // the fan goes round the edge the other way
		}
	}
	return sum / 6
}

// leastVolume is the volume below which a surface counts as enclosing none, as a fraction of the diagonal's cube: the
// rounding of float32 positions. A rod a thousand times as long as thick has 3e-6.
const leastVolume = 1e-7

// RestVolume returns the volume against which posed volumes are measured: the volume of the rest pose, or 0 where the
// rest pose encloses none. The ratio of the volumes of a cloth or a torn mesh would be one of roundings.
func RestVolume(volume, diagonal float64) float64 {
	if math.Abs(volume) > leastVolume*diagonal*diagonal*diagonal {
		return volume
	}
	return 0
}

// findRims returns the edges of triangles that no other triangle has the other way round, by connected parts, and the
// number of pairs of equal ones among them: edges of two triangles that wind against each other. Vertices in the same
// place count as one: files split them along the seams of textures.
func findRims(positions []mgl32.Vec3, triangles [][3]uint32) (rims []rim, against int) {
	place := map[mgl32.Vec3]uint32{} // the first vertex at each place stands for all
	at := func(v uint32) uint32 {
		first, ok := place[positions[v]]
		if !ok {
			place[positions[v]] = v
			return v
		}
		return first
	}
	open, edges := map[[2]uint32]int{}, [][2]uint32{}
	for _, t := range triangles {
		corners := [3]uint32{at(t[0]), at(t[1]), at(t[2])}
		for k := range corners {
			a, b := corners[k], corners[(k+1)%3]
			switch {
			case a == b:
			case open[[2]uint32{b, a}] > 0:
				open[[2]uint32{b, a}]--
			default:
				open[[2]uint32{a, b}]++
				edges = append(edges, [2]uint32{a, b})
			}
		}
	}
	// Connected parts: every vertex points towards the one that stands for its part.
	parent := map[uint32]uint32{}
	find := func(v uint32) uint32 {
		for {
			p, ok := parent[v]
			if !ok || p == v {
				return v
			}
			if next, ok := parent[p]; ok {
				parent[v] = next // halve the path
			}
			v = p
		}
	}
	for _, e := range edges {
		if open[e] > 0 {
			parent[find(e[0])] = find(e[1])
		}
	}
	number := map[uint32]int{}
	for _, e := range edges {
		if open[e] == 0 {
			continue
		}
		if open[e]%2 == 0 {
			against++
		}
		open[e]--
		part := find(e[0])
		i, ok := number[part]
		if !ok {
			i = len(rims)
			number[part], rims = i, append(rims, rim{})
		}
		rims[i].edges = append(rims[i].edges, e)
	}
	return rims, against
}
