package helperbones

import (
	"cmp"
	"math"
	"slices"

	"skinlab/fit/simplex"
	"skinlab/skinning"
	"skinlab/skinning/parallel"
)

const (
	// mostInfluences is K, the most bones that a vertex may follow (section 6).
	mostInfluences = 4
	// nearJoints is how many primary joints a vertex chooses from beside those of the rig, and those that the quadratic
	// program over all joints takes: the joints that predict it best alone.
	nearJoints = 8
	// likeRig is how strongly weights are held to the rig's: weights that differ from these by 1 must be better by this
	// root mean square, as a share of the diagonal.
	likeRig = 2e-4
)

// scratch is the memory of a worker.
type scratch struct {
	simplex simplex.Solver
	targets []float64
	bones   []int // that a vertex may follow
	q, held []float64
	w, old  []float64
	sub     []float64
}

// chooseCandidates fills candidates, and weights to begin with.
func (p *problem) chooseCandidates() {
	n := len(p.rest)
	p.candidates, p.weights = make([][]uint16, n), make([][]skinning.Share, n)
	p.errors, p.held = make([]float64, n), make([]float64, n)
	if p.primaries == 0 {
		return
	}
	parallel.For(p.workers, parallel.Chunks(n), func(worker, c int) {
		lo, hi := parallel.Chunk(c, n)
		for k := lo; k < hi; k++ {
			p.chooseOf(&p.scratch[worker], k)
		}
	})
}

// chooseOf fills the candidates of a point. Its weights are those of the rig, or the joint that predicts it best.
func (p *problem) chooseOf(s *scratch, k int) {
	d := p.primaries
	s.q, s.w = resize(s.q, d*d), resize(s.w, d)
	for a := range d {
		for b := range a + 1 {
			e := p.entry(k, a, b)
			s.q[a*d+b], s.q[b*d+a] = e, e
		}
	}
	order := make([]int, d)
	for j := range order {
		order[j] = j
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(s.q[a*d+a], s.q[b*d+b]) })
	chosen := slices.Clone(order[:min(nearJoints, d)])
	clear(s.w)
	s.w[order[0]] = 1
	p.weights[k] = []skinning.Share{{Joint: uint16(order[0]), Weight: 1}}
	if p.rigged != nil && len(p.rigged[k]) > 0 {
		p.weights[k] = slices.Clone(p.rigged[k])
		for _, s := range p.rigged[k] {
			chosen = append(chosen, int(s.Joint))
		}
	}
	p.errors[k] = p.errorOf(k, p.weights[k])
	s.simplex.Minimize(s.q, d, s.w)
	for j, w := range s.w {
		if w > 0 {
			chosen = append(chosen, j)
		}
	}
	for _, j := range sortedSet(chosen) {
		p.candidates[k] = append(p.candidates[k], uint16(j))
	}
}

// entry returns Q_ab of a point.
func (p *problem) entry(k, a, b int) float64 {
	return p.form(a, b).At(&p.rest[k]) - p.lin[a][k] - p.lin[b][k] + p.square[k]
}

// errorOf returns wᵀQw.
func (p *problem) errorOf(k int, w []skinning.Share) (sum float64) {
	for i, a := range w {
		sum += a.Weight * a.Weight * p.entry(k, int(a.Joint), int(a.Joint))
		for _, b := range w[:i] {
			sum += 2 * a.Weight * b.Weight * p.entry(k, int(a.Joint), int(b.Joint))
		}
	}
	return math.Max(sum, 0)
}

// solveWeights is equation (5) for every point. No point's objective rises.
func (p *problem) solveWeights() {
	n := len(p.rest)
	parallel.For(p.workers, parallel.Chunks(n), func(worker, c int) {
		lo, hi := parallel.Chunk(c, n)
		for k := lo; k < hi; k++ {
			p.solvePoint(&p.scratch[worker], k)
		}
	})
}

