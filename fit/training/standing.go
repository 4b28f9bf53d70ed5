package training

import (
	"math"
	"slices"

	"skinlab/skinning"
)

// Standing is the default training: poses of all clips that stand for the rest (see [Choose]), each clip with its
// weight.
//
// The weight of a clip is one over the RMS error of linear blending in it. A clip in which it errs little, as one that
// only moves the head, has little to gain and much to lose: were its poses worth no more than those of a dance, bones
// that improve the dance would make it worse, as farthest points alone did to the fox's Survey (16 % after 9 %).
// With these weights in the choice and in the fit, for the characters of choose.go: 5.8 % (0.50), 15.9 (0.53), 15.4
// (0.51), 10.1 (0.40).
type Standing struct {
	Moments []Moment
	clips   []float64 // weights
}

// leastError keeps the weights of clips in which nothing bends within a thousand times those of the one that bends
// most.
const leastError = 1e-3

// stand chooses n poses, by the RMS errors of linear blending in the file's clips. Clips without a number are left out
// where there are others; clips past the end of the errors, which were not measured, weigh 1.
func stand(m *skinning.Model, linear []float64, n int) *Standing {
	s := &Standing{clips: make([]float64, len(m.Clips))}
	most := 0.0
	var clips []int
	for i, rms := range linear {
		if !math.IsNaN(rms) {
			most, clips = max(most, rms), append(clips, i)
		}
	}
	for i := range s.clips {
		if s.clips[i] = 1; i < len(linear) && most > 0 && !math.IsNaN(linear[i]) {
			s.clips[i] = 1 / max(linear[i]/most, leastError)
		}
	}
	if len(clips) == 0 {
		clips = OwnClips(m)
	}
	s.Moments = Choose(m, Candidates(m, clips), n, s.clips)
	return s
}

// weights returns those of the poses.
func (s *Standing) weights() []float64 {
	w := make([]float64, len(s.Moments))
	for i, at := range s.Moments {
		w[i] = s.clips[at.Clip]
	}
	return w
}

// A fit that is worse than linear blending in a clip is made again, with more weight for the clip. Near the rest pose,
// linear blending errs by the square of the angle and bones that are good farther away by the angle itself, so that a
// clip that hardly moves may need a thousand times the weight; with that, it is as good as linear blending's, and the
// others are a little worse.
const (
	leastOfBad = 4   // poses of a clip that got worse
	leastMore  = 2   // times its weight
	mostMore   = 100 // and at most
)

// WorseClip is a clip in which a fit errs more than linear blending.
type WorseClip struct {
	Clip  int
	Ratio float64 // the fit's RMS error over that of linear blending
	Time  float64 // of the pose where the fit errs most, seconds
}

// Favour gives the clips more weight, and those with few poses their worst one.
func (s *Standing) Favour(worse []WorseClip) *Standing {
	out := &Standing{s.Moments, slices.Clone(s.clips)}
	for _, c := range worse {
		out.clips[c.Clip] *= min(max(1.5*c.Ratio*c.Ratio, leastMore), mostMore)
		count := 0
		for _, at := range out.Moments {
			if at.Clip == c.Clip {
				count++
			}
		}
		if at := (Moment{Clip: c.Clip, Time: c.Time}); count < leastOfBad && !slices.Contains(out.Moments, at) {
			out.Moments = append(slices.Clone(out.Moments), at)
		}
	}
	return out
}
