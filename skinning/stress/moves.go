package stress

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning/anatomy"
	"skinlab/skinning/geom"
)

// The full angles, see also [rig.limit].
const (
	twistAngle = mostApart
	bendAngle  = 100 * math.Pi / 180
	sideAngle  = 80 * math.Pi / 180
)

// rootTwistShare is the share of the full twist of a bone that begins a limb. The trunk's side of it hardly turns, and
// from about 70 degrees on the armpit of a scanned figure folds through itself, whatever the method.
const rootTwistShare = 0.5

// twist turns one group after the other about the joints' bones, left and right in opposite directions.
func (r *rig) twist() *timeline {
	return r.inTurn(func(m move) []geom.Quat {
		axes := anatomy.JointAxes(r.model, r.bones[m.bone].joint)
		angle := twistAngle * m.share
		if r.beginsLimb(m.bone) {
			angle *= rootTwistShare
		}
		return []geom.Quat{geom.AxisAngle(axes[anatomy.AxisTwist], angle)}
	}, 0.4, 0.6)
}

// beginsLimb reports whether a bone is the first of a limb: an upper arm or a thigh.
func (r *rig) beginsLimb(b int) bool {
	if !r.paired(b) || r.bones[b].collar || r.bones[b].digit {
		return false
	}
	p := r.bones[b].parent
	return p < 0 || !r.paired(p) || r.bones[p].collar
}

// bend bends one group after the other, first one way and then across.
func (r *rig) bend() *timeline {
	return r.inTurn(func(m move) []geom.Quat {
		axes := anatomy.JointAxes(r.model, r.bones[m.bone].joint)
		bend, side := bendAngle*m.share, sideAngle*m.share
		if r.bones[m.bone].digit {
			side *= 0.2 // fingers hardly spread
		} else if r.paired(m.bone) {
			bend *= r.outward(m.bone, axes[anatomy.AxisBend], bend)
			side *= r.outward(m.bone, axes[anatomy.AxisSide], side)
		}
		return []geom.Quat{geom.AxisAngle(axes[anatomy.AxisBend], bend),
			geom.AxisAngle(axes[anatomy.AxisSide], side)}
	}, 0.35, 0.7)
}

// inTurn moves one group after another, each in its own slot of time, from rest through one or two poses and back.
// Turns gives the rotations of a bone in these poses. The first pose is reached at one share of the slot, and the last,
// which may be the first, is left at another. A group whose bones cannot turn within the limit is left out.
func (r *rig) inTurn(turns func(move) []geom.Quat, reach, leave float64) *timeline {
	t := newTimeline(r)
	var groups [][][]turned
	for _, g := range r.groups() {
		if poses := r.limit(r.poses(g, turns)...); len(poses) > 0 {
			groups = append(groups, poses)
		}
	}
	d := slots(len(groups))
	rest := geom.IdentityQuat()
	for i, poses := range groups {
		start, end := d*float64(i), d*float64(i+1)
		first, last := poses[0], poses[len(poses)-1]
		for k := range first {
			t.add(first[k].bone, key{start, rest}, key{start + reach*d, first[k].turn}, key{start + leave*d, last[k].turn},
				key{end, rest})
		}
		for k, pose := range poses {
			t.note(start+d*float64(k)/float64(len(poses)), start+d*float64(k+1)/float64(len(poses)), pose)
		}
	}
	return t
}

// poses returns the turns of the bones of a group, one list for each pose. The turns of the first bone of a pair are
// computed, and those of the second are their mirror image.
func (r *rig) poses(g []move, turns func(move) []geom.Quat) (poses [][]turned) {
	add := func(b int, all []geom.Quat) {
		if poses == nil {
			poses = make([][]turned, len(all))
		}
		for k, q := range all {
			poses[k] = append(poses[k], turned{b, q})
		}
	}
	for _, m := range g {
		one := &r.bones[m.bone]
		switch {
		case !r.paired(m.bone) || !r.bones[one.other].moves:
			add(m.bone, turns(m))
		case one.other > m.bone:
			q := turns(m)
			add(m.bone, q)
			add(one.other, r.mirrored(m.bone, q))
		}
	}
	return poses
}

// mirrored returns the turns of the bone on the other side.
func (r *rig) mirrored(b int, turns []geom.Quat) []geom.Quat {
	src, dst := r.model.NewPose(), r.model.NewPose()
	from, to := r.bones[b].node, r.bones[r.bones[b].other].node
	r.mirror.Apply(dst, src)
	rest, local := dst.Local[to].Rotation, src.Local[from].Rotation
	out := make([]geom.Quat, len(turns))
	for i, q := range turns {
		src.Local[from].Rotation = local.Mul(q)
		r.mirror.Apply(dst, src)
		out[i] = rest.Conjugate().Mul(dst.Local[to].Rotation)
	}
	return out
}

// outward returns −1 if a turn by −angle moves the end of a limb's bone farther from the trunk than one by angle, else
// 1.
func (r *rig) outward(b int, axis mgl64.Vec3, angle float64) float64 {
	j := &r.model.Skeleton.Joints[r.bones[b].joint]
	bone := anatomy.Bone(r.model, r.bones[b].joint)
	end := func(angle float64) float64 {
		back, ok := j.FromRest.Linear().Inverse()
		if !ok {
			return 0
		}
		scale := r.model.Skeleton.Nodes[j.Node].Rest.Scale
		d := j.FromRest.Linear().Apply(bone)
		for c := range d {
			d[c] *= scale[c]
		}
		d = geom.AxisAngle(axis, angle).Rotate(d)
		for c := range d {
			if scale[c] != 0 {
				d[c] /= scale[c]
			}
		}
		return j.Position.Add(back.Apply(d)).Sub(r.middle()).Len()
	}
	if end(-angle) > end(angle)+0.05*bone.Len() {
		return -1
	}
	return 1
}

// middle is the mean position, in rest space, of the bones without a mirror image, or of all bones if there are none.
func (r *rig) middle() mgl64.Vec3 {
	var sum, all mgl64.Vec3
	n := 0
	for b := range r.bones {
		at := r.model.Skeleton.Joints[r.bones[b].joint].Position
		all = all.Add(at)
		if r.bones[b].moves && !r.paired(b) {
			sum = sum.Add(at)
			n++
		}
	}
	if n == 0 {
		return all.Mul(1 / float64(max(len(r.bones), 1)))
	}
	return sum.Mul(1 / float64(n))
}
