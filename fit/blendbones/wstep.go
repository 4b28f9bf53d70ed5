package blendbones

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/linear"
	"skinlab/fit/simplex"
	"skinlab/skinning/parallel"
)

// solver is the state of Algorithm 1.
type solver struct {
	*data
	workers   int
	bones     []*bone
	relations []*relation // one per bone
	w         []weights
	clock     int         // counts changes, for vertexSet.changed
	placings  int         // counts placed sets of matrices
	products  [][]product // of each vertex with blend bones, in the order of its set
	gains     []candidate
	scratch   []workspace // one per worker
	between   func()      // called within long steps, when the weights are consistent with the bones; may be nil
	stop      func() bool // called there too; true leaves the rest of the step out. May be nil
}

// workspace is one goroutine's scratch.
type workspace struct {
	qp   simplex.Solver
	nnls linear.NonNegative
	r    []mgl64.Vec3
	// The relation of a candidate.
	trial relation
	// The products of a vertex with all that it may follow, and the columns of its Gram matrix Σ_f (C_a·v)·(C_b·v)
	// computed so far.
	h, columns []float64
	known      []bool
	// A quadratic form over a support, and the weights.
	q, x [maxSupport * maxSupport]float64
	// The normal equations of softWeights, and what solves them.
	normal, slopes, found []float64
}

// vertexStep is the search for the weights of one vertex. Bones are numbered by position in its set's ids.
type vertexStep struct {
	*solver
	*workspace // its products and columns
	set        *vertexSet
	v          int
	at         *mgl64.Vec3 // its rest position
	ownOnly    bool        // no masters beside the vertex's own
}

// begin starts the search for vertex v.
func (s *solver) begin(ws *workspace, v int) vertexStep {
	t := vertexStep{solver: s, workspace: ws, set: &s.sets[s.set[v]], v: v, at: &s.rest[v]}
	n := len(t.set.ids)
	ws.h, ws.columns, ws.known = grow(ws.h, n), grow(ws.columns, n*n), grow(ws.known, n)
	clear(ws.known)
	masters := copy(ws.h, s.cross[v])
	kept := s.keep(t.set, v)
	for i, id := range t.set.ids[masters:] {
		ws.h[masters+i] = s.renew(&kept[i], s.bones[int(id)-s.joints], v)
	}
	return t
}

// column returns column a of the vertex's Gram matrix.
func (t *vertexStep) column(a int) []float64 {
	n := len(t.set.ids)
	column := t.columns[a*n : (a+1)*n]
	if !t.known[a] {
		t.known[a] = true
		for b, m := range t.set.pairs[a*n : (a+1)*n] {
			column[b] = m.At(t.at)
		}
	}
	return column
}

// The error of the weights w is wᵀ·Q·w with Q_ab = Σ_f (C_a·v − t)·(C_b·v − t). Curvature returns Q_aa, and entry
// returns Q_ab from that entry of the Gram matrix.
func (t *vertexStep) curvature(a int) float64 {
	return t.entry(a, a, t.set.pairs[a*len(t.set.ids)+a].At(t.at))
}

func (t *vertexStep) entry(a, b int, gram float64) float64 {
	return gram - t.h[a] - t.h[b] + t.square[t.v]
}

// product is Σ_f (C·v)·t of a vertex with a blend bone. Placing numbers the bone's matrices that it was computed with.
type product struct {
	placing int
	value   float64
}

// keep returns vertex v's stored products, with room for all blend bones that its set may follow.
func (s *solver) keep(set *vertexSet, v int) []product {
	if n := len(set.ids) - len(set.near); len(s.products[v]) < n {
		s.products[v] = append(s.products[v], make([]product, n-len(s.products[v]))...)
	}
	return s.products[v]
}

// renew returns the product of vertex v with a blend bone. It uses p if the bone's matrices are those of p.
func (s *solver) renew(p *product, b *bone, v int) float64 {
	if p.placing != b.placing {
		*p = product{b.placing, s.crossWith(b.matrices, v)}
	}
	return p.value
}

