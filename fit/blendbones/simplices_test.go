package blendbones

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestMinimizeOverSimplices holds the minimum against projected gradient descent, which moves all blocks at once.
// Curvature couples only neighbouring blocks. The sums agree within 1e-7 of the largest curvature, the steps' own
// bound.
func TestMinimizeOverSimplices(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, blocks := range []int{1, 2, 7, 30} {
		first := []int{0}
		for range blocks {
			first = append(first, first[len(first)-1]+1+rng.IntN(4))
		}
		n := first[blocks]
		q, c := make([]float64, n*n), make([]float64, n)
		for g := range blocks {
			lo, hi := first[g], first[min(g+2, blocks)]
			for range 2 { // of rank two: some directions have no curvature
				row := make([]float64, n)
				for a := lo; a < hi; a++ {
					row[a] = rng.NormFloat64()
				}
				for a := lo; a < hi; a++ {
					for b := lo; b < hi; b++ {
						q[a*n+b] += row[a] * row[b]
					}
				}
			}
		}
		most := 0.0
		for a := range n {
			c[a] = rng.NormFloat64()
			most = math.Max(most, q[a*n+a])
		}
		sum := func(y []float64) (e float64) {
			for a := range n {
				e += 2 * c[a] * y[a]
				for b := range n {
					e += y[a] * q[a*n+b] * y[b]
				}
			}
			return e
		}
		y := make([]float64, n)
		for g := range blocks {
			y[first[g]] = 1
		}
		other := slices.Clone(y)
		minimizeOverSimplices(q, c, first, y)
		step := 1 / (12 * most) // a row of Q has at most 12 entries
		for range 200_000 {
			slope := slices.Clone(c)
			for a := range n {
				for b := range n {
					slope[a] += q[a*n+b] * other[b]
				}
			}
			moved := 0.0
			for g := range blocks {
				block := other[first[g]:first[g+1]]
				old := slices.Clone(block)
				for a := range block {
					block[a] -= step * slope[first[g]+a]
				}
				toSimplex(block)
				for a := range block {
					moved = math.Max(moved, math.Abs(block[a]-old[a]))
				}
			}
			if moved < 1e-12 {
				break
			}
		}
		for g := range blocks {
			total := 0.0
			for _, x := range y[first[g]:first[g+1]] {
				if !(x >= 0) {
					t.Errorf("%d blocks: a weight of %g", blocks, x)
				}
				total += x
			}
			if !(math.Abs(total-1) < 1e-12) {
				t.Errorf("%d blocks: block %d sums to %.15g", blocks, g, total)
			}
		}
		if got, want := sum(y), sum(other); !(math.Abs(got-want) <= 1e-7*most) {
			t.Errorf("%d blocks: %.12g, by projected gradients %.12g", blocks, got, want)
		}
	}
}

// toSimplex replaces x by the nearest point of the unit simplex: it takes the same from all, and drops what is below 0.
func toSimplex(x []float64) {
	sorted := slices.Sorted(slices.Values(x))
	slices.Reverse(sorted)
	sum, shift := 0.0, 0.0
	for k, v := range sorted {
		sum += v
		if v > (sum-1)/float64(k+1) {
			shift = (sum - 1) / float64(k+1)
		}
	}
	for a := range x {
		x[a] = math.Max(x[a]-shift, 0)
	}
}
