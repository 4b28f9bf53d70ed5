package stress

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning/anatomy"
	"skinlab/skinning/geom"
)

// The full angles. A twist stays below 180 degrees, where the shorter way of dual quaternions is ambiguous.
const (
	twistAngle = 165 * math.Pi / 180
	bendAngle  = 100 * math.Pi / 180
	sideAngle  = 80 * math.Pi / 180
)

// twist turns one group after the other about the joints' bones, left and right in opposite directions.
func (r *rig) twist() *timeline {
	return r.inTurn(func(m move) []geom.Quat {
		axes := anatomy.JointAxes(r.model, r.bones[m.bone].joint)
		return []geom.Quat{geom.AxisAngle(axes[anatomy.AxisTwist], twistAngle*m.share)}
	}, func(start, d float64, turns []geom.Quat) []key {
		rest := geom.IdentityQuat()
		return []key{{start, rest}, {start + 0.4*d, turns[0]}, {start + 0.6*d, turns[0]}, {start + d, rest}}
	})
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
	}, func(start, d float64, turns []geom.Quat) []key {
		rest := geom.IdentityQuat()
		return []key{{start, rest}, {start + 0.35*d, turns[0]}, {start + 0.7*d, turns[1]}, {start + d, rest}}
	})
}

// inTurn moves one group after another, each in its own slot of time. Turns gives the rotations, and keys their times
// in a slot that begins at start and lasts d.
func (r *rig) inTurn(turns func(move) []geom.Quat,
	keys func(start, d float64, turns []geom.Quat) []key) *timeline {
	t := newTimeline(r)
	groups := r.groups()
	d := slots(len(groups))
	for i, g := range groups {
		r.both(g, turns, func(b int, turns []geom.Quat) { t.add(b, keys(d*float64(i), d, turns)...) })
	}
	return t
}

// both calls add for every move of a group with its turns. The turns of the first bone of a pair are computed, and
// those of the second are their mirror image.
func (r *rig) both(g []move, turns func(move) []geom.Quat, add func(bone int, turns []geom.Quat)) {
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
