package transfer

import (
	"fmt"
	"math"

	"skinlab/fit/bodymodel"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/messages"
)

// A node gets no channel of translation or scale if the difference from the static one is at most the share
// sameTransform of their size, some roundings to float32.
const sameTransform = 1e-5

// Clip returns the poses as a clip of the model: a key for each frame. Nodes of limbs get channels of rotation, and of
// translation and scale where these are not the static ones; all other nodes hold still. The signs of quaternions are
// chosen so that they do not change from key to key.
func (r *Result) Clip(name string) (skinning.Clip, error) {
	m := r.rig.model
	clip := skinning.Clip{Name: name, Seconds: r.times[len(r.times)-1]}
	times := make([]float32, len(r.times))
	for i, t := range r.times {
		times[i] = float32(t)
	}
	locals := make([][]geom.Transform, len(r.Frames)) // [frame][limb]
	for i := range r.Frames {
		var err error
		if locals[i], err = r.rig.locals(&r.Frames[i].Pose); err != nil {
			return clip, fmt.Errorf("%s: %w", m.Name, err)
		}
	}
	for limb, node := range r.rig.node {
		rest := &m.Skeleton.Nodes[node].Rest
		turn := skinning.Channel{Node: node, Path: skinning.PathRotation, Width: 4, Times: times}
		shift := skinning.Channel{Node: node, Path: skinning.PathTranslation, Width: 3, Times: times}
		size := skinning.Channel{Node: node, Path: skinning.PathScale, Width: 3, Times: times}
		shifts, sizes := false, false
		last, length := rest.Rotation, rest.Translation.Len()+r.rig.reach(node)
		for i := range locals {
			l := &locals[i][limb]
			if l.Rotation.Dot(last) < 0 {
				l.Rotation = l.Rotation.Scale(-1)
			}
			last = l.Rotation
			for _, x := range l.Rotation {
				turn.Values = append(turn.Values, float32(x))
			}
			for c := range 3 {
				shift.Values = append(shift.Values, float32(l.Translation[c]))
				size.Values = append(size.Values, float32(l.Scale[c]))
			}
			shifts = shifts || !(l.Translation.Sub(rest.Translation).Len() <= sameTransform*length)
			sizes = sizes || !(l.Scale.Sub(rest.Scale).Len() <= sameTransform*rest.Scale.Len())
		}
		clip.Channels = append(clip.Channels, turn)
		if shifts {
			clip.Channels = append(clip.Channels, shift)
		}
		if sizes {
			clip.Channels = append(clip.Channels, size)
		}
	}
	return clip, nil
}

// reach returns the diagonal of the body in the units of a node's translation.
func (r *rig) reach(node int) float64 {
	size := diagonal(r.body.Vertices)
	globals := make([]geom.Affine, len(r.model.Skeleton.Nodes))
	r.model.Skeleton.Globals(globals, r.model.NewPose())
	p := r.model.Skeleton.Nodes[node].Parent
	if p < 0 {
		return size
	}
	if scale := math.Cbrt(math.Abs(globals[p].Linear().Det())); scale > 0 {
		return size / scale
	}
	return size
}

// locals returns the transforms of the limbs' nodes in a pose, while all other nodes have their static ones.
func (r *rig) locals(pose *bodymodel.Pose) ([]geom.Transform, error) {
	s := &r.model.Skeleton
	palette := r.body.NewPalette()
	r.body.SetPalette(palette, pose)
	limbAt := make(map[int]int, len(r.node))
	for limb, node := range r.node {
		limbAt[node] = limb
	}
	rest := r.model.NewPose()
	globals := make([]geom.Affine, len(s.Nodes))
	s.Globals(globals, rest)
	out := make([]geom.Transform, len(r.node))
	for _, i := range s.Order {
		n := &s.Nodes[i]
		limb, is := limbAt[i]
		if !is {
			local := n.Rest.Affine()
			if n.Matrix != nil {
				local = *n.Matrix
			}
			globals[i] = local
			if n.Parent >= 0 {
				globals[i] = globals[n.Parent].Mul(local)
			}
			continue
		}
		globals[i] = palette.Motions[limb].Mul(r.bind[limb])
		local := globals[i]
		if n.Parent >= 0 {
			back, ok := globals[n.Parent].Inverse()
			if !ok {
				return nil, fmt.Errorf("node %d %q: the node above it is scaled to zero", i, messages.Shortened(n.Name))
			}
			local = back.Mul(local)
		}
		out[limb], _ = geom.DecomposeAffine(local)
		if again := out[limb].Affine(); !near(&again, &local) {
			return nil, fmt.Errorf("node %d %q: nodes above it are scaled unevenly, no turn of it is one of its limb", i,
				messages.Shortened(n.Name))
		}
	}
	return out, nil
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
