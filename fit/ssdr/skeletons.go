package ssdr

import "skinlab/fit/training"

// skeletons are the primary joints in groups, because a file may hold many characters. Two joints belong to one
// skeleton if one is below the other, or if a vertex follows both. A point may follow the joints of its own skeleton
// alone. Then time and memory grow with the number of characters, and not with its square.
type skeletons struct {
	joints [][]int
	of     []int // of each joint, its skeleton
	place  []int // of each joint, among those of its skeleton
}

// skeletonsOf finds the skeletons of examples. If a vertex follows no joint, it may follow any, and there is one.
func skeletonsOf(x *training.Examples) *skeletons {
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
	one := x.Model == nil || x.Rigged == nil
	for _, shares := range x.Rigged {
		one = one || len(shares) == 0
		for i := range shares {
			join(int(shares[0].Joint), int(shares[i].Joint))
		}
	}
	nodes := make(map[int]int) // the first joint of each
	for j := range n {
		if one {
			join(0, j)
			continue
		}
		joint := &x.Model.Skeleton.Joints[j]
		if joint.Parent >= 0 {
			join(joint.Parent, j)
		}
		if first, ok := nodes[joint.Node]; ok {
			join(first, j)
		} else {
			nodes[joint.Node] = j
		}
	}
	s := &skeletons{of: make([]int, n), place: make([]int, n)}
	for j := range n {
		if t := top(j); t != j {
			s.of[j] = s.of[t]
		} else {
			s.of[j], s.joints = len(s.joints), append(s.joints, nil)
		}
		own := &s.joints[s.of[j]]
		s.place[j], *own = len(*own), append(*own, j)
	}
	return s
}

// joints returns the primary joints that a point may follow.
func (s *Solver) joints(k int) []int {
	switch {
	case s.primaries == 0:
		return nil
	case s.rigged == nil || len(s.rigged[k]) == 0:
		return s.skeletons.joints[0]
	}
	return s.skeletons.joints[s.skeletons.of[s.rigged[k][0].Joint]]
}
