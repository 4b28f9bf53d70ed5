package skinning

import (
	"cmp"
	"slices"
)

// twistParents returns the twist parent of every joint, −1 for a root: the joint against which its motion is split
// into a twist and a swing. In rigs for inverse kinematics, feet and hands are often children of the root. There a
// foot shares vertices with the shin, and not with its parent. Two joints share S_jk = Σ_v min(w_vj, w_vk) over all
// vertices. The twist parent is
//
//   - the nearest ancestor with S > 0;
//   - else, taken by depth and then by index, the joint of the largest S that makes no circle, the lower index among equals;
//   - else, or where the joint moves no vertex, the nearest ancestor.
//
// A root whose largest S is with another root stays a root. So where no joint is above another the blend is linear: a
// tree of largest S over such joints would be one to five times as far from dual quaternions as linear blending.
//
// Parents are the nearest ancestors in the same skin, −1 for none. Weights are those of the twists where a model has
// two sets. A joint that a rig drives takes no part.
func twistParents(parents []int, driven []bool, weights *Influences) []int {
	shared := sharedWeights(driven, weights)
	out := slices.Clone(parents)
	var apart []int // joints that share vertices, but with no ancestor
	for j := range parents {
		up := parents[j]
		for up >= 0 && shared[j][up] == 0 {
			up = parents[up]
		}
		if up >= 0 {
			out[j] = up
		} else if len(shared[j]) > 0 {
			apart = append(apart, j)
		}
	}
	depth := func(j int) (n int) {
		for ; parents[j] >= 0; n++ {
			j = parents[j]
		}
		return n
	}
	slices.SortStableFunc(apart, func(a, b int) int { return cmp.Compare(depth(a), depth(b)) })
	for _, j := range apart {
		best := -1
		for k, s := range shared[j] {
			if largest := best < 0 || s > shared[j][best] || s == shared[j][best] && k < best; largest && !isAbove(out, j, k) {
				best = k
			}
		}
		if best >= 0 && (parents[j] >= 0 || parents[best] >= 0) {
			out[j] = best
		}
	}
	return out
}

// isAbove reports whether joint j is k or one of its ancestors.
func isAbove(parents []int, j, k int) bool {
	for ; k >= 0; k = parents[k] {
		if k == j {
			return true
		}
	}
	return false
}

// sharedWeights returns for every joint its S with the joints that share vertices with it.
func sharedWeights(driven []bool, weights *Influences) []map[int]float64 {
	pairs := map[[2]uint16]float64{} // S by the lower and the higher joint
	for _, buf := range weights.All() {
		for i, a := range buf {
			for _, b := range buf[i+1:] {
				if w := min(a.Weight, b.Weight); w > 0 && !driven[a.Joint] && !driven[b.Joint] {
					pairs[[2]uint16{min(a.Joint, b.Joint), max(a.Joint, b.Joint)}] += float64(w)
				}
			}
		}
	}
	shared := make([]map[int]float64, len(driven))
	add := func(j, k int, s float64) {
		if shared[j] == nil {
			shared[j] = map[int]float64{}
		}
		shared[j][k] = s
	}
	for pair, s := range pairs {
		add(int(pair[0]), int(pair[1]), s)
		add(int(pair[1]), int(pair[0]), s)
	}
	return shared
}
