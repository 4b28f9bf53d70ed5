package ssdr

import (
	"cmp"
	"slices"

	"gonum.org/v1/gonum/floats"

	"skinlab/fit/linear"
	"skinlab/fit/simplex"
	"skinlab/skinning"
	"skinlab/skinning/parallel"
)

const (
	// influences is K, the most bones that a vertex may follow (section 6).
	influences = 4
	// nearJoints is the number of primary joints, beside those of the rig, among which a vertex chooses: those that
	// alone predict it best.
	nearJoints = 64
)

// chooseCandidates finds the primary joints that each point may follow.
func (s *Solver) chooseCandidates() {
	s.candidates = make([][]uint16, len(s.rest))
	parallel.For(s.workers, len(s.rest), func(_, k int) {
		joints, errors := slices.Clone(s.joints(k)), make([]float64, s.primaries)
		for _, j := range joints {
			errors[j] = s.entry(k, j, j)
		}
		slices.SortStableFunc(joints, func(a, b int) int { return cmp.Compare(errors[a], errors[b]) })
		for i, j := range joints {
			if i < nearJoints || s.rigged != nil && weightOf(s.rigged[k], j) > 0 {
				s.candidates[k] = append(s.candidates[k], uint16(j))
			}
		}
	})
}

// scratch is the memory of a worker: the quadratic program of a point. With the hold, and with a ridge r of rounding's
// size, its matrix over the simplex is
//
//	Q_ab + hold·(‖w₀‖² − w₀_a − w₀_b) + (hold + r)·[a = b]
//
// where w₀ are the rig's weights, also of bones that the point may not follow.
type scratch struct {
	s        *Solver
	simplex  simplex.Solver
	powers   linear.Moment // of the point's rest position: with them a form is a product of ten numbers
	bones    []int         // that it may follow
	base     float64       // the common term of all entries: Σ ỹ² + hold·‖w₀‖²
	offset   []float64     // the common term of a bone's entries: −l − hold·w₀
	q        []float64     // the matrix: its diagonal, and the rows that are filled
	filled   []bool
	w        []float64
	before   []float64 // w to begin with
	improved []float64 // before, solved over its own bones
}

// SolveWeights is equation (5) for every point. A thorough solution looks at all of its bones, and at the quadratic
// program without the limit of influences. Any other begins with the present weights, and exchanges the bones that a
// point follows for helper bones. That takes less time, and suffices for motions that have changed little.
func (s *Solver) SolveWeights(thorough bool) {
	n := len(s.rest)
	parallel.For(s.workers, parallel.Chunks(n), func(worker, chunk int) {
		lo, hi := parallel.Chunk(chunk, n)
		for k := lo; k < hi; k++ {
			s.scratch[worker].solve(k, thorough)
		}
	})
}

// solve solves the weights of a point. The best K of the quadratic program may be worse than the K that the point
// follows now, since the choice is a heuristic; then these are solved again.
func (c *scratch) solve(k int, thorough bool) {
	s := c.s
	own := s.weights[k]
	thorough = thorough || len(own) > influences || len(own) == 0
	c.bones = c.bones[:0]
	for _, j := range s.candidates[k] {
		if thorough || weightOf(own, int(j)) > 0 {
			c.bones = append(c.bones, int(j))
		}
	}
	for b := s.primaries; b < len(s.bones); b++ {
		c.bones = append(c.bones, b)
	}
	c.gram(k)
	m := len(c.bones)
	for _, w := range own {
		c.w[slices.Index(c.bones, int(w.Joint))] += w.Weight
	}
	if sum := floats.Sum(c.w); sum > 0 { // it is not 1 where a bone was removed
		floats.Scale(1/sum, c.w)
	}
	c.before = append(c.before[:0], c.w...)
	f := 0.0
	if thorough {
		f = c.simplex.Minimize(c.q, m, c.w)
		if !sparse(c.w) {
			f = c.simplex.Sparsen(c.q, m, influences, c.w, f)
			c.improved = append(c.improved[:0], c.before...)
			if sparse(c.before) {
				if g := c.simplex.ImproveSparse(c.q, m, influences, c.improved); g < f {
					copy(c.w, c.improved)
					f = g
				}
			}
		}
	} else {
		f = c.simplex.ImproveSparse(c.q, m, influences, c.w)
	}
	// An exact fit is singular to the last digit, and rounding may then lead astray.
	if sparse(c.before) && c.quadratic(c.before) < f-digits*s.square[k] {
		copy(c.w, c.before)
	}
	s.weights[k] = skinning.AppendShares(own[:0], c.bones, c.w)
	s.errors[k] = s.errorOf(k, s.weights[k])
}