// productWith returns the product of vertex v with the bone at position i of its set's ids. It changes nothing, so
// goroutines may call it together.
func (s *solver) productWith(set *vertexSet, v, i int) float64 {
	k := i - len(set.near)
	if k < 0 {
		return s.cross[v][i]
	}
	b := s.bones[int(set.ids[i])-s.joints]
	if k < len(s.products[v]) && s.products[v][k].placing == b.placing {
		return s.products[v][k].value
	}
	return s.crossWith(b.matrices, v)
}

// maxSupport is the most bones of a vertex before the choice of maxJoints of them (row 114).
const maxSupport = 12

// support is a set of bones, as positions in a vertexSet's ids, with their weights.
type support struct {
	at     [maxSupport]int
	weight [maxSupport]float64
	count  int
}

// minimize solves the vertex's weights over its support, keeps at most limit bones of it, and returns the error wᵀ·Q·w
// = Σ_f ‖v' − v‖².
func (t *vertexStep) minimize(sup *support, limit int) (err float64) {
	n := sup.count
	for a := range n {
		i := sup.at[a]
		column := t.column(i)
		for b := range a + 1 {
			j := sup.at[b]
			g := t.entry(i, j, column[j])
			t.q[a*n+b], t.q[b*n+a] = g, g
		}
	}
	if n <= limit {
		err = t.qp.Minimize(t.q[:n*n], n, sup.weight[:n])
	} else {
		err = t.qp.MinimizeSparse(t.q[:n*n], n, limit, sup.weight[:n])
	}
	kept := 0
	for a := range n {
		if sup.weight[a] > 0 {
			sup.at[kept], sup.weight[kept] = sup.at[a], sup.weight[a]
			kept++
		}
	}
	sup.count = kept
	return err
}

// solveVertex finds weights of vertex v over its masters and blend bones (ALNS
// section 4.2, with weights that sum to 1 exactly). Masters beside its own must be worth it, see [reachWorth].
func (s *solver) solveVertex(ws *workspace, v int, whole bool) weights {
	if !s.with.exact {
		return s.softWeights(ws, v, false, 0)
	}
	t := s.begin(ws, v)
	sup, err := t.search(whole)
	if t.reaches(&sup) {
		t.ownOnly = true
		if own, e := t.search(whole); !(err < (1-reachWorth)*e) {
			sup, err = own, e
		}
	}
	return t.weightsOf(&sup, err)
}

// reachWorth is the share of its error that a vertex must lose to follow masters beside those of the input model. A
// little weight on a joint far away takes a little off almost any error. In other poses that joint moves otherwise, and
// its lever is long. More poses of the same clip say nothing of that: with an eighth, 24 poses of the human's dance
// leave an EE of 20.6 % on its other clips, and with half 18.5 (docs/ablation.md; rows 164 to 166 and 174).
const reachWorth = 0.5

// reaches reports whether a support has masters beside the vertex's own.
func (t *vertexStep) reaches(sup *support) bool {
	return slices.ContainsFunc(sup.at[:sup.count], t.set.wider)
}

// search finds the best weights. If whole is set, an active set method first finds the optimum over all bones, and keeps
// the best maxJoints of them. Then single bones are exchanged as long as that lowers the error. The result is never
// worse than the vertex's present weights, as far as these are allowed.
func (t *vertexStep) search(whole bool) (sup support, err float64) {
	sup = t.present()
	err = t.minimize(&sup, maxJoints)
	if whole {
		all, e := sup, err
		for all.count < maxSupport {
			before := e
			if !t.enter(&all, e) {
				break
			}
			if e = t.minimize(&all, maxSupport); !(e < before*(1-1e-7)) {
				break
			}
		}
		if all.count > maxJoints {
			e = t.minimize(&all, maxJoints)
		}
		if e < err*(1-1e-9) {
			sup, err = all, e
		}
	}
	err = t.exchange(&sup, err, maxJoints)
	return sup, err
}

