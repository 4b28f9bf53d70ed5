package implicit

import (
	"cmp"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"
)

// split halves the edges that are longer than 4/3 of the wanted length, the longest first, because splitting a sliver
// at another edge leaves slivers.
func (r *remesher) split() {
	for range 4 {
		long := r.edges(func(ratio float64) bool { return ratio > 4.0/3 })
		slices.SortStableFunc(long, func(a, b ratedEdge) int { return cmp.Compare(b.ratio, a.ratio) })
		for _, e := range long {
			if len(r.shared(e.a, e.b)) > 0 {
				r.splitEdge(e.a, e.b)
			}
		}
	}
}

// ratedEdge is an edge with its length as a multiple of what is wanted.
type ratedEdge struct {
	a, b  int
	ratio float64
}

// edges lists the edges whose ratio pass accepts, each once.
func (r *remesher) edges(pass func(ratio float64) bool) []ratedEdge {
	var out []ratedEdge
	for t, v := range r.tri {
		for k := range 3 {
			a, b := v[k], v[(k+1)%3]
			if a < 0 {
				break
			}
			if ratio := r.length(a, b) / r.target(a, b); pass(ratio) && r.shared(a, b)[0] == t {
				out = append(out, ratedEdge{a, b, ratio})
			}
		}
	}
	return out
}

func (r *remesher) splitEdge(a, b int) {
	tris := r.shared(a, b)
	m := len(r.pos)
	r.pos = append(r.pos, r.pos[a].Add(r.pos[b]).Mul(0.5))
	r.want = append(r.want, r.target(a, b))
	r.edge = append(r.edge, len(tris) == 1)
	r.fan = append(r.fan, nil)
	for _, t := range tris {
		v := r.tri[t]
		far := v
		for k := range 3 {
			if v[k] == b {
				r.tri[t][k] = m
			}
			if v[k] == a {
				far[k] = m
			}
		}
		n := len(r.tri)
		r.tri = append(r.tri, far)
		r.unlink(b, t)
		r.fan[b] = append(r.fan[b], n)
		c := apex(v, a, b)
		r.fan[c] = append(r.fan[c], n)
		r.fan[m] = append(r.fan[m], t, n)
	}
	r.step(m)
}

func (r *remesher) unlink(v, t int) {
	f := r.fan[v]
	for i := range f {
		if f[i] == t {
			r.fan[v] = append(f[:i], f[i+1:]...)
			return
		}
	}
}

// collapse removes the edges that are shorter than 4/5 of the wanted length, the shortest first.
func (r *remesher) collapse() {
	short := r.edges(func(ratio float64) bool { return ratio < 0.8 })
	slices.SortStableFunc(short, func(a, b ratedEdge) int { return cmp.Compare(a.ratio, b.ratio) })
	for _, e := range short {
		if len(r.shared(e.a, e.b)) > 0 && r.length(e.a, e.b) < 0.8*r.target(e.a, e.b) && !r.collapseEdge(e.a, e.b) {
			r.collapseEdge(e.b, e.a)
		}
	}
}

// collapseEdge merges b into a where that keeps a manifold, turns no triangle over and makes no long edge.
func (r *remesher) collapseEdge(a, b int) bool {
	tris := r.shared(a, b)
	p := r.pos[a].Add(r.pos[b]).Mul(0.5)
	switch {
	case r.edge[a] && r.edge[b] && len(tris) != 1, !r.edge[a] && r.edge[b]:
		return false
	case r.edge[a] && !r.edge[b]:
		p = r.pos[a]
	}
	// Link condition: the only common neighbours of a and b may be the corners opposite to the edge.
	na := r.neighbours(a)
	common := 0
	for _, n := range r.neighbours(b) {
		if slices.Contains(na, n) {
			common++
		}
		if n != a && r.tooLong(p, a, n) {
			return false
		}
	}
	for _, n := range na {
		if n != b && r.tooLong(p, a, n) {
			return false
		}
	}
	if common != len(tris) {
		return false
	}
	for _, t := range tris {
		if c := apex(r.tri[t], a, b); len(r.fan[c]) <= 3 {
			return false
		}
	}
	if r.turnsOver(a, b, p) || r.turnsOver(b, a, p) {
		return false
	}
	for _, t := range tris {
		for _, v := range r.tri[t] {
			r.unlink(v, t)
		}
		r.tri[t] = [3]int{-1, -1, -1}
	}
	for _, t := range r.fan[b] {
		for k := range 3 {
			if r.tri[t][k] == b {
				r.tri[t][k] = a
			}
		}
		r.fan[a] = append(r.fan[a], t)
	}
	r.fan[b] = nil
	r.place(a, p)
	return true
}

