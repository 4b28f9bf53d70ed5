package blendbones

import (
	"slices"

	"skinlab/fit/linear"
	"skinlab/skinning/geom"
	"skinlab/skinning/parallel"
)

// moveBones is the u-step (ALNS section 4.3). It moves all bones of the group at once, by the linearization of equation
// (6) under the convexity constraints.
//
// The paper fixes the w'-weights in this step. Here they follow the bones, though each vertex keeps its set of bones
// (variable projection: Golub and Pereyra 1973, simplified by Kaufman 1975). That takes a handful of steps where the
// alternation of the two takes a hundred. In a long step they do not follow all the way, since a weight that falls to
// zero stays there, so that a damped step may be needed.
func moveBones(s *solution, group []int, damping float64) {
	m := s.linearize(group)
	n := len(m.u)
	fixed := make([]float64, n)
	for a := range n {
		fixed[a] = m.square[a*n+a]
	}
	s.project(m)
	// E(ũ) = (ũ − u)ᵀ·Q·(ũ − u) + 2·bᵀ·(ũ − u) + … = ũᵀ·Q·ũ + 2·cᵀ·ũ + … with c = b − Q·u.
	c := slices.Clone(m.linear)
	for a := range n {
		m.square[a*n+a] += damping * fixed[a]
		for b := range n {
			c[a] -= m.square[a*n+b] * m.u[b]
		}
	}
	minimizeOverSimplices(m.square, c, m.first, m.u)
	for g, k := range group {
		s.bones[k].u = m.u[m.first[g]:m.first[g+1]]
		s.in.pose(s.bones[k])
	}
	s.relate(group)
}

// linearized is the error as a quadratic function of the u-weights of a group of bones, by equation (6) of ALNS about
// their present values.
type linearized struct {
	group     []int
	place     []int           // of every blend bone in the group, −1 for none
	first     []int           // per bone of the group, its first unknown; one more entry ends the last
	owner     []int           // per unknown, the place of its bone
	u         []float64       // the present values
	slopes    [][]geom.Affine // per unknown and frame, ∂Φ/∂u times the frame's root
	square    []float64       // n×n, half the curvature
	linear    []float64       // half the slope
	following []int32         // the vertices that follow a bone of the group
}

// linearize returns the error as a function of the u-weights of the group, at fixed w'-weights.
func (s *solution) linearize(group []int) *linearized {
	bones := make([]*bone, len(group))
	for g, k := range group {
		bones[g] = s.bones[k]
	}
	m := s.differentiate(group, bones)
	outers, residuals := s.sumVertices(m)
	n := len(m.u)
	m.square = make([]float64, n*n)
	parallel.For(s.workers, n, func(_, a int) {
		for c := range n {
			if o := &outers[m.owner[a]*len(group)+m.owner[c]]; o[9] != 0 {
				form := linear.FormOf(m.slopes[a], m.slopes[c])
				m.square[a*n+c] = form.Sum(o)
			}
		}
	})
	m.linear = m.alongUnknowns(residuals)
	return m
}

// differentiate lists the unknowns of a group with their derivatives. Bones, one for each of the group, have the joints
// and u-weights.
func (s *solution) differentiate(group []int, bones []*bone) *linearized {
	m := &linearized{group: group, place: slices.Repeat([]int{-1}, len(s.bones)), first: []int{0}}
	for g, b := range bones {
		m.place[group[g]] = g
		m.u = append(m.u, b.u...)
		m.owner = append(m.owner, slices.Repeat([]int{g}, len(b.u))...)
		m.first = append(m.first, len(m.u))
	}
	m.slopes = make([][]geom.Affine, len(m.u))
	parallel.For(s.workers, len(bones), func(_, g int) {
		b, slopes := bones[g], m.slopes[m.first[g]:m.first[g+1]]
		for i := range slopes {
			slopes[i] = make([]geom.Affine, len(s.in.frames))
		}
		d := make([]geom.Affine, len(b.u))
		for f, frame := range s.in.frames {
			s.in.differentiate(frame, b.joints, b.u, b.swings, d)
			for i := range d {
				slopes[i][f] = s.in.slopeAbout(d[i], f)
			}
		}
	})
	for v := range s.weights {
		w := &s.weights[v]
		if slices.ContainsFunc(w.bone[:w.count], func(id int32) bool { return m.placeOf(s, id) >= 0 }) {
			m.following = append(m.following, int32(v))
		}
	}
	return m
}

// placeOf returns the place in the group of a master or blend bone, −1 for none.
func (m *linearized) placeOf(s *solution, id int32) int {
	if k := int(id) - s.in.joints; k >= 0 {
		return m.place[k]
	}
	return -1
}

// sumVertices returns what the u-step needs of the vertices. For bones k and l of the group it is Σ_i
// w_ik·w_il·v̂v̂ᵀ, and for bone k and each frame Σ_i w_ik·r_i·v̂ᵀ. w_ik is the weight of vertex i on bone k, v̂ its
// rest position with a 1 appended, and r_i its residual.
func (s *solution) sumVertices(m *linearized) (outers []linear.Moment, residuals [][]geom.Affine) {
	n, size, frames := len(m.following), len(m.group), len(s.in.frames)
	type sums struct {
		outers    []linear.Moment
		residuals []geom.Affine // [bone][frame]
	}
	parts := make([]sums, parallel.Chunks(n)+1) // the last has the total
	parallel.For(s.workers, len(parts), func(worker, c int) {
		part := &parts[c]
		part.outers, part.residuals = make([]linear.Moment, size*size), make([]geom.Affine, size*frames)
		if c == len(parts)-1 {
			return
		}
		lo, hi := parallel.Chunk(c, n)
		for _, v := range m.following[lo:hi] {
			w, p := &s.weights[v], s.in.rest[v]
			off := s.residuals(s.scratch[worker], int(v))
			for a := range w.count {
				k := m.placeOf(s, w.bone[a])
				if k < 0 {
					continue
				}
				for b := range w.count {
					if l := m.placeOf(s, w.bone[b]); l >= 0 {
						part.outers[k*size+l].Add(w.weight[a]*w.weight[b], p)
					}
				}
				for f, r := range off {
					sum := &part.residuals[k*frames+f]
					for row := range 3 {
						y := w.weight[a] * r[row]
						sum[4*row] += y * p[0]
						sum[4*row+1] += y * p[1]
						sum[4*row+2] += y * p[2]
						sum[4*row+3] += y
					}
				}
			}
		}
	})
	total := &parts[len(parts)-1]
	for _, part := range parts[:len(parts)-1] {
		for i := range part.outers {
			total.outers[i].AddAll(&part.outers[i])
		}
		for i := range part.residuals {
			for k, x := range part.residuals[i] {
				total.residuals[i][k] += x
			}
		}
	}
	return total.outers, slices.Collect(slices.Chunk(total.residuals, frames))
}

// alongUnknowns returns half the derivative of the error along every unknown.
func (m *linearized) alongUnknowns(residuals [][]geom.Affine) []float64 {
	out := make([]float64, len(m.u))
	for a, slope := range m.slopes {
		for f, r := range residuals[m.owner[a]] {
			for k, x := range r {
				out[a] += slope[f][k] * x
			}
		}
	}
	return out
}
