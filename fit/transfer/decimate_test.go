package transfer

import (
	"container/heap"
	"slices"

	"github.com/go-gl/mathgl/mgl64"
)

// collapse is an edge whose first end moves onto its second.
type collapse struct {
	from, to uint32
	length   float64
	stamp    int // of both ends' changes when it was pushed
}

type collapses []collapse

func (c collapses) Len() int { return len(c) }
func (c collapses) Less(i, k int) bool {
	if c[i].length != c[k].length {
		return c[i].length < c[k].length
	}
	return c[i].from < c[k].from || c[i].from == c[k].from && c[i].to < c[k].to
}
func (c collapses) Swap(i, k int) { c[i], c[k] = c[k], c[i] }
func (c *collapses) Push(x any)   { *c = append(*c, x.(collapse)) }
func (c *collapses) Pop() any {
	last := (*c)[len(*c)-1]
	*c = (*c)[:len(*c)-1]
	return last
}

// decimate returns so many vertices of a closed mesh, and triangles over them, by collapsing the shortest edge first.
// No collapse turns a triangle over by 60 degrees or more, or joins two sheets.
func decimate(positions []mgl64.Vec3, triangles [][3]uint32, vertices int) (kept []int, out [][3]uint32) {
	around := make([]map[int]bool, len(positions)) // triangles at each vertex
	for v := range around {
		around[v] = map[int]bool{}
	}
	tris := slices.Clone(triangles)
	for i, t := range tris {
		for _, v := range t {
			around[v][i] = true
		}
	}
	stamps := make([]int, len(positions))
	queue := &collapses{}
	ring := func(v uint32) map[uint32]bool {
		r := map[uint32]bool{}
		for i := range around[v] {
			for _, u := range tris[i] {
				if u != v {
					r[u] = true
				}
			}
		}
		return r
	}
	push := func(v uint32) {
		for u := range ring(v) {
			d := positions[u].Sub(positions[v]).Len()
			heap.Push(queue, collapse{v, u, d, stamps[u] + stamps[v]})
			heap.Push(queue, collapse{u, v, d, stamps[u] + stamps[v]})
		}
	}
	for v := range positions {
		push(uint32(v))
	}
	alive := len(positions)
	for alive > vertices && queue.Len() > 0 {
		c := heap.Pop(queue).(collapse)
		if len(around[c.from]) == 0 || len(around[c.to]) == 0 || c.stamp != stamps[c.from]+stamps[c.to] {
			continue
		}
		shared := 0
		toRing := ring(c.to)
		for u := range ring(c.from) {
			if toRing[u] {
				shared++
			}
		}
		ok := shared == 2
		for i := range around[c.from] {
			t := tris[i]
			if slices.Contains(t[:], c.to) {
				continue
			}
			before := areaVector(positions, t)
			t[slices.Index(t[:], c.from)] = c.to
			after := areaVector(positions, t)
			ok = ok && before.Dot(after) > 0.5*before.Len()*after.Len()
		}
		if !ok {
			continue
		}
		for i := range around[c.from] {
			if slices.Contains(tris[i][:], c.to) {
				for _, v := range tris[i] {
					if v != c.from {
						delete(around[v], i)
					}
				}
				continue
			}
			tris[i][slices.Index(tris[i][:], c.from)] = c.to
			around[c.to][i] = true
		}
		around[c.from] = map[int]bool{}
		alive--
		stamps[c.to]++
		for u := range ring(c.to) {
			stamps[u]++
		}
		push(c.to)
		for u := range ring(c.to) {
			push(u)
		}
	}
	index := map[uint32]uint32{}
	for v := range positions {
		if len(around[v]) > 0 {
			index[uint32(v)] = uint32(len(kept))
			kept = append(kept, v)
		}
	}
	used := map[int]bool{}
	for _, v := range kept {
		for i := range around[v] {
			used[i] = true
		}
	}
	for i, t := range tris {
		if used[i] {
			out = append(out, [3]uint32{index[t[0]], index[t[1]], index[t[2]]})
		}
	}
	return kept, out
}
