package stress

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning/anatomy"
	"skinlab/skinning/geom"
)

const (
	shrugAngle = 30 * math.Pi / 180  // a collar bone's
	raiseAngle = 110 * math.Pi / 180 // an upper arm's, at most: never past straight up
)

// shrug raises the collar bones and then the arms, on both sides together. It strains the armpits.
func (r *rig) shrug() *timeline {
	t := newTimeline(r)
	collar, arm := r.shoulder()
	if arm < 0 {
		return t
	}
	rest := geom.IdentityQuat()
	raised := func(b int, angle float64) []turned {
		turn := []geom.Quat{r.raise(b, angle)}
		return []turned{{b, turn[0]}, {r.bones[b].other, r.mirrored(b, turn)[0]}}
	}
	full := raised(arm, raiseAngle)
	if collar >= 0 {
		full = append(raised(collar, shrugAngle), full...)
	}
	limited := r.limit(full)
	switch {
	case limited == nil:
		return t
	case collar < 0:
		for _, one := range limited[0] {
			t.add(one.bone, key{0, rest}, key{1, one.turn}, key{1.6, one.turn}, key{2.6, rest})
		}
		t.note(0, 2.6, limited[0])
		return t
	}
	all := limited[0]
	for _, one := range all[:2] {
		t.add(one.bone, key{0, rest}, key{0.5, one.turn}, key{0.8, one.turn}, key{1.3, rest}, key{1.8, one.turn},
			key{3.4, one.turn}, key{4, rest})
	}
	for _, one := range all[2:] {
		t.add(one.bone, key{0, rest}, key{1.3, rest}, key{2.4, one.turn}, key{3, one.turn}, key{4, rest})
	}
	t.note(0, 1.3, all[:2])
	t.note(1.3, 4, all[2:])
	return t
}

// shoulder returns the collar bone of one side and the arm below it, each −1 where there is none. The arm is the
// highest limb that begins at the trunk. Heads have paired bones too (eyes, ears, hair), but these move next to no
// vertices.
func (r *rig) shoulder() (collar, arm int) {
	const least = 0.02 // of all vertices
	collar, arm = -1, -1
	total := 0.0
	for b := range r.bones {
		if r.bones[b].parent < 0 {
			total += r.bones[b].mass
		}
	}
	best := math.Inf(-1)
	for b := range r.bones {
		one := &r.bones[b]
		if !one.moves || !r.paired(b) || one.other < b || one.digit || one.mass < least*total || r.only(b) < 0 {
			continue
		}
		if one.parent >= 0 && r.paired(one.parent) {
			continue // not the first of its limb
		}
		height := r.model.Skeleton.Joints[one.joint].Position[1]
		if one.collar || one.arm {
			height += 2 * r.model.Diagonal() // its name says so
		}
		if height > best {
			best, arm = height, b
		}
	}
	if arm < 0 {
		return collar, arm
	}
	// A collar bone is called so, or it is clearly shorter than the bone that it carries.
	next := r.only(arm)
	length := func(b int) float64 { return anatomy.Bone(r.model, r.bones[b].joint).Len() }
	if r.bones[next].moves && r.paired(next) && !r.bones[next].digit &&
		(r.bones[arm].collar || length(arm) < 0.8*length(next)) {
		return arm, next
	}
	return -1, arm
}

// raise returns the turn by which a bone's end goes up, or outwards where it hangs straight down, by an angle that
// stops short of straight up.
func (r *rig) raise(b int, angle float64) geom.Quat {
	s := &r.model.Skeleton
	joint := r.bones[b].joint
	bone := anatomy.Bone(r.model, joint)
	if !(bone.Len() > 0) {
		return geom.IdentityQuat()
	}
	bone = bone.Normalize()
	up := mgl64.Vec3{0, 1, 0}
	axis := bone.Cross(up)
	angle = math.Min(angle, math.Acos(math.Max(-1, math.Min(1, bone.Dot(up)))))
	if axis.Len() < 0.1 {
		out := r.mirror.Plane.Normal.Mul(math.Copysign(1, r.mirror.Plane.Distance(s.Joints[joint].Position)))
		axis = bone.Cross(out)
		if axis.Len() < 0.1 {
			return geom.IdentityQuat()
		}
		if bone.Dot(up) > 0 { // it stands up already
			angle = -shrugAngle
		}
	}
	return geom.AxisAngle(anatomy.TurnAxis(s, joint, axis), angle)
}
