package enveloping

import (
	"container/heap"
	"fmt"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/training"
	"skinlab/skinning/geom"
	"skinlab/skinning/parallel"
)

// clustering joins contiguous groups of triangles, each of which is one triangle at first. Each step is the cheapest of
// all joins (RTER section 5.1, steps 1 and 2). The sequence of joins is kept, so that [clustering.at] can return the
// groups as they were when any number of them was left.
type clustering struct {
	x         *training.Examples
	roots     []float64 // of the pairs' weights
	most      int       // the largest number of groups that [clustering.at] is asked for
	first     []int32   // per triangle, its group at first; −1 for triangles that are left out
	triangles []int32   // per group, its triangle at first
	groups    []group   // a group that has joined another is empty
	joins     *joinQueue
	left      int
	refit     bool // a group's transformations are fitted anew when another joins it
	sequence  []join
	// Before has the transformations of from and to before each of the last joins: those made when no more than most
	// groups were left.
	before  [][2][]float64
	scratch []*sums // two for each worker, for groups of one triangle
}

// join is a move of one group into another.
type join struct{ from, to int32 }

// newClustering starts with the triangles for which use is true, to be joined to most groups or fewer.
func newClustering(x *training.Examples, use []bool, most int, refit bool, workers int) *clustering {
	c := &clustering{x: x, roots: roots(x), most: max(most, 1), refit: refit, first: make([]int32, len(x.Triangles))}
	for k := range x.Triangles {
		c.first[k] = -1
		if use[k] {
			c.first[k] = int32(len(c.triangles))
			c.triangles = append(c.triangles, int32(k))
		}
	}
	n := len(c.triangles)
	c.left, c.groups, c.sequence = n, make([]group, n), make([]join, 0, n)
	for range 2 * max(workers, 1) {
		c.scratch = append(c.scratch, newSums(len(x.Targets)))
	}
	c.findNeighbours()
	parallel.For(workers, parallel.Chunks(n), func(worker, chunk int) {
		lo, hi := parallel.Chunk(chunk, n)
		for id := int32(lo); id < int32(hi); id++ {
			g := c.complete(id, c.scratch[2*worker])
			for k := range g.neighbours {
				if other := g.neighbours[k].group; other > id {
					o := c.complete(other, c.scratch[2*worker+1])
					priceBoth(&g, &o, id, other)
				}
			}
		}
	})
	cost := make([]float64, n)
	for id := range cost {
		cost[id] = c.groups[id].cheapest().error
	}
	c.joins = newJoinQueue(cost)
	return c
}

// complete returns a group with its sums. Those of a group of one triangle are computed in scratch, and are valid
// until it is used again. That saves their memory: they are most of the numbers of all triangles.
func (c *clustering) complete(id int32, scratch *sums) group {
	g := c.groups[id]
	if g.sums == nil {
		g.sums = scratch
		g.set(c.x, c.x.Triangles[c.triangles[id]], c.roots)
	}
	return g
}

// findNeighbours makes neighbours of triangles that share an edge.
func (c *clustering) findNeighbours() {
	edges := make(map[[2]uint32]int32, 3*len(c.triangles)/2)
	for id, k := range c.triangles {
		t := c.x.Triangles[k]
		for e := range 3 {
			a, b := t[e], t[(e+1)%3]
			if a > b {
				a, b = b, a
			}
			other, ok := edges[[2]uint32{a, b}]
			if !ok || other == int32(id) {
				edges[[2]uint32{a, b}] = int32(id)
			} else if c.groups[id].meet(other) {
				c.groups[other].meet(int32(id))
			}
		}
	}
}

// joinTo joins until count groups are left.
func (c *clustering) joinTo(count int, cancelled func() bool) {
	for c.left > max(count, 1) && !cancelled() {
		from := c.joins.heap[0]
		n := c.groups[from].cheapest()
		if n.group < 0 {
			c.bridge(cancelled)
			continue
		}
		c.join(from, n.group)
	}
}

func (c *clustering) join(from, to int32) {
	a, b := c.complete(from, c.scratch[0]), &c.groups[to]
	if b.sums == nil {
		*b = c.complete(to, newSums(len(c.x.Targets)))
	}
	if c.left <= c.most {
		c.before = append(c.before, [2][]float64{slices.Clone(a.transform), slices.Clone(b.transform)})
	}
	c.sequence = append(c.sequence, join{from, to})
	b.add(a.sums)
	if c.refit {
		b.fit()
	}
	b.forget(from)
	for _, n := range a.neighbours {
		if n.group == to {
			continue
		}
		c.groups[n.group].forget(from)
		if b.meet(n.group) {
			c.groups[n.group].meet(to)
		}
	}
	c.groups[from] = group{}
	heap.Remove(c.joins, int(c.joins.place[from]))
	c.left--
	for _, n := range b.neighbours {
		c.price(to, n.group)
		c.joins.set(n.group, c.groups[n.group].cheapest().error)
	}
	c.joins.set(to, b.cheapest().error)
}

// price computes the costs of joining two neighbours, each into the other.
func (c *clustering) price(a, b int32) {
	g, o := c.complete(a, c.scratch[0]), c.complete(b, c.scratch[1])
	priceBoth(&g, &o, a, b)
}

