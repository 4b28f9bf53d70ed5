package blendbones

import "math"

// minimizeOverSimplices minimises yᵀ·Q·y + 2·cᵀ·y where each block y[first[g]:first[g+1]] is non-negative and sums to
// 1, from a feasible y: each step moves weight between the two unknowns of one block that gain most, with the exact
// length.
func minimizeOverSimplices(q, c []float64, first []int, y []float64) {
	n := len(y)
	gradient := make([]float64, n) // half of it
	scale := 0.0
	for a := range n {
		gradient[a] = c[a]
		for b := range n {
			gradient[a] += q[a*n+b] * y[b]
		}
		scale = math.Max(scale, q[a*n+a])
	}
	for range 400 * n {
		from, to, most := -1, -1, 1e-10*scale
		for g := 0; g+1 < len(first); g++ {
			low, high := -1, -1
			for a := first[g]; a < first[g+1]; a++ {
				if low < 0 || gradient[a] < gradient[low] {
					low = a
				}
				if y[a] > 0 && (high < 0 || gradient[a] > gradient[high]) {
					high = a
				}
			}
			if gain := gradient[high] - gradient[low]; gain > most {
				from, to, most = high, low, gain
			}
		}
		if from < 0 {
			return
		}
		t := y[from]
		if curve := q[from*n+from] + q[to*n+to] - 2*q[from*n+to]; curve > 1e-300 {
			t = math.Min(t, most/curve)
		}
		y[to] += t
		if y[from] -= t; y[from] < 1e-15 {
			y[from] = 0
		}
		for a := range n {
			gradient[a] += t * (q[a*n+to] - q[a*n+from])
		}
	}
}
