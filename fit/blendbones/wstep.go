package blendbones

import (
	"slices"

	"skinlab/fit/simplex"
)

// solver is the state of Algorithm 1.
type solver struct {
	*data
	workers   int
	bones     []*bone
	relations []relation // one per bone
	w         []weights
	clock     int // counts changes, for vertexSet.changed
	gains     []candidate
	scratch   []workspace // one per worker
}

// workspace is one goroutine's scratch.
type workspace struct {
	qp   simplex.Solver
	q, x []float64
	h    []float64
	id   []int32
	// The relation of a bone that is only tried.
	trial relation
}

// gramOf returns Σ_f (C_a·v)·(C_b·v) of two candidates of vertex v: positions below m in its set are masters, then blend
// bones of the set, then extra.
func (s *solver) gramOf(set *vertexSet, a, b int, extra *relation, v int) float64 {
	if a > b {
		a, b = b, a
	}
	m, p := len(set.joints), &s.rest[v]
	bound := m + len(set.blends)
	switch {
	case b < m:
		return set.gram[a][b].at(p)
	case b < bound:
		k := set.blends[b-m]
		if a < m {
			return s.relations[k].master[set.joints[a]].at(p)
		}
		if l := set.blends[a-m]; l != k {
			return s.relations[max(k, l)].bone[min(k, l)].at(p)
		}
		return s.relations[k].own.at(p)
	case a < m:
		return extra.master[set.joints[a]].at(p)
	case a < bound:
		return extra.bone[set.blends[a-m]].at(p)
	}
	return extra.own.at(p)
}

// solveVertex finds the best w'-weights of vertex v over its masters, the blend bones of its set and, where given, an extra
// bone, related in ws.trial, whose number is len(s.bones) (ALNS section 4.2, with the equality exact). It never returns worse weights than old.
func (s *solver) solveVertex(ws *workspace, v int, extra *bone) weights {
	set := &s.sets[s.set[v]]
	m := len(set.joints)
	n := m + len(set.blends)
	ws.h, ws.id = ws.h[:0], ws.id[:0]
	for a, j := range set.joints {
		ws.h, ws.id = append(ws.h, s.cross[v][a]), append(ws.id, int32(j))
	}
	for _, k := range set.blends {
		ws.h, ws.id = append(ws.h, s.crossWith(s.bones[k].matrices, v)), append(ws.id, int32(s.joints+k))
	}
	if extra != nil {
		ws.h, ws.id = append(ws.h, s.crossWith(extra.matrices, v)), append(ws.id, int32(s.joints+len(s.bones)))
		n++
	}
	ws.q, ws.x = grow(ws.q, n*n), grow(ws.x, n)
	for a := range n {
		for b := range a + 1 {
			g := s.gramOf(set, a, b, &ws.trial, v) - ws.h[a] - ws.h[b] + s.square[v]
			ws.q[a*n+b], ws.q[b*n+a] = g, g
		}
	}
	clear(ws.x)
	old := &s.w[v]
	for k := range old.count {
		if i := slices.Index(ws.id, old.bone[k]); i >= 0 {
			ws.x[i] = old.weight[k]
		}
	}
	kept := objective(ws.q, n, ws.x)
	f := ws.qp.MinimizeSparse(ws.q, n, maxJoints, ws.x)
	if f > kept {
		w := *old
		w.err = kept
		w.cross = 0
		for k := range old.count {
			w.cross += old.weight[k] * ws.h[slices.Index(ws.id, old.bone[k])]
		}
		return w
	}
	w := weights{err: f}
	for i, x := range ws.x {
		if x > 0 {
			w.bone[w.count], w.weight[w.count] = ws.id[i], x
			w.cross += x * ws.h[i]
			w.count++
		}
	}
	return w
}

func objective(q []float64, n int, x []float64) (f float64) {
	sum := 0.0
	for a, xa := range x {
		if xa == 0 {
			continue
		}
		sum += xa
		for b, xb := range x {
			f += xa * xb * q[a*n+b]
		}
	}
	if !(sum > 0.999) { // weights on a bone that is gone
		return 1e300
	}
	return f
}

func grow(s []float64, n int) []float64 {
	if cap(s) < n {
		return make([]float64, n, 2*n)
	}
	return s[:n]
}

// solveWeights is the w'-step over the given vertices.
func (s *solver) solveWeights(vertices []int32) {
	n := len(vertices)
	parallel(s.workers, chunks(n), func(worker, c int) {
		lo, hi := chunk(c, n)
		for _, v := range vertices[lo:hi] {
			s.w[v] = s.solveVertex(&s.scratch[worker], int(v), nil)
		}
	})
}

// total returns Σ over all vertices and frames of the squared error: E of ALNS equation (2).
func (s *solver) total() (e float64) {
	for v := range s.w {
		e += s.w[v].err
	}
	return e
}
