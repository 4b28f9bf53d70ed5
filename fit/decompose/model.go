package decompose

import (
	"fmt"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/linear"
	"skinlab/fit/ssdr"
	"skinlab/fit/training"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/remodel"
)

// model returns the model with the solution's bones: some take the places of its free joints, and the others become
// joints behind its own. Clips move them by the solution's motions.
func (q *sequence) model(d *ssdr.Decomposition) (*skinning.Model, error) {
	sums := make([]linear.Moment, len(d.Motions)) // of the vertices of each bone, by weight
	for v, shares := range d.Weights {
		for _, s := range shares {
			if h := int(s.Joint) - q.x.Primaries(); h >= 0 {
				sums[h].Add(s.Weight, q.x.Rest[v])
			}
		}
	}
	joints := q.jointsOf(sums)
	var added []remodel.FreeJoint
	for h := range joints {
		if joints[h] >= len(q.m.Skeleton.Joints) {
			added = append(added, remodel.FreeJoint{Name: fmt.Sprintf("bone-%d", len(added)),
				Parent: q.nearest(&sums[h], d.Motions[h]), Place: sums[h].Mean()})
		}
	}
	weights := skinning.InfluencesOf(d.Weights, func(share uint16) int {
		if h := int(share) - q.x.Primaries(); h >= 0 {
			return joints[h]
		}
		return q.locked[share]
	})
	out, ok, err := q.animated(added, weights, d, joints)
	if err == nil && !ok { // a parent is scaled unevenly or to zero somewhere
		for k := range added {
			added[k].Parent = -1
		}
		out, ok, err = q.animated(added, weights, d, joints)
	}
	if err == nil && !ok {
		err = fmt.Errorf("%w: the parent of a free joint is scaled unevenly or to zero", training.ErrExamples)
	}
	if err != nil {
		return nil, err
	}
	if q.poses.Targets != nil {
		out.Skin.Morphs = q.m.Skin.Morphs
	}
	return out, nil
}

// jointsOf returns the joint of each bone: each free joint in turn gets the remaining bone whose vertices are nearest
// to it, and the other bones are joints behind the model's own.
func (q *sequence) jointsOf(vertices []linear.Moment) []int {
	joints := make([]int, len(vertices))
	for _, j := range q.free {
		best, least := -1, math.Inf(1)
		for h := range vertices {
			// Joint 0 may be free: one more than the joint, until all have theirs.
			if d := vertices[h].Mean().Sub(q.m.Skeleton.Joints[j].Position).Len(); joints[h] == 0 && d < least {
				best, least = h, d
			}
		}
		if best >= 0 {
			joints[best] = j + 1
		}
	}
	next := len(q.m.Skeleton.Joints)
	for h := range joints {
		joints[h]--
		if joints[h] < 0 {
			joints[h] = next
			next++
		}
	}
	return joints
}

// nearest returns the locked joint whose motion of some vertices is nearest to a bone's, −1 if there is no locked
// joint.
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
			best, least = q.locked[j], e
		}
	}
	return best
}

// animated returns the model with joints that are added, and with the motions of bones, whose joints are given, in its
// clips. It is not ok where a joint's parent does not let it move as it should.
func (q *sequence) animated(added []remodel.FreeJoint, weights skinning.Influences, d *ssdr.Decomposition,
	joints []int) (out *skinning.Model, ok bool, err error) {
	bare := *q.m
	bare.Skin.Morphs, bare.Clips = nil, slices.Clone(q.m.Clips)
	if out, err = remodel.WithFreeJoints(&bare, added, weights); err != nil {
		return nil, false, err
	}
	locals := make([][]geom.Transform, len(joints)) // [bone][frame]
	frame, pose := skinning.NewFrame(out, nil), out.NewPose()
	order := q.parentsFirst(joints)
	for n, at := range q.poses.Times {
		out.SamplePose(pose, at.Clip, at.Time)
		frame.SetPose(pose)
		for _, h := range order {
			local, ok := remodel.FreeMotion(frame, joints[h], &d.Motions[h][n])
			if !ok {
				return nil, false, nil
			}
			locals[h] = append(locals[h], local)
			if node := out.Skeleton.Joints[joints[h]].Node; node < len(q.m.Skeleton.Nodes) {
				pose.Local[node] = local // free joints below it move with it
				frame.SetPose(pose)
			}
		}
	}
	for c := range out.Clips {
		order, clip := q.framesOf(c), &out.Clips[c]
		if len(order) == 0 {
			clip.Unlearnt = true
			continue
		}
		step := clip.Stands()
		moved := map[int]bool{}
		for _, j := range joints {
			moved[out.Skeleton.Joints[j].Node] = true
		}
		clip.Channels = slices.DeleteFunc(slices.Clone(clip.Channels),
			func(ch skinning.Channel) bool { return ch.Path != skinning.PathWeights && moved[ch.Node] })
		for h, j := range joints {
			node := out.Skeleton.Joints[j].Node
			clip.Channels = append(clip.Channels,
				q.channels(node, order, locals[h], step, out.Skeleton.Nodes[node].Rest.Scale)...)
		}
	}
	return out, true, nil
}

// parentsFirst returns the bones in an order in which the joint of each comes after its ancestors.
func (q *sequence) parentsFirst(joints []int) (order []int) {
	at := make([]int, len(joints))
	for h, j := range joints {
		at[h] = len(q.free)
		if j < len(q.m.Skeleton.Joints) {
			at[h] = slices.Index(q.free, j)
		}
		order = append(order, h)
	}
	slices.SortStableFunc(order, func(a, b int) int { return at[a] - at[b] })
	return order
}

// framesOf lists the frames of a clip by time, without those at the time of another.
func (q *sequence) framesOf(clip int) (order []int) {
	at := q.poses.Times
	for n := range at {
		if at[n].Clip == clip {
			order = append(order, n)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return compareTimes(at[a].Time, at[b].Time) })
	return slices.CompactFunc(order, func(a, b int) bool { return float32(at[a].Time) == float32(at[b].Time) })
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

// A scale counts as that at rest if it differs by at most the share sameScale of it, which covers rounding.
const sameScale = 1e-6

// channels returns the keys of a node at the times of some frames: translation and rotation, and scale if it differs
// from that at rest.
func (q *sequence) channels(node int, order []int, locals []geom.Transform, step bool,
	rest mgl64.Vec3) []skinning.Channel {
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
			out[k].Times = append(out[k].Times, float32(q.poses.Times[n].Time))
			for _, x := range values {
				out[k].Values = append(out[k].Values, float32(x))
			}
		}
		for k, s := range l.Scale {
			scaled = scaled || !(math.Abs(s-rest[k]) <= sameScale*math.Abs(rest[k]))
		}
	}
	if !scaled {
		return out[:2]
	}
	return out
}
