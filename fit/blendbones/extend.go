package blendbones

import "slices"

// extend gives bones a further joint and reports whether any bone changed. First it drops joints whose u-weight is
// zero. Then a bone of fewer than maxJoints joints gets, from the neighbours of its joints in the skeleton, the one
// along which the error falls most steeply, if it falls along any. The new u-weight is zero, so the shape stays the
// same. In the paper a bone keeps the joints that it was placed with (section 4.3). At hips and shoulders a third joint
// helps, which no vertex follows together with the other two.
func (s *solver) extend() bool {
	extended, kept := make([]*bone, len(s.bones)), make([]int, len(s.bones))
	for k, b := range s.bones {
		e := &bone{}
		for i, u := range b.u {
			if u > 0 || b.swings != nil && b.swings[i] > 0 {
				e.joints, e.u = append(e.joints, b.joints[i]), append(e.u, u)
				if b.swings != nil {
					e.swings = append(e.swings, b.swings[i])
				}
			}
		}
		count := len(e.joints)
		kept[k] = count
		if count < maxJoints {
			for _, j := range e.joints[:count] {
				for _, next := range s.adjacent(j) {
					if !slices.Contains(e.joints, next) {
						e.joints, e.u = append(e.joints, next), append(e.u, 0)
						if e.swings != nil {
							e.swings = append(e.swings, 0)
						}
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
		old, level := kept[k], 0.0
		for i := range old {
			level += e.u[i] * sum.slope(m, len(s.frames), first+i)
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
		swings := e.swings
		if swings != nil {
			swings = swings[:old+1]
		}
		s.bones[k] = s.newBone(joints, u, swings, span)
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
