package blendbones

import (
	"cmp"
	"math"
	"slices"

	"skinlab/skinning/parallel"
	"skinlab/skinning/simd"
)

// Every influence costs time in every frame, and many lower the error by almost nothing. The paper keeps up to four
// (ALNS section 4.2). The kernels of linear blending take vertices in file order, in groups of simd.Group. They sum as
// many influences for every vertex of a group as the vertex with the most has. So removing an influence saves time only
// if it lowers that largest number.
//
// Along a seam a file has a vertex several times, often in several groups. Copies of a vertex keep the same influences,
// or the surface would crack.

// trimRise is how far EE may rise, as a share of itself, when influences are removed. The mean of the largest number in
// a group of the built-in figure is 3.03 for 0.002, and 2.89 for this value. That poses the figure in 1.6 % less time
// and raises EE by 0.3 % (rows 105, 106).
const trimRise = 0.005

// saving is a possible step: the largest number of influences of a group is lowered to most. It has the rise of the
// squared error per influence.
type saving struct {
	cost  float64
	group int32
	most  int8
}

// trimming is the state of [solver.trimInfluences].
type trimming struct {
	*solver
	copies []int                    // of each first vertex, how many there are with itself
	rise   [][maxJoints + 1]float64 // of each vertex, the rise of its squared error by the number of influences that stay
	limit  []int                    // of each first vertex, how many influences it and its copies may keep
}

// trimInfluences removes influences from all groups, the cheapest saving first, until the error has risen by trimRise.
func (s *solver) trimInfluences() {
	t := &trimming{solver: s, copies: make([]int, len(s.w)), rise: make([][maxJoints + 1]float64, len(s.w)),
		limit: make([]int, len(s.w))}
	for v, first := range s.copyOf {
		t.limit[v] = s.w[v].count
		t.copies[first]++
	}
	groups := (len(s.w) + simd.Group - 1) / simd.Group
	parts := make([][]saving, parallel.Chunks(groups))
	parallel.For(s.workers, len(parts), func(worker, c int) {
		lo, hi := parallel.Chunk(c, groups)
		for g := lo; g < hi; g++ {
			parts[c] = t.savings(&s.scratch[worker], parts[c], g)
		}
	})
	all := slices.Concat(parts...)
	slices.SortFunc(all, func(a, b saving) int {
		return cmp.Or(cmp.Compare(a.cost, b.cost), cmp.Compare(a.group, b.group), cmp.Compare(b.most, a.most))
	})
	budget := s.total() * ((1+trimRise)*(1+trimRise) - 1)
	for _, next := range all { // savings of one group come in falling order of most
		if budget -= t.take(int(next.group), int(next.most), budget); budget < 0 {
			break
		}
	}
	parallel.For(s.workers, parallel.Chunks(len(s.w)), func(worker, c int) {
		lo, hi := parallel.Chunk(c, len(s.w))
		for v := lo; v < hi; v++ {
			if limit := t.limit[t.copyOf[v]]; limit < s.w[v].count {
				s.w[v] = best(s.fewer(&s.scratch[worker], v), limit)
			}
		}
	})
}

// take lets the vertices of a group, and their copies, keep at most most influences, unless the error would rise by
// more than budget. It returns that rise.
func (t *trimming) take(g, most int, budget float64) (rise float64) {
	var buf [simd.Group]int32
	limited := buf[:0]
	lo, hi := t.groupOf(g)
	for _, first := range t.copyOf[lo:hi] {
		if now := t.limit[first]; now > most && !slices.Contains(limited, first) {
			limited = append(limited, first)
			rise += float64(t.copies[first]) * (t.rise[first][most] - t.rise[first][now])
		}
	}
	if rise <= budget {
		for _, first := range limited {
			t.limit[first] = most
		}
	}
	return rise
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

// best returns the weights of least error that have at most most influences.
func best(options [maxJoints - 1]weights, most int) (w weights) {
	for k := range most {
		if o := &options[k]; o.count > 0 && (w.count == 0 || o.err < w.err) {
			w = *o
		}
	}
	return w
}

// savings appends the steps that a group may take, and finds the rises of its vertices. The steps are the lower convex
// hull of the error over the largest number of influences in the group, so each step costs least per influence. The
// error is that of the group's vertices and of their copies.
func (t *trimming) savings(ws *workspace, to []saving, g int) []saving {
	most := t.most(g)
	var cost [maxJoints]float64 // the rise of the error, by the largest number of influences that stays
	lo, hi := t.groupOf(g)
	for v := lo; v < hi; v++ {
		if t.w[v].count < 2 {
			continue
		}
		options := t.fewer(ws, v)
		for k := 1; k < t.w[v].count; k++ {
			t.rise[v][k] = max(best(options, k).err-t.w[v].err, 0)
			if !slices.Contains(t.copyOf[lo:v], t.copyOf[v]) {
				cost[k] += float64(t.copies[t.copyOf[v]]) * t.rise[v][k]
			}
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

// fewer returns the best weights found for vertex v with at most 1, 2, … influences, up to one less than it has. The
// other entries have no influences. For one it tries all bones that v may follow. For two it starts from the best pair
// that contains a present bone, and from the present bones, and improves both by exchanges. For three it continues from
// the better pair, and starts from the present bones again.
func (s *solver) fewer(ws *workspace, v int) (out [maxJoints - 1]weights) {
	t := s.begin(ws, v)
	now, sup := t.present(), t.single()
	for limit := 1; limit < s.w[v].count; limit++ {
		if limit == 2 {
			sup = t.pair(&now)
		}
		err := t.minimize(&sup, limit)
		if limit > 1 {
			err = t.exchange(&sup, err, limit)
			rest := now // the second start
			e := t.minimize(&rest, limit)
			if e = t.exchange(&rest, e, limit); e < err {
				sup, err = rest, e
			}
		}
		out[limit-1] = t.weightsOf(&sup, err)
	}
	return out
}

// pair returns the best two bones for the vertex of which at least one is in now.
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
