package blendbones

import (
	"math"
	"slices"
)

// minimizeOverSimplices minimises yᵀ·Q·y + 2·cᵀ·y, where each block y[first[g]:first[g+1]] is non-negative and sums to
// 1. The given y must be feasible. Each step moves weight between the two unknowns of one block that lower the sum
// most, by the exact length. A step skips the blocks that Q does not couple with its own, since bones meet few of the
// others.
func minimizeOverSimplices(q, c []float64, first []int, y []float64) {
	n, blocks := len(y), len(first)-1
	gradient := slices.Clone(c) // half the gradient
	scale := 0.0
	coupled := make([][]int, blocks) // by block, the blocks that Q couples with it and itself
	for g := range blocks {
		for h := range blocks {
			some := g == h
			for a := first[g]; a < first[g+1]; a++ {
				for b := first[h]; b < first[h+1]; b++ {
					gradient[a] += q[a*n+b] * y[b]
					some = some || q[a*n+b] != 0
				}
			}
			if some {
				coupled[g] = append(coupled[g], h)
			}
		}
		for a := first[g]; a < first[g+1]; a++ {
			scale = math.Max(scale, q[a*n+a])
		}
	}
	type exchange struct {
		from, to int
		gain     float64
	}
	best := make([]exchange, blocks) // by block; valid while its gradient stays the same
	seek := func(g int) {
		low, high := -1, -1
		for a := first[g]; a < first[g+1]; a++ {
			if low < 0 || gradient[a] < gradient[low] {
				low = a
			}
			if y[a] > 0 && (high < 0 || gradient[a] > gradient[high]) {
				high = a
			}
		}
		best[g] = exchange{high, low, gradient[high] - gradient[low]}
	}
	for g := range blocks {
		seek(g)
	}
	for range 400 * n {
		at, most := -1, 1e-9*scale
		for g := range best {
			if best[g].gain > most {
				at, most = g, best[g].gain
			}
		}
		if at < 0 {
			return
		}
		from, to := best[at].from, best[at].to
		t := y[from]
		if curve := q[from*n+from] + q[to*n+to] - 2*q[from*n+to]; curve > 1e-300 {
			t = math.Min(t, most/curve)
		}
		y[to] += t
		y[from] -= t
		if y[from] < 1e-15 {
			y[from] = 0
		}
		for _, g := range coupled[at] {
			for a := first[g]; a < first[g+1]; a++ {
				gradient[a] += t * (q[a*n+to] - q[a*n+from])
			}
			seek(g)
		}
	}
}
