package training

import (
	"slices"
	"testing"

	"skinlab/skinning"
	"skinlab/skinning/stress"
)

// TestTimes: the times ascend within the clip, one in each equal part, and a clip that is at rest at regular times is
// never at rest at all of them.
func TestTimes(t *testing.T) {
	m := figure(t)
	clips := stress.Clips(m)
	m.Clips = append(slices.Clone(m.Clips), clips...)
	twist := len(m.Clips) - len(clips)
	seconds := m.Clips[twist].Seconds
	rest, pose := m.NewPose(), m.NewPose()
	for n := 1; n < 40; n++ {
		moves := false
		for i, at := range Times(seconds, n) {
			if at <= float64(i)/float64(n)*seconds || at >= float64(i+1)/float64(n)*seconds {
				t.Errorf("time %d of %d is %g", i, n, at)
			}
			m.SamplePose(pose, twist, at)
			moves = moves || !samePose(rest, pose)
		}
		if !moves {
			t.Errorf("%d poses of %s are all at rest", n, m.Clips[twist].Name)
		}
	}
}

// samePose reports whether the rotations of two poses are equal.
func samePose(a, b *skinning.Pose) bool {
	for i := range a.Local {
		if a.Local[i].Rotation != b.Local[i].Rotation {
			return false
		}
	}
	return true
}
