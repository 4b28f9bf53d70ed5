package enveloping

import "skinlab/fit/training"

// A joint binds a group if it has at least boundShare of the sum of the rig's weights in the group.
const boundShare = 0.01

// nearJoints lists the joints that may predict each key: the joints that the rig binds the key's group to, their
// parents and their children. In few examples unrelated joints turn alike by chance, such as the left arm and the
// right one. Base is the joint that binds the group most. Where the rig's weights are not known, it is −1, and all
// joints are listed.
func nearJoints(x *training.Examples, group []int32, keys int) (drivers [][]int, base []int) {
	if x.Rigged == nil {
		return allJoints(x, group, keys)
	}
	weight, total := make([][]float64, keys), make([]float64, keys)
	for l := range weight {
		weight[l] = make([]float64, len(x.Parents))
	}
	for k, t := range x.Triangles {
		if g := group[k]; g >= 0 {
			for _, v := range t {
				for _, s := range x.Rigged[v] {
					weight[g][s.Joint] += s.Weight
					total[g] += s.Weight
				}
			}
		}
	}
	drivers, base = make([][]int, keys), make([]int, keys)
	for l, w := range weight {
		binds := func(j int) bool { return !(w[j] <= boundShare*total[l]) }
		near := make([]bool, len(x.Parents))
		for j, p := range x.Parents {
			if w[j] > w[base[l]] {
				base[l] = j
			}
			near[j] = near[j] || binds(j)
			if p >= 0 {
				near[j] = near[j] || binds(p)
				near[p] = near[p] || binds(j)
			}
		}
		for j, n := range near {
			if n {
				drivers[l] = append(drivers[l], j)
			}
		}
		if len(drivers[l]) == 0 {
			drivers[l] = []int{0}
		}
	}
	return drivers, base
}

// allJoints lists all joints for each key: the paper takes the joint, of all, that predicts the key best (section 3.2).
func allJoints(x *training.Examples, _ []int32, keys int) (drivers [][]int, base []int) {
	all := make([]int, len(x.Parents))
	for j := range all {
		all[j] = j
	}
	for range keys {
		drivers, base = append(drivers, all), append(base, -1)
	}
	return drivers, base
}
