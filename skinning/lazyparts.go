package skinning

// lazyParts is what a lazy frame poses of a model with proxy bones: a fitted file has two nodes for each of these, and
// who drives them reads neither.
type lazyParts struct {
	nodes  []int // parents before their children
	joints []int
}

// newLazyParts returns none for a model without proxy bones.
func newLazyParts(m *Model) (l lazyParts) {
	if m.Envelope == nil {
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
