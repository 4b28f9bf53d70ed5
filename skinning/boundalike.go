package skinning

import "math"

// alike is how much the entries of FromRest of two joints of one node may differ, of 1 or of themselves, where they
// move vertices alike: skins bring inverse bind matrices of their own, rounded to float32.
const alike = 1e-6

// MovesLike reports whether two joints of one node move vertices alike: whether their FromRest is the same within a
// tolerance, of 1 or of itself.
func (j *Joint) MovesLike(other *Joint, tolerance float64) bool {
	for k, v := range other.FromRest {
		if !(math.Abs(j.FromRest[k]-v) <= tolerance*(1+math.Abs(v))) {
			return false
		}
	}
	return true
}

// BoundAlike returns the model with its vertices bound to as few joints as move them alike: where several skins name
// one node and bind it the same way, as those of a body and of its clothes do, to the joint of the first of them. It is
// m itself where no two joints are such; all but the influences is m's.
func (m *Model) BoundAlike() *Model {
	joints := m.Skeleton.Joints
	byNode := map[int][]int{} // the joints of a node that move differently
	first, same := make([]uint16, len(joints)), false
	for j := range joints {
		first[j] = uint16(j)
		others := byNode[joints[j].Node]
		for _, o := range others {
			if joints[o].MovesLike(&joints[j], alike) {
				first[j], same = uint16(o), true
				break
			}
		}
		if int(first[j]) == j {
			byNode[joints[j].Node] = append(others, j)
		}
	}
	if !same {
		return m
	}
	out := *m
	out.Skin.Influences = Influences{}
	var buf []Influence
	for v := range m.Skin.Bindings {
		buf = m.Skin.Of(buf[:0], v)
		for i := range buf {
			buf[i].Joint = first[buf[i].Joint]
		}
		out.Skin.Append(buf, 0)
	}
	return &out
}
