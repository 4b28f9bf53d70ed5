// Package training makes the data that fits learn from, and holds part of them out for tests. A [Set] lists poses: of
// clips, or made from the skeleton. The shape of each pose is an example from a file, or is taught by a skinning
// method.
package training

import (
	"errors"
	"math"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/metrics"
	"skinlab/skinning/stress"
)

// errClip is wrapped where there is no such clip, or no pose of it is asked for.
var errClip = errors.New("no poses of a clip")

// This is the range of motion that is assumed for every joint. The bend is that of elbows and knees, and less than that
// of hips and shoulders. The twist is that of a forearm.
const (
	romBend  = 70 * math.Pi / 180
	romTwist = 80 * math.Pi / 180
)

// mostTries bounds the poses that are made for each one that is asked for.
const mostTries = 8

// RangeOfMotionPoses makes n poses from the skeleton alone, for models without clips: every joint bends about the two
// axes across its bone and twists about it, by angles that run through the range differently for every joint, so that
// neighbours are not always bent alike. Half turns are left out, and further poses made in their place,
// as far as a few times n poses have enough.
func RangeOfMotionPoses(m *skinning.Model, n int) []*skinning.Frame {
	return posed(m, rangeOfMotion(m, n))
}

// rangeOfMotion is [RangeOfMotionPoses] as poses.
func rangeOfMotion(m *skinning.Model, n int) (poses []*skinning.Pose) {
	rule, frame := metrics.NewHalfTurns(m), skinning.NewFrame(m, nil)
	roots := 0
	child := make([]int, len(m.Skeleton.Joints)) // the first of each joint, −1 for none
	for j := range child {
		child[j] = -1
	}
	for j := len(child) - 1; j >= 0; j-- {
		if p := m.Skeleton.Joints[j].Parent; p >= 0 {
			child[p] = j
		} else {
			roots++
		}
	}
	if roots == len(child) && roots > 1 {
		return ofStressClips(m, n)
	}
	single := roots == 1
	for i := 0; len(poses) < n && i < mostTries*n; i++ {
		pose := m.NewPose()
		done := make(map[int]bool)
		for j, joint := range m.Skeleton.Joints {
			if joint.Parent < 0 && single || done[joint.Node] {
				continue // the one root only carries the rest about
			}
			done[joint.Node] = true
			along := boneAxis(&m.Skeleton, j, child[j])
			across := geom.Perpendicular(along)
			other := along.Cross(across)
			// Irrational steps spread the three angles evenly without a random seed.
			at := func(step float64, of float64) float64 {
				x := math.Mod(float64(i)*step+float64(j)*step*step+0.5, 1)
				return (2*x - 1) * of
			}
			q := geom.AxisAngle(across, at(0.6180339887, romBend)).
				Mul(geom.AxisAngle(other, at(0.7548776662, romBend/2))).
				Mul(geom.AxisAngle(along, at(0.5698402910, romTwist)))
			local := &pose.Local[joint.Node]
			local.Rotation = local.Rotation.Mul(q)
		}
		frame.SetPose(pose)
		if _, found := rule.Of(frame); !found {
			poses = append(poses, pose)
		}
	}
	return poses
}

// ofStressClips is rangeOfMotion of a rig whose joints are all roots, as hands of virtual reality are: turned one by one
// they would tear the skin. Stress clips link them.
func ofStressClips(m *skinning.Model, n int) (poses []*skinning.Pose) {
	moved := *m
	moved.Clips = stress.Clips(m)
	var clips []int
	for c := range moved.Clips {
		clips = append(clips, c)
	}
	for _, t := range choose(Candidates(&moved, clips), n) {
		pose := m.NewPose()
		moved.SamplePose(pose, t.Clip, t.Time)
		poses = append(poses, pose)
	}
	return poses
}

// boneAxis returns the direction of joint j's bone in the joint's own space: to its first child, else, where that is
// −1, away from its parent. That differs from [anatomy.Bone], which people turn joints about, where a joint has
// several children.
func boneAxis(s *skinning.Skeleton, j, child int) mgl64.Vec3 {
	from, to := s.Joints[j].Position, mgl64.Vec3{}
	found := child >= 0
	if found {
		to = s.Joints[child].Position
	}
	if p := s.Joints[j].Parent; !found && p >= 0 {
		to, found = from.Mul(2).Sub(s.Joints[p].Position), true
	}
	if !found {
		return mgl64.Vec3{0, 1, 0}
	}
	d := s.Joints[j].FromRest.Linear().Apply(to.Sub(from))
	if !(d.Len() > 1e-12) {
		return mgl64.Vec3{0, 1, 0}
	}
	return d.Normalize()
}