// exchange replaces bones of the support by others, at most limit of which stay, as long as that lowers the error.
func (t *vertexStep) exchange(sup *support, err float64, limit int) float64 {
	for {
		next := *sup
		if !t.enter(&next, err) {
			return err
		}
		e := t.minimize(&next, limit)
		if !(e < err*(1-1e-7)) {
			return err
		}
		*sup, err = next, e
	}
}

// weightsOf converts the support to weights.
func (t *vertexStep) weightsOf(sup *support, err float64) weights {
	w := weights{err: err, count: sup.count}
	for a := range sup.count {
		w.bone[a], w.weight[a] = t.set.ids[sup.at[a]], sup.weight[a]
		w.cross += sup.weight[a] * t.h[sup.at[a]]
	}
	return w
}

// present returns the vertex's present bones. If none has weight, it returns the best single bone.
func (t *vertexStep) present() support {
	var sup support
	sum := 0.0
	old := &t.w[t.v]
	for k := range old.count {
		i := t.set.position(old.bone[k])
		if i < 0 || t.ownOnly && t.set.wider(i) {
			continue
		}
		sup.at[sup.count], sup.weight[sup.count] = i, old.weight[k]
		sum += old.weight[k]
		sup.count++
	}
	if !(sum > 1e-9) {
		return t.single()
	}
	for a := range sup.count {
		sup.weight[a] /= sum
	}
	return sup
}

// single returns the one bone that fits the vertex best.
func (t *vertexStep) single() support {
	sup := support{count: 1, weight: [maxSupport]float64{1}}
	least := math.Inf(1)
	for i := range t.set.ids {
		if t.ownOnly && t.set.wider(i) {
			continue
		}
		if e := t.curvature(i); e < least {
			sup.at[0], least = i, e
		}
	}
	return sup
}

// enter appends to the support, with weight 0, the bone j towards which the error falls most. With slope d = wᵀ·Q·w −
// (Q·w)_j and curvature c the error falls by d²/c, where the weight of that step is at most 1. It reports false if the
// error falls towards no bone.
func (t *vertexStep) enter(sup *support, err float64) bool {
	var columns [maxSupport][]float64
	constant := t.square[t.v]
	for a := range sup.count {
		columns[a] = t.column(sup.at[a])
		constant -= sup.weight[a] * t.h[sup.at[a]]
	}
	best, most := -1, err*1e-7
	for j, h := range t.h {
		g := constant - h
		for a := range sup.count {
			g += sup.weight[a] * columns[a][j]
		}
		fall := err - g
		if !(fall > most) || t.ownOnly && t.set.wider(j) || slices.Contains(sup.at[:sup.count], j) {
			continue
		}
		if c := t.curvature(j) - 2*g + err; c > fall {
			fall *= fall / c
		}
		if fall > most {
			best, most = j, fall
		}
	}
	if best < 0 {
		return false
	}
	sup.at[sup.count], sup.weight[sup.count] = best, 0
	sup.count++
	return true
}

// tryVertex returns the error of vertex v if it also follows the candidate of ws.trial. H is the product of v with the
// candidate. A search over all bones in reach would give a slightly smaller error, at several times the cost.
func (s *solver) tryVertex(ws *workspace, v int, h float64) float64 {
	set, w, p := &s.sets[s.set[v]], &s.w[v], &s.rest[v]
	n, size := w.count+1, len(set.ids)
	var at [maxJoints]int
	var products [maxJoints + 1]float64
	for a := range w.count {
		at[a] = set.position(w.bone[a])
		products[a] = s.productWith(set, v, at[a])
	}
	products[w.count] = h
	for a := range n {
		for b := range a + 1 {
			var m *linear.Form
			switch {
			case a < w.count:
				m = set.pairs[at[a]*size+at[b]]
			case b < w.count:
				m = ws.trial.with(int(w.bone[b]), s.joints)
			default:
				m = ws.trial.own
			}
			g := m.At(p) - products[a] - products[b] + s.square[v]
			ws.q[a*n+b], ws.q[b*n+a] = g, g
		}
	}
	x := ws.x[:n]
	copy(x, w.weight[:w.count])
	x[w.count] = 0
	return min(w.err, ws.qp.MinimizeSparse(ws.q[:n*n], n, maxJoints, x))
}

