package bodymodel

import (
	"fmt"
	"math"

	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/messages"
)

// A node gets no channel of translation or scale if the difference from the static one is at most the share
// sameTransform of the body's size, some roundings to float32.
const sameTransform = 1e-5

// Clip returns poses of the body as a clip of a model, with a key for each pose. Times are in seconds, ascending. Nodes
// has the nodes that limbs move, limbs the limb of each, and bind the matrix from its space to rest space in the bind
// pose. They get channels of rotation, and of translation and scale where these are not the static ones; all other
// nodes hold still. The signs of quaternions are chosen so that they do not change from key to key. Uneven is a node to
// which no such keys give the motion of its limb, as nodes above it are scaled unevenly; −1 if there is none.
func (b *Body) Clip(m *skinning.Model, nodes, limbs []int, bind []geom.Affine, poses []Pose, times []float64) (
	clip skinning.Clip, uneven int, err error) {
	s, at := &m.Skeleton, make([]float32, len(times))
	for i, t := range times {
		at[i] = float32(t)
	}
	keyAt, keys := map[int]int{}, make([]limbKeys, len(nodes))
	for k, node := range nodes {
		keyAt[node] = k
		keys[k] = limbKeys{
			turn:  skinning.Channel{Node: node, Path: skinning.PathRotation, Width: 4, Times: at},
			shift: skinning.Channel{Node: node, Path: skinning.PathTranslation, Width: 3, Times: at},
			scale: skinning.Channel{Node: node, Path: skinning.PathScale, Width: 3, Times: at},
			last:  s.Nodes[node].Rest.Rotation,
		}
	}
	lo, hi := geom.Bounds(b.Vertices)
	globals, palette := make([]geom.Affine, len(s.Nodes)), b.NewPalette()
	uneven = -1
	for i := range poses {
		b.SetPalette(palette, &poses[i])
		for _, n := range s.Order {
			node, above := &s.Nodes[n], geom.IdentityAffine()
			if node.Parent >= 0 {
				above = globals[node.Parent]
			}
			k, is := keyAt[n]
			if !is {
				local := node.Rest.Affine()
				if node.Matrix != nil {
					local = *node.Matrix
				}
				globals[n] = above.Mul(local)
				continue
			}
			globals[n] = palette.Motions[limbs[k]].Mul(bind[k])
			back, ok := above.Inverse()
			if !ok {
				return clip, n, fmt.Errorf("node %d %q: the node above it is scaled to zero", n, messages.Shortened(node.Name))
			}
			local := back.Mul(globals[n])
			t, _ := geom.DecomposeAffine(local)
			if again := t.Affine(); !near(&again, &local) {
				uneven = n
			}
			keys[k].add(t, &node.Rest, hi.Sub(lo).Len()*math.Cbrt(math.Abs(back.Linear().Det())))
		}
	}
	clip.Seconds = times[len(times)-1]
	for _, k := range keys {
		clip.Channels = append(clip.Channels, k.turn)
		if k.shifts {
			clip.Channels = append(clip.Channels, k.shift)
		}
		if k.scales {
			clip.Channels = append(clip.Channels, k.scale)
		}
	}
	return clip, uneven, nil
}

// limbKeys are the channels of a limb's node.
type limbKeys struct {
	turn, shift, scale skinning.Channel
	shifts, scales     bool // not the static ones
	last               geom.Quat
}

// add adds a key. Size is that of the body in the units of the node's translation.
func (k *limbKeys) add(at geom.Transform, rest *geom.Transform, size float64) {
	if at.Rotation.Dot(k.last) < 0 {
		at.Rotation = at.Rotation.Scale(-1)
	}
	k.last = at.Rotation
	for _, x := range at.Rotation {
		k.turn.Values = append(k.turn.Values, float32(x))
	}
	for c := range 3 {
		k.shift.Values = append(k.shift.Values, float32(at.Translation[c]))
		k.scale.Values = append(k.scale.Values, float32(at.Scale[c]))
	}
	k.shifts = k.shifts || !(at.Translation.Sub(rest.Translation).Len() <= sameTransform*(rest.Translation.Len()+size))
	k.scales = k.scales || !(at.Scale.Sub(rest.Scale).Len() <= sameTransform*rest.Scale.Len())
}

// near reports whether two matrices are the same to 1e-4 of their size.
func near(a, b *geom.Affine) bool {
	size, most := 0.0, 0.0
	for k := range a {
		size = max(size, math.Abs(b[k]))
		most = max(most, math.Abs(a[k]-b[k]))
	}
	return most <= 1e-4*size
}
