package blendbones

import (
	"cmp"
	"math"
	"slices"

	"skinlab/skinning/parallel"
	"skinlab/skinning/simd"
)

// Every influence costs time in every frame, and many lower the error by almost nothing. The paper keeps up to four (ALNS
// section 4.2). The kernels of linear blending pose vertices by groups of simd.Group in file order, and sum for each
// vertex as many influences as the group's largest number. So removing an influence saves time only where it lowers that
// number.

// trimRise is how far EE may rise, as a share of itself, when influences are removed. The built-in figure's
// groups have 3.03 influences at most where this is 0.002, and 2.89 here: 1.6 % less time to pose, for 0.3 % of EE (rows 105, 106).
const trimRise = 0.005

// saving is a group whose largest number of influences is lowered to most, and the rise of the squared error per
// influence by which it is lowered.
type saving struct {
	cost  float64
	group int32
	most  int8
}

// trimInfluences removes influences, in all groups together in the order of what they cost, until the error has risen by
// trimRise.
func (s *solver) trimInfluences() {
	groups := (len(s.w) + simd.Group - 1) / simd.Group
	parts := make([][]saving, parallel.Chunks(groups))
	parallel.For(s.workers, len(parts), func(worker, c int) {
		lo, hi := parallel.Chunk(c, groups)
		for g := lo; g < hi; g++ {
			parts[c] = s.savings(&s.scratch[worker], parts[c], g)
		}
	})
	all := slices.Concat(parts...)
	slices.SortFunc(all, func(a, b saving) int {
		return cmp.Or(cmp.Compare(a.cost, b.cost), cmp.Compare(a.group, b.group), cmp.Compare(b.most, a.most))
	})
	budget := s.total() * ((1+trimRise)*(1+trimRise) - 1)
	take := make([]int, groups)
	for _, next := range all { // a group's own come in the order of falling numbers
		was := take[next.group]
		if was == 0 {
			was = s.most(int(next.group))
		}
		if budget -= next.cost * float64(was-int(next.most)); budget < 0 {
			break
		}
		take[next.group] = int(next.most)
	}
	parallel.For(s.workers, len(parts), func(worker, c int) {
		lo, hi := parallel.Chunk(c, groups)
		for g := lo; g < hi; g++ {
			s.limitGroup(&s.scratch[worker], g, take[g])
		}
	})
}

// groupOf returns the vertices of a group.
func (s *solver) groupOf(g int) (lo, hi int) { return g * simd.Group, min((g+1)*simd.Group, len(s.w)) }

// most returns the largest number of influences in a group.
func (s *solver) most(g int) (most int) {
	lo, hi := s.groupOf(g)
	for v := lo; v < hi; v++ {
		most = max(most, s.w[v].count)
	}
	return most
}

// limitGroup takes influences out of the vertices of a group that have more than most; 0 is as they are.
func (s *solver) limitGroup(ws *workspace, g, most int) {
	lo, hi := s.groupOf(g)
	for v := lo; v < hi && most > 0; v++ {
		if s.w[v].count > most {
			s.w[v] = best(s.fewer(ws, v), most)
		}
	}
}

// best returns the weights of least error of those with so many influences at most.
func best(options [maxJoints - 1]weights, most int) (w weights) {
	for k := range most {
		if o := &options[k]; o.count > 0 && (w.count == 0 || o.err < w.err) {
			w = *o
		}
	}
	return w
}

// savings appends what a group may save: the lower convex hull of its error over its most influences, so that the first
// step from what it has costs least for each.
func (s *solver) savings(ws *workspace, to []saving, g int) []saving {
	most := s.most(g)
	var cost [maxJoints]float64 // by the most influences that are left
	lo, hi := s.groupOf(g)
	for v := lo; v < hi; v++ {
		if s.w[v].count < 2 {
			continue
		}
		options := s.fewer(ws, v)
		for k := 1; k < s.w[v].count; k++ {
			cost[k] += max(best(options, k).err-s.w[v].err, 0)
		}
	}
	for now, spent := most, 0.0; now > 1; {
		next, least := 0, math.Inf(1)
		for k := 1; k < now; k++ {
			if each := max(cost[k]-spent, 0) / float64(now-k); each < least {
				next, least = k, each
			}
		}
		to = append(to, saving{least, int32(g), int8(next)})
		now, spent = next, cost[next]
	}
	return to
}

// fewer returns the best weights found for vertex v with one influence, with two at most, and so on up to one less than
// it has; those of no influences are not there. One is the best of all that it may follow; two are the best pair of
// which one is among those that it has, or the best that exchanges make of what it has; three of one or the other.
func (s *solver) fewer(ws *workspace, v int) (out [maxJoints - 1]weights) {
	t := s.begin(ws, v, -1)
	now, sup := t.present(), t.single()
	for limit := 1; limit < s.w[v].count; limit++ {
		if limit == 2 {
			sup = t.pair(&now)
		}
		err := t.minimize(&sup, limit)
		if limit > 1 {
			err = t.exchange(&sup, err, limit)
			rest := now // and from what it has
			e := t.minimize(&rest, limit)
			if e = t.exchange(&rest, e, limit); e < err {
				sup, err = rest, e
			}
		}
		out[limit-1] = t.weightsOf(&sup, err)
	}
	return out
}

// pair returns the two bones that the vertex follows best of which one is among those of now.
func (t *vertexStep) pair(now *support) support {
	best, least := *now, math.Inf(1)
	best.count = 2
	best.weight[0], best.weight[1] = 0.5, 0.5
	for _, i := range now.at[:now.count] {
		column, qii := t.column(i), t.curvature(i)
		for j := range t.set.ids {
			qjj, qij := t.curvature(j), t.entry(i, j, column[j])
			c := qii + qjj - 2*qij
			if j == i || !(c > 0) {
				continue
			}
			x := min(max((qjj-qij)/c, 0), 1)
			if e := x*x*qii + 2*x*(1-x)*qij + (1-x)*(1-x)*qjj; e < least {
				least = e
				best.at[0], best.at[1], best.weight[0], best.weight[1] = i, j, x, 1-x
			}
		}
	}
	return best
}
