package blendbones

import (
	"slices"

	"skinlab/fit/linear"
	"skinlab/skinning/parallel"
)

// add appends a copy of b to the bones, and lets the vertices in its reach follow it.
func (s *solver) add(b *bone) {
	s.append(b)
	s.listBones()
}

// append appends a copy of b to the bones. Vertices may follow it after the next call of listBones.
func (s *solver) append(b *bone) {
	placed := s.newBone(b.joints, b.u, b.swings, b.span)
	s.replace(placed)
	s.bones = append(s.bones, placed)
	s.relations = append(s.relations, new(relation))
	s.relateAll([]int{len(s.bones) - 1})
}

// replace computes the matrices of a bone again.
func (s *solver) replace(b *bone) {
	s.place(b)
	s.placings++
	b.placing = s.placings
}

// relateAll computes all moments between the given bones and those that they meet.
func (s *solver) relateAll(group []int) {
	parallel.For(s.workers, len(s.bones), func(_, k int) {
		if slices.Contains(group, k) {
			s.relate(s.relations[k], s.bones[k], s.bones[:k])
			return
		}
		for _, g := range group {
			if g < k && s.bones[k].meets(s.bones[g]) {
				*s.relations[k].bone[g] = linear.FormOf(s.bones[k].matrices, s.bones[g].matrices)
			}
		}
	})
}

// relateBeside computes the moments of the given bones with the bones that some vertex follows together with them.
func (s *solver) relateBeside(group, position []int, beside [][]bool) {
	parallel.For(s.workers, len(group), func(_, g int) {
		k := group[g]
		b, r := s.bones[k], s.relations[k]
		*r.own = linear.FormOf(b.matrices, b.matrices)
		for id, has := range beside[g] {
			switch other := id - s.joints; {
			case !has || other == k || other > k && position[other] >= 0: // computed with the other's moments
			case other < 0:
				r.master[id] = linear.FormOf(b.matrices, s.masters[id])
			case other < k:
				*r.bone[other] = linear.FormOf(b.matrices, s.bones[other].matrices)
			default:
				*s.relations[other].bone[k] = linear.FormOf(s.bones[other].matrices, b.matrices)
			}
		}
	})
}

// listBones sets the bones that the vertices of every set may follow.
func (s *solver) listBones() {
	parallel.For(s.workers, len(s.sets), func(_, i int) {
		set := &s.sets[i]
		set.ids, set.pairs = set.ids[:0], set.pairs[:0]
		for _, j := range set.near {
			set.ids = append(set.ids, int32(j))
		}
		for k, b := range s.bones {
			if set.mayFollow(b) {
				set.ids = append(set.ids, int32(s.joints+k))
			}
		}
		masters := len(set.near)
		for a, ida := range set.ids {
			for b, idb := range set.ids {
				low, high := min(ida, idb)-int32(s.joints), max(ida, idb)-int32(s.joints)
				var m *linear.Form
				switch {
				case a < masters && b < masters:
					m = set.gram[a*masters+b]
				case low < 0:
					m = &s.relations[high].master[min(ida, idb)]
				case low < high:
					m = s.relations[high].bone[low]
				default:
					m = s.relations[high].own
				}
				set.pairs = append(set.pairs, m)
			}
		}
	})
}

// sharing returns the bones that share a master joint with bone k, k among them (ALNS section 4.3).
func (s *solver) sharing(k int) (group []int) {
	for i, b := range s.bones {
		if shareJoint(b.joints, s.bones[k].joints) {
			group = append(group, i)
		}
	}
	return group
}

// beside returns the bones of a group that some vertex follows together with one of the fresh bones, these among them.
func (s *solver) beside(fresh, group []int) (out []int) {
	isFresh, moves := make([]bool, s.joints+len(s.bones)), make([]bool, s.joints+len(s.bones))
	for _, k := range fresh {
		isFresh[s.joints+k], moves[s.joints+k] = true, true
	}
	for v := range s.w {
		ids := s.w[v].bone[:s.w[v].count]
		if slices.ContainsFunc(ids, func(id int32) bool { return isFresh[id] }) {
			for _, id := range ids {
				moves[id] = true
			}
		}
	}
	for _, k := range group {
		if moves[s.joints+k] {
			out = append(out, k)
		}
	}
	return out
}

// reach returns the vertices that may follow a bone of the group (ALNS section 4.4) and marks their sets as changed.
func (s *solver) reach(group []int) (vertices []int32) {
	s.clock++
	for i := range s.sets {
		for _, k := range group {
			if s.sets[i].mayFollow(s.bones[k]) {
				vertices = append(vertices, s.sets[i].vertices...)
				s.sets[i].changed = s.clock
				break
			}
		}
	}
	slices.Sort(vertices)
	return vertices
}
