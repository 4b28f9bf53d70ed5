package training

import (
	"math"
	"slices"

	"skinlab/skinning"
	"skinlab/skinning/compare"
)

// Times returns n times spread evenly over a clip, seconds, with both ends. A clip that comes back to rest regularly
// may be in one pose at all of these. Then they are one in each of n equal parts, at its golden section, where a
// regular motion is not at rest.
func Times(m *skinning.Model, clip, n int) []float64 {
	seconds := m.Clips[clip].Seconds
	times := compare.Times(seconds, n)
	if n < 2 || !alike(m, clip, times) {
		return times
	}
	inside := make([]float64, n)
	for i := range inside {
		inside[i] = seconds * (float64(i) + 1/math.Phi) / float64(n)
	}
	if alike(m, clip, append([]float64{0}, inside...)) {
		return times
	}
	return inside
}

// alike reports whether all poses of a clip at these times are one.
func alike(m *skinning.Model, clip int, times []float64) bool {
	first, pose := m.NewPose(), m.NewPose()
	m.SamplePose(first, clip, times[0])
	for _, t := range times[1:] {
		m.SamplePose(pose, clip, t)
		if !samePose(first, pose) {
			return false
		}
	}
	return true
}

// samePose reports whether two poses differ only by the rounding of a file: rotations by up to 1e-4 radians, everything
// else by a millionth of itself.
func samePose(a, b *skinning.Pose) bool {
	const turn, share = 1e-4, 1e-6
	near := func(x, y float64) bool { return math.Abs(x-y) <= share*max(math.Abs(x), math.Abs(y)) }
	for i := range a.Local {
		p, q := &a.Local[i], &b.Local[i]
		if !(math.Abs(p.Rotation.Dot(q.Rotation)) >= math.Cos(turn/2)) {
			return false
		}
		size := max(p.Translation.Len(), q.Translation.Len())
		if !(p.Translation.Sub(q.Translation).Len() <= share*size) {
			return false
		}
		for k := range p.Scale {
			if !near(p.Scale[k], q.Scale[k]) {
				return false
			}
		}
	}
	return slices.EqualFunc(a.Morphs, b.Morphs, near)
}
