package ssdr

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
	// nearJoints is how many primary joints a vertex chooses from at first beside those of the rig: those that predict
	// it best alone. Others come in by their price, see [problem.price], at most mostPrices for each set of motions. The 12
	// nearest joints alone, without prices, leave the body 3.77 mm in place of 3.64.
	nearJoints = 4
	mostPrices = 4
	leastPrice = 1e-3 // by what share of the objective a price must lie below it
	// likeRig is how strongly weights are held to the rig's: weights that differ from these by 1 must be better by this
	// root mean square, as a share of the diagonal.
	likeRig = 2e-4
)

// scratch is the memory of a worker.
type scratch struct {
	simplex simplex.Solver
	bones   []int // that a vertex may follow
	q, held []float64
	w       []float64
	before  []float64 // w to begin with
	old     []float64 // w to begin with, solved over its own bones
}

// chooseCandidates fills candidates, and weights to begin with.
func (p *problem) chooseCandidates() {
	n := len(p.rest)
	p.candidates, p.weights = make([][]uint16, n), make([][]skinning.Share, n)
	p.fixed = make([][]float64, n)
	p.errors, p.held = make([]float64, n), make([]float64, n)
	if p.primaries == 0 {
		return
	}
	parallel.For(p.workers, parallel.Chunks(n), func(_, c int) {
		lo, hi := parallel.Chunk(c, n)
		order, alone := make([]int, p.primaries), make([]float64, p.primaries)
		for k := lo; k < hi; k++ {
			p.chooseOf(k, order, alone)
		}
	})
}

// chooseOf fills the candidates of a point. Its weights are those of the rig, or the joint that predicts it best.
func (p *problem) chooseOf(k int, order []int, alone []float64) {
	for j := range order {
		order[j], alone[j] = j, p.entry(k, j, j)
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(alone[a], alone[b]) })
	p.weights[k] = []skinning.Share{{Joint: uint16(order[0]), Weight: 1}}
	if p.rigged != nil && len(p.rigged[k]) > 0 {
		p.weights[k] = slices.Clone(p.rigged[k])
	}
	for _, j := range order[:min(nearJoints, len(order))] {
		p.candidates[k] = append(p.candidates[k], uint16(j))
	}
	p.allow(k)
	p.errors[k] = p.errorOf(k, p.weights[k])
}

// entry returns Q_ab of a point.
func (p *problem) entry(k, a, b int) float64 {
	return p.form(a, b).At(&p.rest[k]) - p.lin[a][k] - p.lin[b][k] + p.square[k]
}

// errorOf returns wᵀQw; without any weights, the error of a point that stays in the middle of its targets.
func (p *problem) errorOf(k int, w []skinning.Share) (sum float64) {
	if len(w) == 0 {
		return p.square[k]
	}
	for i, a := range w {
		sum += a.Weight * a.Weight * p.entry(k, int(a.Joint), int(a.Joint))
		for _, b := range w[:i] {
			sum += 2 * a.Weight * b.Weight * p.entry(k, int(a.Joint), int(b.Joint))
		}
	}
	return math.Max(sum, 0)
}

// solveWeights is equation (5) for every point. No point's objective rises. A thorough solution looks at all primary
// joints, and at the quadratic program without the limit of influences. One that is not begins with the weights as they
// are, and exchanges the bones that a point follows for helper bones. With the other joints that it may follow as well,
// a fit of 4 bones takes a quarter more time, and ends at 0.856 mm in place of 0.830 (arm), 1.487 in place of 1.373
// (human), with 8 bones at 0.589 in place of 0.573 and 1.120 in place of 1.138.
func (p *problem) solveWeights(thorough bool) {
	n := len(p.rest)
	parallel.For(p.workers, parallel.Chunks(n), func(worker, c int) {
		lo, hi := parallel.Chunk(c, n)
		for k := lo; k < hi; k++ {
			p.solvePoint(&p.scratch[worker], k, thorough)
		}
	})
}

// solvePoint solves the weights of a point. The best K of the quadratic program may be worse than the K that the point
// follows now, since the choice is a heuristic; then these are solved again.
func (p *problem) solvePoint(s *scratch, k int, thorough bool) {
	thorough = thorough || len(p.weights[k]) > p.limit || len(p.weights[k]) == 0
	s.bones = s.bones[:0]
	if thorough {
		for _, j := range p.candidates[k] {
			s.bones = append(s.bones, int(j))
		}
	} else {
		for _, w := range p.weights[k] {
			if int(w.Joint) < p.primaries {
				s.bones = append(s.bones, int(w.Joint))
			}
		}
	}
	for b := p.primaries; b < len(p.bones); b++ {
		s.bones = append(s.bones, b)
	}
	p.gram(s, k)
	s.begin(p.weights[k], -1)
	s.before = append(s.before[:0], s.w...)
	if thorough {
		p.search(s, k)
	} else {
		s.simplex.ImproveSparse(s.held, len(s.bones), p.limit, s.w)
	}
	for len(s.before) < len(s.w) { // bones that have come in by their price
		s.before = append(s.before, 0)
	}
	// An exact fit is singular to the last digit, and rounding may then lead astray.
	if sparse(s.before, p.limit) && quadratic(s.held, s.before) < quadratic(s.held, s.w) {
		copy(s.w, s.before)
	}
	p.weights[k] = sharesOf(p.weights[k][:0], s.bones, s.w)
	p.errors[k] = quadratic(s.q, s.w)
	p.held[k] = math.Max(quadratic(s.held, s.w)-p.errors[k], 0)
}