// solvePoint solves the weights of a point. The best K of the quadratic program may be worse than the K that the point
// follows now, since the choice is a heuristic; then these are solved again.
func (p *problem) solvePoint(s *scratch, k int) {
	s.bones = s.bones[:0]
	for _, j := range p.candidates[k] {
		s.bones = append(s.bones, int(j))
	}
	for b := p.primaries; b < len(p.bones); b++ {
		s.bones = append(s.bones, b)
	}
	m := len(s.bones)
	s.q, s.held, s.w, s.old = resize(s.q, m*m), resize(s.held, m*m), resize(s.w, m), resize(s.old, m)
	for a, i := range s.bones {
		for b, j := range s.bones[:a+1] {
			e := p.entry(k, i, j)
			s.q[a*m+b], s.q[b*m+a] = e, e
		}
	}
	copy(s.held, s.q)
	if p.hold > 0 {
		holdTo(s.held, s.bones, p.rigged[k], p.hold)
	}
	clear(s.old)
	sum := 0.0
	for _, w := range p.weights[k] {
		s.old[slices.Index(s.bones, int(w.Joint))] += w.Weight
		sum += w.Weight
	}
	if sum > 0 {
		for i := range s.old {
			s.old[i] /= sum
		}
	}
	copy(s.w, s.old)
	f := s.simplex.MinimizeSparse(s.held, m, p.limit, s.w)
	if s.kept(f, m, p.limit) {
		copy(s.w, s.old)
	}
	p.weights[k] = sharesOf(p.weights[k][:0], s.bones, s.w)
	p.errors[k] = quadratic(s.q, s.w)
	p.held[k] = math.Max(quadratic(s.held, s.w)-p.errors[k], 0)
}

// kept solves over the bones of s.old, and reports whether that is below f. There must be at most limit of them.
func (s *scratch) kept(f float64, m, limit int) bool {
	var support []int
	for i, w := range s.old {
		if w > 0 {
			support = append(support, i)
		}
	}
	if len(support) == 0 || len(support) > limit {
		return false
	}
	s.sub = s.sub[:0]
	for _, i := range support {
		for _, j := range support {
			s.sub = append(s.sub, s.held[i*m+j])
		}
	}
	w := make([]float64, len(support))
	for a, i := range support {
		w[a] = s.old[i]
	}
	if !(s.simplex.Minimize(s.sub, len(w), w) < f) {
		return false
	}
	for a, i := range support {
		s.old[i] = w[a]
	}
	return true
}

// holdTo adds hold·‖w − w₀‖² to a quadratic over the simplex: where the sum is 1, that is wᵀ(I − w₀·1ᵀ − 1·w₀ᵀ +
// |w₀|²·1·1ᵀ)w.
func holdTo(q []float64, bones []int, to []skinning.Share, hold float64) {
	m := len(bones)
	own := make([]float64, m)
	square := 0.0
	for _, s := range to {
		own[slices.Index(bones, int(s.Joint))] += s.Weight
		square += s.Weight * s.Weight
	}
	for a := range m {
		for b := range m {
			q[a*m+b] += hold * (square - own[a] - own[b])
		}
		q[a*m+a] += hold
	}
}

// quadratic returns wᵀ·q·w, at least 0.
func quadratic(q, w []float64) (sum float64) {
	for a, x := range w {
		if x != 0 {
			for b, y := range w {
				sum += x * y * q[a*len(w)+b]
			}
		}
	}
	return math.Max(sum, 0)
}

// sharesOf appends the non-zero weights, the largest first.
func sharesOf(dst []skinning.Share, bones []int, w []float64) []skinning.Share {
	for k, x := range w {
		if x > 0 {
			dst = append(dst, skinning.Share{Joint: uint16(bones[k]), Weight: x})
		}
	}
	slices.SortStableFunc(dst, func(a, b skinning.Share) int { return cmp.Compare(b.Weight, a.Weight) })
	return dst
}

func resize(s []float64, n int) []float64 {
	if cap(s) < n {
		return make([]float64, n, 2*n)
	}
	return s[:n]
}

// sortedSet sorts and removes duplicates, in place.
func sortedSet(s []int) []int {
	slices.Sort(s)
	return slices.Compact(s)
}