// TrimWeights drops the smallest weights of each point, as many as may go while its objective rises by no more than the
// recipe allows. Weights like these follow the noise of positions in files.
func (s *Solver) TrimWeights() {
	objective := func(k int, w []skinning.Share) float64 {
		sum := s.errorOf(k, w)
		if s.hold > 0 {
			sum += s.hold * squareDistance(w, s.rigged[k])
		}
		return sum
	}
	allowed := s.recipe.Trim * s.size
	allowed *= allowed * s.x.TotalWeight()
	parallel.For(s.workers, len(s.weights), func(_, k int) {
		most := objective(k, s.weights[k]) + allowed
		for last := len(s.weights[k]) - 1; last > 0 && allowed > 0; last-- { // the largest come first
			fewer, sum := slices.Clone(s.weights[k][:last]), 0.0
			for _, w := range fewer {
				sum += w.Weight
			}
			for i := range fewer {
				fewer[i].Weight /= sum
			}
			if !(objective(k, fewer) <= most) {
				break
			}
			s.weights[k] = fewer
		}
	})
	s.measure()
}

// sparse reports whether there are weights, at most K.
func sparse(w []float64) bool {
	count := 0
	for _, x := range w {
		if x > 0 {
			count++
		}
	}
	return count > 0 && count <= influences
}

// digits is the rounding error of the sums in Q, relative to them: 1e-16 for a product, summed over some thousand
// examples. Where the bones fit a vertex exactly Q is singular, and rounding must not make it indefinite.
const digits = 1e-14

// gram begins the quadratic program of a point over its bones. It fills only the diagonal.
func (c *scratch) gram(k int) {
	s, m := c.s, len(c.bones)
	c.powers = linear.Moment{}
	c.powers.Add(1, s.rest[k])
	c.q, c.w = linear.Resize(c.q, m*m), linear.Resize(c.w, m)
	c.offset, c.filled = linear.Resize(c.offset, m), linear.Resize(c.filled, m)
	clear(c.filled)
	clear(c.w)
	var rigged []skinning.Share
	if s.hold > 0 {
		rigged = s.rigged[k]
	}
	c.base = s.square[k] + s.hold*squareDistance(rigged, nil)
	for a, b := range c.bones {
		c.offset[a] = -s.linear(b, k) - s.hold*weightOf(rigged, b)
		c.q[a*m+a] = c.entry(a, a) + s.hold + digits*s.square[k]
	}
}

// quadratic returns the objective of some weights.
func (c *scratch) quadratic(w []float64) (sum float64) {
	m := len(w)
	for a, x := range w {
		if x != 0 {
			c.fill(a)
			sum += x * floats.Dot(c.q[a*m:][:m], w)
		}
	}
	return sum
}

// entry returns an entry of the matrix, without the terms that only the diagonal has.
func (c *scratch) entry(a, b int) float64 {
	return c.s.form(c.bones[a], c.bones[b]).Sum(&c.powers) + c.base + c.offset[a] + c.offset[b]
}

// fill makes a row whole.
func (c *scratch) fill(a int) {
	if c.filled[a] {
		return
	}
	c.filled[a] = true
	m := len(c.bones)
	row := c.q[a*m:][:m]
	for b, filled := range c.filled {
		switch {
		case b == a:
		case filled:
			row[b] = c.q[b*m+a]
		default:
			row[b] = c.entry(a, b)
		}
	}
}
