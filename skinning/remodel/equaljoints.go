package remodel

import "skinlab/skinning"

// equalBinding is the tolerance within which two joints of one node count as equal, see [skinning.Joint.MovesLike].
// Every skin brings inverse bind matrices of its own, rounded to float32.
const equalBinding = 1e-6

// MergeEqualJoints returns the model with the weights of joints that move vertices alike moved to the first of them. A
// body and its clothes, say, are two skins that name one node and bind it the same way, which makes two joints of it.
// The result shares all but the influences with m, and is m itself where no two joints are equal. No joint is removed.
func MergeEqualJoints(m *skinning.Model) *skinning.Model {
	first, same := FirstEqual(&m.Skeleton)
	if !same {
		return m
	}
	out := *m
	out.Skin.Influences = renamedJoints(&m.Skin.Influences, first)
	for _, in := range m.Skin.Inputs {
		in.Weights = renamedJoints(&in.Weights, first)
		out.Skin.SetInput(in)
	}
	return &out
}

// renamedJoints returns influences with each joint replaced by another. Those of a vertex that become one are summed.
func renamedJoints(in *skinning.Influences, to []uint16) (out skinning.Influences) {
	for _, buf := range in.All() {
		for i := range buf {
			buf[i].Joint = to[buf[i].Joint]
		}
		out.Append(buf, 0)
	}
	return out
}

// JointPair is a joint and its parent, indices into Skeleton.Joints.
type JointPair struct{ Joint, Parent int }

// JointPairs lists the joints that have a parent, in rising order. Of joints that move vertices alike, all are named as
// the first of them, and a pair that is then listed already is left out. A joint has several pairs where skins bind its
// parent in different poses, or where one of them leaves out a joint between.
func JointPairs(s *skinning.Skeleton) (pairs []JointPair) {
	first, _ := FirstEqual(s)
	listed := map[JointPair]bool{}
	for j := range s.Joints {
		if s.Joints[j].Parent < 0 {
			continue
		}
		pair := JointPair{int(first[j]), int(first[s.Joints[j].Parent])}
		if !listed[pair] {
			listed[pair] = true
			pairs = append(pairs, pair)
		}
	}
	return pairs
}

// FirstEqual returns, for every joint, the first that moves vertices alike, and whether any is not the joint itself.
func FirstEqual(s *skinning.Skeleton) (first []uint16, same bool) {
	joints := s.Joints
	byNode := map[int][]int{} // the joints of a node that move differently
	first = make([]uint16, len(joints))
	for j := range joints {
		first[j] = uint16(j)
		others := byNode[joints[j].Node]
		for _, o := range others {
			if joints[o].MovesLike(&joints[j], equalBinding) {
				first[j], same = uint16(o), true
				break
			}
		}
		if int(first[j]) == j {
			byNode[joints[j].Node] = append(others, j)
		}
	}
	return first, same
}
