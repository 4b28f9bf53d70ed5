package anatomy

import (
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// The axes of a joint, in the order of [JointAxes].
const (
	AxisTwist = iota // along the bone
	AxisBend         // across it, the way the joint bends already; else sideways
	AxisSide         // across both
)

// JointAxes returns the unit axes that a joint twists and bends about, perpendicular to each other, in the joint's own
// frame: to turn the joint by an angle, multiply the local rotation of its node by the turn on the right,
//
//	pose.Local[node].Rotation = base.Mul(geom.AxisAngle(axis, angle))
//
// Seen in rest space a positive angle is a right-handed turn, in mirrored joints too. The bone runs to the middle of
// the joint's children; of a leaf away from its parent; of a lone joint to the middle of the skin that is bound to it.
// The bend goes on where the bone is at an angle with its parent's (an elbow, a knee); of a straight one the bone's end
// comes forward, to +Z.
func JointAxes(m *skinning.Model, joint int) [3]mgl64.Vec3 {
	s := &m.Skeleton
	bone := geom.UnitOr(Bone(m, joint), mgl64.Vec3{0, 1, 0})
	bend := bendAxis(s, joint, bone)
	local := [3]mgl64.Vec3{TurnAxis(s, joint, bone), TurnAxis(s, joint, bend), {}}
	// If the joint's frame is sheared relative to rest space, perpendicular axes are no longer perpendicular there.
	across := local[AxisBend].Sub(local[AxisTwist].Mul(local[AxisTwist].Dot(local[AxisBend])))
	local[AxisBend] = geom.UnitOr(across, geom.Perpendicular(local[AxisTwist]))
	local[AxisSide] = local[AxisTwist].Cross(local[AxisBend])
	return local
}

// TurnAxis converts an axis of rest space to the axis in a joint's own frame, as in [JointAxes], about which the joint
// turns likewise. The argument need not be of unit length; the result is.
func TurnAxis(s *skinning.Skeleton, joint int, axis mgl64.Vec3) mgl64.Vec3 {
	frame := toFrame(s, joint)
	local := geom.UnitOr(frame.Apply(axis), mgl64.Vec3{0, 1, 0})
	if frame.Det() < 0 { // a turn is a pseudovector
		return local.Mul(-1)
	}
	return local
}

// toFrame maps directions of rest space to the frame that the joint's rotation acts in: its own, before its scale.
func toFrame(s *skinning.Skeleton, joint int) geom.Mat3 {
	j := &s.Joints[joint]
	l := j.FromRest.Linear()
	for r, scale := range s.Nodes[j.Node].Rest.Scale {
		for c := range 3 {
			l[3*r+c] *= scale
		}
	}
	return l
}

// Bone returns the bone of a joint, from the joint to its end, in rest space, metres: see [JointAxes]. Joints that a
// fit has added do not count, so that a fitted file has the bones of its source. It is zero for a joint without
// children, parent and skin.
func Bone(m *skinning.Model, joint int) mgl64.Vec3 {
	s := &m.Skeleton
	at := s.Joints[joint].Position
	driven := m.DrivenJoints()
	var sum, longest mgl64.Vec3
	for k := range s.Joints {
		if s.Joints[k].Parent != joint || driven[k] {
			continue
		}
		d := s.Joints[k].Position.Sub(at)
		sum = sum.Add(d)
		if d.Len() > longest.Len() {
			longest = d
		}
	}
	if longest.Len() > 0 {
		if sum.Len() < 0.1*longest.Len() { // they pull apart
			return longest
		}
		return sum.Normalize().Mul(longest.Len())
	}
	if p := s.Joints[joint].Parent; p >= 0 {
		if d := at.Sub(s.Joints[p].Position); d.Len() > 0 {
			return d
		}
	}
	return boundMiddle(m, joint).Sub(at)
}

// boundMiddle returns the weighted mean of the vertices that are bound to a joint, or the joint's position if there are
// none.
func boundMiddle(m *skinning.Model, joint int) mgl64.Vec3 {
	var sum mgl64.Vec3
	total := 0.0
	for v := range m.Skin.Bindings {
		b := &m.Skin.Bindings[v]
		for k, w := range b.Weights {
			if w > 0 && int(b.Joints[k]) == joint {
				sum = sum.Add(geom.Vec64(m.Skin.Positions[v]).Mul(float64(w)))
				total += float64(w)
			}
		}
	}
	if total == 0 {
		return m.Skeleton.Joints[joint].Position
	}
	return sum.Mul(1 / total)
}

// bendAxis returns the unit axis in rest space, across the bone, that a joint bends about.
func bendAxis(s *skinning.Skeleton, joint int, bone mgl64.Vec3) mgl64.Vec3 {
	var hinge mgl64.Vec3 // its length is the sine of the angle with the parent's bone
	if p := s.Joints[joint].Parent; p >= 0 {
		hinge = geom.UnitOr(s.Joints[joint].Position.Sub(s.Joints[p].Position), mgl64.Vec3{}).Cross(bone)
	}
	const (
		bent       = 0.17 // 10 degrees: the plane of both bones is the joint's
		noticeable = 0.02 // 1 degree: which way, at least
	)
	if hinge.Len() > bent {
		return hinge.Normalize()
	}
	axis := mgl64.Vec3{1, 0, 0}
	if math.Abs(bone[0]) > 0.8 {
		axis = mgl64.Vec3{0, 1, 0}
	}
	axis = axis.Sub(bone.Mul(axis.Dot(bone))).Normalize()
	forward := axis.Cross(bone)[2]
	if hinge.Len() > noticeable && math.Abs(hinge.Dot(axis)) > 0.5*hinge.Len() {
		forward = hinge.Dot(axis)
	}
	if forward < 0 {
		return axis.Mul(-1)
	}
	return axis
}
