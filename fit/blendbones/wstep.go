package blendbones

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/parallel"
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
	qp         simplex.Solver
	q, x, y, h []float64
	id         []int32 // the bones of a vertex's problem
	r          []mgl64.Vec3
	// The relation of a bone that is only tried.
	trial relation
}

// gramOf returns Σ_f (C_a·v)·(C_b·v) of two bones that vertex v may follow, by number: masters first, then blend bones.
// Number len(s.bones) is the bone that is tried.
func (s *solver) gramOf(ws *workspace, set *vertexSet, a, b int32, v int) float64 {
	if a > b {
		a, b = b, a
	}
	p, first := &s.rest[v], int32(s.joints)
	if b < first {
		return set.gram[slices.Index(set.near, uint16(a))][slices.Index(set.near, uint16(b))].at(p)
	}
	r := &ws.trial
	if k := b - first; int(k) < len(s.relations) {
		r = &s.relations[k]
	}
	switch {
	case a < first:
		return r.master[a].at(p)
	case a < b:
		return r.bone[a-first].at(p)
	}
	return r.own.at(p)
}

// fill sets ws.q to the quadratic form of the vertex's error over the bones of ws.id: Q_ab = Σ_f (C_a·v − t)·(C_b·v − t).
func (s *solver) fill(ws *workspace, v int, extra *bone) {
	set, n, first := &s.sets[s.set[v]], len(ws.id), int32(s.joints)
	ws.h = ws.h[:0]
	for _, id := range ws.id {
		switch {
		case id < first:
			ws.h = append(ws.h, s.cross[v][slices.Index(set.near, uint16(id))])
		case int(id-first) < len(s.bones):
			ws.h = append(ws.h, s.crossWith(s.bones[id-first].matrices, v))
		default:
			ws.h = append(ws.h, s.crossWith(extra.matrices, v))
		}
	}
	ws.q, ws.x = grow(ws.q, n*n), grow(ws.x, n)
	for a := range n {
		for b := range a + 1 {
			g := s.gramOf(ws, set, ws.id[a], ws.id[b], v) - ws.h[a] - ws.h[b] + s.square[v]
			ws.q[a*n+b], ws.q[b*n+a] = g, g
		}
	}
}

// solveVertex finds the best w'-weights of vertex v over its masters and the blend bones of its set but the one numbered without,
// −1 for none (ALNS section 4.2, with the equality exact). It never returns worse weights than the vertex has.
func (s *solver) solveVertex(ws *workspace, v, without int) weights {
	set := &s.sets[s.set[v]]
	ws.id = ws.id[:0]
	for _, j := range set.near {
		ws.id = append(ws.id, int32(j))
	}
	for _, k := range set.blends {
		if k != without {
			ws.id = append(ws.id, int32(s.joints+k))
		}
	}
	s.fill(ws, v, nil)
	n, old := len(ws.id), &s.w[v]
	clear(ws.x)
	for k := range old.count {
		if i := slices.Index(ws.id, old.bone[k]); i >= 0 {
			ws.x[i] = old.weight[k]
		}
	}
	kept := objective(ws.q, n, ws.x)
	ws.y = append(ws.y[:0], ws.x...)
	if f := ws.qp.MinimizeSparse(ws.q, n, maxJoints, ws.x); f > kept {
		copy(ws.x, ws.y)
		return ws.result(kept)
	} else {
		return ws.result(f)
	}
}

// result reads the weights from ws.x.
func (ws *workspace) result(err float64) weights {
	w := weights{err: err}
	for i, x := range ws.x[:len(ws.id)] {
		if x > 0 {
			w.bone[w.count], w.weight[w.count] = ws.id[i], x
			w.cross += x * ws.h[i]
			w.count++
		}
	}
	return w
}

// tryVertex returns the error that vertex v would have with the bone of ws.trial beside those it follows now. Solving over all
// that it may follow would be a little less and cost several times as much.
func (s *solver) tryVertex(ws *workspace, v int, b *bone) float64 {
	w := &s.w[v]
	ws.id = append(ws.id[:0], w.bone[:w.count]...)
	ws.id = append(ws.id, int32(s.joints+len(s.bones)))
	s.fill(ws, v, b)
	copy(ws.x, w.weight[:w.count])
	ws.x[w.count] = 0
	return min(w.err, ws.qp.MinimizeSparse(ws.q, len(ws.id), maxJoints, ws.x))
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
	floor := s.floor()
	parallel.For(s.workers, parallel.Chunks(n), func(worker, c int) {
		lo, hi := parallel.Chunk(c, n)
		for _, v := range vertices[lo:hi] {
			if w := &s.w[v]; w.err <= floor && w.count > 0 && !slices.ContainsFunc(w.bone[:w.count], s.isBlend) {
				continue
			}
			s.w[v] = s.solveVertex(&s.scratch[worker], int(v), -1)
		}
	})
}

// floor is the error below which a vertex that follows masters alone is good enough to be left out: all such vertices
// together hold a ten-thousandth of the error.
func (s *solver) floor() float64 {
	sum := 0.0
	for v := range s.w {
		if e := s.w[v].err; !math.IsInf(e, 1) {
			sum += e
		}
	}
	return sum * 1e-4 / float64(max(len(s.w), 1))
}

func (s *solver) isBlend(bone int32) bool { return int(bone) >= s.joints }

// total returns Σ over all vertices and frames of the squared error: E of ALNS equation (2).
func (s *solver) total() (e float64) {
	for v := range s.w {
		e += s.w[v].err
	}
	return e
}
