// Package flatrigs connects the joints of rigs in which every joint is a root.
package flatrigs

import (
	"container/heap"

	"skinlab/skinning"
)

// Connect gives parents to the roots of flat rigs (docs/ablation.md, row 27). In a flat rig, such as a hand of virtual
// reality, every joint is a root. Rotational regression reads the rotation of a joint relative to its parent (RTER
// section 3.2.1), and a root has none. Trees of joints that share vertices belong to one character, and are connected
// by a maximum spanning tree. The bond of two joints a and b is the sum of w_a·w_b over the vertices. In each step, the
// tree with the strongest bond to the connected ones becomes a child of the joint at the other end of that bond. Trees
// that share no vertex stay apart. Time and memory are proportional to the number of joints and of pairs of joints that
// share a vertex.
func Connect(parent []int, weights [][]skinning.Share) {
	root, trees := Trees(parent)
	roots := 0
	for _, joints := range trees {
		if len(joints) > 0 {
			roots++
		}
	}
	if roots < 2 {
		return
	}
	bonds := bondsOf(len(parent), root, weights)
	in := make([]bool, len(parent)) // per root
	for start := range parent {
		if parent[start] >= 0 || in[start] {
			continue
		}
		// Grows one character by Prim's algorithm.
		var near bondHeap
		for next, on := start, -1; next >= 0; {
			in[next], parent[next] = true, on
			for _, j := range trees[next] {
				for _, b := range bonds[j] {
					if !in[root[b.to]] {
						heap.Push(&near, b)
					}
				}
			}
			next = -1
			for next < 0 && len(near) > 0 {
				if b := heap.Pop(&near).(bond); !in[root[b.to]] {
					next, on = root[b.to], b.from
				}
			}
		}
	}
}

// Trees returns the root of each joint, and for each root the joints of its tree, ascending. Joints that are no roots
// have an empty list.
func Trees(parent []int) (root []int, trees [][]int) {
	root, trees = make([]int, len(parent)), make([][]int, len(parent))
	for j := range root {
		root[j] = -1
	}
	var path []int
	for j := range parent {
		top := j
		for path = path[:0]; root[top] < 0 && parent[top] >= 0; top = parent[top] {
			path = append(path, top)
		}
		if root[top] < 0 {
			root[top] = top
		}
		for _, k := range path {
			root[k] = root[top]
		}
		trees[root[j]] = append(trees[root[j]], j)
	}
	return root, trees
}

// bond is two joints of different trees that share vertices; share is the sum of w_from·w_to over these.
type bond struct {
	from, to int
	share    float64
}

// bondsOf lists the bonds of each joint.
func bondsOf(joints int, root []int, weights [][]skinning.Share) [][]bond {
	bonds := make([][]bond, joints)
	place := make(map[[2]uint16]int) // of a pair among those of its first joint
	for _, w := range weights {
		for _, a := range w {
			for _, b := range w {
				share := a.Weight * b.Weight
				if !(share > 0) || root[a.Joint] == root[b.Joint] {
					continue
				}
				pair := [2]uint16{a.Joint, b.Joint}
				k, ok := place[pair]
				if !ok {
					k = len(bonds[a.Joint])
					place[pair] = k
					bonds[a.Joint] = append(bonds[a.Joint], bond{from: int(a.Joint), to: int(b.Joint)})
				}
				bonds[a.Joint][k].share += share
			}
		}
	}
	return bonds
}

// bondHeap has the strongest bond first, the lower joints among equals.
type bondHeap []bond

func (h bondHeap) Len() int { return len(h) }

func (h bondHeap) Less(i, j int) bool {
	a, b := &h[i], &h[j]
	if a.share != b.share {
		return a.share > b.share
	}
	if a.from != b.from {
		return a.from < b.from
	}
	return a.to < b.to
}

func (h bondHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }

func (h *bondHeap) Push(x any) { *h = append(*h, x.(bond)) }

func (h *bondHeap) Pop() any {
	last := len(*h) - 1
	b := (*h)[last]
	*h = (*h)[:last]
	return b
}
