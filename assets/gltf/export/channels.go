package export

import (
	"slices"

	qgltf "github.com/qmuntal/gltf"

	"skinlab/assets/gltf"
	"skinlab/skinning"
)

// removeChannels removes the channels of an animation whose targets are removed, and the samplers that no other channel
// uses.
func (x *exporter) removeChannels(a *qgltf.Animation, goes func(node int, path qgltf.TRSProperty) bool) {
	unused := make([]bool, len(a.Samplers))
	a.Channels = slices.DeleteFunc(a.Channels, func(c *qgltf.AnimationChannel) bool {
		targets, _ := x.Targets(&c.Target)
		gone := slices.ContainsFunc(targets, func(t gltf.Target) bool { return goes(t.Node, t.Path) })
		unused[c.Sampler] = unused[c.Sampler] || gone
		return gone
	})
	for _, c := range a.Channels {
		unused[c.Sampler] = false
	}
	to, samplers := make([]int, len(a.Samplers)), []*qgltf.AnimationSampler{}
	for k, s := range a.Samplers {
		to[k] = len(samplers)
		if !unused[k] {
			samplers = append(samplers, s)
		}
	}
	for _, c := range a.Channels {
		c.Sampler = to[c.Sampler]
	}
	a.Samplers = samplers
}

// replaceChannels writes the channels of the file's own joints whose motion the fit has changed. A decomposition
// changes the motion of joints that are not locked. All other channels stay as they are in the file, bit for bit. A
// node with a matrix gets a transform in its place, since glTF does not let a matrix be animated (section 3.11).
func (x *exporter) replaceChannels() {
	for i := range x.Model.Clips {
		was, is := x.channelsOf(x.Model.Clips[i].Channels), x.channelsOf(x.fitted.Clips[i].Channels)
		a := x.Doc.Animations[i]
		x.removeChannels(a, func(node int, path qgltf.TRSProperty) bool {
			at := movement{node, gltf.Paths[path]}
			return was[at] != nil && (is[at] == nil || !sameChannel(was[at], is[at]))
		})
		for k := range x.fitted.Clips[i].Channels {
			ch := &x.fitted.Clips[i].Channels[k]
			at := movement{ch.Node, ch.Path}
			if is[at] == ch && (was[at] == nil || !sameChannel(was[at], ch)) {
				x.addOwnChannel(a, ch)
			}
		}
	}
}

// movement is what a channel of a clip moves.
type movement struct {
	node int
	path skinning.Path
}

// channelsOf lists the channels that move nodes of the file.
func (x *exporter) channelsOf(channels []skinning.Channel) map[movement]*skinning.Channel {
	out := make(map[movement]*skinning.Channel, len(channels))
	for k := range channels {
		if ch := &channels[k]; ch.Path != skinning.PathWeights && ch.Node < len(x.Model.Skeleton.Nodes) {
			out[movement{ch.Node, ch.Path}] = ch
		}
	}
	return out
}

// addOwnChannel adds a channel of a node of the file.
func (x *exporter) addOwnChannel(a *qgltf.Animation, ch *skinning.Channel) {
	rest, node := &x.Model.Skeleton.Nodes[ch.Node].Rest, x.Doc.Nodes[ch.Node]
	node.Matrix, node.Translation, node.Rotation, node.Scale = qgltf.DefaultMatrix, rest.Translation, rest.Rotation,
		rest.Scale
	x.out.channel(a, ch.Node, ch)
}

// sameChannel reports whether two channels of one node and path are the same.
func sameChannel(a, b *skinning.Channel) bool {
	return a.Interpolation == b.Interpolation && slices.Equal(a.Times, b.Times) && slices.Equal(a.Values, b.Values)
}
