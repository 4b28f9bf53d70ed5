package skinning

import (
	"cmp"
	"slices"
)

// Added is a joint that a fit has put behind a model's own, and how far each of those moves it, as its rig says
// ([Rig.Shares]).
type Added struct {
	Joint   int
	Masters []uint16
	Weights []float64 // one per master, the largest first
}

// Added lists the joints of the model's rigs, in the order of these.
func (m *Model) Added() (out []Added) {
	for _, rig := range m.Rigs {
		for k, joint := range rig.Joints() {
			masters, weights := rig.Shares(k)
			out = append(out, sortedAdded(joint, masters, weights))
		}
	}
	return out
}

// DrivenJoints tells which joints the model's rigs drive.
func (m *Model) DrivenJoints() []bool {
	driven := make([]bool, len(m.Skeleton.Joints))
	for _, rig := range m.Rigs {
		for _, j := range rig.Joints() {
			driven[j] = true
		}
	}
	return driven
}

func sortedAdded(joint int, masters []uint16, weights []float64) Added {
	a := Added{Joint: joint}
	order := make([]int, len(masters))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(weights[y], weights[x]) })
	for _, k := range order {
		a.Masters, a.Weights = append(a.Masters, masters[k]), append(a.Weights, weights[k])
	}
	return a
}
