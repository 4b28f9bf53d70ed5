package skinning

import "skinlab/skinning/geom"

// Pose has a local transform per node and a weight per morph slot.
type Pose struct {
	Local  []geom.Transform // one per Skeleton.Nodes
	Morphs []float64        // one per Model.MorphSlots
}

// NewPose returns the model's static pose: every node at its static transform, morphs at their default weights.
func (m *Model) NewPose() *Pose {
	p := &Pose{Local: make([]geom.Transform, len(m.Skeleton.Nodes)), Morphs: make([]float64, len(m.MorphSlots))}
	m.ResetPose(p)
	return p
}

// ResetPose sets p back to the static pose. It allocates nothing.
func (m *Model) ResetPose(p *Pose) {
	for i := range m.Skeleton.Nodes {
		p.Local[i] = m.Skeleton.Nodes[i].Rest
	}
	for i := range m.MorphSlots {
		p.Morphs[i] = m.MorphSlots[i].Default
	}
}

// SamplePose sets p to clip at time t seconds: nodes and morphs that the clip does not animate are static. A clip below
// zero or past the last gives the static pose. It allocates nothing.
func (m *Model) SamplePose(p *Pose, clip int, t float64) {
	m.ResetPose(p)
	if clip >= 0 && clip < len(m.Clips) {
		m.Clips[clip].Sample(p, t)
	}
}
