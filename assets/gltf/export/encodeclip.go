package export

import (
	"fmt"
	"slices"

	qgltf "github.com/qmuntal/gltf"

	"skinlab/assets/fault"
	"skinlab/assets/gltf"
	"skinlab/skinning"
)

// clips writes the clips as animations. A clip without channels is written with one that holds a node at rest, because
// glTF has no empty animation.
func (e *encoder) clips() error {
	for i := range e.m.Clips {
		c := &e.m.Clips[i]
		animation := &qgltf.Animation{Channels: []*qgltf.AnimationChannel{}, Samplers: []*qgltf.AnimationSampler{}}
		if c.Name != fmt.Sprintf("#%d", i) {
			animation.Name = c.Name
		}
		for k := range c.Channels {
			if err := e.channel(animation, &c.Channels[k]); err != nil {
				return fmt.Errorf("%s, channel %d: %w", fault.Element("clip", i, c.Name), k, err)
			}
		}
		if len(c.Channels) == 0 && len(e.m.Skeleton.Nodes) > 0 {
			rest := e.m.Skeleton.Nodes[0].Rest.Rotation
			input := e.floats([]float32{0}, qgltf.AccessorScalar, qgltf.TargetNone, true)
			output := e.floats([]float32{float32(rest[0]), float32(rest[1]), float32(rest[2]), float32(rest[3])},
				qgltf.AccessorVec4, qgltf.TargetNone, false)
			addChannel(animation, 0, qgltf.TRSRotation, qgltf.InterpolationStep, input, output)
		}
		push(&e.doc.Animations, animation)
	}
	return nil
}

func (e *encoder) channel(animation *qgltf.Animation, c *skinning.Channel) error {
	if err := c.Validate(); err != nil {
		return err
	}
	if !(c.Times[0] >= 0) {
		return fmt.Errorf("a key at %g s, expected 0 s or later", c.Times[0])
	}
	path := qgltf.TRSProperty(slices.Index(gltf.Paths[:], c.Path))
	interpolation := qgltf.Interpolation(slices.Index(gltf.Interpolations[:], c.Interpolation))
	node := c.Node
	if c.Path == skinning.PathWeights {
		node = e.m.MorphSlots[c.FirstSlot].Node
		if slots := e.slotsOf(node); len(slots) != c.Width || slots[0] != c.FirstSlot {
			return fmt.Errorf("animates %d of the %d morph targets of node %d, which glTF cannot say", c.Width, len(slots), node)
		}
	}
	for _, old := range animation.Channels {
		if *old.Target.Node == node && old.Target.Path == path {
			return fmt.Errorf("animates %s of node %d a second time", path, node)
		}
	}
	addChannel(animation, node, path, interpolation, e.floats(c.Times, qgltf.AccessorScalar, qgltf.TargetNone, true),
		e.floats(c.Values, gltf.PathShapes[path], qgltf.TargetNone, false))
	return nil
}
