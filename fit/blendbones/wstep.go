package blendbones

import (
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/linear"
	"skinlab/skinning/parallel"
)

// system is the least squares of a vertex's weights over all that it may follow (ALNS equation 4). The error of the
// weights w is wᵀ·Q·w with Q_ab = Σ_f (C_a·v − t)·(C_b·v − t), since they sum to 1.
type system struct {
	ids    []int32
	forms  []*linear.Form
	at     *mgl64.Vec3 // the vertex at rest
	square float64     // Σ_f |t|²
	h      []float64   // Σ_f (C_a·v)·t
	q      []float64   // the diagonal, and the rows that were asked for
	known  []bool      // which these are
}

// system returns the system of vertex v, of whose matrix only the diagonal is computed.
func (s *solution) system(ws *workspace, v int) *system {
	y, c := &ws.system, &s.choices[s.in.set[v]]
	n := len(c.ids)
	y.ids, y.forms, y.at, y.square = c.ids, c.forms, &s.in.rest[v], s.in.square[v]
	y.h, y.q, y.known = linear.Resize(y.h, n), linear.Resize(y.q, n*n), linear.Resize(y.known, n)
	clear(y.known)
	masters := copy(y.h, s.in.cross[v])
	for i, id := range y.ids[masters:] {
		y.h[masters+i] = s.in.crossWith(s.bones[int(id)-s.in.joints].motion, v)
	}
	for i := range n {
		y.q[i*n+i] = y.forms[i*n+i].At(y.at) - 2*y.h[i] + y.square
	}
	return y
}

// fill computes row a of the matrix.
func (y *system) fill(a int) {
	if y.known[a] {
		return
	}
	y.known[a] = true
	n := len(y.ids)
	row := y.q[a*n : (a+1)*n]
	for b, form := range y.forms[a*n : (a+1)*n] {
		row[b] = form.At(y.at) - y.h[a] - y.h[b] + y.square
	}
}

// weights converts a solution of the system.
func (y *system) weights(x []float64, err float64) weights {
	w := weights{err: err}
	for i, v := range x {
		if v > 0 {
			w.bone[w.count], w.weight[w.count], w.product[w.count] = y.ids[i], v, y.h[i]
			w.count++
		}
	}
	return w
}

// exactWeights finds weights of a vertex that sum to 1 exactly, at most maxJoints of them: those whose loss costs
// least stay, improved by exchanges ([simplex.Solver.MinimizeSparse]). In the paper the sum is a soft row (equation
// 5), and the smallest weights are dropped. The result is never worse than the present weights.
func exactWeights(s *solution, ws *workspace, v int, anew bool) weights {
	y, w := s.system(ws, v), &s.weights[v]
	n := len(y.ids)
	ws.x = linear.Resize(ws.x, n)
	clear(ws.x)
	for k := range w.count {
		ws.x[slices.Index(y.ids, w.bone[k])] = w.weight[k]
	}
	ws.simplex.Fill = y.fill
	ws.y = append(ws.y[:0], ws.x...)
	out := y.weights(ws.x, ws.simplex.ImproveSparse(y.q, n, maxJoints, ws.x))
	if anew {
		if err := ws.simplex.MinimizeSparse(y.q, n, maxJoints, ws.y); err < out.err {
			out = y.weights(ws.y, err)
		}
	}
	ws.simplex.Fill = nil
	return out
}

// solveWeights is the w'-step over the given vertices. If it is stopped, the remaining vertices keep their weights.
func (s *solution) solveWeights(vertices []int32, anew bool) {
	n := len(vertices)
	parallel.For(s.workers, parallel.Chunks(n), func(worker, c int) {
		if s.stop() {
			return
		}
		lo, hi := parallel.Chunk(c, n)
		for _, v := range vertices[lo:hi] {
			s.weights[v] = s.recipe.Weights(s, s.scratch[worker], int(v), anew)
		}
	})
}

// thin takes influences away that are worth little, since each costs time in every frame. A vertex keeps the fewest
// with which its error rises by no more than the given share of the mean error.
func (s *solution) thin(share float64) {
	n, allowed := len(s.weights), share*s.total()/float64(len(s.weights))
	parallel.For(s.workers, parallel.Chunks(n), func(worker, c int) {
		ws := s.scratch[worker]
		ws.simplex.Fill = ws.system.fill
		lo, hi := parallel.Chunk(c, n)
		for v := lo; v < hi; v++ {
			w, y := &s.weights[v], s.system(ws, v)
			for limit := 1; limit < w.count; limit++ {
				ws.x = linear.Resize(ws.x, len(y.ids))
				clear(ws.x)
				if err := ws.simplex.MinimizeSparse(y.q, len(y.ids), limit, ws.x); err <= w.err+allowed {
					*w = y.weights(ws.x, err)
				}
			}
		}
		ws.simplex.Fill = nil
	})
}