// begin sets w to the weights of a point without those of a bone, −1 for none. Where nothing is left, w is 0.
func (s *scratch) begin(weights []skinning.Share, without int) {
	clear(s.w)
	sum := 0.0
	for _, w := range weights {
		if int(w.Joint) != without {
			s.w[slices.Index(s.bones, int(w.Joint))] += w.Weight
			sum += w.Weight
		}
	}
	if sum > 0 {
		for i := range s.w {
			s.w[i] /= sum
		}
	}
}

// search is solvePoint's thorough solution.
func (p *problem) search(s *scratch, k int) {
	s.old = append(s.old[:0], s.w...)
	for range mostPrices {
		f := s.simplex.Minimize(s.held, len(s.bones), s.w)
		j := p.price(s, k, f)
		if j < 0 {
			break
		}
		p.candidates[k] = append(p.candidates[k], uint16(j))
		s.bones, s.w, s.old = append(s.bones, j), append(s.w, 0), append(s.old, 0)
		p.gram(s, k)
	}
	m := len(s.bones)
	f := s.simplex.MinimizeSparse(s.held, m, p.limit, s.w)
	if sparse(s.old, p.limit) && s.simplex.ImproveSparse(s.held, m, p.limit, s.old) < f {
		copy(s.w, s.old)
	}
}

// sparse reports whether there are weights, at most limit.
func sparse(w []float64, limit int) bool {
	count := 0
	for _, x := range w {
		if x > 0 {
			count++
		}
	}
	return count > 0 && count <= limit
}

// digits is what rounding leaves of the sums in Q, relative to them: the last 16 of a product, summed over some thousand
// examples. Where the bones fit a vertex exactly Q is singular, and rounding must not make it indefinite.
const digits = 1e-14

// gram fills Q over s.bones, and held, which is Q with the hold and a ridge of rounding's size.
func (p *problem) gram(s *scratch, k int) {
	m := len(s.bones)
	s.q, s.held, s.w = resize(s.q, m*m), resize(s.held, m*m), resize(s.w, m)
	fixed, leading := p.fixedEntries(k), 0 // candidates; those that come in by their price are behind the helper bones
	for a, i := range s.bones {
		known := 0
		if a == leading && a < len(p.candidates[k]) && i == int(p.candidates[k][a]) {
			leading++
			known = copy(s.q[a*m:a*m+a+1], fixed[a*(a+1)/2:])
		}
		for b, j := range s.bones[known : a+1] {
			s.q[a*m+known+b] = p.entry(k, i, j)
		}
		for b := range a {
			s.q[b*m+a] = s.q[a*m+b]
		}
	}
	copy(s.held, s.q)
	for a := range m {
		s.held[a*m+a] += digits * p.square[k]
	}
	if p.hold > 0 {
		holdTo(s.held, s.bones, p.rigged[k], p.hold)
	}
}

// fixedEntries returns Q over the candidates of a point, row by row to the diagonal. Primary joints move as they do, so
// it is made once.
func (p *problem) fixedEntries(k int) []float64 {
	own, candidates := p.fixed[k], p.candidates[k]
	for a := 0; a < len(candidates); a++ {
		if a*(a+1)/2 < len(own) {
			continue
		}
		for _, j := range candidates[:a+1] {
			own = append(own, p.entry(k, int(candidates[a]), int(j)))
		}
	}
	p.fixed[k] = own
	return own
}

// price returns the primary joint outside of s.bones whose weight would lower the objective f most steeply, −1 where
// none would by enough: one with (Qw)_j < f.
func (p *problem) price(s *scratch, k int, f float64) int {
	best, least := -1, f*(1-leastPrice)
	for j := range p.primaries {
		if slices.Contains(p.candidates[k], uint16(j)) {
			continue
		}
		g := 0.0
		for i, w := range s.w {
			if w > 0 {
				g += w * p.entry(k, s.bones[i], j)
			}
		}
		if g < least {
			best, least = j, g
		}
	}
	return best
}

// holdTo adds hold·‖w − w₀‖² to a quadratic over the simplex, with w₀ the weights of to. Bones of w₀ that are not among
// bones have no weight in w.
func holdTo(q []float64, bones []int, to []skinning.Share, hold float64) {
	own, absent := make([]float64, len(bones)), 0.0
	for _, s := range to {
		if a := slices.Index(bones, int(s.Joint)); a >= 0 {
			own[a] += s.Weight
		} else {
			absent += s.Weight * s.Weight
		}
	}
	simplex.Hold(q, len(bones), own, hold)
	for k := range q { // where Σw = 1, a constant
		q[k] += hold * absent
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
