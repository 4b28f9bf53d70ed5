package blendbones

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/parallel"
	"skinlab/skinning"
)

// outer is a sum of v̂·v̂ᵀ: xx, yy, zz, xy, xz, yz, x, y, z, 1. Its product with a [moment] is the sum of the forms.
type outer [10]float64

func (o *outer) add(w float64, v mgl64.Vec3) {
	x, y, z := w*v[0], w*v[1], w*v[2]
	o[0] += x * v[0]
	o[1] += y * v[1]
	o[2] += z * v[2]
	o[3] += x * v[1]
	o[4] += x * v[2]
	o[5] += y * v[2]
	o[6] += x
	o[7] += y
	o[8] += z
	o[9] += w
}

func (o *outer) times(m *moment) (sum float64) {
	for k := range o {
		sum += o[k] * m[k]
	}
	return sum
}

// sums are what the u-step needs of the vertices: for bones k, l of the group Σ_i w_ik·w_il·v̂v̂ᵀ, and for bone k and frame f
// Σ_i w_ik·r_i·v̂ᵀ with the residual r_i.
type sums struct {
	outers    []outer
	residuals []skinning.Affine
}

// overRelaxation lengthens a step of the bones beyond the optimum for fixed weights, because the weights follow: the alternation
// needs half the rounds (successive over-relaxation; below 2 the error still falls).
const overRelaxation = 1.6

// moveBones is the u-step (ALNS section 4.3): all bones of the group move at once, by the linearization of equation (6) under
// the convexity constraints, with w'-weights fixed. A step that does not lower the error is shortened, then given up. It
// reports whether the bones moved. Vertices are those that may follow a bone of the group.
func (s *solver) moveBones(group []int, vertices []int32) bool {
	vertices = s.following(group, vertices)
	q, linear, first := s.linearize(group, vertices)
	n := len(linear)
	u := make([]float64, 0, n)
	for _, k := range group {
		u = append(u, s.bones[k].u...)
	}
	// E(ũ) = ũᵀ·Q·ũ + 2·cᵀ·ũ + … with c = b − Q·u.
	for a := range n {
		for b := range n {
			linear[a] -= q[a*n+b] * u[b]
		}
	}
	target := append([]float64(nil), u...)
	minimizeOverSimplices(q, linear, first, target)
	before := 0.0
	for _, v := range vertices { // as the w'-step left it
		before += s.w[v].err
	}
	over := overRelaxation
	for a := range n { // no further than the constraints allow
		if d := u[a] - target[a]; d > 0 {
			over = math.Min(over, u[a]/d)
		}
	}
	for _, length := range []float64{over, 1, 0.5, 0.25, 0.1} {
		for g, k := range group {
			for i := range s.bones[k].u {
				a := first[g] + i
				s.bones[k].u[i] = u[a] + length*(target[a]-u[a])
			}
			s.place(s.bones[k])
		}
		if s.errorOf(vertices) < before*(1-1e-9) {
			s.relateAll(group)
			return true
		}
	}
	for g, k := range group {
		copy(s.bones[k].u, u[first[g]:])
		s.place(s.bones[k])
	}
	return false
}

// following returns those of the vertices that have weight on a bone of the group.
func (s *solver) following(group []int, vertices []int32) []int32 {
	var out []int32
	for _, v := range vertices {
		w := &s.w[v]
		if slices.ContainsFunc(w.bone[:w.count], func(id int32) bool { return slices.Contains(group, int(id)-s.joints) }) {
			out = append(out, v)
		}
	}
	return out
}

// linearize returns the normal equations of the group's u-weights: Q, b, and where each bone's unknowns start, with one
// entry more.
func (s *solver) linearize(group []int, vertices []int32) (q, b []float64, first []int) {
	frames := len(s.frames)
	var derivatives [][]skinning.Affine // per unknown, per frame
	var owner []int                     // per unknown: position in the group
	d := make([]skinning.Affine, maxJoints)
	for g, k := range group {
		first = append(first, len(owner))
		bone := s.bones[k]
		start := len(owner)
		for range bone.joints {
			owner = append(owner, g)
			derivatives = append(derivatives, make([]skinning.Affine, frames))
		}
		for f, frame := range s.frames {
			differentiate(s.method, frame, bone.joints, bone.u, d[:len(bone.joints)])
			for i := range bone.joints {
				derivatives[start+i][f] = d[i]
			}
		}
	}
	n := len(owner)
	first = append(first, n)
	sum := s.sumVertices(group, vertices)
	q, b = make([]float64, n*n), make([]float64, n)
	parallel.For(s.workers, n, func(_, a int) {
		for c := 0; c <= a; c++ {
			m := momentOf(derivatives[a], derivatives[c])
			q[a*n+c] = sum.outers[owner[a]*len(group)+owner[c]].times(&m)
		}
		for f := range frames {
			p, r := &derivatives[a][f], &sum.residuals[owner[a]*frames+f]
			for k := range p {
				b[a] += p[k] * r[k]
			}
		}
	})
	for a := range n {
		for c := range a {
			q[c*n+a] = q[a*n+c]
		}
	}
	return q, b, first
}

