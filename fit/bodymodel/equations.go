package bodymodel

import (
	"context"
	"fmt"

	"github.com/go-gl/mathgl/mgl64"
	"gonum.org/v1/gonum/floats"

	"skinlab/fit/linear"
	"skinlab/skinning/parallel"
)

// mostIterations bounds the iterations of conjugate gradients. A result that has not converged is usable, because each
// iteration lowers the quadratic. At α = 100 the condition number of the metric is at most 401, for which 200
// iterations suffice. Blends that are nearly singular need more.
const mostIterations = 1000

// equations are the normal equations of moves that lower Q. Unknown k of vertex v moves it by column k of J_iv in scan
// i. With M the metric and d_i the offsets from the body to scan i, the moves x solve H·x = g, where
//
//	H_vu = M_vu·Σ_i J_ivᵀ·J_iu,  g_v = Σ_i J_ivᵀ·(M·d_i)_v.
//
// H is as sparse as M, and as well conditioned where columns are: conjugate gradients with the blocks of the diagonal as
// preconditioner solve it. For the vertices of 49 scans of the human at α = 100 they take 0.72 s of processor time to
// 1e-8 and 0.35 s to 1e-4. A block Cholesky factorization in the order of a nested dissection takes 4.4 s: the 2-ring
// fills to 1.9 million blocks, 128 MB. For the arm it is 0.18 s against 0.31 s.
type equations struct {
	metric  *metric
	workers int
	first   []int     // unknowns of vertex v are first[v] up to first[v+1]
	block   []int     // values of entry k of the metric are block[k] up to block[k+1], row by row
	values  []float64 // H
	factor  []int     // the Cholesky factor of vertex v is factor[v] up to factor[v+1]
	factors []float64
	right   []float64 // g
}

// newEquations makes the equations. Counts are the numbers of unknowns of the vertices. The last three unknowns of a
// vertex are its place, and those before are weights. Fill sets columns[k][3·i:][:3] of a vertex to its move in scan i
// by unknown k.
//
// [equations.condition] must follow.
func (f *solver) newEquations(counts []int, fill func(v int, columns [][]float64)) *equations {
	n, width, m := len(counts), 3*len(f.palettes), f.metric
	e := &equations{metric: m, workers: f.workers}
	e.first, e.factor, e.block = make([]int, n+1), make([]int, n+1), make([]int, len(m.column)+1)
	for v, count := range counts {
		e.first[v+1], e.factor[v+1] = e.first[v]+count, e.factor[v]+count*count
		for k := m.start[v]; k < m.start[v+1]; k++ {
			e.block[k+1] = e.block[k] + count*counts[m.column[k]]
		}
	}
	e.values, e.factors = make([]float64, e.block[len(m.column)]), make([]float64, e.factor[n])
	e.right = make([]float64, e.first[n])
	columns, off := make([][]float64, e.first[n]), make([]float64, n*width)
	e.each(func(v int) {
		own := columns[e.first[v]:e.first[v+1]]
		memory := make([]float64, len(own)*width)
		for k := range own {
			own[k] = memory[k*width:][:width]
		}
		fill(v, own)
		for i := range f.off {
			copy(off[v*width+3*i:], f.off[i][v][:])
		}
	})
	e.each(func(v int) { e.fillRow(v, columns, off, width) })
	e.each(e.mirrorRow)
	return e
}

// each calls do for all vertices.
func (e *equations) each(do func(v int)) {
	n := len(e.first) - 1
	parallel.For(e.workers, parallel.Chunks(n), func(_, c int) {
		lo, hi := parallel.Chunk(c, n)
		for v := lo; v < hi; v++ {
			do(v)
		}
	})
}

// sum adds up what do returns for the unknowns of all vertices, lo up to hi of each.
func (e *equations) sum(partial []float64, do func(v, lo, hi int) float64) (sum float64) {
	n := len(e.first) - 1
	parallel.For(e.workers, len(partial), func(_, c int) {
		lo, hi := parallel.Chunk(c, n)
		partial[c] = 0
		for v := lo; v < hi; v++ {
			partial[c] += do(v, e.first[v], e.first[v+1])
		}
	})
	for _, s := range partial {
		sum += s
	}
	return sum
}

// fillRow computes a vertex's part of g, and its row of H from the diagonal on.
func (e *equations) fillRow(v int, columns [][]float64, off []float64, width int) {
	m, own := e.metric, columns[e.first[v]:e.first[v+1]]
	lack := make([]float64, width) // (M·d_i)_v
	for k := m.start[v]; k < m.start[v+1]; k++ {
		u, a := int(m.column[k]), m.value[k]
		floats.AddScaled(lack, a, off[u*width:][:width])
		if u < v {
			continue
		}
		at := e.block[k]
		for _, x := range own {
			for _, y := range columns[e.first[u]:e.first[u+1]] {
				e.values[at] = a * floats.Dot(x, y)
				at++
			}
		}
	}
	for k, x := range own {
		e.right[e.first[v]+k] = floats.Dot(x, lack)
	}
}

