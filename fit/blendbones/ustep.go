package blendbones

import (
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/linear"
	"skinlab/skinning/geom"
	"skinlab/skinning/parallel"
)

// sums are what the u-step needs of the vertices. For bones k and l of the group they hold Σ_i w_ik·w_il·v̂v̂ᵀ, and for
// bone k and frame f Σ_i w_ik·r_i·v̂ᵀ. w_ik is the weight of vertex i on bone k, v̂ its rest position with a 1
// appended, and r_i its residual.
type sums struct {
	outers    []linear.Moment
	residuals []geom.Affine
}

// damping is added to the curvature, as a share of it. Without it, directions in which bones move alike have no
// curvature (rows 108, 109).
const damping = 1e-3

// strongDamping is the share of the curvature at fixed weights that is added for a second direction of a u-step. The
// first direction assumes that the weights follow the bones. In a long step they do not follow all the way, since a
// weight that falls to zero stays there, so the first direction is too long for some bones. If many bones move together,
// one of these raises the error at every step length. Without the second direction, 160 bones on 12 poses of Knight's
// reload have an EE of 0.25 %, with it of 0.12 (TestManyBones).
const strongDamping = 0.03

// moveBones is the u-step (ALNS section 4.3). It moves all bones of the group at once, by the linearization of equation
// (6) under the convexity constraints. It reports whether the bones moved. The vertices are those that may follow a
// bone of the group.
//
// The paper fixes the w'-weights in this step. Here they follow the bones, though each vertex keeps its set of bones
// (variable projection: Golub and Pereyra 1973, simplified by Kaufman 1975). That takes a handful of steps where the
// alternation of the two takes a hundred. A step that does not lower the error is shortened, and given up in the end.
func (s *solver) moveBones(group []int, vertices []int32) bool {
	vertices = s.following(group, vertices)
	m := s.model(group, vertices)
	var u []float64
	for _, k := range group {
		u = append(u, s.bones[k].u...)
	}
	moved := s.move(group, m.first, u, m.minimum(u, 0), []float64{1, 0.5, 0.25, 0.1}, vertices) ||
		s.move(group, m.first, u, m.minimum(u, strongDamping), []float64{1}, vertices)
	if moved {
		s.relateAll(group)
	}
	return moved
}

// minimum returns the u-weights at which the damped model is least, under the convexity constraints. The present ones
// are u. Strong is the share of the curvature at fixed weights that is added to the curvature, see [strongDamping].
func (m *quadraticModel) minimum(u []float64, strong float64) []float64 {
	// E(ũ) = (ũ − u)ᵀ·Q·(ũ − u) + 2·bᵀ·(ũ − u) + … = ũᵀ·Q·ũ + 2·cᵀ·ũ + … with c = b − Q·u.
	n := len(u)
	q, c := slices.Clone(m.square), slices.Clone(m.linear)
	for a := range n {
		q[a*n+a] += damping*q[a*n+a] + strong*m.fixed[a]
		for b := range n {
			c[a] -= q[a*n+b] * u[b]
		}
	}
	target := slices.Clone(u)
	minimizeOverSimplices(q, c, m.first, target)
	return target
}

// move takes the u-weights of bones from u towards target; bone g's begin at first[g]. It takes the first of the given
// lengths, as shares of the way, that lowers the error of the vertices. These are all that follow one of the bones. If
// no length does, it restores everything and reports false. Afterwards only those moments are valid that vertices need
// while they keep their bones.
func (s *solver) move(bones, first []int, u, target, lengths []float64, vertices []int32) bool {
	before, weights := 0.0, make([]weights, len(vertices))
	for i, v := range vertices {
		weights[i] = s.w[v]
		before += s.w[v].err
	}
	position := s.positions(bones)
	beside := s.followedBeside(bones, position, vertices)
	for _, length := range lengths {
		for g, k := range bones {
			for i := range s.bones[k].u {
				a := first[g] + i
				s.bones[k].u[i] = u[a] + length*(target[a]-u[a])
			}
			s.replace(s.bones[k])
		}
		s.relateBeside(bones, position, beside)
		if s.refit(vertices) < before*(1-1e-9) {
			return true
		}
		for i, v := range vertices {
			s.w[v] = weights[i]
		}
	}
	for g, k := range bones {
		copy(s.bones[k].u, u[first[g]:])
		s.replace(s.bones[k])
	}
	s.relateBeside(bones, position, beside)
	return false
}

// following returns the vertices that have weight on a bone of the group.
func (s *solver) following(group []int, vertices []int32) []int32 {
	in := make([]bool, s.joints+len(s.bones))
	for _, k := range group {
		in[s.joints+k] = true
	}
	var out []int32
	for _, v := range vertices {
		w := &s.w[v]
		for k := range w.count {
			if in[w.bone[k]] {
				out = append(out, v)
				break
			}
		}
	}
	return out
}

