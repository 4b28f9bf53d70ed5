package blendbones

import (
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/linear"
	"skinlab/fit/simplex"
	"skinlab/skinning/geom"
	"skinlab/skinning/parallel"
)

// solution is the state of Algorithm 1: blend bones, and the weights of every vertex over masters and blend bones.
type solution struct {
	in      *input
	recipe  *Recipe
	bones   []*bone
	weights []weights // by vertex
	choices []choice  // by vertex set
	clock   int       // counts changes, for choice.changed
	workers int
	scratch []*workspace // one per worker
	stop    func() bool  // ends a w'-step early, whose remaining vertices keep their weights
}

// bone is a blend bone, either one of the solution or a candidate.
type bone struct {
	joints []uint16
	u      []float64
	swings []float64     // the weights of its swings, where u are those of its twists alone; nil where u are both
	span   []uint16      // its joints, and all that it had before; a vertex may follow it if it follows one of them
	motion []geom.Affine // Φ(u; C) in each frame, times the frame's root
	forms  []linear.Form // of a bone that is placed: with every master, the bones placed before it, and itself
}

// weights are the w'-weights of a vertex. Bone numbers below input.joints are masters.
type weights struct {
	bone    [maxJoints]int32
	weight  [maxJoints]float64
	product [maxJoints]float64 // Σ_f (C·v)·t with each bone
	count   int
	err     float64 // Σ_f ‖v' − v‖² with the weights of the frames
}

// choice is what the vertices of a set may follow: masters, then blend bones numbered from input.joints on.
type choice struct {
	ids     []int32
	forms   []*linear.Form // of all pairs, row-major
	changed int            // the clock of the last change of weights of its vertices, or of bones that they may follow
}

// place returns the index of a bone among the ids.
func (c *choice) place(id int32) int { return slices.Index(c.ids, id) }

// workspace is one goroutine's scratch.
type workspace struct {
	system  system
	simplex simplex.Solver
	nnls    linear.NonNegative
	trial   trial
	off     []mgl64.Vec3 // what residuals returns
	q       [(maxJoints + 1) * (maxJoints + 1)]float64
	x, y    []float64
	// The normal equations of softWeights.
	normal, slopes []float64
}

func newSolution(in *input, recipe *Recipe, workers int) *solution {
	s := &solution{in: in, recipe: recipe, weights: slices.Clone(in.initial), choices: make([]choice, len(in.sets)),
		workers: workers, stop: func() bool { return false }}
	for range workers {
		s.scratch = append(s.scratch, new(workspace))
	}
	s.listBones()
	return s
}

// pose computes the bone's matrices from its u-weights.
func (in *input) pose(b *bone) {
	b.motion = make([]geom.Affine, len(in.frames))
	for f, frame := range in.frames {
		b.motion[f] = in.about(in.evaluate(frame, b.joints, b.u, b.swings), f)
	}
}

// place appends a copy of b to the bones. Vertices may follow it after the next call of listBones.
func (s *solution) place(b *bone) {
	placed := &bone{joints: b.joints, u: slices.Clone(b.u), swings: b.swings, span: b.span,
		forms: make([]linear.Form, s.in.joints+len(s.bones)+1)}
	s.in.pose(placed)
	s.bones = append(s.bones, placed)
	s.relate([]int{len(s.bones) - 1})
}

// motion returns the matrices of a master or blend bone.
func (s *solution) motion(id int) []geom.Affine {
	if id < s.in.joints {
		return s.in.masters[id]
	}
	return s.bones[id-s.in.joints].motion
}

// form returns the form of two masters or blend bones.
func (s *solution) form(a, b int32) *linear.Form {
	if k := int(max(a, b)) - s.in.joints; k >= 0 {
		return &s.bones[k].forms[min(a, b)]
	}
	return s.in.forms[[2]int32{min(a, b), max(a, b)}]
}

// relate computes all forms of the given blend bones, and visits no other: for many bones that are placed one by one,
// each time all pairs would be the cube of their number.
func (s *solution) relate(group []int) {
	parallel.For(s.workers, len(s.bones), func(_, k int) {
		b := s.bones[k]
		if slices.Contains(group, k) {
			for id := range b.forms {
				b.forms[id] = linear.FormOf(b.motion, s.motion(id))
			}
			return
		}
		for _, moved := range group {
			if moved < k {
				b.forms[s.in.joints+moved] = linear.FormOf(b.motion, s.bones[moved].motion)
			}
		}
	})
}