// mirrorRow fills H left of the diagonal.
func (e *equations) mirrorRow(v int) {
	m, rows := e.metric, e.first[v+1]-e.first[v]
	for k := m.start[v]; k < m.start[v+1] && int(m.column[k]) < v; k++ {
		u := int(m.column[k])
		to, from := e.values[e.block[k]:e.block[k+1]], e.values[e.block[m.find(u, v)]:]
		columns := e.first[u+1] - e.first[u]
		for i := range rows {
			for j := range columns {
				to[i*columns+j] = from[j*rows+i]
			}
		}
	}
}

// find returns where row v has column u, which it must have.
func (m *metric) find(v, u int) int {
	lo, hi := m.start[v], m.start[v+1]
	for lo < hi {
		if mid := (lo + hi) / 2; int(m.column[mid]) < u {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo
}

// condition adds a ridge to the diagonal, relative to its mean over weights and over places, and factors the diagonal's
// blocks. With the ridge, unknowns that no scan determines do not move. It returns an error where a number is not
// finite.
func (e *equations) condition(ridge float64) error {
	// diagonal calls do with each entry of the diagonal, and whether it is of a place.
	diagonal := func(v int, do func(d *float64, place int)) {
		n, at := e.first[v+1]-e.first[v], e.block[e.metric.find(v, v)]
		for i := range n {
			place := 0
			if i >= n-3 {
				place = 1
			}
			do(&e.values[at+i*(n+1)], place)
		}
	}
	var sums [2]float64
	var counts [2]int
	for v := range len(e.first) - 1 {
		check := 0.0
		diagonal(v, func(d *float64, place int) {
			sums[place] += *d
			counts[place]++
			check += *d
		})
		for _, g := range e.right[e.first[v]:e.first[v+1]] {
			check += g
		}
		if check*0 != 0 { // NaN and ±Inf times 0 are NaN
			return fmt.Errorf("bodymodel: the equations of vertex %d are not finite", v)
		}
	}
	for k := range sums {
		sums[k] *= ridge / float64(max(counts[k], 1))
	}
	e.each(func(v int) {
		diagonal(v, func(d *float64, place int) { *d += sums[place] })
		n, at := e.first[v+1]-e.first[v], e.block[e.metric.find(v, v)]
		l := e.factors[e.factor[v]:e.factor[v+1]]
		copy(l, e.values[at:at+n*n])
		if !linear.Cholesky(l, n, 0) { // without any scan, or rounding
			clear(l)
			for i := range n {
				l[i*(n+1)] = 1
			}
		}
	})
	return nil
}

// solve returns the moves, by conjugate gradients from zero until the residual is the given fraction of the first, in
// the preconditioned norm. Where ctx is cancelled it returns the moves so far.
func (e *equations) solve(ctx context.Context, residual float64) []float64 {
	size, partial := len(e.right), make([]float64, parallel.Chunks(len(e.first)-1))
	x, r := make([]float64, size), e.right
	z, p, hp := make([]float64, size), make([]float64, size), make([]float64, size)
	// precondition sets z of a vertex, and returns its part of r·z.
	precondition := func(v, lo, hi int) float64 {
		copy(z[lo:hi], r[lo:hi])
		linear.Solve(e.factors[e.factor[v]:e.factor[v+1]], hi-lo, z[lo:hi])
		return floats.Dot(r[lo:hi], z[lo:hi])
	}
	rz := e.sum(partial, func(v, lo, hi int) float64 {
		defer copy(p[lo:hi], z[lo:hi])
		return precondition(v, lo, hi)
	})
	least := residual * residual * rz
	for range mostIterations {
		if !(rz > least) || ctx.Err() != nil {
			break
		}
		php := e.sum(partial, func(v, lo, hi int) float64 {
			e.row(hp[lo:hi], v, p)
			return floats.Dot(p[lo:hi], hp[lo:hi])
		})
		if !(php > 0) {
			break
		}
		step := rz / php
		next := e.sum(partial, func(v, lo, hi int) float64 {
			for k := lo; k < hi; k++ {
				x[k] += step * p[k]
				r[k] -= step * hp[k]
			}
			return precondition(v, lo, hi)
		})
		keep := next / rz
		e.sum(partial, func(v, lo, hi int) float64 {
			for k := lo; k < hi; k++ {
				p[k] = z[k] + keep*p[k]
			}
			return 0
		})
		rz = next
	}
	return x
}

// row sets out to the rows of vertex v of H·p.
func (e *equations) row(out []float64, v int, p []float64) {
	clear(out)
	for k := e.metric.start[v]; k < e.metric.start[v+1]; k++ {
		u := e.metric.column[k]
		x := p[e.first[u]:e.first[u+1]]
		values := e.values[e.block[k]:e.block[k+1]]
		for i := range out {
			row, sum := values[i*len(x):][:len(x)], 0.0
			for j, w := range row {
				sum += w * x[j]
			}
			out[i] += sum
		}
	}
}

// putLinear sets three columns of a vertex, in one scan, to those of a matrix.
func putLinear(columns [][]float64, scan int, l [9]float64) {
	for c := range 3 {
		copy(columns[c][3*scan:], []float64{l[c], l[3+c], l[6+c]})
	}
}

// putVector sets a column of a vertex in one scan.
func putVector(column []float64, scan int, x mgl64.Vec3) { copy(column[3*scan:], x[:]) }
