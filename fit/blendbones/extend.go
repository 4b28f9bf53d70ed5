package blendbones

import "slices"

// extend gives every bone of fewer than maxJoints joints the one more along which the error falls most steeply, of
// those next to its own along the skeleton, if it falls along any. Joints of no weight are dropped first. The paper
// trusts the joints that a bone was placed with (section 4.3); a character's hips and shoulders want a third one that
// no vertex has together with the two. It reports whether a bone changed; the shape does not.
func (s *solver) extend() bool {
	extended := make([]*bone, len(s.bones))
	for k, b := range s.bones {
		e := &bone{}
		for i, u := range b.u {
			if u > 0 {
				e.joints, e.u = append(e.joints, b.joints[i]), append(e.u, u)
			}
		}
		if count := len(e.joints); count < maxJoints {
			for _, j := range e.joints[:count] {
				for _, next := range s.linked[j] {
					if !slices.Contains(e.joints, next) {
						e.joints, e.u = append(e.joints, next), append(e.u, 0)
					}
				}
			}
		}
		extended[k] = e
	}
	m := new(quadraticModel)
	s.differentiateAll(m, extended)
	all := s.all()
	sum := s.sumVertices(all, s.following(all, s.everyVertex()))
	changed := false
	for k, b := range s.bones {
		e, first := extended[k], m.first[k]
		old, level := 0, 0.0
		for old < len(e.joints) && e.u[old] > 0 {
			level += e.u[old] * sum.slope(m, len(s.frames), first+old)
			old++
		}
		best, least := -1, level-1e-9*s.total()
		for i := old; i < len(e.joints); i++ {
			if slope := sum.slope(m, len(s.frames), first+i); slope < least {
				best, least = i, slope
			}
		}
		if best < 0 {
			continue
		}
		changed = true
		joints, u := append(e.joints[:old:old], e.joints[best]), append(e.u[:old:old], 0)
		span := slices.Clone(b.span)
		if !slices.Contains(span, e.joints[best]) {
			span = append(span, e.joints[best])
		}
		s.bones[k] = s.newBone(joints, u, span)
		s.replace(s.bones[k])
	}
	if changed {
		s.relateAll(all)
		s.listBones()
	}
	return changed
}

func (s *solver) everyVertex() []int32 {
	all := make([]int32, len(s.w))
	for v := range all {
		all[v] = int32(v)
	}
	return all
}