// quadraticModel is the second-order model of the error in the u-weights of a group of bones, about their present
// values.
type quadraticModel struct {
	first       []int           // per bone of the group, its first unknown; one more entry ends the last
	owner       []int           // per unknown, the index of its bone in the group
	derivatives [][]geom.Affine // per unknown and frame, ∂Φ/∂u times the frame's root
	square      []float64       // n×n, half the curvature
	fixed       []float64       // its diagonal at fixed weights
	linear      []float64       // half the slope
}

// differentiateAll lists the unknowns of the group with their derivatives. Bones, one for each of the group, give the
// joints and u-weights.
func (s *solver) differentiateAll(m *quadraticModel, bones []*bone) {
	most := 0
	for g, bone := range bones {
		m.first = append(m.first, len(m.owner))
		for range bone.joints {
			m.owner = append(m.owner, g)
			m.derivatives = append(m.derivatives, make([]geom.Affine, len(s.frames)))
		}
		most = max(most, len(bone.joints))
	}
	m.first = append(m.first, len(m.owner))
	parallel.For(s.workers, len(bones), func(_, g int) {
		bone, d := bones[g], make([]geom.Affine, most)
		for f, frame := range s.frames {
			s.differentiate(frame, bone.joints, bone.u, bone.swings, d[:len(bone.joints)])
			for i := range bone.joints {
				m.derivatives[m.first[g]+i][f] = s.slopeAbout(d[i], f)
			}
		}
	})
}

// model returns the second-order model of the vertices' error, in which the weights follow the bones.
func (s *solver) model(group []int, vertices []int32) *quadraticModel {
	m := new(quadraticModel)
	bones := make([]*bone, len(group))
	for g, k := range group {
		bones[g] = s.bones[k]
	}
	s.differentiateAll(m, bones)
	sum := s.sumVertices(group, vertices)
	n := len(m.owner)
	m.square, m.linear = make([]float64, n*n), make([]float64, n)
	parallel.For(s.workers, n, func(_, a int) {
		for c := 0; c <= a; c++ {
			if o := &sum.outers[m.owner[a]*len(group)+m.owner[c]]; o[9] != 0 {
				form := linear.FormOf(m.derivatives[a], m.derivatives[c])
				m.square[a*n+c] = form.Sum(o)
			}
		}
		m.linear[a] = sum.slope(m, len(s.frames), a)
	})
	for a := range n {
		for c := range a {
			m.square[c*n+a] = m.square[a*n+c]
		}
	}
	for a := range n {
		m.fixed = append(m.fixed, m.square[a*n+a])
	}
	if s.with.follow {
		s.project(m, group, vertices)
	}
	return m
}

// slope returns half the derivative of the error along unknown a.
func (t *sums) slope(m *quadraticModel, frames, a int) (b float64) {
	for f := range frames {
		p, r := &m.derivatives[a][f], &t.residuals[m.owner[a]*frames+f]
		for k := range p {
			b += p[k] * r[k]
		}
	}
	return b
}

// sumVertices adds up the vertices that follow bones of the group.
func (s *solver) sumVertices(group []int, vertices []int32) sums {
	n, frames, size := len(vertices), len(s.frames), len(group)
	position := s.positions(group)
	parts := make([]sums, parallel.Chunks(n))
	parallel.For(s.workers, len(parts), func(worker, c int) {
		part := sums{make([]linear.Moment, size*size), make([]geom.Affine, size*frames)}
		lo, hi := parallel.Chunk(c, n)
		for _, v := range vertices[lo:hi] {
			s.sumVertex(&s.scratch[worker], &part, position, size, int(v))
		}
		parts[c] = part
	})
	total := sums{make([]linear.Moment, size*size), make([]geom.Affine, size*frames)}
	for _, part := range parts {
		for i := range part.outers {
			total.outers[i].AddAll(&part.outers[i])
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
				part.outers[group[a]*size+group[b]].Add(w.weight[a]*w.weight[b], p)
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

// residuals sets ws.r to v' − v of a vertex in every frame, times the frame's root.
func (s *solver) residuals(ws *workspace, w *weights, v int) []mgl64.Vec3 {
	return s.residualsOf(ws, w, v, len(s.frames))
}

// residualsOf is residuals in the first frames only.
func (s *solver) residualsOf(ws *workspace, w *weights, v, frames int) []mgl64.Vec3 {
	t, p := s.target(v)[:frames], &s.rest[v]
	if cap(ws.r) < len(t) {
		ws.r = make([]mgl64.Vec3, len(t))
	}
	r := ws.r[:len(t)]
	for f := range r {
		r[f] = mgl64.Vec3{-t[f][0], -t[f][1], -t[f][2]}
	}
	for k := range w.count {
		var bone []geom.Affine
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
