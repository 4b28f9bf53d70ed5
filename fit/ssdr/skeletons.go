package ssdr

import (
	"slices"

	"skinlab/skinning/remodel"
)

// skeletons are the primary joints in groups, because a file may hold many characters. Two joints belong to one skeleton
// if one is below the other, or if a vertex follows both. A point may follow the joints of its own skeleton alone. Then
// the work grows with the number of characters, and not with its square. A joint that no vertex follows is left out where
// an earlier one moves vertices alike: skins over the same nodes make joints of each of them again.
type skeletons struct {
	joints []int    // those of a skeleton one after another
	rank   []int    // of each joint in joints; −1 of one that is left out
	span   [][2]int // of each joint, its skeleton in joints: the first rank and the first behind
}

// skeletonsOf finds the skeletons of examples. Without a model there is one.
func skeletonsOf(x *Examples) *skeletons {
	n := x.Primaries()
	above := make([]int, n) // of each joint, one of the same skeleton with a smaller index, or itself
	for j := range above {
		above[j] = j
	}
	top := func(j int) int {
		for above[j] != j {
			above[j] = above[above[j]]
			j = above[j]
		}
		return j
	}
	join := func(a, b int) {
		a, b = top(a), top(b)
		above[max(a, b)] = min(a, b)
	}
	if x.Model == nil || x.Rigged == nil {
		for j := range above {
			join(0, j)
		}
	} else {
		x.joinNodes(join)
		x.joinVertices(join)
	}
	s := &skeletons{rank: make([]int, n), span: make([][2]int, n)}
	spare := x.spareJoints()
	for j := range n {
		if s.rank[j] = -1; !spare[j] {
			s.joints = append(s.joints, j)
		}
	}
	slices.SortStableFunc(s.joints, func(a, b int) int { return top(a) - top(b) })
	for first := 0; first < len(s.joints); {
		last := first
		for last < len(s.joints) && top(s.joints[last]) == top(s.joints[first]) {
			s.rank[s.joints[last]] = last
			last++
		}
		for _, j := range s.joints[first:last] {
			s.span[j] = [2]int{first, last}
		}
		first = last
	}
	return s
}

// spareJoints tells the joints that no vertex follows and that move vertices as an earlier joint does.
func (x *Examples) spareJoints() []bool {
	spare := make([]bool, x.Primaries())
	if x.Model == nil {
		return spare
	}
	first, _ := remodel.FirstEqual(&x.Model.Skeleton)
	for j := range spare {
		spare[j] = int(first[j]) != j
	}
	for _, shares := range x.Rigged {
		for _, s := range shares {
			spare[s.Joint] = false
		}
	}
	return spare
}

// joinNodes joins joints of one node, and each with the nearest joint above it.
func (x *Examples) joinNodes(join func(a, b int)) {
	nodes, joints := x.Model.Skeleton.Nodes, x.Model.Skeleton.Joints
	at := make(map[int]int, len(joints)) // joint of each node
	for j := range x.Primaries() {
		if first, ok := at[joints[j].Node]; ok {
			join(first, j)
			continue
		}
		at[joints[j].Node] = j
	}
	for node, j := range at {
		for node = nodes[node].Parent; node >= 0; node = nodes[node].Parent {
			if upper, ok := at[node]; ok {
				join(upper, j)
				break
			}
		}
	}
}

// joinVertices joins the joints that a vertex follows. If a vertex follows none, it may follow any, and all are joined.
func (x *Examples) joinVertices(join func(a, b int)) {
	for _, shares := range x.Rigged {
		if len(shares) == 0 {
			for j := range x.Primaries() {
				join(0, j)
			}
			return
		}
		for _, s := range shares[1:] {
			join(int(shares[0].Joint), int(s.Joint))
		}
	}
}
