package remodel

import (
	"skinlab/skinning"

	"fmt"

	"skinlab/skinning/messages"
)

// NodeMap returns, per node of from, the corresponding node of to: the node of the same index where the names are
// equal, else the first node of the same name, else −1. A fitted model, and the file that it is written to, keep the
// nodes of the model that was fitted.
func NodeMap(from, to *skinning.Skeleton) []int {
	named := make(map[string]int, len(to.Nodes))
	for i := len(to.Nodes) - 1; i >= 0; i-- {
		named[to.Nodes[i].Name] = i
	}
	out := make([]int, len(from.Nodes))
	for i := range out {
		name := from.Nodes[i].Name
		out[i] = -1
		if i < len(to.Nodes) && to.Nodes[i].Name == name {
			out[i] = i
		} else if k, ok := named[name]; ok && name != "" {
			out[i] = k
		}
	}
	return out
}

// Onto returns a clip of from as one of to, which has the same nodes, see [NodeMap]. A node or a morph weight that to
// lacks is an error. The keys are shared.
func Onto(c *skinning.Clip, from, to *skinning.Model) (skinning.Clip, error) {
	nodes := NodeMap(&from.Skeleton, &to.Skeleton)
	out := skinning.Clip{Name: c.Name, Seconds: c.Seconds, Notes: c.Notes, Motion: c.Motion,
		Channels: append([]skinning.Channel(nil), c.Channels...)}
	for i := range out.Channels {
		ch := &out.Channels[i]
		name := from.Skeleton.Nodes[ch.Node].Name
		node := nodes[ch.Node]
		if node < 0 {
			return skinning.Clip{}, fmt.Errorf("clip %q: no node %q", messages.Shortened(c.Name), messages.Shortened(name))
		}
		ch.Node = node
		if ch.Path != skinning.PathWeights {
			continue
		}
		first := -1
		for k := range to.MorphSlots {
			if to.MorphSlots[k].Node == node && first < 0 {
				first = k
			}
		}
		if first < 0 || first+ch.Width > len(to.MorphSlots) || to.MorphSlots[first+ch.Width-1].Node != node {
			return skinning.Clip{}, fmt.Errorf("clip %q: node %q lacks %d morph weights", messages.Shortened(c.Name),
				messages.Shortened(name), ch.Width)
		}
		ch.FirstSlot = first
	}
	return out, nil
}
