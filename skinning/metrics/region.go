package metrics

import (
	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// Region is the part of a skin that bends where a joint turns, as a closed body. Its volume shows a collapse that would
// hardly change the volume of the whole skin. It is read-only once made.
//
// When a joint turns, all joints below it turn with it. A vertex bound only to those, or to none of them, moves
// rigidly. The region is the triangles with a corner that is bound to both sides. Its rim, where the rest of the skin
// begins, is closed by a fan of triangles from each loop to the loop's middle. The rim moves almost rigidly. The volume
// of a closed surface does not depend on its position; a cone from the joint's centre over a rim that is not flat would
// not have this property.
type Region struct {
	triangles [][3]uint32
	rims      []rim
}

// rim is one connected part of the border: edges as the triangles inside go round them.
type rim struct{ edges [][2]uint32 }

// bound is the weight of one side below which a vertex counts as bound to the other side only.
const bound = 0.01

// NewRegion finds the region of a joint. It is empty where the skin follows the joint rigidly, or not at all.
func NewRegion(m *skinning.Model, joint int) *Region {
	turns := below(&m.Skeleton, joint)
	mixed := make([]bool, len(m.Skin.Positions))
	var influences []skinning.Influence
	for v := range mixed {
		influences = m.Skin.Of(influences[:0], v)
		sum := float32(0)
		for _, i := range influences {
			if turns[i.Joint] {
				sum += i.Weight
			}
		}
		mixed[v] = sum > bound && sum < 1-bound
	}
	r := &Region{}
	for _, t := range m.Skin.Triangles {
		if mixed[t[0]] || mixed[t[1]] || mixed[t[2]] {
			r.triangles = append(r.triangles, t)
		}
	}
	r.rims = findRims(m.Skin.Positions, r.triangles)
	return r
}

// below marks the joints whose nodes turn with a joint's: its own node and all below.
func below(s *skinning.Skeleton, joint int) []bool {
	nodes := make([]bool, len(s.Nodes))
	for _, n := range s.Order { // parents first
		p := s.Nodes[n].Parent
		nodes[n] = n == s.Joints[joint].Node || p >= 0 && nodes[p]
	}
	joints := make([]bool, len(s.Joints))
	for j := range joints {
		joints[j] = nodes[s.Joints[j].Node]
	}
	return joints
}

// findRims returns the edges of triangles that no other triangle has the other way round, by connected parts. Vertices
// in the same place count as one: files split them along the seams of textures.
func findRims(positions []mgl32.Vec3, triangles [][3]uint32) (rims []rim) {
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
		open[e]--
		part := find(e[0])
		i, ok := number[part]
		if !ok {
			i = len(rims)
			number[part], rims = i, append(rims, rim{})
		}
		rims[i].edges = append(rims[i].edges, e)
	}
	return rims
}

// Volume returns the signed volume in m³ of the region with its rims closed, for posed positions of the whole skin. It
// allocates nothing.
func (r *Region) Volume(positions []mgl32.Vec3) float64 {
	if len(r.triangles) == 0 {
		return 0
	}
	// Seen from a corner of the region, the tetrahedra are no larger than it: less is cancelled.
	origin := geom.Vec64(positions[r.triangles[0][0]])
	sum := volumeFrom(origin, positions, r.triangles)
	for i := range r.rims {
		edges := r.rims[i].edges
		var middle mgl64.Vec3
		for _, e := range edges {
			middle = middle.Add(geom.Vec64(positions[e[0]]).Sub(origin)).Add(geom.Vec64(positions[e[1]]).Sub(origin))
		}
		middle = middle.Mul(0.5 / float64(len(edges)))
		for _, e := range edges {
			a, b := geom.Vec64(positions[e[0]]).Sub(origin), geom.Vec64(positions[e[1]]).Sub(origin)
			sum += middle.Dot(b.Cross(a)) // the fan goes round the edge the other way
		}
	}
	return sum / 6
}
