package simplex

import (
	"fmt"
	"math"
)

// MinimizeSparse is [Solver.Minimize] with at most limit non-zeros. While there are more, it drops the one whose loss
// costs least and solves the rest again; ALNS section 4.2 drops the smallest. Then it tries exchanges of one index for
// another until none helps. The result is never worse than that of the paper's rule. It need not be the best subset,
// which only a search over all subsets would find.
func (s *Solver) MinimizeSparse(q []float64, n, limit int, x []float64) float64 {
	f := s.Minimize(q, n, x)
	if len(s.support) <= limit {
		return f
	}
	for len(s.support) > limit { // solving again may drop more
		f = s.dropOne(q, n, x)
	}
	if n == limit+1 { // the only index to exchange is the one dropped
		return f
	}
	return s.exchanges(q, n, limit, x, f)
}

// ImproveSparse is [Solver.MinimizeSparse] in the small, where Q has changed little since x was solved: it begins with
// the non-zeros of x, at most limit, and tries exchanges. It does not raise the objective of x.
func (s *Solver) ImproveSparse(q []float64, n, limit int, x []float64) float64 {
	s.start(q, n, x)
	if len(s.support) > limit {
		panic(fmt.Sprintf("simplex: ImproveSparse: %d non-zeros, limit %d", len(s.support), limit))
	}
	s.gradient = resize(s.gradient, n)
	s.equality(q, n, x)
	return s.exchanges(q, n, limit, x, s.evaluate(q, n, x))
}

// exchanges exchanges indices as long as that lowers f, the objective of x.
func (s *Solver) exchanges(q []float64, n, limit int, x []float64, f float64) float64 {
	for range n { // every exchange lowers f
		better, ok := s.exchange(q, n, limit, x, f)
		if !ok {
			break
		}
		f = better
	}
	return f
}

// dropOne removes the index of x whose removal costs least, and solves over the rest. With K = Q_SS⁻¹ over the support
// S the optimum is 1/(1ᵀK1). Without index i it is 1/(1ᵀK1 − (K1)_i²/K_ii), as long as no weight becomes negative. So
// one inverse gives all costs.
func (s *Solver) dropOne(q []float64, n int, x []float64) float64 {
	s.support = s.support[:0]
	for i, v := range x {
		if v > 0 {
			s.support = append(s.support, i)
		}
	}
	best := 0
	if s.solve(q, n) {
		m := len(s.support)
		s.inverse = resize(s.inverse, m)
		least := math.Inf(1)
		for i := range m {
			// Column i of L⁻¹: the sum of its squares is K_ii.
			kii := 0.0
			for a := i; a < m; a++ {
				v := 0.0
				if a == i {
					v = 1
				}
				for k := i; k < a; k++ {
					v -= s.factor[a*m+k] * s.inverse[k]
				}
				s.inverse[a] = v * s.factor[a*m+a]
				kii += s.inverse[a] * s.inverse[a]
			}
			if loss := s.y[i] * s.y[i] / kii; loss < least {
				best, least = i, loss
			}
		}
	} else {
		for i := range s.support {
			if x[s.support[i]] < x[s.support[best]] {
				best = i
			}
		}
	}
	f := s.without(q, n, x, s.support[best])
	copy(x, s.trial)
	return f
}

// without solves over the support of x without index i, into s.trial. No other index may enter.
func (s *Solver) without(q []float64, n int, x []float64, i int) float64 {
	s.trial = resize(s.trial, n)
	copy(s.trial, x)
	rest := 1 - x[i]
	s.trial[i] = 0
	s.support = s.support[:0]
	for j, v := range s.trial {
		if v > 0 {
			s.support = append(s.support, j)
		}
	}
	for _, j := range s.support {
		if s.trial[j] /= rest; !(rest > 1e-12) {
			s.trial[j] = 1 / float64(len(s.support))
		}
	}
	s.equality(q, n, s.trial)
	return s.evaluate(q, n, s.trial)
}

// exchange adds the most promising index outside of the support and drops the least useful, if that lowers the
// objective.
func (s *Solver) exchange(q []float64, n, limit int, x []float64, f float64) (float64, bool) {
	s.support = s.support[:0]
	for j, v := range x {
		if v > 0 {
			s.support = append(s.support, j)
		}
	}
	s.gradient = resize(s.gradient, n)
	s.evaluate(q, n, x)
	enter, slope := -1, f*(1-1e-9)
	for j := range n {
		if x[j] == 0 && s.gradient[j] < slope {
			enter, slope = j, s.gradient[j]
		}
	}
	if enter < 0 {
		return f, false
	}
	old := append([]float64(nil), x...)
	s.support = append(s.support, enter)
	s.equality(q, n, x)
	for len(s.support) > limit {
		s.dropOne(q, n, x)
	}
	if g := s.evaluate(q, n, x); g < f*(1-1e-9) {
		return g, true
	}
	copy(x, old)
	return f, false
}