// sumVertices adds up the vertices that follow bones of the group.
func (s *solver) sumVertices(group []int, vertices []int32) sums {
	n, frames, size := len(vertices), len(s.frames), len(group)
	position := make([]int, len(s.bones))
	for k := range position {
		position[k] = -1
	}
	for g, k := range group {
		position[k] = g
	}
	parts := make([]sums, parallel.Chunks(n))
	parallel.For(s.workers, len(parts), func(worker, c int) {
		part := sums{make([]outer, size*size), make([]skinning.Affine, size*frames)}
		lo, hi := parallel.Chunk(c, n)
		for _, v := range vertices[lo:hi] {
			s.sumVertex(&s.scratch[worker], &part, position, size, int(v))
		}
		parts[c] = part
	})
	total := sums{make([]outer, size*size), make([]skinning.Affine, size*frames)}
	for _, part := range parts {
		for i := range part.outers {
			for k := range part.outers[i] {
				total.outers[i][k] += part.outers[i][k]
			}
		}
		for i := range part.residuals {
			for k := range part.residuals[i] {
				total.residuals[i][k] += part.residuals[i][k]
			}
		}
	}
	return total
}

func (s *solver) sumVertex(ws *workspace, part *sums, position []int, size, v int) {
	w, p := &s.w[v], s.rest[v]
	var group [maxJoints]int
	follows := false
	for k := range w.count {
		group[k] = -1
		if id := int(w.bone[k]); id >= s.joints {
			group[k] = position[id-s.joints]
			follows = follows || group[k] >= 0
		}
	}
	if !follows {
		return
	}
	for a := range w.count {
		for b := range w.count {
			if group[a] >= 0 && group[b] >= 0 {
				part.outers[group[a]*size+group[b]].add(w.weight[a]*w.weight[b], p)
			}
		}
	}
	frames := len(s.frames)
	for f, r := range s.residuals(ws, w, v) {
		for a := range w.count {
			if group[a] < 0 {
				continue
			}
			m, x := &part.residuals[group[a]*frames+f], w.weight[a]
			for row := range 3 {
				y := x * r[row]
				m[4*row] += y * p[0]
				m[4*row+1] += y * p[1]
				m[4*row+2] += y * p[2]
				m[4*row+3] += y
			}
		}
	}
}

// residuals sets ws.r to v' − v of a vertex in every frame.
func (s *solver) residuals(ws *workspace, w *weights, v int) []mgl64.Vec3 {
	t, p := s.target(v), &s.rest[v]
	if cap(ws.r) < len(t) {
		ws.r = make([]mgl64.Vec3, len(t))
	}
	r := ws.r[:len(t)]
	for f := range r {
		r[f] = mgl64.Vec3{-t[f][0], -t[f][1], -t[f][2]}
	}
	for k := range w.count {
		var bone []skinning.Affine
		if id := int(w.bone[k]); id < s.joints {
			bone = s.masters[id]
		} else {
			bone = s.bones[id-s.joints].matrices
		}
		x := w.weight[k]
		px, py, pz := x*p[0], x*p[1], x*p[2]
		for f := range r {
			m, q := &bone[f], &r[f]
			q[0] += m[0]*px + m[1]*py + m[2]*pz + m[3]*x
			q[1] += m[4]*px + m[5]*py + m[6]*pz + m[7]*x
			q[2] += m[8]*px + m[9]*py + m[10]*pz + m[11]*x
		}
	}
	return r
}

// errorOf returns the squared error of vertices at their present weights and bones.
func (s *solver) errorOf(vertices []int32) (total float64) {
	n := len(vertices)
	parts := make([]float64, parallel.Chunks(n))
	parallel.For(s.workers, len(parts), func(worker, c int) {
		lo, hi := parallel.Chunk(c, n)
		for _, v := range vertices[lo:hi] {
			for _, r := range s.residuals(&s.scratch[worker], &s.w[v], int(v)) {
				parts[c] += r[0]*r[0] + r[1]*r[1] + r[2]*r[2]
			}
		}
	})
	for _, p := range parts {
		total += p
	}
	return total
}

// minimizeOverSimplices minimises yᵀ·Q·y + 2·cᵀ·y where each block y[first[g]:first[g+1]] is non-negative and sums to 1, from a
// feasible y: each step moves weight between the two unknowns of one block that gain most, with the exact length.
func minimizeOverSimplices(q, c []float64, first []int, y []float64) {
	n := len(y)
	gradient := make([]float64, n) // half of it
	scale := 0.0
	for a := range n {
		gradient[a] = c[a]
		for b := range n {
			gradient[a] += q[a*n+b] * y[b]
		}
		scale = math.Max(scale, q[a*n+a])
	}
	for range 400 * n {
		from, to, most := -1, -1, 1e-10*scale
		for g := 0; g+1 < len(first); g++ {
			low, high := -1, -1
			for a := first[g]; a < first[g+1]; a++ {
				if low < 0 || gradient[a] < gradient[low] {
					low = a
				}
				if y[a] > 0 && (high < 0 || gradient[a] > gradient[high]) {
					high = a
				}
			}
			if gain := gradient[high] - gradient[low]; gain > most {
				from, to, most = high, low, gain
			}
		}
		if from < 0 {
			return
		}
		t := y[from]
		if curve := q[from*n+from] + q[to*n+to] - 2*q[from*n+to]; curve > 1e-300 {
			t = math.Min(t, most/curve)
		}
		y[to] += t
		if y[from] -= t; y[from] < 1e-15 {
			y[from] = 0
		}
		for a := range n {
			gradient[a] += t * (q[a*n+to] - q[a*n+from])
		}
	}
}
