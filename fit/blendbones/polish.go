package blendbones

import "slices"

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

// polish moves all bones together until that gains nothing more, then takes the bone that is missed least and tries it
// elsewhere, as long as that helps.
func (r *run) polish() {
	all := func() []int {
		g := make([]int, len(r.bones))
		for k := range g {
			g[k] = k
		}
		return g
	}
	r.alternate(all(), 10, 1e-3)
	for range 2 * len(r.bones) {
		if r.stopped() || len(r.bones) < 2 {
			break
		}
		before, saved := r.total(), r.save()
		if !r.swap() || r.total() > before*(1-2e-3) {
			r.restore(saved)
			break
		}
		r.report()
	}
	r.alternate(all(), 10, 1e-3)
	r.history[len(r.history)-1].Rig, r.history[len(r.history)-1].EE = r.rig(), r.ee()
}

// swap removes the bone that is missed least and places the best candidate. It reports whether there was one.
func (r *run) swap() bool {
	weakest, least := -1, 0.0
	for k := range r.bones {
		if loss := r.lossOf(k); weakest < 0 || loss < least {
			weakest, least = k, loss
		}
	}
	r.remove(weakest)
	c := r.bestCandidate(r.stopped)
	if r.stopped() || c == nil {
		return false
	}
	r.add(c.bone)
	r.alternate(r.sharing(len(r.bones)-1), 8, 2e-3)
	return !r.stopped()
}

// lossOf returns how much the error rises when bone k goes and its vertices' weights are solved without it.
func (r *run) lossOf(k int) float64 {
	before, saved := r.total(), r.save()
	r.remove(k)
	loss := r.total() - before
	r.restore(saved)
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
			case id > k:
				w.bone[i]--
			}
		}
	}
	r.solveWeights(vertices)
}
