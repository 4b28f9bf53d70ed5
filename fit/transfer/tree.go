package transfer

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"
)

// point is a point of a surface of triangles.
type point struct {
	triangle int32
	weights  mgl64.Vec3 // barycentric, at the triangle's corners: none negative, sum 1
}

// of returns where the point is while the surface's vertices are at positions.
func (p *point) of(positions []mgl64.Vec3, triangles [][3]uint32) (at mgl64.Vec3) {
	for k, v := range triangles[p.triangle] {
		at = at.Add(positions[v].Mul(p.weights[k]))
	}
	return at
}

// leafTriangles is how many triangles a leaf of a [tree] has at most.
const leafTriangles = 4

// tree finds nearest points of a surface: a binary tree of bounding boxes over triangles. It is built once for a mesh
// and fitted to each of its shapes by [tree.pose]. Any number of goroutines may search while none poses.
type tree struct {
	triangles [][3]uint32
	positions []mgl64.Vec3 // of the shape that the boxes bound
	normals   []mgl64.Vec3 // of the triangles, unit; zero for one without area
	order     []int32      // the triangles, leaf by leaf
	nodes     []treeNode   // each before its children
}

// treeNode bounds the triangles order[first:last].
type treeNode struct {
	lo, hi      mgl64.Vec3
	first, last int32
	right       int32 // index of the second child, whose sibling stands right behind the node; 0 for a leaf
}

// newTree makes the tree of a mesh. Its splits depend on the positions of the triangles in one shape.
func newTree(positions []mgl64.Vec3, triangles [][3]uint32) *tree {
	t := &tree{triangles: triangles, normals: make([]mgl64.Vec3, len(triangles)), order: make([]int32, len(triangles))}
	middles := make([]mgl64.Vec3, len(triangles)) // three times these
	for i, c := range triangles {
		t.order[i] = int32(i)
		middles[i] = positions[c[0]].Add(positions[c[1]]).Add(positions[c[2]])
	}
	t.split(0, int32(len(triangles)), middles)
	t.pose(positions)
	return t
}

// split appends the node of order[first:last] and all below it. Its triangles are halved at the median along the
// longest side of the box of their middles.
func (t *tree) split(first, last int32, middles []mgl64.Vec3) {
	at := len(t.nodes)
	t.nodes = append(t.nodes, treeNode{first: first, last: last})
	if last-first <= leafTriangles {
		return
	}
	some := t.order[first:last]
	lo, hi := middles[some[0]], middles[some[0]]
	for _, i := range some {
		for c, x := range middles[i] {
			lo[c], hi[c] = min(lo[c], x), max(hi[c], x)
		}
	}
	axis := 0
	for c := range lo {
		if hi[c]-lo[c] > hi[axis]-lo[axis] {
			axis = c
		}
	}
	slices.SortFunc(some, func(a, b int32) int {
		if x, y := middles[a][axis], middles[b][axis]; x < y {
			return -1
		} else if x > y {
			return 1
		}
		return int(a - b)
	})
	half := (first + last) / 2
	t.split(first, half, middles)
	t.nodes[at].right = int32(len(t.nodes))
	t.split(half, last, middles)
}

// pose fits the boxes to another shape of the mesh, whose positions the tree keeps.
func (t *tree) pose(positions []mgl64.Vec3) {
	t.positions = positions
	for i, c := range t.triangles {
		t.normals[i] = areaVector(positions, c)
		if length := t.normals[i].Len(); length > 0 {
			t.normals[i] = t.normals[i].Mul(1 / length)
		}
	}
	for at := len(t.nodes) - 1; at >= 0; at-- { // children before their parents
		n := &t.nodes[at]
		if n.right > 0 {
			a, b := &t.nodes[at+1], &t.nodes[n.right]
			for c := range n.lo {
				n.lo[c], n.hi[c] = min(a.lo[c], b.lo[c]), max(a.hi[c], b.hi[c])
			}
			continue
		}
		n.lo, n.hi = mgl64.Vec3{math.Inf(1), math.Inf(1), math.Inf(1)}, mgl64.Vec3{math.Inf(-1), math.Inf(-1), math.Inf(-1)}
		for _, i := range t.order[n.first:n.last] {
			for _, v := range t.triangles[i] {
				for c, x := range positions[v] {
					n.lo[c], n.hi[c] = min(n.lo[c], x), max(n.hi[c], x)
				}
			}
		}
	}
}

