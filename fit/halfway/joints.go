package halfway

import (
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
	"skinlab/skinning/remodel"
	"skinlab/skinning/rig"
)

// joints are the joints that Mohr and Gleicher 2003 add to a skeleton. Each joint that turns against its parent gets
// one that turns half-way between both. It also gets joints on the bones on both sides that grow and shrink with the
// angle: they follow the parent or the joint, and scale about the middle of its bone.
type joints struct {
	halfway []rig.BlendBone
	scaling rig.HelperBones
}

// The scale of a joint that grows or shrinks is 1 + k·(θ/π)² for an angle θ against the rest pose, with k = mostGrowth
// or mostShrinking. Weights choose any scale between 1 and that: vertices are trained to follow the joint by half, for
// half of the growth.
const (
	mostGrowth    = 1
	mostShrinking = -0.5
)

// newJoints makes the joints for a skeleton, with or without those that scale.
func newJoints(s *skinning.Skeleton, scaling bool) *joints {
	k, pairs := &joints{}, remodel.JointPairs(s)
	tip := func(j int) mgl64.Vec3 { // where the bone of a joint ends
		at := slices.IndexFunc(pairs, func(pair remodel.JointPair) bool { return pair.Parent == j })
		if at < 0 {
			return s.Joints[j].Position
		}
		return s.Joints[pairs[at].Joint].Position
	}
	type side struct { // of a joint
		parent int
		end    mgl64.Vec3
	}
	for _, pair := range pairs {
		j, p := pair.Joint, pair.Parent
		k.halfway = append(k.halfway, rig.BlendBone{Masters: []uint16{uint16(min(j, p)), uint16(max(j, p))},
			Weights: []float64{0.5, 0.5}})
		if !scaling {
			continue
		}
		here, sides := s.Joints[j].Position, []side{{p, s.Joints[p].Position}}
		angle := slices.IndexFunc(k.scaling.Inputs, func(in rig.HelperInput) bool { return in.Joint == j })
		if angle < 0 {
			angle, sides = len(k.scaling.Inputs), append(sides, side{j, tip(j)})
			input := rig.NewHelperInput(s, j)
			input.Parent = p
			k.scaling.Inputs = append(k.scaling.Inputs, input)
		}
		for _, side := range sides {
			for _, most := range []float64{mostGrowth, mostShrinking} {
				b := rig.HelperBone{Parent: side.parent, Place: here.Add(side.end).Mul(0.5)}
				for axis := range 3 { // θ² is the sum of the squares of a rotation vector's components
					t := rig.HelperTerm{Input: angle, Coefficients: rig.HelperMotion{6: most / (math.Pi * math.Pi)}}
					t.Powers[axis] = 2
					b.Terms = append(b.Terms, t)
				}
				k.scaling.Bones = append(k.scaling.Bones, b)
			}
		}
	}
	return k
}

// model returns a model with the joints and weights over all of them, behind its own. It keeps its morph targets.
func (k *joints) model(m *skinning.Model, weights skinning.Influences) (out *skinning.Model, err error) {
	out = m
	if len(k.halfway) > 0 {
		w := weights
		if len(k.scaling.Bones) > 0 {
			w = m.Skin.Influences // the others are not there yet
		}
		if out, err = rig.WithBlendBones(out, skinning.DQS, k.halfway, w); err != nil {
			return nil, err
		}
	}
	if len(k.scaling.Bones) > 0 {
		if out, err = rig.WithHelperBones(out, k.scaling, weights); err != nil {
			return nil, err
		}
	}
	if out == m {
		copied := *m
		copied.Skin.SetWeights(weights)
		out = &copied
	}
	out.Skin.Morphs = m.Skin.Morphs
	return out, nil
}

// fixed returns the number of vertices that follow the model's own joints alone.
func fixed(weights *skinning.Influences, vertices, own int) (n int) {
	var buf []skinning.Influence
	for v := range vertices {
		buf = weights.Of(buf[:0], v)
		if !slices.ContainsFunc(buf, func(in skinning.Influence) bool { return int(in.Joint) >= own }) {
			n++
		}
	}
	return n
}

// used returns the joints that vertices follow, and the weights over these. Own is the number of the model's own
// joints.
func (k *joints) used(weights *skinning.Influences, vertices, own int) (*joints, skinning.Influences) {
	var buf []skinning.Influence
	follows := make([]bool, own+len(k.halfway)+len(k.scaling.Bones))
	for v := range vertices {
		for _, in := range weights.Of(buf[:0], v) {
			follows[in.Joint] = true
		}
	}
	number := make([]uint16, len(follows))
	out := &joints{}
	next := uint16(0)
	input := map[int]int{}
	for j := range follows {
		if j >= own && !follows[j] {
			continue
		}
		number[j] = next
		next++
		switch h := j - own; {
		case h < 0:
		case h < len(k.halfway):
			out.halfway = append(out.halfway, k.halfway[h])
		default:
			b := k.scaling.Bones[h-len(k.halfway)]
			b.Terms = slices.Clone(b.Terms)
			for i := range b.Terms {
				from := b.Terms[i].Input
				if _, ok := input[from]; !ok {
					input[from] = len(out.scaling.Inputs)
					out.scaling.Inputs = append(out.scaling.Inputs, k.scaling.Inputs[from])
				}
				b.Terms[i].Input = input[from]
			}
			out.scaling.Bones = append(out.scaling.Bones, b)
		}
	}
	var again skinning.Influences
	for v := range vertices {
		buf = weights.Of(buf[:0], v)
		for i := range buf {
			buf[i].Joint = number[buf[i].Joint]
		}
		again.Append(buf, 0)
	}
	return out, again
}
