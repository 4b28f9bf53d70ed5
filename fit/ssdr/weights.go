package ssdr

import (
	"cmp"
	"math"
	"slices"

	"skinlab/fit/linear"
	"skinlab/fit/simplex"
	"skinlab/skinning"
	"skinlab/skinning/parallel"
)

const (
	// mostInfluences is K, the most bones that a vertex may follow (section 6).
	mostInfluences = 4
	// nearJoints is the number of primary joints, beside those of the rig, among which a vertex first chooses: those
	// that alone predict it best. Others join by their price, see [problem.price], at most mostPrices for each set of
	// motions. With the 12 nearest joints and no prices, the body's error is 3.77 mm; with prices it is 3.64 mm
	// (row 247).
	nearJoints = 4
	mostPrices = 4
	leastPrice = 1e-3 // the share of the objective by which a price must lie below it
	// likeRig is the strength with which weights are held to the rig's: weights at distance 1 from the rig's must lower
	// the root mean square error by at least this share of the diagonal (rows 245, 246).
	likeRig = 2e-4
)

// scratch is the memory of a worker: the quadratic program of a point. With the hold, and with a ridge r of rounding's
// size, its matrix over the simplex is
//
//	Q_ab + hold·(‖w₀‖² − w₀_a − w₀_b) + (hold + r)·[a = b]
//
// where w₀ are the rig's weights, also of bones that the point may not follow.
type scratch struct {
	p       *problem
	simplex simplex.Solver
	k       int           // the point
	powers  linear.Moment // of its rest position: with them a form is a product of ten numbers
	bones   []int         // that it may follow
	rigged  []float64     // the rig's weights of these
	absent  float64       // Σ of the squares of the rig's weights of other bones
	ridge   float64       // r
	base    float64       // the common term of all entries: Σ ỹ² + hold·‖w₀‖²
	offset  []float64     // the common term of a bone's entries: −l − hold·w₀
	q       []float64     // the matrix: its diagonal, and the rows that are filled
	filled  []bool
	w       []float64
	before  []float64 // w to begin with
	old     []float64 // w to begin with, solved over its own bones

	following []following // the bones of weights above 0
	prices    []float64   // (Qw)_j of the primary joints that the point may follow
}

type following struct {
	weight float64
	bone   int
}

// prepare ties the memory to a problem.
func (s *scratch) prepare(p *problem) { s.p, s.simplex.Fill = p, s.fill }

// chooseCandidates fills candidates, and weights to begin with.
func (p *problem) chooseCandidates() {
	n := len(p.rest)
	p.candidates, p.weights = make([][]uint16, n), make([][]skinning.Share, n)
	p.errors, p.held = make([]float64, n), make([]float64, n)
	if p.primaries == 0 {
		return
	}
	parallel.For(p.workers, parallel.Chunks(n), func(_, c int) {
		lo, hi := parallel.Chunk(c, n)
		order, errors := make([]int, p.primaries), make([]float64, p.primaries)
		for k := lo; k < hi; k++ {
			p.chooseOf(k, order[:0], errors)
		}
	})
}

// chooseOf fills the candidates of a point. Its weights are those of the rig, or the joint that predicts it best.
func (p *problem) chooseOf(k int, order []int, errors []float64) {
	for _, j := range p.joints(k) {
		order, errors[j] = append(order, j), p.entry(k, j, j)
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(errors[a], errors[b]) })
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

// joints returns the primary joints that a point may follow.
func (p *problem) joints(k int) []int { return p.skeletons.joints[p.span[k][0]:p.span[k][1]] }

// entry returns Q_ab of a point.
func (p *problem) entry(k, a, b int) float64 {
	return p.form(a, b).At(&p.rest[k]) - p.l(a, k) - p.l(b, k) + p.square[k]
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
// joints, and at the quadratic program without the limit of influences. Any other begins with the present weights, and
// exchanges the bones that a point follows for helper bones. If it exchanged them for the point's other primary joints
// too, a fit would take a quarter more time. With 4 bones it would end at 0.856 mm instead of 0.830 mm (arm) and at
// 1.487 mm instead of 1.373 mm (human); with 8 bones at 0.589 mm instead of 0.573 mm, and at 1.120 mm instead of 1.138
// mm (row 248).
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
	s.gram(k)
	s.begin(p.weights[k], -1)
	s.before = append(s.before[:0], s.w...)
	f := 0.0
	if thorough {
		f = s.search()
	} else {
		f = s.simplex.ImproveSparse(s.q, len(s.bones), p.limit, s.w)
	}
	for len(s.before) < len(s.w) { // bones that have come in by their price
		s.before = append(s.before, 0)
	}
	// An exact fit is singular to the last digit, and rounding may then lead astray.
	if sparse(s.before, p.limit) {
		if g := s.quadratic(s.before); g < f {
			copy(s.w, s.before)
			f = g
		}
	}
	p.weights[k] = skinning.AppendShares(p.weights[k][:0], s.bones, s.w)
	p.errors[k] = math.Max(f-s.penalty(), 0)
	p.held[k] = f - p.errors[k]
}

// begin sets w to the weights of a point without that of a bone (−1 for none), scaled to sum 1. If no weight is left, w
// is 0.
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

