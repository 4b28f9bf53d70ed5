package skinning

// lazyParts is what a lazy frame poses of a model with a rig that others solve for: a fitted file has two nodes for
// each of its joints, and what drives them reads neither.
type lazyParts struct {
	nodes  []int // parents before their children
	joints []int
}

// newLazyParts returns none for a model without such a rig.
func newLazyParts(m *Model) (l lazyParts) {
	if m.solvedRig() < 0 {
		return l
	}
	idle := m.drivenNodes()
	for _, i := range m.Skeleton.Order {
		if !idle[i] {
			l.nodes = append(l.nodes, i)
		}
	}
	for j, driven := range m.DrivenJoints() {
		if !driven {
			l.joints = append(l.joints, j)
		}
	}
	return l
}

// pose computes the nodes and the joints of a pose.
func (l *lazyParts) pose(f *Frame, p *Pose) {
	s := &f.Model.Skeleton
	s.someGlobals(f.Globals, p, l.nodes)
	for _, j := range l.joints {
		f.Matrices[j].setProduct(&f.Globals[s.Joints[j].Node], &s.Joints[j].FromRest)
		f.roundMatrix(j)
	}
}
