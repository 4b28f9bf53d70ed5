package anatomy

import (
	"cmp"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// Plane is the points x with Normal·x = Offset, in rest space; Normal is of unit length.
type Plane struct {
	Normal mgl64.Vec3
	Offset float64 // metres
}

// Reflect mirrors a point.
func (p Plane) Reflect(x mgl64.Vec3) mgl64.Vec3 {
	return x.Sub(p.Normal.Mul(2 * p.Distance(x)))
}

// Distance is positive on the side that Normal points to.
func (p Plane) Distance(x mgl64.Vec3) float64 { return p.Normal.Dot(x) - p.Offset }

// affine is the reflection as a matrix, its own inverse.
func (p Plane) affine() geom.Affine {
	n := p.Normal
	m := geom.Identity3()
	for r := range 3 {
		for c := range 3 {
			m[3*r+c] -= 2 * n[r] * n[c]
		}
	}
	return geom.NewAffine(m, n.Mul(2*p.Offset))
}

// Tolerances of the search for mirror images, as fractions of the size of the skeleton. The penalties decide in cases
// that distances cannot decide: joints in one place, and names that contradict the positions. An example is CesiumMan,
// whose arm joints are numbered from the shoulder on one side and from the hand on the other.
const (
	symmetricWithin = 0.02  // mirror images whose names say nothing
	namedWithin     = 0.10  // mirror images by name: rest poses are not always symmetric
	centralWithin   = 0.005 // from the plane: a joint of the middle
	looseNames      = 0.005
	noNames         = 0.01
	otherNames      = 0.02
	otherParents    = 0.03
)

// symmetry finds the mirror images of a model's nodes.
type symmetry struct {
	s     *skinning.Skeleton
	at    []mgl64.Vec3 // per node, rest space
	size  float64      // diagonal of the box around at
	sides []side       // per node
	stems []string
	plane Plane
	pair  []int // per node: its mirror image, itself in the middle, −1 for none or not yet
}

func newSymmetry(s *skinning.Skeleton, at []mgl64.Vec3) *symmetry {
	y := &symmetry{s: s, at: at, sides: make([]side, len(at)), stems: make([]string, len(at))}
	for i := range at {
		y.sides[i], y.stems[i] = sideName(s.Nodes[i].Name)
	}
	y.size = spread(y.places())
	p, named := y.namedPlane(func(stem string) string { return stem })
	if !named {
		p, named = y.namedPlane(looseStem)
	}
	y.plane = p
	if named {
		y.findPairs()
	} else {
		y.searchPlane()
	}
	return y
}

// places returns the positions of the joints or, without joints, of the nodes.
func (y *symmetry) places() []mgl64.Vec3 {
	if len(y.s.Joints) == 0 {
		return y.at
	}
	out := make([]mgl64.Vec3, len(y.s.Joints))
	for j := range out {
		out[j] = y.at[y.s.Joints[j].Node]
	}
	return out
}

// spread is the diagonal of the box around points.
func spread(points []mgl64.Vec3) float64 {
	lo, hi := geom.Bounds(points)
	return hi.Sub(lo).Len()
}

// searchPlane tries the planes across x, z and y, in this order, through the middle of the skeleton and through the
// origin, and keeps the first that leaves the fewest nodes without an image: for skeletons whose names speak of no
// side.
func (y *symmetry) searchPlane() {
	places := y.places()
	var best Plane
	var pairs []int
	most := -1
	for _, c := range []int{0, 2, 1} {
		lo, hi := math.Inf(1), math.Inf(-1)
		for _, p := range places {
			lo, hi = math.Min(lo, p[c]), math.Max(hi, p[c])
		}
		for _, offset := range []float64{(lo + hi) / 2, 0} {
			if math.IsNaN(offset) || math.IsInf(offset, 0) { // no nodes
				continue
			}
			y.plane = Plane{Offset: offset}
			y.plane.Normal[c] = 1
			y.findPairs()
			count := 0
			for _, k := range y.pair {
				if k >= 0 {
					count++
				}
			}
			if count > most {
				best, most, pairs = y.plane, count, y.pair
			}
		}
	}
	y.plane, y.pair = best, pairs
}

// namedPlane is the plane between the joints that are mirror images by name: its normal is their mean difference,
// snapped to an axis within 3 degrees, and it passes through the median of their middles. Names are compared by the
// keys of their stems.
func (y *symmetry) namedPlane(key func(stem string) string) (Plane, bool) {
	left := make(map[string]int)
	for i := range y.at {
		if y.sides[i] == leftSide {
			left[key(y.stems[i])] = i
		}
	}
	var sum mgl64.Vec3
	var middles []mgl64.Vec3
	for i := range y.at {
		if y.sides[i] != rightSide {
			continue
		}
		if k, ok := left[key(y.stems[i])]; ok {
			sum = sum.Add(y.at[k].Sub(y.at[i]))
			middles = append(middles, y.at[k].Add(y.at[i]).Mul(0.5))
		}
	}
	if len(middles) == 0 || !(sum.Len() > 1e-6*y.size*float64(len(middles))) {
		return Plane{}, false
	}
	p := Plane{Normal: sum.Normalize()}
	for c := range p.Normal {
		if math.Abs(p.Normal[c]) > math.Cos(3*math.Pi/180) {
			sign := math.Copysign(1, p.Normal[c])
			p.Normal = mgl64.Vec3{}
			p.Normal[c] = sign
		}
	}
	slices.SortFunc(middles, func(a, b mgl64.Vec3) int { return cmp.Compare(p.Normal.Dot(a), p.Normal.Dot(b)) })
	p.Offset = p.Normal.Dot(middles[len(middles)/2])
	if math.Abs(p.Offset) <= 1e-6*y.size {
		p.Offset = 0
	}
	return p, true
}

// findPairs goes down the hierarchy level by level, so that the images of parents are known. On each level, pairs of
// least cost are made first. The joints that remain are paired by name only.
func (y *symmetry) findPairs() {
	y.pair = slices.Repeat([]int{-1}, len(y.at))
	level := make([]int, len(y.at))
	deepest := 0
	for _, i := range y.s.Order {
		if p := y.s.Nodes[i].Parent; p >= 0 {
			level[i] = level[p] + 1
		}
		deepest = max(deepest, level[i])
	}
	levels := make([][]int, deepest+1)
	for _, i := range y.s.Order {
		levels[level[i]] = append(levels[level[i]], i)
	}
	for _, nodes := range levels {
		y.pairLevel(nodes)
	}
	left := make(map[string]int)
	for i := range y.at {
		if y.pair[i] < 0 && y.sides[i] == leftSide {
			left[y.stems[i]] = i
		}
	}
	for i := range y.at {
		if k, ok := left[y.stems[i]]; ok && y.pair[i] < 0 && y.sides[i] == rightSide && y.pair[k] < 0 {
			y.pair[i], y.pair[k] = k, i
		}
	}
}

// maxCandidates bounds the candidates for the mirror image of a node, for skeletons with thousands of joints in one
// place.
const maxCandidates = 64

func (y *symmetry) pairLevel(nodes []int) {
	type candidate struct {
		a, b int
		cost float64
	}
	points := make([]mgl64.Vec3, len(nodes))
	for k, i := range nodes {
		points[k] = y.at[i]
	}
	near := newGrid(points, namedWithin*y.size)
	var all []candidate
	for _, a := range nodes {
		if y.sides[a] == noSide && math.Abs(y.plane.Distance(y.at[a])) <= centralWithin*y.size {
			y.pair[a] = a
			continue
		}
		n := 0
		near.each(y.plane.Reflect(y.at[a]), func(k int) bool {
			b := nodes[k]
			if b > a {
				if cost, ok := y.cost(a, b); ok {
					all = append(all, candidate{a, b, cost})
				}
				n++
			}
			return n < maxCandidates
		})
	}
	slices.SortFunc(all, func(p, q candidate) int {
		return cmp.Or(cmp.Compare(p.cost, q.cost), cmp.Compare(p.a, q.a), cmp.Compare(p.b, q.b))
	})
	for _, c := range all {
		if y.pair[c.a] < 0 && y.pair[c.b] < 0 {
			y.pair[c.a], y.pair[c.b] = c.b, c.a
		}
	}
}

// cost is how badly node b fits as the mirror image of a, as a fraction of the skeleton's size, and whether it may be
// one.
func (y *symmetry) cost(a, b int) (float64, bool) {
	off := y.plane.Reflect(y.at[a]).Sub(y.at[b]).Len()
	within, cost := symmetricWithin, off/math.Max(y.size, 1e-300)
	switch {
	case y.sides[a] != noSide && y.sides[a] == y.sides[b]:
		return 0, false
	case y.sides[a] == noSide && y.sides[b] == noSide:
		cost += noNames
	case y.sides[a] == noSide || y.sides[b] == noSide:
		cost += otherNames
	case y.stems[a] == y.stems[b]:
		within = namedWithin
	case looseStem(y.stems[a]) == looseStem(y.stems[b]):
		within = namedWithin
		cost += looseNames
	default:
		cost += otherNames
	}
	p, q := y.s.Nodes[a].Parent, y.s.Nodes[b].Parent
	if p != q && (p < 0 || y.pair[p] != q) {
		cost += otherParents
	}
	return cost, off <= within*y.size
}

// pairSides returns the side of every node that has a counterpart other than itself. The names of the two decide; if
// they contain no side, left is the side to which the plane's normal points. Without any names that is +X, the left of
// a model that faces +Z.
func (y *symmetry) pairSides() []side {
	out := make([]side, len(y.pair))
	for i, k := range y.pair {
		if k <= i {
			continue
		}
		switch {
		case y.sides[i] != noSide:
			out[i] = y.sides[i]
		case y.sides[k] != noSide:
			out[i] = leftSide + rightSide - y.sides[k]
		case y.plane.Distance(y.at[i]) > y.plane.Distance(y.at[k]):
			out[i] = leftSide
		default:
			out[i] = rightSide
		}
		out[k] = leftSide + rightSide - out[i]
	}
	return out
}
