package export

import (
	"fmt"
	"strings"

	"skinlab/assets/fault"
	"skinlab/skinning"
)

// clips writes the clips as animations. A clip without channels is written with one that holds a node at rest, because
// glTF has no empty animation.
func (e *encoder) clips() error {
	for i := range e.m.Clips {
		c := &e.m.Clips[i]
		animation := dict{}
		if c.Name != fmt.Sprintf("#%d", i) {
			animation["name"] = c.Name
		}
		for k := range c.Channels {
			if err := e.channel(animation, &c.Channels[k]); err != nil {
				return fmt.Errorf("%s, channel %d: %w", fault.Element("clip", i, c.Name), k, err)
			}
		}
		if len(c.Channels) == 0 && len(e.m.Skeleton.Nodes) > 0 {
			rest := e.m.Skeleton.Nodes[0].Rest.Rotation
			input := e.floats([]float32{0}, "SCALAR", targetNone, true)
			output := e.floats([]float32{float32(rest[0]), float32(rest[1]), float32(rest[2]), float32(rest[3])}, "VEC4",
				targetNone, false)
			addChannel(animation, 0, "rotation", "STEP", input, output)
		}
		e.push("animations", animation)
	}
	return nil
}

func (e *encoder) channel(animation dict, c *skinning.Channel) error {
	if err := c.Validate(); err != nil {
		return err
	}
	if !(c.Times[0] >= 0) {
		return fmt.Errorf("a key at %g s, expected 0 s or later", c.Times[0])
	}
	path := map[skinning.Path]string{skinning.PathTranslation: "translation", skinning.PathRotation: "rotation",
		skinning.PathScale: "scale", skinning.PathWeights: "weights"}[c.Path]
	shape := map[skinning.Path]string{skinning.PathTranslation: "VEC3", skinning.PathRotation: "VEC4",
		skinning.PathScale: "VEC3", skinning.PathWeights: "SCALAR"}[c.Path]
	interpolation := map[skinning.Interpolation]string{skinning.Linear: "LINEAR", skinning.Step: "STEP",
		skinning.CubicSpline: "CUBICSPLINE"}[c.Interpolation]
	node := c.Node
	if c.Path == skinning.PathWeights {
		node = e.m.MorphSlots[c.FirstSlot].Node
		if slots := e.slotsOf(node); len(slots) != c.Width || slots[0] != c.FirstSlot {
			return fmt.Errorf("animates %d of the %d morph targets of node %d, which glTF cannot say", c.Width, len(slots), node)
		}
	}
	channels, _ := animation["channels"].(items)
	for _, old := range channels {
		if t := old.(dict)["target"].(dict); t["node"] == node && t["path"] == path {
			return fmt.Errorf("animates %s of node %d a second time", strings.ToLower(path), node)
		}
	}
	addChannel(animation, node, path, interpolation, e.floats(c.Times, "SCALAR", targetNone, true),
		e.floats(c.Values, shape, targetNone, false))
	return nil
}
