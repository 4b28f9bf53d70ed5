package enveloping

import (
	"slices"

	"skinlab/skinning"
)

// A vertex that the proxies do not surely predict better keeps its trained weights (mixed.go), and so some proxies
// move nothing in the end: of forty on the fox up to twenty-six. They are left out of the model, where each would be a
// joint of every file, a matrix of every pose and four rows of c₁ and c₂. Their key gradients stay as far as the rows
// of others read them.

// leaveOutIdle takes the proxies that move no vertex out of the model, and the key gradients of theirs that no other
// proxy reads.
func (m *Model) leaveOutIdle() {
	proxies, idle := m.busy()
	if len(idle) == 0 {
		return
	}
	rig := &m.Rig
	keys := slices.Clone(proxies)
	for _, k := range idle {
		if reads(rig, proxies, k) {
			keys = append(keys, k)
		}
	}
	m.Weights = renumbered(m.Weights, len(rig.Masters), proxies)
	rig.C1 = block(rig.C1, 3*len(rig.Keys), proxies, keys)
	tall := 4 * len(rig.Masters)
	var c2 []float64
	for _, b := range proxies {
		c2 = append(c2, rig.C2[4*b*tall:4*(b+1)*tall]...)
	}
	rig.C2 = c2
	all := rig.Keys
	rig.Keys = nil
	for _, k := range keys {
		rig.Keys = append(rig.Keys, all[k])
	}
	rig.Proxies = rig.Proxies[:len(proxies)] // the joints behind the masters, whichever they stood for
}

// block returns the rows of c₁ of some proxies, of which each reads some keys.
func block(c1 []float64, wide int, proxies, keys []int) (out []float64) {
	for _, b := range proxies {
		for row := 4 * b; row < 4*b+4; row++ {
			for _, k := range keys {
				at := row*wide + 3*k
				out = append(out, c1[at:at+3]...)
			}
		}
	}
	return out
}

// renumbered returns weights over so many joints and, behind them, these proxies alone.
func renumbered(weights [][]skinning.Share, joints int, proxies []int) [][]skinning.Share {
	to := map[uint16]uint16{}
	for k, b := range proxies {
		to[uint16(joints+b)] = uint16(joints + k)
	}
	out := make([][]skinning.Share, len(weights))
	for v, w := range weights {
		out[v] = slices.Clone(w) // trained SSD may have the same
		for k := range out[v] {
			if joint, ok := to[w[k].Joint]; ok {
				out[v][k].Joint = joint
			}
		}
	}
	return out
}

// busy tells the proxies that move a vertex from those that move none.
func (m *Model) busy() (busy, idle []int) {
	joints := len(m.Rig.Masters)
	moves := make([]bool, m.Proxies())
	for _, w := range m.Weights {
		for _, s := range w {
			if b := int(s.Joint) - joints; b >= 0 {
				moves[b] = true
			}
		}
	}
	for b, does := range moves {
		if does {
			busy = append(busy, b)
		} else {
			idle = append(idle, b)
		}
	}
	return busy, idle
}

// reads reports whether a row of c₁ of one of these proxies has another entry than 0 for a key gradient.
func reads(rig *skinning.EnvelopeRig, proxies []int, key int) bool {
	wide := 3 * len(rig.Keys)
	for _, b := range proxies {
		for row := 4 * b; row < 4*b+4; row++ {
			at := row*wide + 3*key
			if slices.ContainsFunc(rig.C1[at:at+3], func(v float64) bool { return v != 0 }) {
				return true
			}
		}
	}
	return false
}
