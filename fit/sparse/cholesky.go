// Package sparse factors large symmetric positive definite matrices with few entries in a row, as meshes make them. No
// fit needs it: it solves for whole meshes what package enveloping solves reduced, and that package's tests hold the
// one against the other.
package sparse

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// ErrNotDefinite reports a matrix that is not positive definite to rounding.
var ErrNotDefinite = errors.New("sparse: the matrix is not positive definite")

// Symmetric collects a symmetric matrix of n rows: what is added at (i, j) stands at (j, i) too.
type Symmetric struct {
	n    int
	rows []map[int]float64 // row i: columns ≤ i
}

// NewSymmetric returns the zero matrix of n rows.
func NewSymmetric(n int) *Symmetric { return &Symmetric{n, make([]map[int]float64, n)} }

// Add adds v at (i, j), and at (j, i) where that is another place.
func (s *Symmetric) Add(i, j int, v float64) {
	if i < j {
		i, j = j, i
	}
	if s.rows[i] == nil {
		s.rows[i] = make(map[int]float64, 8)
	}
	s.rows[i][j] += v
}

// Cholesky is P·A·Pᵀ = L·D·Lᵀ with unit lower triangular L. It is read-only: any number of goroutines may solve.
type Cholesky struct {
	order   []int // row i of the permuted matrix is row order[i]
	start   []int // column j of L below the diagonal: index and value[start[j]:start[j+1]]
	index   []int32
	value   []float64
	inverse []float64 // 1/D
}

// Factor orders the rows to keep the factor thin (reverse Cuthill and McKee 1969) and factors row by row along the
// elimination tree (Davis 2005, LDL).
func (s *Symmetric) Factor() (*Cholesky, error) {
	n := s.n
	c := &Cholesky{order: s.reverseCuthillMcKee(), inverse: make([]float64, n)}
	place := make([]int, n)
	for i, old := range c.order {
		place[old] = i
	}
	// The permuted matrix by rows: in row i the columns k ≤ i.
	type entry struct {
		column int
		value  float64
	}
	rows := make([][]entry, n)
	for i, row := range s.rows {
		for j, v := range row {
			a, b := place[i], place[j]
			if a < b {
				a, b = b, a
			}
			rows[a] = append(rows[a], entry{b, v})
		}
	}
	for i := range rows { // sums in the same order every time
		slices.SortFunc(rows[i], func(a, b entry) int { return a.column - b.column })
	}
	// The elimination tree and the length of each column.
	parent, flag, count := make([]int, n), make([]int, n), make([]int, n)
	for k := range n {
		parent[k], flag[k] = -1, k
		for _, e := range rows[k] {
			for i := e.column; flag[i] != k; i = parent[i] {
				if parent[i] < 0 {
					parent[i] = k
				}
				count[i]++
				flag[i] = k
			}
		}
	}
	c.start = make([]int, n+1)
	for i := range n {
		c.start[i+1] = c.start[i] + count[i]
	}
	c.index, c.value = make([]int32, c.start[n]), make([]float64, c.start[n])

	y, pattern, d := make([]float64, n), make([]int, n), make([]float64, n)
	next := slices.Clone(c.start[:n])
	for k := range n {
		top, diagonal := n, 0.0
		flag[k] = k + n // a mark that the loop above did not use
		for _, e := range rows[k] {
			if e.column == k {
				diagonal = e.value
				continue
			}
			y[e.column] += e.value
			length := 0
			for i := e.column; flag[i] != k+n; i = parent[i] {
				pattern[length] = i
				length++
				flag[i] = k + n
			}
			for length > 0 {
				top--
				length--
				pattern[top] = pattern[length]
			}
		}
		d[k] = diagonal
		for ; top < n; top++ {
			i := pattern[top]
			yi := y[i]
			y[i] = 0
			for p := c.start[i]; p < next[i]; p++ {
				y[c.index[p]] -= c.value[p] * yi
			}
			l := yi * c.inverse[i]
			d[k] -= l * yi
			c.index[next[i]], c.value[next[i]] = int32(k), l
			next[i]++
		}
		if !(d[k] > 1e-14*math.Abs(diagonal)) {
			return nil, fmt.Errorf("%w: pivot %g of %g in row %d of %d", ErrNotDefinite, d[k], diagonal, c.order[k], n)
		}
		c.inverse[k] = 1 / d[k]
	}
	return c, nil
}

// Solve replaces b by A⁻¹·b, with scratch of the same length. Both have one entry per row.
func (c *Cholesky) Solve(b, scratch []float64) {
	x := scratch[:len(c.order)]
	for i, old := range c.order {
		x[i] = b[old]
	}
	for j := range x {
		if v := x[j]; v != 0 {
			for p := c.start[j]; p < c.start[j+1]; p++ {
				x[c.index[p]] -= c.value[p] * v
			}
		}
	}
	for j := len(x) - 1; j >= 0; j-- {
		v := x[j] * c.inverse[j]
		for p := c.start[j]; p < c.start[j+1]; p++ {
			v -= c.value[p] * x[c.index[p]]
		}
		x[j] = v
	}
	for i, old := range c.order {
		b[old] = x[i]
	}
}

// NonZeros returns the entries of L below its diagonal.
func (c *Cholesky) NonZeros() int { return len(c.value) }

// reverseCuthillMcKee numbers the rows breadth first from the far end of each connected part, so that neighbours get
// near numbers, and turns the numbers round.
func (s *Symmetric) reverseCuthillMcKee() []int {
	neighbours := make([][]int, s.n)
	for i, row := range s.rows {
		for j := range row {
			if i != j {
				neighbours[i] = append(neighbours[i], j)
				neighbours[j] = append(neighbours[j], i)
			}
		}
	}
	for i := range neighbours {
		slices.Sort(neighbours[i])
	}
	seen := make([]int, s.n) // the round in which a row was last reached
	round := 0
	// walk lists what is reached from a row, near rows first, and among rows of one parent those of fewer neighbours.
	walk := func(from int, into []int) []int {
		round++
		first := len(into)
		into = append(into, from)
		seen[from] = round
		for at := first; at < len(into); at++ {
			begin := len(into)
			for _, j := range neighbours[into[at]] {
				if seen[j] != round {
					seen[j] = round
					into = append(into, j)
				}
			}
			slices.SortStableFunc(into[begin:], func(a, b int) int { return len(neighbours[a]) - len(neighbours[b]) })
		}
		return into
	}
	order := make([]int, 0, s.n)
	done := make([]bool, s.n)
	for i := range s.n {
		if done[i] {
			continue
		}
		end := i
		for range 3 { // the last row reached lies far out; twice again and it lies at an end
			reached := walk(end, nil)
			end = reached[len(reached)-1]
		}
		first := len(order)
		order = walk(end, order)
		for _, j := range order[first:] {
			done[j] = true
		}
	}
	slices.Reverse(order)
	return order
}
