package blendbones

import "slices"

// extend gives bones a further joint and reports whether any bone changed. First it drops joints whose u-weight is
// zero. Then a bone of fewer than maxJoints joints gets, from the neighbours of its joints in the skeleton, the one
// along which the error falls most steeply, if it falls along any. The new u-weight is zero, so the shape stays the
// same. In the paper a bone keeps the joints that it was placed with (section 4.3). At hips and shoulders a third joint
// helps, which no vertex follows together with the other two.
func extend(s *solution) (changed bool) {
	extended, kept := make([]*bone, len(s.bones)), make([]int, len(s.bones))
	for k, b := range s.bones {
		e := new(bone)
		for i, j := range b.joints {
			if b.u[i] > 0 || b.swings != nil && b.swings[i] > 0 {
				e.joints, e.u = append(e.joints, j), append(e.u, b.u[i])
				if b.swings != nil {
					e.swings = append(e.swings, b.swings[i])
				}
			}
		}
		kept[k] = len(e.joints)
		if kept[k] < maxJoints {
			for _, j := range s.in.neighbours.of(e.joints) {
				e.joints, e.u = append(e.joints, j), append(e.u, 0)
				if e.swings != nil {
					e.swings = append(e.swings, 0)
				}
			}
		}
		extended[k] = e
	}
	m := s.differentiate(s.all(), extended)
	_, residuals := s.sumVertices(m)
	slopes := m.alongUnknowns(residuals)
	for k, b := range s.bones {
		e, n, slope := extended[k], kept[k], slopes[m.first[k]:m.first[k+1]]
		level := 0.0 // along the present u-weights
		for i := range n {
			level += e.u[i] * slope[i]
		}
		best := -1
		for i := n; i < len(e.joints); i++ {
			if slope[i] < level-leastGain*s.total() && (best < 0 || slope[i] < slope[best]) {
				best = i
			}
		}
		if best < 0 {
			continue
		}
		changed = true
		b.joints, b.u = append(e.joints[:n:n], e.joints[best]), append(e.u[:n:n], 0)
		if b.swings != nil {
			b.swings = e.swings[:n+1]
		}
		if !slices.Contains(b.span, e.joints[best]) {
			b.span = append(slices.Clone(b.span), e.joints[best])
		}
		s.in.pose(b)
	}
	if changed {
		s.relate(s.all())
		s.listBones()
	}
	return changed
}
