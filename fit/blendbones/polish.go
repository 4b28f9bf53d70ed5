package blendbones

import (
	"math"
	"slices"

	"skinlab/fit/parallel"
)

// state is what a trial must be able to take back.
type state struct {
	joints [][]uint16
	u      [][]float64
	w      []weights
}

func (s *solver) save() state {
	var st state
	for _, b := range s.bones {
		st.joints, st.u = append(st.joints, b.joints), append(st.u, slices.Clone(b.u))
	}
	st.w = slices.Clone(s.w)
	return st
}

func (s *solver) restore(st state) {
	s.bones, s.relations = s.bones[:0], s.relations[:0]
	for k := range st.u {
		s.bones = append(s.bones, s.newBone(st.joints[k], st.u[k]))
		s.relations = append(s.relations, relation{})
		s.place(s.bones[k])
	}
	for k := range s.bones {
		s.relate(&s.relations[k], s.bones[k], s.bones[:k])
	}
	copy(s.w, st.w)
	s.listBlends()
	s.clock++
	for i := range s.sets {
		s.sets[i].changed = s.clock
	}
}

// spare is how many bones are placed beyond the budget before the least useful are taken out again: the first ones were
// placed without knowing the later ones, and this finds better sets than exchanging single bones does. A small budget gets
// half of itself.
const spare = 4

// polish looks for better places for the bones that there are, and moves all of them together. It ends with as many bones as it
// was called with, and with no higher error.
func (r *run) polish(overshoot bool) {
	before, saved, count := r.total(), r.save(), len(r.bones)
	if overshoot {
		r.grow(count+min(spare, max(1, count/2)), false)
	}
	for len(r.bones) > count && !r.stopped() {
		r.alternate(r.all(), 6, 1e-3)
		r.remove(r.leastMissed())
	}
	r.alternate(r.all(), 80, 3e-5)
	if len(r.bones) != count || r.total() > before {
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

// leastMissed returns the bone whose removal costs least.
func (r *run) leastMissed() int {
	best, least := 0, math.Inf(1)
	for k := range r.bones {
		if loss := r.lossOf(k); loss < least {
			best, least = k, loss
		}
	}
	return best
}

// lossOf returns how much the error rises when bone k goes and the vertices that follow it are solved without it.
func (r *run) lossOf(k int) float64 {
	n, id := len(r.w), int32(r.joints+k)
	parts := make([]float64, parallel.Chunks(n))
	parallel.For(r.workers, len(parts), func(worker, c int) {
		lo, hi := parallel.Chunk(c, n)
		for v := lo; v < hi; v++ {
			w := &r.w[v]
			if slices.Contains(w.bone[:w.count], id) {
				parts[c] += r.solveVertex(&r.scratch[worker], v, k).err - w.err
			}
		}
	})
	loss := 0.0
	for _, p := range parts {
		loss += p
	}
	return loss
}

// remove takes bone k out and solves its vertices again.
func (r *run) remove(k int) {
	vertices := r.reach([]int{k})
	r.bones = slices.Delete(r.bones, k, k+1)
	r.relations = slices.Delete(r.relations, k, k+1)
	for i := range r.bones {
		r.relate(&r.relations[i], r.bones[i], r.bones[:i])
	}
	r.listBlends()
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
	r.solveWeights(vertices)
}
