package training

import (
	"math"
	"slices"

	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/metrics"
)

// ClipTime names a pose of a model by a clip and a time in it.
type ClipTime struct {
	Clip int
	Time float64 // seconds
}

// TimesIn returns the poses of one clip at given seconds.
func TimesIn(clip int, seconds []float64) []ClipTime {
	times := make([]ClipTime, len(seconds))
	for i, s := range seconds {
		times[i] = ClipTime{clip, s}
	}
	return times
}

// Times returns n times within a clip of a length in seconds: the golden section of each of n equal parts. A motion
// that repeats regularly may be at rest at both ends and at every regular time between them, but not at these.
// A clip of no length is a single pose.
func Times(seconds float64, n int) []float64 {
	if seconds == 0 {
		n = min(n, 1)
	}
	times := make([]float64, n)
	for i := range times {
		times[i] = seconds * (float64(i) + 1/math.Phi) / float64(n)
	}
	return times
}

// at poses the model at times.
func at(m *skinning.Model, times []ClipTime) []*skinning.Frame {
	poses := make([]*skinning.Pose, len(times))
	for i, at := range times {
		poses[i] = m.NewPose()
		m.SamplePose(poses[i], at.Clip, at.Time)
	}
	return posed(m, poses)
}

// posed returns a frame of the model for each pose.
func posed(m *skinning.Model, poses []*skinning.Pose) []*skinning.Frame {
	centers := skinning.NewCenterSets(&m.Skin.Influences, &m.Skeleton)
	frames := make([]*skinning.Frame, len(poses))
	for i, pose := range poses {
		frames[i] = skinning.NewFrame(m, centers)
		frames[i].SetPose(pose)
	}
	return frames
}

// Bounds of the candidates.
const (
	candidateRate  = 15      // poses a second of a clip
	mostCandidates = 1024    // of all clips
	leastOfAClip   = 8       // of each clip, where that is not too many
	mostNodes      = 1 << 21 // nodes or joints to pose, of all candidates together: a second
)

// Candidates lists times spread over clips, more in a long clip than in a short one, without half turns. Their number is
// bounded, so that all can be posed within a fraction of a second.
func Candidates(m *skinning.Model, clips []int) (all []ClipTime) {
	if len(clips) == 0 {
		return nil
	}
	most := max(min(mostCandidates, mostNodes/max(len(m.Skeleton.Nodes), len(m.Skeleton.Joints), 1)), 2*len(clips))
	seconds := 0.0
	for _, c := range clips {
		seconds += m.Clips[c].Seconds
	}
	each := min(leastOfAClip, most/len(clips))
	rate := min(candidateRate, float64(most-each*len(clips))/max(seconds, 1e-9))
	for _, c := range clips {
		all = append(all, TimesIn(c, steadyTimes(m, c, Times(m.Clips[c].Seconds, each+int(rate*m.Clips[c].Seconds))))...)
	}
	return WithoutHalfTurns(m, all, false)
}

// choose returns n of the candidates at even places in their list, or all where there are fewer.
func choose(from []ClipTime, n int) []ClipTime {
	if len(from) <= n {
		return from
	}
	chosen := make([]ClipTime, n)
	for i := range chosen {
		chosen[i] = from[(2*i+1)*len(from)/(2*n)]
	}
	return chosen
}

// A pose is unsteady if a node turns by more than fastTurn within frameTime before it and again after it. Exporters
// leave such poses where the keys of a rotation change sign: a curve from q to -q is a whole turn of the joint that
// no one drew, and it may be over within a millisecond. These poses are the farthest from all others, and they teach
// nothing. Nine characters with such keys were given the default training: four were worse than with linear blending,
// in 11 of 20 clips, and without these poses none was. A pose where a STEP clip changes is steady: it stays for a
// while after.
const (
	fastTurn  = 0.5       // radians
	frameTime = 1.0 / 120 // seconds
)

// steadyTimes returns those of the times in a clip whose poses are steady, or all where none is.
func steadyTimes(m *skinning.Model, clip int, times []float64) []float64 {
	before, pose, after := m.NewPose(), m.NewPose(), m.NewPose()
	fast := func(a, b *geom.Transform) bool {
		return !(math.Abs(a.Rotation.Dot(b.Rotation)) >= math.Cos(fastTurn/2))
	}
	steady := slices.DeleteFunc(slices.Clone(times), func(t float64) bool {
		m.SamplePose(before, clip, max(t-frameTime, 0))
		m.SamplePose(pose, clip, t)
		m.SamplePose(after, clip, min(t+frameTime, m.Clips[clip].Seconds))
		for i := range pose.Local {
			if fast(&before.Local[i], &pose.Local[i]) && fast(&pose.Local[i], &after.Local[i]) {
				return true
			}
		}
		return false
	})
	if len(steady) == 0 {
		return times
	}
	return steady
}

// WithoutHalfTurns returns the poses that are no half turns by [metrics.HalfTurns], or all where each is one. No fit
// learns from a half turn that a method teaches: the shape there may be torn. With longWay, rotations go the way round
// that clips made, and there are none.
func WithoutHalfTurns(m *skinning.Model, times []ClipTime, longWay bool) []ClipTime {
	if longWay || len(times) == 0 {
		return times
	}
	kept, _ := SplitHalfTurns(m, times)
	if len(kept) == 0 {
		return times
	}
	return kept
}

// SplitHalfTurns returns the poses that are no half turns, and the farthest of those that are.
func SplitHalfTurns(m *skinning.Model, times []ClipTime) (kept []ClipTime, farthest metrics.HalfTurn) {
	rule, frame, pose := metrics.NewHalfTurns(m), skinning.NewFrame(m, nil), m.NewPose()
	for _, t := range times {
		m.SamplePose(pose, t.Clip, t.Time)
		frame.SetPose(pose)
		switch turn, found := rule.Of(frame); {
		case !found:
			kept = append(kept, t)
		case turn.Degrees > farthest.Degrees:
			farthest = turn
		}
	}
	return kept, farthest
}

// HalfTurns returns the half turns that a fit learns from, as a method poses them: the farthest, nil for none.
func (p *Poses) HalfTurns() *metrics.HalfTurn {
	if !p.Taught || p.LongWay || len(p.Times) == 0 {
		return nil
	}
	if kept, farthest := SplitHalfTurns(p.Model, p.Times); len(kept) < len(p.Times) {
		return &farthest
	}
	return nil
}

// palettes calls f with the skinning matrices at every time. The next call changes them.
func palettes(m *skinning.Model, times []ClipTime, f func(i int, matrices []geom.Affine)) {
	pose := m.NewPose()
	globals := make([]geom.Affine, len(m.Skeleton.Nodes))
	matrices := make([]geom.Affine, len(m.Skeleton.Joints))
	for i, at := range times {
		m.SamplePose(pose, at.Clip, at.Time)
		m.Skeleton.Globals(globals, pose)
		m.Skeleton.Palette(matrices, globals)
		f(i, matrices)
	}
}
