package enveloping

import "skinlab/skinning"

// hangTogether gives roots parents. Some rigs are flat, hands of virtual reality: every joint is a root, and none turns in another's
// frame, in which alone rotational regression sees it bend (RTER section 3.2.1). Trees that share vertices are one character: from the
// first on, the tree most bound together with those that are there hangs on the joint with which it shares most. Joints are told apart by the
// products of their weights, summed over the vertices. Trees that share no vertex stay apart.
func hangTogether(parent []int, weights [][]skinning.Share) {
	n := len(parent)
	root := make([]int, n)
	roots := 0
	for j := range parent {
		root[j] = j
		for root[j] >= 0 && parent[root[j]] >= 0 {
			root[j] = parent[root[j]]
		}
		if parent[j] < 0 {
			roots++
		}
	}
	if roots < 2 {
		return
	}
	shared := make([]float64, n*n)
	for _, w := range weights {
		for _, a := range w {
			for _, b := range w {
				shared[int(a.Joint)*n+int(b.Joint)] += a.Weight * b.Weight
			}
		}
	}
	in := make([]bool, n) // per root
	for start := range n {
		if parent[start] >= 0 || in[start] {
			continue
		}
		for next, on := start, -1; next >= 0; { // grows one character
			in[next], parent[next] = true, on
			most := 0.0
			next = -1
			for a := range n {
				for b := range n {
					if s := shared[a*n+b]; in[root[a]] && !in[root[b]] && s > most {
						next, on, most = root[b], a, s
					}
				}
			}
		}
	}
}