// tooLong reports whether the edge to n would have to be split if vertex i were at p. Edges that are too long already
// do not count: raw meshes have them.
func (r *remesher) tooLong(p mgl64.Vec3, i, n int) bool {
	l := p.Sub(r.pos[n]).Len()
	return l > 4.0/3*r.target(i, n) && l > r.length(i, n)
}

// turnsOver reports whether moving vertex i to p turns over, or flattens, a triangle that does not have other.
func (r *remesher) turnsOver(i, other int, p mgl64.Vec3) bool {
	for _, t := range r.fan[i] {
		v := r.tri[t]
		if has(v, other) {
			continue
		}
		var q [3]mgl64.Vec3
		for k, j := range v {
			q[k] = r.pos[j]
			if j == i {
				q[k] = p
			}
		}
		before, after := r.normal(v), q[1].Sub(q[0]).Cross(q[2].Sub(q[0]))
		if after.Dot(before) < 0.3*after.Len()*before.Len() {
			return true
		}
	}
	return false
}

// normal returns twice the area vector of a triangle.
func (r *remesher) normal(v [3]int) mgl64.Vec3 {
	return r.pos[v[1]].Sub(r.pos[v[0]]).Cross(r.pos[v[2]].Sub(r.pos[v[0]]))
}

// flip replaces inner edges a–b by the edge between the opposite corners c and d, if better agrees and no triangle
// turns over.
func (r *remesher) flip(better func(a, b, c, d int) bool) {
	for t := range r.tri {
		for k := range 3 {
			v := r.tri[t]
			if v[0] < 0 {
				break
			}
			a, b, c := v[k], v[(k+1)%3], v[(k+2)%3]
			tris := r.shared(a, b)
			if len(tris) != 2 {
				continue
			}
			u := tris[0] + tris[1] - t
			d := apex(r.tri[u], a, b)
			if len(r.shared(c, d)) > 0 || len(r.fan[a]) <= 3 || len(r.fan[b]) <= 3 || r.edge[c] && r.edge[d] ||
				!better(a, b, c, d) {
				continue
			}
			n := r.normal(v).Add(r.normal(r.tri[u]))
			t1, t2 := [3]int{a, d, c}, [3]int{d, b, c}
			n1, n2 := r.normal(t1), r.normal(t2)
			if n1.Dot(n) < 0.5*n1.Len()*n.Len() || n2.Dot(n) < 0.5*n2.Len()*n.Len() {
				continue
			}
			r.tri[t], r.tri[u] = t1, t2
			r.unlink(b, t)
			r.unlink(a, u)
			r.fan[d] = append(r.fan[d], t)
			r.fan[c] = append(r.fan[c], u)
		}
	}
}

// improvesValence prefers six edges at every vertex, four at the boundary.
func (r *remesher) improvesValence(a, b, c, d int) bool {
	excess := func(v, change int) float64 {
		n := len(r.fan[v]) + change - 6
		if r.edge[v] {
			n += 3
		}
		return float64(n * n)
	}
	return excess(a, -1)+excess(b, -1)+excess(c, 1)+excess(d, 1) < excess(a, 0)+excess(b, 0)+excess(c, 0)+excess(d, 0)
}

// improvesAngles is Delaunay's criterion: flip where the angles opposite to the edge sum to more than 180 degrees.
func (r *remesher) improvesAngles(a, b, c, d int) bool {
	angle := func(at, u, v int) float64 {
		x, y := r.pos[u].Sub(r.pos[at]), r.pos[v].Sub(r.pos[at])
		return math.Atan2(x.Cross(y).Len(), x.Dot(y))
	}
	return angle(c, a, b)+angle(d, a, b) > math.Pi+0.02
}