// search is solvePoint's thorough solution. It returns the objective.
func (s *scratch) search() (f float64) {
	p := s.p
	s.old = append(s.old[:0], s.w...)
	for added := 0; ; added++ {
		f = s.simplex.Minimize(s.q, len(s.bones), s.w)
		if added == mostPrices {
			break
		}
		j := s.price(f)
		if j < 0 {
			break
		}
		p.candidates[s.k] = append(p.candidates[s.k], uint16(j))
		s.old = append(s.old, 0)
		s.add(j)
	}
	if sparse(s.w, p.limit) {
		return f
	}
	m := len(s.bones)
	f = s.simplex.Sparsen(s.q, m, p.limit, s.w, f)
	if sparse(s.old, p.limit) {
		if g := s.simplex.ImproveSparse(s.q, m, p.limit, s.old); g < f {
			copy(s.w, s.old)
			return g
		}
	}
	return f
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

// digits is the rounding error of the sums in Q, relative to them: 1e-16 for a product, summed over some thousand
// examples. Where the bones fit a vertex exactly Q is singular, and rounding must not make it indefinite.
const digits = 1e-14

// gram begins the quadratic program of a point over s.bones. It fills only the diagonal.
func (s *scratch) gram(k int) {
	p, m := s.p, len(s.bones)
	s.k, s.ridge, s.base, s.absent = k, digits*p.square[k], p.square[k], 0
	s.powers = linear.Moment{}
	s.powers.Add(1, p.rest[k])
	s.q, s.w = linear.Resize(s.q, m*m), linear.Resize(s.w, m)
	s.rigged, s.offset, s.filled = linear.Resize(s.rigged, m), linear.Resize(s.offset, m), linear.Resize(s.filled, m)
	clear(s.filled)
	clear(s.rigged)
	if p.hold > 0 {
		for _, share := range p.rigged[k] {
			if a := slices.Index(s.bones, int(share.Joint)); a >= 0 {
				s.rigged[a] += share.Weight
			} else {
				s.absent += share.Weight * share.Weight
			}
		}
		square := s.absent
		for _, w := range s.rigged {
			square += w * w
		}
		s.base += p.hold * square
	}
	for a, j := range s.bones {
		s.offset[a] = -p.l(j, k) - p.hold*s.rigged[a]
		s.q[a*m+a] = s.entry(a, a) + p.hold + s.ridge
	}
}

// entry returns an entry of the matrix, without the terms that only the diagonal has.
func (s *scratch) entry(a, b int) float64 {
	return s.p.form(s.bones[a], s.bones[b]).Sum(&s.powers) + s.base + s.offset[a] + s.offset[b]
}

// fill makes a row whole.
func (s *scratch) fill(a int) {
	if s.filled[a] {
		return
	}
	s.filled[a] = true
	m := len(s.bones)
	row := s.q[a*m:][:m]
	for b, filled := range s.filled {
		switch {
		case b == a:
		case filled:
			row[b] = s.q[b*m+a]
		default:
			row[b] = s.entry(a, b)
		}
	}
}

// add appends a bone that the rig has no weight of.
func (s *scratch) add(bone int) {
	last := len(s.bones)
	m := last + 1
	s.bones, s.w, s.filled = append(s.bones, bone), append(s.w, 0), append(s.filled, false)
	s.rigged, s.offset = append(s.rigged, 0), append(s.offset, -s.p.l(bone, s.k))
	s.q = append(s.q, make([]float64, m*m-len(s.q))...)
	for a := last - 1; a >= 0; a-- { // from rows of one less
		row, from := s.q[a*m:][:m], s.q[a*last:][:last]
		if !s.filled[a] {
			row[a] = from[a]
			continue
		}
		copy(row, from)
		row[last] = s.entry(a, last)
	}
	s.q[m*m-1] = s.entry(last, last) + s.p.hold + s.ridge
}

// price returns the primary joint j outside of s.bones whose weight would lower the objective f most steeply, the one
// with the least (Qw)_j. It returns −1 if no (Qw)_j is far enough below f.
func (s *scratch) price(f float64) int {
	p := s.p
	best, least := -1, f*(1-leastPrice)
	mean := 0.0 // of l
	s.following = s.following[:0]
	for a, w := range s.w {
		if w > 0 {
			s.following = append(s.following, following{w, s.bones[a]})
			mean += w * p.l(s.bones[a], s.k)
		}
	}
	joints := p.joints(s.k)
	s.prices = slices.Grow(s.prices[:0], len(joints))[:len(joints)]
	for r, l := range p.near[s.k] {
		s.prices[r] = p.square[s.k] - mean - l
	}
	for _, own := range s.following {
		forms := p.forms[own.bone] // of a primary joint with those of the point's skeleton, in their order
		for r, j := range joints {
			if own.bone < p.primaries {
				j = r
			}
			s.prices[r] += own.weight * forms[j].Sum(&s.powers)
		}
	}
	for r, j := range joints {
		if g := s.prices[r]; g < least && !slices.Contains(p.candidates[s.k], uint16(j)) {
			best, least = j, g
		}
	}
	return best
}

// quadratic returns the objective of w, at least 0. The rows of its weights must be filled.
func (s *scratch) quadratic(w []float64) (sum float64) {
	m := len(w)
	for a, x := range w {
		if x != 0 {
			row := s.q[a*m:][:m]
			sum += x * x * row[a]
			for b, y := range w[:a] {
				if y != 0 {
					sum += 2 * x * y * row[b]
				}
			}
		}
	}
	return math.Max(sum, 0)
}

// penalty returns the part of s.w's objective that is not error: the hold and the ridge.
func (s *scratch) penalty() float64 {
	square, distance := 0.0, s.absent
	for a, w := range s.w {
		square += w * w
		distance += (w - s.rigged[a]) * (w - s.rigged[a])
	}
	return s.p.hold*distance + s.ridge*square
}
