package decompose

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/helperbones"
	"skinlab/fit/linear"
	"skinlab/fit/training"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// sequence is what is decomposed: the examples, and where in the clips of a model each frame is.
type sequence struct {
	m      *skinning.Model // with a skin, whose morph targets show the sequence where no files do
	set    *training.Set
	locked bool // the model's joints are locked; else it has none, and what its skin is bound to is left alone
	frames *training.Examples
	at     []training.Moment // of each frame
	x      *helperbones.Examples
}

// model returns the model with bones as free joints, which the clips move as the solution says.
func (q *sequence) model(d *helperbones.Decomposition) (*skinning.Model, error) {
	first := len(q.m.Skeleton.Joints)
	sums := make([]linear.Moment, len(d.Motions)) // of the vertices of each bone, by weight
	var weights skinning.Influences
	var raw []skinning.Influence
	for v, shares := range d.Weights {
		raw = raw[:0]
		for _, s := range shares {
			joint := int(s.Joint)
			if h := joint - q.x.Primaries(); h >= 0 {
				sums[h].Add(s.Weight, q.x.Rest[v])
				joint = first + h
			}
			raw = append(raw, skinning.Influence{Joint: uint16(joint), Weight: float32(s.Weight)})
		}
		weights.Append(raw, 0)
	}
	free := make([]skinning.FreeJoint, len(d.Motions))
	for h := range free {
		s := &sums[h]
		free[h] = skinning.FreeJoint{Name: fmt.Sprintf("bone-%d", h), Parent: q.nearest(s, d.Motions[h]),
			Place: mgl64.Vec3{s[3], s[6], s[8]}.Mul(1 / max(s[9], 1e-300))}
	}
	out, ok, err := q.animated(free, weights, d)
	if err == nil && !ok { // a parent is scaled unevenly or to zero somewhere
		for h := range free {
			free[h].Parent = -1
		}
		out, _, err = q.animated(free, weights, d)
	}
	if err != nil {
		return nil, err
	}
	if q.set.Targets != nil {
		out.Skin.Morphs = q.m.Skin.Morphs
	}
	return out, nil
}

// nearest returns the locked joint that moves some vertices most like a bone does, −1 where there is none.
func (q *sequence) nearest(vertices *linear.Moment, motion []geom.Affine) int {
	best, least := -1, math.Inf(1)
	off := make([]geom.Affine, len(motion))
	for j := range q.x.Primaries() {
		for n := range off {
			for k := range off[n] {
				off[n][k] = motion[n][k] - q.x.Palettes[n][j][k]
			}
		}
		form := linear.FormOf(off, off)
		if e := form.Sum(vertices); e < least {
			best, least = j, e
		}
	}
	return best
}

// animated returns the model with free joints, and with their motions in its clips. It is not ok where a joint's parent
// does not let it move as it should.
func (q *sequence) animated(free []skinning.FreeJoint, weights skinning.Influences, d *helperbones.Decomposition) (
	out *skinning.Model, ok bool, err error) {
	bare := *q.m
	bare.Skin.Morphs, bare.Clips = nil, slices.Clone(q.m.Clips)
	if out, err = bare.WithFreeJoints(free, weights); err != nil {
		return nil, false, err
	}
	locals := make([][]geom.Transform, len(free)) // [bone][frame]
	frame, pose := skinning.NewFrame(out, nil), out.NewPose()
	for n, at := range q.at {
		out.SamplePose(pose, at.Clip, at.Time)
		frame.SetPose(pose)
		for h := range free {
			local, ok := frame.FreeMotion(len(q.m.Skeleton.Joints)+h, &d.Motions[h][n])
			if !ok {
				return nil, false, nil
			}
			locals[h] = append(locals[h], local)
		}
	}
	for c := range out.Clips {
		order := q.framesOf(c)
		if len(order) == 0 {
			continue
		}
		clip := &out.Clips[c]
		clip.Channels = slices.Clip(clip.Channels)
		step := stepped(clip)
		for h := range free {
			node := out.Skeleton.Joints[len(q.m.Skeleton.Joints)+h].Node
			clip.Channels = append(clip.Channels, q.channels(node, order, locals[h], step)...)
		}
	}
	return out, true, nil
}

// framesOf lists the frames of a clip by time, without those at the time of another.
func (q *sequence) framesOf(clip int) (order []int) {
	for n, at := range q.at {
		if at.Clip == clip {
			order = append(order, n)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return compareTimes(q.at[a].Time, q.at[b].Time) })
	return slices.CompactFunc(order, func(a, b int) bool { return float32(q.at[a].Time) == float32(q.at[b].Time) })
}

func compareTimes(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// stepped reports whether a clip stands still between its keys.
func stepped(c *skinning.Clip) bool {
	return len(c.Channels) > 0 && !slices.ContainsFunc(c.Channels,
		func(ch skinning.Channel) bool { return ch.Interpolation != skinning.Step })
}

// sameScale is how far a scale may be from 1 by rounding.
const sameScale = 1e-6

// channels are the keys of a node at the times of some frames: translation and rotation, and scale where the parent has
// one that the bone has not.
func (q *sequence) channels(node int, order []int, locals []geom.Transform, step bool) []skinning.Channel {
	out := make([]skinning.Channel, 3)
	for k := range out {
		out[k] = skinning.Channel{Node: node, Path: [...]skinning.Path{skinning.PathTranslation, skinning.PathRotation,
			skinning.PathScale}[k], Width: [...]int{3, 4, 3}[k]}
		if step {
			out[k].Interpolation = skinning.Step
		}
	}
	scaled := false
	last := geom.IdentityQuat()
	for _, n := range order {
		l := &locals[n]
		if last.Dot(l.Rotation) < 0 {
			l.Rotation = l.Rotation.Scale(-1)
		}
		last = l.Rotation
		for k, values := range [...][]float64{l.Translation[:], l.Rotation[:], l.Scale[:]} {
			out[k].Times = append(out[k].Times, float32(q.at[n].Time))
			for _, x := range values {
				out[k].Values = append(out[k].Values, float32(x))
			}
		}
		for _, s := range l.Scale {
			scaled = scaled || !(math.Abs(s-1) <= sameScale)
		}
	}
	if !scaled {
		return out[:2]
	}
	return out
}
