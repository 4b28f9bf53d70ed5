package blendbones

import (
	"cmp"
	"math"
	"slices"

	"skinlab/fit/parallel"
)

// Every influence costs time in every frame, and many lower the error by almost nothing: of 2.27 a vertex of a human 0.5 are worth 0.2 %
// of EE. The paper's own rule, four at most (ALNS section 4.2), takes what the solver gives.

// thriftRise is how far EE may rise, as a share of itself, by influences that are taken out.
const thriftRise = 0.002

// saving is one vertex with fewer influences than before, and the error that each of those less costs.
type saving struct {
	cost   float64
	vertex int32
	count  int8
}

// thrift takes influences out where they are worth least, of all vertices together, until the error has risen by what thriftRise allows.
func (s *solver) thrift() {
	n := len(s.w)
	parts := make([][]saving, parallel.Chunks(n))
	parallel.For(s.workers, len(parts), func(worker, c int) {
		lo, hi := parallel.Chunk(c, n)
		for v := lo; v < hi; v++ {
			parts[c] = s.savings(&s.scratch[worker], parts[c], v)
		}
	})
	all := slices.Concat(parts...)
	slices.SortFunc(all, func(a, b saving) int {
		return cmp.Or(cmp.Compare(a.cost, b.cost), cmp.Compare(a.vertex, b.vertex), cmp.Compare(b.count, a.count))
	})
	budget := s.total() * ((1+thriftRise)*(1+thriftRise) - 1)
	take := make(map[int32]int8)
	for _, next := range all { // a vertex's own come in the order of falling count
		was := s.w[next.vertex].count
		if c, ok := take[next.vertex]; ok {
			was = int(c)
		}
		if budget -= next.cost * float64(was-int(next.count)); budget < 0 {
			break
		}
		take[next.vertex] = next.count
	}
	parallel.For(s.workers, len(parts), func(worker, c int) {
		lo, hi := parallel.Chunk(c, n)
		for v := lo; v < hi; v++ {
			if count, ok := take[int32(v)]; ok {
				s.w[v] = s.fewer(&s.scratch[worker], v)[count-1]
			}
		}
	})
}

// savings appends what vertex v may save: the lower convex hull of its error over its number of influences, so that the first step from
// what it has costs least for each.
func (s *solver) savings(ws *workspace, to []saving, v int) []saving {
	w := &s.w[v]
	if w.count < 2 {
		return to
	}
	options := s.fewer(ws, v)
	count, err := w.count, w.err
	for count > 1 {
		best, least := 0, math.Inf(1)
		for k := 1; k < count; k++ {
			if o := &options[k-1]; o.count > 0 {
				if cost := max(o.err-err, 0) / float64(count-o.count); cost < least {
					best, least = k, cost
				}
			}
		}
		if best == 0 {
			break
		}
		o := &options[best-1]
		to = append(to, saving{least, int32(v), int8(best)})
		count, err = o.count, o.err
	}
	return to
}

// fewer returns the best weights found for vertex v with one influence, with two at most, and so on up to one less than it has; those of
// no influences are not there. One is the best of all that it may follow; two are the best pair of which one is among those that
// it has, or the best that exchanges make of what it has; three of one or the other.
func (s *solver) fewer(ws *workspace, v int) (out [maxJoints - 1]weights) {
	set := &s.sets[s.set[v]]
	s.begin(ws, set, v)
	now := s.present(ws, set, v, -1)
	most := s.w[v].count - 1
	sup := s.single(ws, set, v, -1)
	for limit := 1; limit <= most; limit++ {
		if limit == 2 {
			sup = s.pair(ws, set, v, &now)
		}
		err := s.minimize(ws, set, v, &sup, limit)
		if limit > 1 {
			err = s.exchange(ws, set, v, &sup, err, limit, -1)
			rest := now // and from what it has
			e := s.minimize(ws, set, v, &rest, limit)
			if e = s.exchange(ws, set, v, &rest, e, limit, -1); e < err {
				sup, err = rest, e
			}
		}
		out[limit-1] = s.weightsOf(ws, set, &sup, err)
	}
	return out
}

// pair returns the two bones that vertex v follows best of which one is among those of now.
func (s *solver) pair(ws *workspace, set *vertexSet, v int, now *support) support {
	n, p, square := len(set.ids), &s.rest[v], s.square[v]
	best, least := *now, math.Inf(1)
	best.count = 2
	best.weight[0], best.weight[1] = 0.5, 0.5
	for _, i := range now.at[:now.count] {
		column := ws.column(set, i, p)
		qii := column[i] - 2*ws.h[i] + square
		for j := range n {
			qjj := set.pairs[j*n+j].at(p) - 2*ws.h[j] + square
			qij := column[j] - ws.h[i] - ws.h[j] + square
			c := qii + qjj - 2*qij
			if j == i || !(c > 0) {
				continue
			}
			t := min(max((qjj-qij)/c, 0), 1)
			if e := t*t*qii + 2*t*(1-t)*qij + (1-t)*(1-t)*qjj; e < least {
				least = e
				best.at[0], best.at[1], best.weight[0], best.weight[1] = i, j, t, 1-t
			}
		}
	}
	return best
}
