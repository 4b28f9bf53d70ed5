package training

import (
	"math"
	"slices"

	"skinlab/skinning"
)

// chosenPoses are the default training: poses spread evenly over all clips, more of a long clip than of a short one,
// and a weight for each clip.
//
// The weight of a clip is one over the RMS error of linear blending in it. A clip in which linear blending
// errs little, such as one that only moves the head, has little to gain and much to lose: bones that improve a dance
// would make it worse, if its poses weighed no more than those of the dance.
type chosenPoses struct {
	times  []ClipTime
	clips  []float64 // weights
	static float64   // weight of the static pose, which is in no clip
}

// of returns the weight of a clip, or of the static pose.
func (s *chosenPoses) of(clip int) float64 {
	if clip == staticPose {
		return s.static
	}
	return s.clips[clip]
}

// leastError bounds the weight of a clip to a thousand times that of the clip with the largest error.
const leastError = 1e-3

// representClips chooses n poses of clips. Linear holds the RMS errors of linear blending, one for each clip of the
// file that was measured; the clips after these weigh 1, as do those whose error is NaN. Static is the error of
// linear blending in the static pose, which is one more of the poses where [withStatic] adds it.
func representClips(m *skinning.Model, clips []int, linear []float64, static float64, n int) *chosenPoses {
	s := &chosenPoses{clips: make([]float64, len(m.Clips)), static: 1}
	most := 0.0
	for _, c := range clips {
		if c < len(linear) && !math.IsNaN(linear[c]) {
			most = max(most, linear[c])
		}
	}
	for i := range s.clips {
		s.clips[i] = 1
		if i < len(linear) && most > 0 && !math.IsNaN(linear[i]) {
			s.clips[i] = 1 / max(linear[i]/most, leastError)
		}
	}
	if most > 0 {
		s.static = 1 / max(static/most, leastError)
	}
	s.times = withStatic(m, choose(Candidates(m, clips), n))
	return s
}

// weights returns those of the poses.
func (s *chosenPoses) weights() []float64 {
	w := make([]float64, len(s.times))
	for i, at := range s.times {
		w[i] = s.of(at.Clip)
	}
	return w
}

// A fit that is worse than linear blending in a clip is made again, with more weight for the clip: leastMore times
// its weight, or more. Near the rest pose, the error of linear blending is quadratic in the angle, and that of bones
// that are good at large angles is linear. So a clip that hardly moves may need much more weight to be as good as
// with linear blending, and other clips are then a little worse.
const leastMore = 8

// WorseClip is a clip in which a fit errs more than linear blending.
type WorseClip struct {
	Clip  int
	Ratio float64 // the fit's RMS error divided by that of linear blending
}

// posesOfWorse is how many poses a clip that got worse has at least. A clip that moves little or briefly may have few
// poses or none, and without poses its weight has no effect. At most as many are added as the default training has.
const posesOfWorse = 4

// favour returns the poses with more weight for some clips, and more poses of those that have few.
func (s *chosenPoses) favour(m *skinning.Model, worse []WorseClip) *chosenPoses {
	out := &chosenPoses{slices.Clone(s.times), slices.Clone(s.clips), s.static}
	left := defaultFrames
	for _, c := range worse {
		out.clips[c.Clip] *= max(1.5*c.Ratio*c.Ratio, leastMore)
		own := func(at ClipTime) bool { return at.Clip == c.Clip }
		rest := slices.DeleteFunc(slices.Clone(out.times), own)
		if len(out.times)-len(rest) < posesOfWorse && left >= posesOfWorse {
			out.times = append(rest, choose(Candidates(m, []int{c.Clip}), posesOfWorse)...)
			left -= posesOfWorse
		}
	}
	return out
}
