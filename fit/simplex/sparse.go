package simplex

import (
	"fmt"
	"math"

	"skinlab/fit/linear"
)

// MinimizeSparse is [Solver.Minimize] with at most limit non-zeros. While there are more, it drops the one whose loss
// costs least and solves the rest again; ALNS section 4.2 drops the smallest. Then it tries exchanges of one index for
// another until none helps. The result is never worse than that of the paper's rule. It need not be the best subset,
// which only a search over all subsets would find.
func (s *Solver) MinimizeSparse(q []float64, n, limit int, x []float64) float64 {
	return s.Sparsen(q, n, limit, x, s.Minimize(q, n, x))
}

// Sparsen is the part of [Solver.MinimizeSparse] that follows [Solver.Minimize], which has just found x and returned f.
func (s *Solver) Sparsen(q []float64, n, limit int, x []float64, f float64) float64 {
	if len(s.support) <= limit {
		return f
	}
	for len(s.support) > limit { // solving again may drop more
		s.dropOne(q, n, x)
	}
	f = s.evaluate(q, n, x)
	if n == limit+1 { // the only index to exchange is the one dropped
		return f
	}
	return s.exchanges(q, n, limit, x, f)
}

// ImproveSparse is a local [Solver.MinimizeSparse], for a Q that has changed little since x was solved. It begins with
// the non-zeros of x, at most limit, and tries exchanges. It does not raise the objective of x.
func (s *Solver) ImproveSparse(q []float64, n, limit int, x []float64) float64 {
	s.start(q, n, x)
	if len(s.support) > limit {
		panic(fmt.Sprintf("simplex: ImproveSparse: %d non-zeros, limit %d", len(s.support), limit))
	}
	s.gradient = linear.Resize(s.gradient, n)
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

// dropOne removes the index of x whose removal costs least, and solves over the rest. No other index may enter.
func (s *Solver) dropOne(q []float64, n int, x []float64) {
	if s.solved || s.solve(q, n) {
		place, _ := s.cheapest()
		s.drop(x, place)
	} else {
		s.dropSmallest(x)
	}
	s.equality(q, n, x)
}

// cheapest returns the place in the solved support S of the index whose removal costs least, and a lower bound of the
// objective without it. With K = Q_SS⁻¹ the optimum is 1/(1ᵀK1). Without index i it is 1/(1ᵀK1 − (K1)_i²/K_ii), as long
// as no weight becomes negative. So one inverse gives all costs.
func (s *Solver) cheapest() (best int, bound float64) {
	m := len(s.support)
	s.inverse = linear.Resize(s.inverse, m)
	least := math.Inf(1)
	for i := range m {
		// Column i of L⁻¹: the sum of its squares is K_ii.
		v := s.factor[i*m+i]
		s.inverse[i] = v
		kii := v * v
		for a := i + 1; a < m; a++ {
			v, row := 0.0, s.factor[a*m:][:a+1]
			for k := i; k < a; k++ {
				v -= row[k] * s.inverse[k]
			}
			v *= row[a]
			s.inverse[a] = v
			kii += v * v
		}
		if loss := s.y[i] * s.y[i] / kii; loss < least {
			best, least = i, loss
		}
	}
	return best, 1/(s.total*(1-s.total*least)) - s.added
}

// exchange adds the most promising index outside of the support and drops the least useful, if that lowers the
// objective. Support and gradient must be those of x.
func (s *Solver) exchange(q []float64, n, limit int, x []float64, f float64) (float64, bool) {
	enter, slope := -1, f*(1-1e-9)
	for j := range n {
		if x[j] == 0 && s.gradient[j] < slope {
			enter, slope = j, s.gradient[j]
		}
	}
	if enter < 0 {
		return f, false
	}
	s.old = append(s.old[:0], x...)
	s.enter(enter)
	s.equality(q, n, x)
	if s.solved && len(s.support) == limit+1 {
		place, bound := s.cheapest()
		if bound >= f*(1-1e-9) {
			copy(x, s.old)
			return f, false
		}
		s.drop(x, place)
		s.equality(q, n, x)
	}
	for len(s.support) > limit {
		s.dropOne(q, n, x)
	}
	if g := s.evaluate(q, n, x); g < f*(1-1e-9) {
		return g, true
	}
	copy(x, s.old)
	return f, false
}