// priceBoth computes the costs of joining two neighbours that are complete.
func priceBoth(g, o *group, a, b int32) {
	g.neighbours[g.to(b)].error = g.errorOf(o.sums)
	o.neighbours[o.to(a)].error = o.errorOf(g.sums)
}

// at returns the state of the clustering when count groups were left: the group of each triangle, −1 for triangles that
// are not used, and the transformation of each group in each example. If there never were as many groups, it returns
// the state at the start. The clustering must have been joined to count groups or fewer, and count must not exceed
// [clustering.most].
func (c *clustering) at(count int) (of []int32, transforms [][]geom.Affine) {
	n := len(c.triangles)
	made := min(max(n-count, 0), len(c.sequence))
	if count > c.most && made < len(c.sequence) {
		panic(fmt.Sprintf("enveloping: at %d groups of a clustering that keeps those from %d on", count, c.most))
	}
	into := make([]int32, n) // the group that each has joined, or itself
	scaled := make([][]float64, n)
	for k := range into {
		into[k] = int32(k)
		if s := c.groups[k].sums; s != nil {
			scaled[k] = s.transform
		}
	}
	for k := len(c.sequence) - 1; k >= 0; k-- { // from the last, so that the end of the group that is joined is known
		j := &c.sequence[k]
		if k >= made {
			before := &c.before[k-len(c.sequence)+len(c.before)]
			scaled[j.from], scaled[j.to] = before[0], before[1]
		} else {
			into[j.from] = into[j.to]
		}
	}
	index := make([]int32, n)
	for k := range into {
		if into[k] == int32(k) {
			index[k] = int32(len(transforms))
			if scaled[k] == nil {
				scaled[k] = c.complete(int32(k), c.scratch[0]).transform
			}
			transforms = append(transforms, unscaled(scaled[k], c.roots))
		}
	}
	of = slices.Clone(c.first)
	for k, id := range of {
		if id >= 0 {
			of[k] = index[into[id]]
		}
	}
	return of, transforms
}

// unscaled divides twelve scaled numbers per pair by the root of its weight, and returns them as one matrix per pair.
func unscaled(scaled, roots []float64) []geom.Affine {
	out := make([]geom.Affine, len(roots))
	for i := range out {
		for k, v := range scaled[12*i : 12*i+12] {
			out[i][k] = v / roots[i]
		}
	}
	return out
}

// bridge makes each group and the nearest other one neighbours. It is for a mesh of several pieces, once every piece
// is one group.
func (c *clustering) bridge(cancelled func() bool) {
	alive := slices.Clone(c.joins.heap)
	slices.Sort(alive)
	middles := make([]mgl64.Vec3, len(alive))
	for k, id := range alive {
		g := c.complete(id, c.scratch[0])
		middles[k] = g.moment.Mean()
	}
	for k, a := range alive {
		if cancelled() {
			return
		}
		near, least := -1, math.Inf(1)
		for other := range alive {
			if d := middles[other].Sub(middles[k]); other != k && (near < 0 || d.Dot(d) < least) {
				near, least = other, d.Dot(d)
			}
		}
		b := alive[near]
		if c.groups[a].meet(b) {
			c.groups[b].meet(a)
			c.price(a, b)
			c.joins.set(a, c.groups[a].cheapest().error)
			c.joins.set(b, c.groups[b].cheapest().error)
		}
	}
}

// joinQueue is a priority queue of groups for [container/heap], ordered by the cost of each group's cheapest join;
// among equals the group of the lower number comes first. It knows the place of each group, so that a group whose cost
// changes is moved and never entered twice.
type joinQueue struct {
	cost  []float64 // of each group
	heap  []int32   // groups
	place []int32   // of each group in the heap; −1 for those that are gone
}

func newJoinQueue(cost []float64) *joinQueue {
	q := &joinQueue{cost, make([]int32, len(cost)), make([]int32, len(cost))}
	for k := range cost {
		q.heap[k], q.place[k] = int32(k), int32(k)
	}
	heap.Init(q)
	return q
}

func (q *joinQueue) Len() int { return len(q.heap) }

func (q *joinQueue) Less(i, k int) bool {
	g, h := q.heap[i], q.heap[k]
	return q.cost[g] < q.cost[h] || q.cost[g] == q.cost[h] && g < h
}

func (q *joinQueue) Swap(i, k int) {
	g, h := q.heap[i], q.heap[k]
	q.heap[i], q.heap[k], q.place[g], q.place[h] = h, g, int32(k), int32(i)
}

// Push is part of [heap.Interface]: no group is added later.
func (q *joinQueue) Push(any) { panic("enveloping: a group more in the queue") }

// Pop is part of [heap.Interface].
func (q *joinQueue) Pop() any {
	last := len(q.heap) - 1
	g := q.heap[last]
	q.heap, q.place[g] = q.heap[:last], -1
	return g
}

// set moves a group to where its cost puts it.
func (q *joinQueue) set(g int32, cost float64) {
	q.cost[g] = cost
	heap.Fix(q, int(q.place[g]))
}