// with returns the moments with a master joint or a placed bone.
func (r *relation) with(id, joints int) *linear.Form {
	if id < joints {
		return &r.master[id]
	}
	return r.bone[id-joints]
}

func grow[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, 2*n)
	}
	return s[:n]
}

// A w'-step skips vertices whose error is below a share of the mean error. Together they hold less than that share of
// the whole error (rows 115 to 119).
const (
	fine   = 1e-4
	rough  = 1e-2
	coarse = 5e-2 // to compare candidates
	none   = -1   // skips not even vertices without an error, whose bones may have moved
)

// solveWeights is the w'-step over the given vertices. It skips those whose error is below a share of the mean. If it
// is stopped, the remaining vertices keep their weights.
func (s *solver) solveWeights(vertices []int32, share float64, whole bool) {
	floor := s.floor(share)
	for piece := range slices.Chunk(vertices, pieceOfStep) {
		if s.stop != nil && s.stop() {
			return
		}
		n := len(piece)
		parallel.For(s.workers, parallel.Chunks(n), func(worker, c int) {
			lo, hi := parallel.Chunk(c, n)
			for _, v := range piece[lo:hi] {
				if w := &s.w[v]; w.err <= floor && w.count > 0 {
					continue
				}
				s.w[v] = s.solveVertex(&s.scratch[worker], int(v), whole)
			}
		})
		if s.between != nil {
			s.between()
		}
	}
}

// pieceOfStep is how many vertices a w'-step solves between two calls of between, some tenths of a second's work.
const pieceOfStep = 1 << 14

// refit solves the weights of vertices over the bones that each follows now and returns their error.
func (s *solver) refit(vertices []int32) (total float64) {
	n := len(vertices)
	parts := make([]float64, parallel.Chunks(n))
	parallel.For(s.workers, len(parts), func(worker, c int) {
		lo, hi := parallel.Chunk(c, n)
		for _, v := range vertices[lo:hi] {
			s.w[v] = s.refitVertex(&s.scratch[worker], int(v))
			parts[c] += s.w[v].err
		}
	})
	for _, p := range parts {
		total += p
	}
	return total
}

func (s *solver) refitVertex(ws *workspace, v int) weights {
	set, w, p := &s.sets[s.set[v]], &s.w[v], &s.rest[v]
	n, size, kept := w.count, len(set.ids), s.keep(set, v)
	var at [maxJoints]int
	var products [maxJoints]float64
	for a := range n {
		at[a] = set.position(w.bone[a])
		if id := int(w.bone[a]); id < s.joints {
			products[a] = s.cross[v][at[a]]
		} else {
			products[a] = s.renew(&kept[at[a]-len(set.near)], s.bones[id-s.joints], v)
		}
		for b := range a + 1 {
			g := set.pairs[at[a]*size+at[b]].At(p) - products[a] - products[b] + s.square[v]
			ws.q[a*n+b], ws.q[b*n+a] = g, g
		}
	}
	x := ws.x[:n]
	copy(x, w.weight[:n])
	out := weights{err: ws.qp.Minimize(ws.q[:n*n], n, x)}
	for a := range n {
		if x[a] > 0 {
			out.bone[out.count], out.weight[out.count] = w.bone[a], x[a]
			out.cross += x[a] * products[a]
			out.count++
		}
	}
	return out
}

// floor returns a share of the mean error of a vertex.
func (s *solver) floor(share float64) float64 {
	sum := 0.0
	for v := range s.w {
		if e := s.w[v].err; !math.IsInf(e, 1) {
			sum += e
		}
	}
	return sum * share / float64(max(len(s.w), 1))
}

// total returns Σ over all vertices and frames of the squared error: E of ALNS equation (2).
func (s *solver) total() (e float64) {
	for v := range s.w {
		e += s.w[v].err
	}
	return e
}