// listBones sets the bones that the vertices of every set may follow.
func (s *solution) listBones() {
	parallel.For(s.workers, len(s.in.sets), func(_, i int) {
		set, c := &s.in.sets[i], &s.choices[i]
		c.ids, c.forms = c.ids[:0], c.forms[:0]
		for _, j := range set.masters {
			c.ids = append(c.ids, int32(j))
		}
		for k, b := range s.bones {
			if set.mayFollow(b) {
				c.ids = append(c.ids, int32(s.in.joints+k))
			}
		}
		for _, a := range c.ids {
			for _, b := range c.ids {
				c.forms = append(c.forms, s.form(a, b))
			}
		}
	})
}

// all lists the blend bones.
func (s *solution) all() []int {
	group := make([]int, len(s.bones))
	for k := range group {
		group[k] = k
	}
	return group
}

// sharing returns the bones that share a master joint with bone k, k among them (ALNS section 4.3).
func (s *solution) sharing(k int) (group []int) {
	for i, b := range s.bones {
		if shareJoint(b.joints, s.bones[k].joints) {
			group = append(group, i)
		}
	}
	return group
}

// setsOf lists the vertex sets in reach of a bone, V(B) of ALNS section 4.4.
func (s *solution) setsOf(b *bone) (sets []int) {
	for i := range s.in.sets {
		if s.in.sets[i].mayFollow(b) {
			sets = append(sets, i)
		}
	}
	return sets
}

// reach returns the vertices that may follow a bone of the group (ALNS section 4.4) and marks their sets as changed.
func (s *solution) reach(group []int) (vertices []int32) {
	s.clock++
	for i := range s.in.sets {
		set := &s.in.sets[i]
		if slices.ContainsFunc(group, func(k int) bool { return set.mayFollow(s.bones[k]) }) {
			vertices = append(vertices, set.vertices...)
			s.choices[i].changed = s.clock
		}
	}
	slices.Sort(vertices)
	return vertices
}

// saved is what a round of steps may change.
type saved struct {
	group   []int
	bones   []bone
	weights []weights
}

func (s *solution) save(group []int) saved {
	to := saved{group: group, weights: slices.Clone(s.weights)}
	for _, k := range group {
		b := *s.bones[k]
		b.u = slices.Clone(b.u)
		to.bones = append(to.bones, b)
	}
	return to
}

func (s *solution) restore(from saved) {
	s.weights = from.weights
	for i, k := range from.group {
		*s.bones[k] = from.bones[i]
	}
	s.relate(from.group)
}

// posedBy returns the solution as another input poses its bones.
func (s *solution) posedBy(in *input) *solution {
	to := &solution{in: in, weights: s.weights, workers: s.workers, scratch: s.scratch}
	for _, b := range s.bones {
		posed := &bone{joints: b.joints, u: b.u, swings: b.swings}
		in.pose(posed)
		to.bones = append(to.bones, posed)
	}
	return to
}

// total returns Σ over all vertices and frames of the squared error: E of ALNS equation (2).
func (s *solution) total() (e float64) {
	for v := range s.weights {
		e += s.weights[v].err
	}
	return e
}

// errors returns the sum of the squared errors over all vertices and given frames, without weights, and the largest.
func (s *solution) errors() (sum, most float64) {
	n := len(s.weights)
	sums, largest := make([]float64, parallel.Chunks(n)), make([]float64, parallel.Chunks(n))
	parallel.For(s.workers, len(sums), func(worker, c int) {
		lo, hi := parallel.Chunk(c, n)
		for v := lo; v < hi; v++ {
			for f, r := range s.residuals(s.scratch[worker], v)[:s.in.given] {
				e := r.Dot(r) / (s.in.roots[f] * s.in.roots[f])
				sums[c] += e
				largest[c] = max(largest[c], e)
			}
		}
	})
	for c := range sums {
		sum, most = sum+sums[c], max(most, largest[c])
	}
	return sum, most
}

// residuals returns v' − v of a vertex in every frame, times the frame's root.
func (s *solution) residuals(ws *workspace, v int) []mgl64.Vec3 {
	t, p, w := s.in.target(v), &s.in.rest[v], &s.weights[v]
	ws.off = linear.Resize(ws.off, len(t))
	for f := range t {
		ws.off[f] = mgl64.Vec3{-t[f][0], -t[f][1], -t[f][2]}
	}
	for k := range w.count {
		motion, x := s.motion(int(w.bone[k])), w.weight[k]
		px, py, pz := x*p[0], x*p[1], x*p[2]
		for f := range t {
			m, q := &motion[f], &ws.off[f]
			q[0] += m[0]*px + m[1]*py + m[2]*pz + m[3]*x
			q[1] += m[4]*px + m[5]*py + m[6]*pz + m[7]*x
			q[2] += m[8]*px + m[9]*py + m[10]*pz + m[11]*x
		}
	}
	return ws.off
}
