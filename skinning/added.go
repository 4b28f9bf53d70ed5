package skinning

import "slices"

// Added is a joint that a fit has put behind a model's own, and how far each of those moves it: exactly the u-weights
// of a blend bone, and of a proxy bone the shares of the masters' translations that it takes over, the larger ones,
// made to sum to 1.
type Added struct {
	Joint   int
	Masters []uint16
	Weights []float64 // one per master, the largest first
}

// leastShare is the least share of a master that [Model.Added] lists.
const leastShare = 0.02

// Added lists the joints of the model's rigs, those of blend bones first.
func (m *Model) Added() (out []Added) {
	if m.Blend != nil {
		for i := range m.Blend.Bones {
			b := &m.Blend.Bones[i]
			out = append(out, sortedAdded(b.Joint, b.Masters, b.Weights))
		}
	}
	if r := m.Envelope; r != nil {
		for b, joint := range r.Proxies {
			masters, weights := r.translationShares(b)
			out = append(out, sortedAdded(joint, masters, weights))
		}
	}
	return out
}

func sortedAdded(joint int, masters []uint16, weights []float64) Added {
	a := Added{Joint: joint}
	order := make([]int, len(masters))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(x, y int) int {
		switch {
		case weights[x] > weights[y]:
			return -1
		case weights[x] < weights[y]:
			return 1
		}
		return 0
	})
	for _, k := range order {
		a.Masters, a.Weights = append(a.Masters, masters[k]), append(a.Weights, weights[k])
	}
	return a
}

// translationShares returns how much of each master's translation proxy b takes over: the entries of c₂ from one
// translation to the other. A translation of all masters alike moves every proxy as far, so they sum to 1 but for what
// regularisation leaves.
func (r *EnvelopeRig) translationShares(b int) (masters []uint16, weights []float64) {
	n := len(r.Masters)
	row := r.C2[(4*b+3)*4*n:]
	sum := 0.0
	for k, j := range r.Masters {
		if w := row[4*k+3]; w >= leastShare {
			masters, weights = append(masters, uint16(j)), append(weights, w)
			sum += w
		}
	}
	if sum == 0 {
		return []uint16{uint16(r.Masters[0])}, []float64{1}
	}
	for k := range weights {
		weights[k] /= sum
	}
	return masters, weights
}
