package enveloping

// boundShare is how much of the rig's weights a joint must have on a group to bind it.
const boundShare = 0.01

// findDrivers lists the joints that each key may be predicted from: those that the rig binds its group to, their
// parents and their children. In few examples some other joint always turns alike by chance, a left arm with the right
// one. Where the rig's weights are not known, all joints may.
func (r *reduction) findDrivers(x *Examples, of []int32) {
	r.drivers = make([][]int, len(r.transforms))
	r.base = make([]int, len(r.transforms))
	if x.Rigged == nil {
		for l := range r.drivers {
			r.base[l] = -1
			for j := range x.Parent {
				r.drivers[l] = append(r.drivers[l], j)
			}
		}
		return
	}
	weight, total := make([][]float64, len(r.transforms)), make([]float64, len(r.transforms))
	for l := range weight {
		weight[l] = make([]float64, len(x.Parent))
	}
	for k, t := range x.Triangles {
		if g := of[k]; g >= 0 {
			for _, v := range t {
				for _, s := range x.Rigged[v] {
					weight[g][s.Joint] += s.Weight
					total[g] += s.Weight
				}
			}
		}
	}
	near := make([]bool, len(x.Parent))
	for l, w := range weight {
		clear(near)
		for j := range w {
			if w[j] > w[r.base[l]] {
				r.base[l] = j
			}
		}
		bound := func(j int) bool { return !(w[j] <= boundShare*total[l]) }
		for j, p := range x.Parent {
			near[j] = near[j] || bound(j)
			if p >= 0 {
				near[j] = near[j] || bound(p)
				near[p] = near[p] || bound(j)
			}
		}
		for j, n := range near {
			if n {
				r.drivers[l] = append(r.drivers[l], j)
			}
		}
		if len(r.drivers[l]) == 0 {
			r.drivers[l] = []int{0}
		}
	}
}
