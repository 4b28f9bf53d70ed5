package enveloping

import (
	"math"
	"slices"

	"skinlab/skinning"
)

// join is a possible move of one group into another (RTER section 5.1).
type join struct {
	error          float64
	from, to       int32
	fromAge, toAge int
}

// before is the order of joins: the smallest error first, and nothing left to chance.
func (j *join) before(o *join) bool {
	if j.error != o.error {
		return j.error < o.error
	}
	if j.from != o.from {
		return j.from < o.from
	}
	return j.to < o.to
}

// joins is a priority queue: a binary heap. It is typed because a mesh of 30,000 triangles asks it half a million times.
type joins []join

func (q *joins) push(j join) {
	*q = append(*q, j)
	h := *q
	for k := len(h) - 1; k > 0; {
		up := (k - 1) / 2
		if !h[k].before(&h[up]) {
			break
		}
		h[k], h[up] = h[up], h[k]
		k = up
	}
}

func (q *joins) pop() join {
	h := *q
	first, last := h[0], len(h)-1
	h[0] = h[last]
	h = h[:last]
	for k := 0; ; {
		down := 2*k + 1
		if down >= last {
			break
		}
		if down+1 < last && h[down+1].before(&h[down]) {
			down++
		}
		if !h[down].before(&h[k]) {
			break
		}
		h[k], h[down] = h[down], h[k]
		k = down
	}
	*q = h
	return first
}

// clustering joins contiguous groups of triangles, one triangle each at first (RTER section 5.1, steps 1 and 2). It is progressive: the
// joins are kept, so that the groups of any number on the way can be had again.
type clustering struct {
	x         *Examples
	weights   []float64 // of its pairs
	first     []int32   // of each triangle, its first group; −1 for those that are left out
	triangles []int32   // of each first group
	groups    []*group  // now; nil for those that have joined another
	left      int
	queue     joins
	sequence  [][2]int32 // from, to
}

// newClustering starts with the triangles for which use is true.
func newClustering(x *Examples, use []bool) *clustering {
	c := &clustering{x: x, weights: x.weights(), first: make([]int32, len(x.Triangles))}
	edges := map[[2]uint32]int32{}
	for k, t := range x.Triangles {
		if c.first[k] = -1; !use[k] {
			continue
		}
		id := int32(len(c.groups))
		c.first[k] = id
		c.triangles = append(c.triangles, int32(k))
		g := newGroup(x, c.weights, int32(k))
		c.groups = append(c.groups, g)
		for e := range 3 {
			a, b := t[e], t[(e+1)%3]
			if a > b {
				a, b = b, a
			}
			if other, ok := edges[[2]uint32{a, b}]; ok && other != id {
				g.neighbours[other] = struct{}{}
				c.groups[other].neighbours[id] = struct{}{}
			} else {
				edges[[2]uint32{a, b}] = id
			}
		}
	}
	for a := range c.groups {
		for b := range c.groups[a].neighbours {
			c.push(int32(a), b)
		}
	}
	c.left = len(c.groups)
	return c
}

func (c *clustering) push(a, b int32) {
	c.queue.push(join{c.groups[a].errorOf(c.groups[b].transform), a, b, c.groups[a].version, c.groups[b].version})
}

// joinTo joins until count groups are left.
func (c *clustering) joinTo(count int, cancelled func() bool) {
	for c.left > count && !cancelled() {
		if len(c.queue) == 0 {
			if c.left < 2 {
				break
			}
			bridge(c.groups, c.push)
		}
		j := c.queue.pop()
		a, b := c.groups[j.from], c.groups[j.to]
		if a == nil || b == nil || a.version != j.fromAge || b.version != j.toAge {
			continue
		}
		b.take(a)
		for n := range a.neighbours {
			delete(c.groups[n].neighbours, j.from)
			if n != j.to {
				c.groups[n].neighbours[j.to] = struct{}{}
				b.neighbours[n] = struct{}{}
			}
		}
		c.groups[j.from] = nil
		c.sequence = append(c.sequence, [2]int32{j.from, j.to})
		c.left--
		for n := range b.neighbours {
			c.push(j.to, n)
			c.push(n, j.to)
		}
	}
}

// at returns the group of each triangle, −1 for those that were left out, and the transformation of each group in each example, when count
// groups were left, or where there never were so many, at first. That many must have been joined to.
func (c *clustering) at(count int) (of []int32, transforms [][]skinning.Affine) {
	groups := c.groups
	if joins := max(len(c.triangles)-count, 0); joins < len(c.sequence) {
		groups = make([]*group, len(c.triangles))
		for id, k := range c.triangles {
			groups[id] = newGroup(c.x, c.weights, k)
		}
		for _, j := range c.sequence[:joins] {
			groups[j[1]].take(groups[j[0]])
			groups[j[0]] = nil
		}
	}
	of = slices.Clone(c.first)
	for _, g := range groups {
		if g == nil {
			continue
		}
		for _, k := range g.triangles {
			of[k] = int32(len(transforms))
		}
		transforms = append(transforms, slices.Clone(g.transform))
	}
	return of, transforms
}

// bridge makes neighbours of groups that lie near each other on parts of the mesh that do not hang together, each with the nearest.
func bridge(groups []*group, push func(a, b int32)) {
	var alive []int32
	for k, g := range groups {
		if g != nil {
			alive = append(alive, int32(k))
		}
	}
	for _, a := range alive {
		nearest, least := int32(-1), math.Inf(1)
		for _, b := range alive {
			if d := groups[a].middle().Sub(groups[b].middle()); a != b && d.Dot(d) < least {
				nearest, least = b, d.Dot(d)
			}
		}
		groups[a].neighbours[nearest] = struct{}{}
		groups[nearest].neighbours[a] = struct{}{}
		push(a, nearest)
		push(nearest, a)
	}
}
