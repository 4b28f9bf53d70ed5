package enveloping

import (
	"slices"

	"skinlab/skinning"
	"skinlab/skinning/rig"
)

// Vertices that the proxies do not predict reliably better keep their trained weights (mixed.go), so that some proxies
// have no vertices in the end: up to 26 of 40 on the fox. Such a proxy would still be a joint in the file, a matrix in
// every pose and four rows of c₁ and c₂. It is removed, which changes no vertex (row 50). Its key gradient stays where
// c₁ has entries for it in the rows of other proxies.

// pruneProxies removes the proxies that no vertex follows, and their key gradients where no other proxy reads them.
func (m *Model) pruneProxies() {
	proxies, unused := m.proxiesByUse()
	if len(unused) == 0 {
		return
	}
	envelope := &m.Rig
	keys := slices.Clone(proxies)
	for _, k := range unused {
		if reads(envelope, proxies, k) {
			keys = append(keys, k)
		}
	}
	m.Weights = renumbered(m.Weights, len(envelope.Masters), proxies)
	envelope.C1 = block(envelope.C1, 3*len(envelope.Keys), proxies, keys)
	tall := 4 * len(envelope.Masters)
	var c2 []float64
	for _, b := range proxies {
		c2 = append(c2, envelope.C2[4*b*tall:4*(b+1)*tall]...)
	}
	envelope.C2 = c2
	all := envelope.Keys
	envelope.Keys = nil
	for _, k := range keys {
		envelope.Keys = append(envelope.Keys, all[k])
	}
	envelope.Proxies = envelope.Proxies[:len(proxies)] // proxies are numbered anew
}

// block returns the entries of c₁ in the rows of the given proxies and the columns of the given keys.
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

// renumbered returns the weights with the given proxies numbered from 0 behind the joints.
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

// proxiesByUse returns the proxies that some vertex follows, and those that none does.
func (m *Model) proxiesByUse() (used, unused []int) {
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
			used = append(used, b)
		} else {
			unused = append(unused, b)
		}
	}
	return used, unused
}

// reads reports whether c₁ has an entry other than 0 for the key gradient in a row of one of these proxies.
func reads(envelope *rig.Enveloping, proxies []int, key int) bool {
	wide := 3 * len(envelope.Keys)
	for _, b := range proxies {
		for row := 4 * b; row < 4*b+4; row++ {
			at := row*wide + 3*key
			if slices.ContainsFunc(envelope.C1[at:at+3], func(v float64) bool { return v != 0 }) {
				return true
			}
		}
	}
	return false
}
