package linear

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// Entry is an entry of a symmetric sparse matrix. It also gives the entry with row and column exchanged.
type Entry struct {
	Row, Column int
	Value       float64
}

// SparseCholesky is the factor of a symmetric positive definite matrix of few entries, such as that of a mesh: A = L·Lᵀ
// after reverse Cuthill-McKee (George 1971; George and Liu 1981, Computer Solution of Large Sparse Positive Definite
// Systems, chapter 4). That order brings all entries near the diagonal, and L has entries only from the first entry of
// a row of A on. For n vertices of a surface these are about n^1.5 numbers.
type SparseCholesky struct {
	place []int       // of each unknown in the order
	rows  [][]float64 // of L in that order, each from its first entry to the diagonal
}

// NewSparseCholesky factors an n×n matrix. Entries of the same place are summed. Definite reports whether the matrix is
// positive definite; otherwise the factor is useless. It panics if an entry is out of range.
func NewSparseCholesky(n int, entries []Entry) (c *SparseCholesky, definite bool) {
	near := make([][]int, n)
	for _, e := range entries {
		if min(e.Row, e.Column) < 0 || max(e.Row, e.Column) >= n {
			panic(fmt.Sprintf("linear: NewSparseCholesky: entry %d, %d of %d×%d", e.Row, e.Column, n, n))
		}
		if e.Row != e.Column {
			near[e.Row], near[e.Column] = append(near[e.Row], e.Column), append(near[e.Column], e.Row)
		}
	}
	for v := range near {
		slices.Sort(near[v])
		near[v] = slices.Compact(near[v])
	}
	c = &SparseCholesky{place: make([]int, n), rows: make([][]float64, n)}
	for at, v := range cuthillMcKee(near) {
		c.place[v] = n - 1 - at
	}
	for v, others := range near {
		first := c.place[v]
		for _, u := range others {
			first = min(first, c.place[u])
		}
		c.rows[c.place[v]] = make([]float64, c.place[v]-first+1)
	}
	for _, e := range entries {
		i, j := c.place[e.Row], c.place[e.Column]
		i, j = max(i, j), min(i, j)
		c.rows[i][j-i+len(c.rows[i])-1] += e.Value
	}
	for i, row := range c.rows {
		first := i - len(row) + 1
		for k := range row[:len(row)-1] {
			j := first + k
			other := c.rows[j]
			width := min(k, len(other)-1)
			v := row[k] - floats.Dot(row[k-width:k], other[len(other)-1-width:len(other)-1])
			row[k] = v / other[len(other)-1]
		}
		own := row[:len(row)-1]
		pivot := row[len(row)-1] - floats.Dot(own, own)
		if !(pivot > 0) {
			return c, false
		}
		row[len(row)-1] = math.Sqrt(pivot)
	}
	return c, true
}

// cuthillMcKee orders vertices level by level from a peripheral one, within a level those with few neighbours first.
func cuthillMcKee(near [][]int) []int {
	order, seen := make([]int, 0, len(near)), make([]bool, len(near))
	walk := func(from int) (last int) { // appends what is reached, and returns the last
		start := len(order)
		order, seen[from] = append(order, from), true
		for at := start; at < len(order); at++ {
			first := len(order)
			for _, u := range near[order[at]] {
				if !seen[u] {
					order, seen[u] = append(order, u), true
				}
			}
			slices.SortStableFunc(order[first:], func(a, b int) int { return cmp.Compare(len(near[a]), len(near[b])) })
		}
		return order[len(order)-1]
	}
	for v := range near {
		if seen[v] {
			continue
		}
		from := v
		for range 3 { // each walk ends farther out
			start := len(order)
			last := walk(from)
			for _, u := range order[start:] {
				seen[u] = false
			}
			order, from = order[:start], last
		}
		walk(from)
	}
	return order
}

// Solve replaces b, which has a number for each unknown, by A⁻¹·b. Scratch has the same length.
func (c *SparseCholesky) Solve(b, scratch []float64) {
	n := len(c.rows)
	if len(b) != n || len(scratch) != n {
		panic(fmt.Sprintf("linear: SparseCholesky.Solve: %d unknowns, %d right sides, %d of scratch", n, len(b), len(scratch)))
	}
	for v, at := range c.place {
		scratch[at] = b[v]
	}
	for i, row := range c.rows {
		k := len(row) - 1
		scratch[i] = (scratch[i] - floats.Dot(row[:k], scratch[i-k:i])) / row[k]
	}
	for i := n - 1; i >= 0; i-- {
		row := c.rows[i]
		k := len(row) - 1
		scratch[i] /= row[k]
		floats.AddScaled(scratch[i-k:i], -scratch[i], row[:k])
	}
	for v, at := range c.place {
		b[v] = scratch[at]
	}
}
