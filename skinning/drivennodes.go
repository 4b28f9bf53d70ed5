package skinning

// LiveClips returns the model's clips for frames in which rigs drive their joints. The channels of nodes that carry
// only such joints are left out. A fitted file has baked keys for all of these nodes. On a body with 80 proxy bones
// they take ten times as long to sample as all others. Frames that are baked need Clips.
func (m *Model) LiveClips() []Clip {
	driven := m.drivenNodes()
	if driven == nil {
		return m.Clips
	}
	out := make([]Clip, len(m.Clips))
	for i, c := range m.Clips {
		out[i] = c
		out[i].Channels = nil
		for _, channel := range c.Channels {
			if channel.Path == PathWeights || !driven[channel.Node] {
				out[i].Channels = append(out[i].Channels, channel)
			}
		}
	}
	return out
}

// DrivenJoints tells which joints the model's rigs drive, or did before they were folded.
func (m *Model) DrivenJoints() []bool {
	driven := make([]bool, len(m.Skeleton.Joints))
	copy(driven, m.Folded)
	for _, rig := range m.Rigs {
		for _, j := range rig.Joints() {
			driven[j] = true
		}
	}
	return driven
}

// drivenNodes marks the nodes that, themselves or below them, carry driven joints but no other joint and no mesh. It is
// nil for a model without rigs.
func (m *Model) drivenNodes() []bool {
	if len(m.Rigs) == 0 {
		return nil
	}
	s := &m.Skeleton
	driven := m.DrivenJoints()
	follows, read := make([]bool, len(s.Nodes)), make([]bool, len(s.Nodes))
	for j := range s.Joints {
		of := read
		if driven[j] {
			of = follows
		}
		of[s.Joints[j].Node] = true
	}
	for i := range m.Rigid {
		for k := range m.Rigid[i].Parts {
			read[m.Rigid[i].Parts[k].Node] = true
		}
	}
	for k := len(s.Order) - 1; k >= 0; k-- { // children before their parents
		i := s.Order[k]
		if parent := s.Nodes[i].Parent; parent >= 0 {
			follows[parent], read[parent] = follows[parent] || follows[i], read[parent] || read[i]
		}
	}
	for i := range follows {
		follows[i] = follows[i] && !read[i]
	}
	return follows
}

// undrivenParts are the nodes and joints that no rig drives. A frame with LazyProxies computes only these. A fitted
// file has two nodes for each proxy, which the rig does not read.
type undrivenParts struct {
	nodes  []int // parents before their children
	joints []int
}

// newUndrivenParts returns none for a model without a rig that is solved for.
func newUndrivenParts(m *Model) (l undrivenParts) {
	if m.solvedRig() < 0 {
		return l
	}
	drivenNodes := m.drivenNodes()
	for _, i := range m.Skeleton.Order {
		if !drivenNodes[i] {
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
func (l *undrivenParts) pose(f *Frame, p *Pose) {
	s := &f.Model.Skeleton
	s.someGlobals(f.Globals, p, l.nodes)
	for _, j := range l.joints {
		f.Matrices[j].SetProduct(&f.Globals[s.Joints[j].Node], &s.Joints[j].FromRest)
		f.palette.SetMatrix(j, &f.Matrices[j])
	}
}
