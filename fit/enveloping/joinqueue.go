package enveloping

// joinQueue is a priority queue of groups, ordered by the cost of each group's cheapest join; among equals the group of
// the lower number comes first. It is a binary heap that knows the place of each group, so that a group whose cost
// changes is moved and never entered twice.
type joinQueue struct {
	cost  []float64 // of each group
	heap  []int32   // groups
	place []int32   // of each group in the heap; −1 for those that are gone
}

func newJoinQueue(cost []float64) *joinQueue {
	a := &joinQueue{cost, make([]int32, len(cost)), make([]int32, len(cost))}
	for k := range cost {
		a.heap[k], a.place[k] = int32(k), int32(k)
	}
	for k := len(cost)/2 - 1; k >= 0; k-- {
		a.down(k)
	}
	return a
}

func (a *joinQueue) before(g, h int32) bool {
	if a.cost[g] != a.cost[h] {
		return a.cost[g] < a.cost[h]
	}
	return g < h
}

func (a *joinQueue) first() int32 { return a.heap[0] }

// set moves a group to where its cost puts it.
func (a *joinQueue) set(g int32, cost float64) {
	a.cost[g] = cost
	k := int(a.place[g])
	if a.up(k) == k {
		a.down(k)
	}
}

func (a *joinQueue) remove(g int32) {
	k, last := int(a.place[g]), len(a.heap)-1
	moved := a.heap[last]
	a.heap, a.place[g] = a.heap[:last], -1
	if k < last {
		a.put(k, moved)
		if a.up(k) == k {
			a.down(k)
		}
	}
}

func (a *joinQueue) put(k int, g int32) { a.heap[k], a.place[g] = g, int32(k) }

func (a *joinQueue) up(k int) int {
	g := a.heap[k]
	for k > 0 {
		above := (k - 1) / 2
		if !a.before(g, a.heap[above]) {
			break
		}
		a.put(k, a.heap[above])
		k = above
	}
	a.put(k, g)
	return k
}

func (a *joinQueue) down(k int) {
	g := a.heap[k]
	for {
		below := 2*k + 1
		if below >= len(a.heap) {
			break
		}
		if below+1 < len(a.heap) && a.before(a.heap[below+1], a.heap[below]) {
			below++
		}
		if !a.before(a.heap[below], g) {
			break
		}
		a.put(k, a.heap[below])
		k = below
	}
	a.put(k, g)
}
