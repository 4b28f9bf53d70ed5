package metrics

import "skinlab/skinning"

// bound is the weight of one side below which a vertex counts as bound to the other side only.
const bound = 0.01

// NewRegion returns the region of a joint: the part of a skin that bends where the joint turns, as a body. Its volume
// shows a collapse that would hardly change the volume of the whole skin. It is empty where the skin follows the
// joint rigidly, or not at all.
//
// When a joint turns, all joints below it turn with it. A vertex bound only to those, or to none of them, moves
// rigidly. The region is the triangles with a corner that is bound to both sides. Its rim, where the rest of the skin
// begins, moves almost rigidly.
func NewRegion(m *skinning.Model, joint int) *Body {
	turns := Below(&m.Skeleton, joint)
	mixed := make([]bool, len(m.Skin.Positions))
	for v, influences := range m.Skin.All() {
		sum := float32(0)
		for _, i := range influences {
			if turns[i.Joint] {
				sum += i.Weight
			}
		}
		mixed[v] = sum > bound && sum < 1-bound
	}
	var bends [][3]uint32
	for _, t := range m.Skin.Triangles {
		if mixed[t[0]] || mixed[t[1]] || mixed[t[2]] {
			bends = append(bends, t)
		}
	}
	return NewBody(m.Skin.Positions, bends)
}

// Below marks the joints whose nodes turn with a joint's: its own node and all below.
func Below(s *skinning.Skeleton, joint int) []bool {
	nodes := make([]bool, len(s.Nodes))
	for _, n := range s.Order { // parents first
		p := s.Nodes[n].Parent
		nodes[n] = n == s.Joints[joint].Node || p >= 0 && nodes[p]
	}
	joints := make([]bool, len(s.Joints))
	for j := range joints {
		joints[j] = nodes[s.Joints[j].Node]
	}
	return joints
}
