package posing

import (
	"skinlab/skinning"
	"skinlab/skinning/remodel"
)

// morphs are weights that sliders hold while the clip moves on, one place per slot; the others are the clip's.
type morphs struct {
	set    []bool
	weight []float64
}

type held struct {
	slot   int
	weight float64
}

func newMorphs(m *skinning.Model) morphs {
	return morphs{make([]bool, len(m.MorphSlots)), make([]float64, len(m.MorphSlots))}
}

func (h *morphs) put(slot int, weight float64) { h.set[slot], h.weight[slot] = true, weight }

func (h *morphs) now() (list []held) {
	for slot, ok := range h.set {
		if ok {
			list = append(list, held{slot, h.weight[slot]})
		}
	}
	return list
}

func (h *morphs) restore(list []held) {
	clear(h.set)
	for _, x := range list {
		if x.slot < len(h.set) { // an older version of the file may have had more
			h.put(x.slot, x.weight)
		}
	}
}

// apply puts held weights into a pose by a map of its slots, −1 for none. It allocates nothing.
func (h *morphs) apply(dst *skinning.Pose, from []int) {
	for slot, k := range from {
		if k >= 0 && h.set[k] {
			dst.Morphs[slot] = h.weight[k]
		}
	}
}

func (p *Edits) HoldMorph(slot int, weight float64) {
	p.version++
	p.hold.put(slot, weight)
}

// ReleaseMorph gives a morph slot back to the clip, and all of them for −1.
func (p *Edits) ReleaseMorph(slot int) {
	p.version++
	if slot < 0 {
		clear(p.hold.set)
	} else {
		p.hold.set[slot] = false
	}
}

// HoldsMorph reports whether the weight of a slot is held, and for −1 whether any is.
func (p *Edits) HoldsMorph(slot int) bool {
	if slot >= 0 {
		return p.hold.set[slot]
	}
	for _, ok := range p.hold.set {
		if ok {
			return true
		}
	}
	return false
}

// slotMap returns for each slot of a model the slot of another model with the same target, −1 for none. It has the same
// name, and the node that nodes maps to. Where nodes is nil, nodes are mapped by their names.
func slotMap(m, of *skinning.Model, nodes []int) []int {
	if nodes == nil && m != of {
		nodes = remodel.NodeMap(&m.Skeleton, &of.Skeleton)
	}
	type target struct {
		node int
		name string
	}
	at := map[target]int{}
	for k := range of.MorphSlots {
		at[target{of.MorphSlots[k].Node, of.MorphSlots[k].Name}] = k
	}
	out := make([]int, len(m.MorphSlots))
	for slot := range out {
		s := &m.MorphSlots[slot]
		out[slot] = slot
		if m == of {
			continue
		}
		out[slot] = -1
		if k, ok := at[target{nodes[s.Node], s.Name}]; ok && nodes[s.Node] >= 0 {
			out[slot] = k
		}
	}
	return out
}
