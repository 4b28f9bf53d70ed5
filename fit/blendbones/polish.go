package blendbones

import (
	"math"
	"slices"

	"skinlab/skinning/parallel"
)

// state is what a trial must be able to restore.
type state struct {
	bones []*bone
	w     []weights
	clock int
}

func (s *solver) save() state {
	st := state{w: slices.Clone(s.w), clock: s.clock}
	for _, b := range s.bones {
		c := *b
		c.u, c.matrices = slices.Clone(b.u), slices.Clone(b.matrices)
		st.bones = append(st.bones, &c)
	}
	return st
}

func (s *solver) restore(st state) {
	s.bones, s.relations = s.bones[:0], s.relations[:0]
	for _, b := range st.bones {
		c := *b
		c.u, c.matrices = slices.Clone(b.u), slices.Clone(b.matrices)
		s.bones = append(s.bones, &c)
		s.relations = append(s.relations, new(relation))
	}
	s.relateAll(s.all())
	s.listBones()
	copy(s.w, st.w)
	s.clock++
	for i := range s.sets {
		if s.sets[i].changed > st.clock {
			s.sets[i].changed = s.clock
		}
	}
}

// spareBones is how many bones are placed beyond the budget before as many of the least useful are removed. The first
// bones were placed without knowledge of the later ones, so they may have become needless (rows 95, 96).
const spareBones = 2

// polish improves a placed set of bones. It exchanges bones, moves all of them together, and removes needless
// influences. The number of bones stays the same, and the error rises by trimRise at most.
func (r *run) polish(overshoot bool) {
	r.refine(4, 3e-4)
	r.improve()
	if overshoot && r.with.spare && !r.stopped() {
		r.trying = true
		r.overshoot()
		r.trying = false
	}
	r.refine(20, 3e-5)
	r.solveWeights(r.everyVertex(), fine, true)
	if r.with.trim && !r.stopped() {
		r.trim()
	}
	r.improve()
}

// trim removes needless influences, unless a target that was met would be missed.
func (r *run) trim() {
	met, had := r.met(), slices.Clone(r.w)
	r.trimInfluences()
	if met && !r.met() {
		copy(r.w, had)
	}
}

// refine moves all bones until a round lowers the error by less than share, then extends them with further joints.
// It does so twice.
func (r *run) refine(rounds int, share float64) {
	for range 2 {
		r.alternate(r.all(), r.all(), rounds, share)
		if r.stopped() || !r.with.extend || !r.extend() {
			return
		}
	}
	r.alternate(r.all(), r.all(), rounds, share)
}

// overshoot places spare bones and removes as many of the least useful. It keeps the result if the error is lower.
func (r *run) overshoot() {
	before, saved, count := r.total(), r.save(), len(r.bones)
	r.grow(count+spareBones, false)
	r.alternate(r.all(), r.all(), 1, 0)
	for len(r.bones) > count && !r.stopped() {
		r.remove(r.leastMissed())
		r.alternate(r.all(), r.all(), 2, 1e-3)
	}
	r.alternate(r.all(), r.all(), 4, 3e-4)
	if len(r.bones) != count || !(r.total() < before) {
		r.restore(saved)
	}
}

func (s *solver) all() []int {
	group := make([]int, len(s.bones))
	for k := range group {
		group[k] = k
	}
	return group
}

// leastMissed returns the bone whose removal raises the error least.
func (r *run) leastMissed() int {
	best, least := 0, math.Inf(1)
	for k := range r.bones {
		if loss := r.lossOf(k); loss < least {
			best, least = k, loss
		}
	}
	return best
}

// lossOf returns how much the error rises when bone k is removed and the vertices that follow it are solved again.
func (r *run) lossOf(k int) float64 {
	n, id := len(r.w), int32(r.joints+k)
	parts := make([]float64, parallel.Chunks(n))
	parallel.For(r.workers, len(parts), func(worker, c int) {
		lo, hi := parallel.Chunk(c, n)
		for v := lo; v < hi; v++ {
			w := &r.w[v]
			if slices.Contains(w.bone[:w.count], id) {
				parts[c] += r.solveVertex(&r.scratch[worker], v, k, false).err - w.err
			}
		}
	})
	loss := 0.0
	for _, p := range parts {
		loss += p
	}
	return loss
}

// remove removes bone k and solves its vertices again.
func (r *run) remove(k int) {
	vertices := r.following([]int{k}, r.reach([]int{k}))
	r.bones = slices.Delete(r.bones, k, k+1)
	r.relations = slices.Delete(r.relations, k, k+1)
	for _, other := range r.relations[k:] {
		other.bone = slices.Delete(other.bone, k, k+1)
	}
	r.listBones()
	for v := range r.w {
		w := &r.w[v]
		for i := 0; i < w.count; i++ {
			switch id := int(w.bone[i]) - r.joints; {
			case id == k:
				last := w.count - 1
				w.bone[i], w.weight[i] = w.bone[last], w.weight[last]
				w.count--
				i--
				w.err = math.Inf(1) // its weights do not sum to 1 until it is solved
			case id > k:
				w.bone[i]--
			}
		}
	}
	r.solveWeights(vertices, 0, true)
}
