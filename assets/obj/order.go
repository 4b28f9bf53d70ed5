package obj

import (
	"cmp"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/assets/fault"
)

// CheckOrder finds two vertices that are exchanged in a shape whose other vertices are in order. The edges around each
// are much longer than at rest, and nearly all of that would be repaired by exchanging the two again. Rest has the
// mesh's positions, one for each vertex of the shape. The error wraps [fault.ErrMalformed] and names the surest pair,
// counted from 1.
//
// It does not find vertices in a shape whose noise is as large as its edges, nor vertices whose exchange hardly
// lengthens edges. Shorter edges do not count, because at a joint that bends, edges shrink to a fifth of their length.
func (o *Shape) CheckOrder(rest []mgl64.Vec3, triangles [][3]uint32) error {
	if a, b, ok := newOrder(rest, o.Positions, triangles).swapped(); ok {
		return fault.Malformed("vertices %d and %d have changed places: each fits among the neighbours of the other", a+1,
			b+1)
	}
	return nil
}

const (
	// swapStrain is the least strain, see [order.strain], of a vertex out of place: a vertex of a regular grid that
	// changes places with a neighbour has 0.18, one of a grid whose edges are short in that direction alone 0.08. So
	// 88 % of pairs of neighbours are found, with 0.1 in its place 76 %. The strain must also be at least swapRough
	// times that of the median vertex, because in a noisy shape all strains are large.
	swapStrain = 0.03
	swapRough  = 10
	// swapGain is the share of both vertices' strains that may remain when they are exchanged again. With 0.15 vertices
	// that are in order are named where each is off by a fifth of an edge.
	swapGain = 0.1
	// swapWork bounds the edges of pairs that are examined, for each vertex of the mesh on average. Shapes in random
	// order reach it.
	swapWork = 1000
)

// order looks for vertices that have changed places.
type order struct {
	posed []mgl64.Vec3
	place []uint32     // of each vertex: the first that is in the same place at rest, as copies along seams are
	rings [][]ringEdge // of the vertices in such a place, at the first of them
	scale float64      // the median of the logarithms by which edges are longer than at rest
}

// ringEdge leads from a vertex to a neighbour, once for each triangle.
type ringEdge struct {
	to   uint32
	rest float64 // its length, metres
}

func newOrder(rest, posed []mgl64.Vec3, triangles [][3]uint32) *order {
	o := &order{posed: posed, place: make([]uint32, len(rest)), rings: make([][]ringEdge, len(rest))}
	first := make(map[mgl64.Vec3]uint32, len(rest))
	for v, p := range rest {
		if _, ok := first[p]; !ok {
			first[p] = uint32(v)
		}
		o.place[v] = first[p]
	}
	var longer []float64
	for _, t := range triangles {
		for c, a := range t {
			b := t[(c+1)%3]
			length, now := rest[b].Sub(rest[a]).Len(), posed[b].Sub(posed[a]).Len()
			if !(length > 0) {
				continue // two corners in one place
			}
			from, to := &o.rings[o.place[a]], &o.rings[o.place[b]]
			*from, *to = append(*from, ringEdge{b, length}), append(*to, ringEdge{a, length})
			if now > 0 {
				longer = append(longer, math.Log(now/length))
			}
		}
	}
	if len(longer) > 0 {
		slices.Sort(longer)
		o.scale = longer[len(longer)/2]
	}
	return o
}

// strain returns the mean square of the logarithms by which the edges around vertex v are longer than at rest and than
// the median edge is, 0 for shorter ones, if v were at p and vertex u at q.
func (o *order) strain(v uint32, p mgl64.Vec3, u uint32, q mgl64.Vec3) (sum float64) {
	ring := o.rings[o.place[v]]
	for _, e := range ring {
		end := o.posed[e.to]
		if e.to == u {
			end = q
		}
		if d := math.Log(end.Sub(p).Len()/e.rest) - o.scale; d > 0 {
			sum += d * d
		}
	}
	return sum / float64(max(len(ring), 1))
}

// suspect is a vertex that may be out of place.
type suspect struct {
	vertex uint32
	strain float64
	middle mgl64.Vec3 // of its neighbours
	reach  float64    // the farthest from there that it may belong, metres
}

// suspects returns the vertices of much strain, in the order of their x.
func (o *order) suspects() (all []suspect) {
	strains := make([]float64, len(o.posed))
	for v, p := range o.posed {
		strains[v] = o.strain(uint32(v), p, uint32(v), p)
	}
	sorted := slices.Sorted(slices.Values(strains))
	least := max(swapStrain, swapRough*sorted[len(sorted)/2])
	for v, strain := range strains {
		if !(strain > least) {
			continue
		}
		s := suspect{vertex: uint32(v), strain: strain}
		ring := o.rings[o.place[v]]
		for _, e := range ring {
			s.middle = s.middle.Add(o.posed[e.to].Mul(1 / float64(len(ring))))
			s.reach = math.Max(s.reach, 2*math.Exp(o.scale)*e.rest)
		}
		all = append(all, s)
	}
	slices.SortStableFunc(all, func(a, b suspect) int { return cmp.Compare(o.posed[a.vertex][0], o.posed[b.vertex][0]) })
	return all
}

// swapped returns the two vertices that surest have changed places.
func (o *order) swapped() (a, b uint32, ok bool) {
	all, least, work := o.suspects(), swapGain, swapWork*len(o.posed)
	for _, s := range all {
		first, _ := slices.BinarySearchFunc(all, s.middle[0]-s.reach,
			func(u suspect, x float64) int { return cmp.Compare(o.posed[u.vertex][0], x) })
		for _, u := range all[first:] {
			p, q := o.posed[s.vertex], o.posed[u.vertex]
			if q[0] > s.middle[0]+s.reach || work < 0 {
				break
			}
			work--
			if u.vertex == s.vertex || !(q.Sub(s.middle).Len() <= s.reach) {
				continue
			}
			work -= len(o.rings[o.place[s.vertex]]) + len(o.rings[o.place[u.vertex]])
			left := o.strain(s.vertex, q, u.vertex, p) / s.strain
			if left < least {
				left = max(left, o.strain(u.vertex, p, s.vertex, q)/u.strain)
			}
			if left < least {
				a, b, least, ok = min(s.vertex, u.vertex), max(s.vertex, u.vertex), left, true
			}
		}
	}
	return a, b, ok
}
