package blendbones

import (
	"cmp"
	"slices"
	"time"
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
	for len(r.bones) > r.want {
		r.alternate(all(), 6, 1e-3)
		order, least := -1, 0.0
		for k := range r.bones {
			if loss := r.lossOf(k); order < 0 || loss < least {
				order, least = k, loss
			}
		}
		r.remove(order)
		println("pruned", len(r.bones), int(1000*r.ee()), time.Since(r.start).String())
	}
	println("pre", int(1000*r.ee()), time.Since(r.start).String())
	r.alternate(all(), 40, 1e-4)
	println("all", int(1000*r.ee()), time.Since(r.start).String())
	for false && r.improve() {
		println("swapped", int(1000*r.ee()), time.Since(r.start).String())
		r.report()
	}
	r.alternate(all(), 10, 1e-3)
	r.history[len(r.history)-1].Rig, r.history[len(r.history)-1].EE = r.rig(), r.ee()
}

// improve takes bones out, the one that is missed least first, and places the best candidate instead, until one such
// exchange lowers the error.
func (r *run) improve() bool {
	if len(r.bones) < 2 {
		return false
	}
	order, loss := make([]int, len(r.bones)), make([]float64, len(r.bones))
	for k := range order {
		order[k], loss[k] = k, r.lossOf(k)
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(loss[a], loss[b]) })
	before, saved := r.total(), r.save()
	for _, k := range order {
		r.remove(k)
		c := r.bestCandidate(r.stopped)
		if r.stopped() {
			break
		}
		if c != nil {
			r.add(c.bone)
			r.alternate(r.sharing(len(r.bones)-1), 8, 2e-3)
			if r.total() < before*(1-2e-3) {
				return true
			}
		}
		r.restore(saved)
	}
	r.restore(saved)
	return false
}

// lossOf returns how much the error rises when bone k goes and the vertices that follow it are solved without it.
func (r *run) lossOf(k int) float64 {
	n, id := len(r.w), int32(r.joints+k)
	parts := make([]float64, chunks(n))
	parallel(r.workers, len(parts), func(worker, c int) {
		lo, hi := chunk(c, n)
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
			case id > k:
				w.bone[i]--
			}
		}
	}
	r.solveWeights(vertices)
}
