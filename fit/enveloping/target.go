package enveloping

// error returns per vertex Σ_i ‖Σ_b α_b·T_b^i·ŷ − y^i‖², what the vertex reduction alone loses (RTER section 5.1, E); 0
// for fixed vertices.
func (r *reduction) error(x *Examples) []float64 {
	square := make([]float64, len(x.Rest))
	for v, w := range r.weights {
		if w == nil {
			continue
		}
		for i := range x.Pairs {
			y := x.Pairs[i].Target[v]
			for _, s := range w {
				y = y.Sub(r.transforms[s.Joint][i].Apply(x.Rest[v]).Mul(s.Weight))
			}
			square[v] += y.Dot(y)
		}
	}
	return square
}

// fewest finds the fewest proxies with which the error of the vertex reduction stays below the target: one fewer does
// not. It halves the range, since the error falls smoothly with their number (RTER section 5.1).
func (r *run) fewest(groups *clustering, fixed []bool) (count int, reason Reason) {
	groups.joinTo(1, r.cancelled)
	met := func(count int) bool {
		if r.cancelled() {
			return false
		}
		r.stage(stageReduce)
		red := newReduction(r.y, fixed, groups, count)
		red.fitProxies(r.y, r.opt.rounds, r.opt.Workers, r.cancelled)
		return r.ee(red.error(r.x)) < r.opt.Target
	}
	if count = r.opt.Proxies; !met(count) {
		return count, ProxyLimit
	}
	for missed := 0; count-missed > 1; {
		if middle := (count + missed) / 2; met(middle) {
			count = middle
		} else {
			missed = middle
		}
	}
	return count, TargetMet
}
