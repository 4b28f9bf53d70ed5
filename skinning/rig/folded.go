package rig

import "skinlab/skinning"

// HasOriginal reports whether a fitted model has the weights from before its fit, so that errors of [Folded] are true.
func HasOriginal(m *skinning.Model) bool { return m.Skin.Input(&skinning.OriginalWeights) != nil }

// Folded returns the model without its rig, as it was before the fit: the added bones move nothing, and vertices have
// their original weights. Methods and the reference of a fitted file are of it. Where the model does not have the
// original weights (see [HasOriginal]), each vertex's weight of an added bone is that of the bone's masters, by their
// shares: the first-order approximation (ALNS section 4.3). A model without added bones is returned itself.
func Folded(m *skinning.Model) *skinning.Model {
	if len(m.Added()) == 0 {
		return m
	}
	out := *m
	out.Rigs, out.Folded = nil, make([]bool, len(m.Skeleton.Joints))
	drives := map[int]bool{} // by node: a second skin has joints of its own on the nodes of added ones
	for j, driven := range m.DrivenJoints() {
		if driven {
			drives[m.Skeleton.Joints[j].Node] = true
		}
	}
	for j := range out.Folded {
		out.Folded[j] = drives[m.Skeleton.Joints[j].Node]
	}
	if of := m.Skin.Input(&skinning.OriginalWeights); of != nil {
		out.Skin.SetWeights(of.Weights)
		return &out
	}
	bone := make(map[uint16]*skinning.Added)
	added := m.Added()
	for k := range added {
		bone[uint16(added[k].Joint)] = &added[k]
	}
	var in skinning.Influences
	var old, spread []skinning.Influence
	for v := range m.Skin.Bindings {
		old, spread = m.Skin.Of(old[:0], v), spread[:0]
		for _, i := range old {
			b := bone[i.Joint]
			if b == nil {
				spread = append(spread, i)
				continue
			}
			for n, j := range b.Masters {
				spread = append(spread, skinning.Influence{Joint: j, Weight: i.Weight * float32(b.Weights[n])})
			}
		}
		in.Append(spread, 0)
	}
	out.Skin.SetWeights(in)
	return &out
}