// distance returns the squared distance from a point to the node's box.
func (n *treeNode) distance(p mgl64.Vec3) (sum float64) {
	for c, x := range p {
		if d := max(n.lo[c]-x, x-n.hi[c]); d > 0 {
			sum += d * d
		}
	}
	return sum
}

// nearest returns the point of the surface that is nearest to p among the triangles whose normals have at least a
// cosine with a unit normal, and its squared distance. Among points at one distance the first triangle's wins. Found is
// false where no such triangle lies within the squared distance most.
func (t *tree) nearest(p, normal mgl64.Vec3, cosine, most float64) (best point, distance float64, found bool) {
	if len(t.order) == 0 {
		return best, most, false
	}
	distance = most
	type entry struct {
		node     int32
		distance float64
	}
	var memory [64]entry
	stack := append(memory[:0], entry{0, t.nodes[0].distance(p)})
	for len(stack) > 0 {
		e := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if e.distance > distance {
			continue
		}
		n := &t.nodes[e.node]
		if n.right > 0 {
			a, b := entry{e.node + 1, 0}, entry{n.right, 0}
			a.distance, b.distance = t.nodes[a.node].distance(p), t.nodes[b.node].distance(p)
			if a.distance > b.distance {
				a, b = b, a
			}
			stack = append(stack, b, a) // the nearer is searched first
			continue
		}
		for _, i := range t.order[n.first:n.last] {
			if !(t.normals[i].Dot(normal) >= cosine) {
				continue
			}
			c := t.triangles[i]
			x, y, z := &t.positions[c[0]], &t.positions[c[1]], &t.positions[c[2]]
			off := p.Sub(*x)
			// No point of the triangle is nearer than its plane. The slack is for rounding.
			if h := off.Dot(t.normals[i]); h*h > distance*(1+1e-9)+1e-26*(off.Dot(off)+p.Dot(p)) {
				continue
			}
			q := point{i, nearestWeights(off, y.Sub(*x), z.Sub(*x))}
			d := x.Mul(q.weights[0]).Add(y.Mul(q.weights[1])).Add(z.Mul(q.weights[2])).Sub(p)
			if s := d.Dot(d); s < distance || s == distance && (!found || i < best.triangle) {
				best, distance, found = q, s, true
			}
		}
	}
	return best, distance, found
}

// nearestWeights returns the barycentric weights of the point of the triangle 0, b, c that is nearest to p.
func nearestWeights(p, b, c mgl64.Vec3) mgl64.Vec3 {
	return weightsOfProducts(p.Dot(b), p.Dot(c), b.Dot(b), b.Dot(c), c.Dot(c))
}

// weightsOfProducts is nearestWeights in a space of any dimension, by the scalar products that it depends on (Ericson
// 2005, Real-Time Collision Detection, 5.1.5).
func weightsOfProducts(pb, pc, bb, bc, cc float64) mgl64.Vec3 {
	d3, d4 := pb-bb, pc-bc // of p − b with b and c
	d5, d6 := pb-bc, pc-cc // of p − c with b and c
	va, vb, vc := d3*d6-d5*d4, d5*pc-pb*d6, pb*d4-d3*pc
	switch {
	case pb <= 0 && pc <= 0:
		return mgl64.Vec3{1, 0, 0}
	case d3 >= 0 && d4 <= d3:
		return mgl64.Vec3{0, 1, 0}
	case vc <= 0 && pb >= 0 && d3 <= 0:
		w := pb / (pb - d3)
		return mgl64.Vec3{1 - w, w, 0}
	case d6 >= 0 && d5 <= d6:
		return mgl64.Vec3{0, 0, 1}
	case vb <= 0 && pc >= 0 && d6 <= 0:
		w := pc / (pc - d6)
		return mgl64.Vec3{1 - w, 0, w}
	case va <= 0 && d4 >= d3 && d5 >= d6:
		w := (d4 - d3) / (d4 - d3 + d5 - d6)
		return mgl64.Vec3{0, 1 - w, w}
	}
	s := 1 / (va + vb + vc)
	if !(s > 0 && s <= math.MaxFloat64) {
		return mgl64.Vec3{1, 0, 0} // a triangle without area
	}
	return mgl64.Vec3{1 - vb*s - vc*s, vb * s, vc * s}
}

// areaVector returns the normal of a triangle, twice as long as its area.
func areaVector(positions []mgl64.Vec3, t [3]uint32) mgl64.Vec3 {
	a := positions[t[0]]
	return positions[t[1]].Sub(a).Cross(positions[t[2]].Sub(a))
}
