package blendbones

import "slices"

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

// polish improves a placed set of bones. It moves all bones together, and removes needless influences, which raises the
// error by trimRise at most. The time of a round grows with the number of bones. Beyond 16 bones there are fewer rounds,
// so that the time of the whole fit grows linearly.
func (r *run) polish() {
	r.refine(4, 3e-4)
	r.improve()
	r.refine(max(4, min(20, 320/max(len(r.bones), 1))), 3e-5)
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

func (s *solver) all() []int {
	group := make([]int, len(s.bones))
	for k := range group {
		group[k] = k
	}
	return group
}
