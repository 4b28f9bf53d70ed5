package job

import (
	"fmt"
	"slices"
	"strings"

	"skinlab/fit/poses"
	"skinlab/skinning"
	"skinlab/skinning/stress"
)

// RangeOfMotion as a training clip stands for poses made from the skeleton.
const RangeOfMotion = -1

// Part is training poses of one clip.
type Part struct {
	Clip   int // RangeOfMotion for poses made from the skeleton
	Frames int // spread evenly over the clip; 0 means 12
}

const (
	// partFrames is how many poses a part has where nobody says.
	partFrames = 12
	// defaultFrames is how many are chosen of all clips. 36 and 48 lower the mean EE by a thirtieth at most (see package
	// poses for the characters) and take a fifth and a half more time.
	defaultFrames = 24
)

// ownClips lists the clips of the model's file.
func ownClips(m *skinning.Model) []int {
	clips := make([]int, stress.Own(m))
	for i := range clips {
		clips[i] = i
	}
	return clips
}

// Moments lists the poses of parts, none of which is RangeOfMotion.
func Moments(m *skinning.Model, parts []Part) (all []poses.Moment, err error) {
	for _, p := range parts {
		if p.Frames == 0 {
			p.Frames = partFrames
		}
		if p.Clip < 0 || p.Clip >= len(m.Clips) || p.Frames < 1 {
			return nil, fmt.Errorf("%s: %w: %d of clip %d of %d", m.Name, poses.ErrClip, p.Frames, p.Clip, len(m.Clips))
		}
		for _, t := range poses.Times(m, p.Clip, p.Frames) {
			all = append(all, poses.Moment{Clip: p.Clip, Time: t})
		}
	}
	return all, nil
}

// trainingName is what a report says of parts, or of all clips where there are none.
func trainingName(m *skinning.Model, parts []Part) string {
	if len(parts) == 0 && stress.Own(m) == 1 {
		parts = []Part{{}}
	}
	if len(parts) == 0 {
		return "all clips"
	}
	names := make([]string, len(parts))
	for i, p := range parts {
		if names[i] = "range of motion"; p.Clip != RangeOfMotion {
			names[i] = m.Clips[p.Clip].Name
		}
	}
	return strings.Join(names, ", ")
}

// chosen is the default training: poses of all clips that stand for the rest (see [poses.Choose]), each clip with its
// weight.
//
// The weight of a clip is one over the RMS error of linear blending in it. A clip in which it errs little, as one that
// only moves the head, has little to gain and much to lose: were its poses worth no more than those of a dance, bones
// that improve the dance would make it worse, as farthest points alone did to the fox's Survey (16 % after 9 %).
// With these weights in the choice and in the fit, for the characters of package poses: 5.8 % (0.50), 15.9 (0.53), 15.4
// (0.51), 10.1 (0.40).
type chosen struct {
	moments []poses.Moment
	clips   []float64 // weights
}

// leastError keeps the weights of clips in which nothing bends within a thousand times those of the one that bends
// most.
const leastError = 1e-3

// choose chooses n poses. Clips that go far away are left out where there are others.
func choose(m *skinning.Model, table []ClipError, n int) *chosen {
	c := &chosen{clips: make([]float64, len(m.Clips))}
	most := 0.0
	var clips []int
	for i := range table {
		if !table[i].far {
			most, clips = max(most, table[i].LBSRMS), append(clips, i)
		}
	}
	for i := range c.clips {
		if c.clips[i] = 1; i < len(table) && most > 0 && !table[i].far {
			c.clips[i] = 1 / max(table[i].LBSRMS/most, leastError)
		}
	}
	if len(clips) == 0 {
		clips = ownClips(m)
	}
	c.moments = poses.Choose(m, poses.Candidates(m, clips), n, c.clips)
	return c
}

func finite(matrices []skinning.Affine) bool {
	return !slices.ContainsFunc(matrices, func(a skinning.Affine) bool { return !a.IsFinite() })
}

// weights returns those of the poses.
func (c *chosen) weights() []float64 {
	w := make([]float64, len(c.moments))
	for i, at := range c.moments {
		w[i] = c.clips[at.Clip]
	}
	return w
}

// A fit that is worse than linear blending in a clip is made again, with more weight for the clip. Near the rest pose,
// linear blending errs by the square of the angle and bones that are good farther away by the angle itself, so that a
// clip that hardly moves may need a thousand times the weight; with that, it is as good as linear blending's, and the
// others are a little worse.
const (
	mostRefits = 4
	leastOfBad = 4   // poses of a clip that got worse
	leastMore  = 2   // times its weight
	mostMore   = 100 // and at most
)

// favour gives the clips of a table that got worse more weight, and those with few poses their worst one.
func (c *chosen) favour(table []ClipError) {
	c.clips = slices.Clone(c.clips)
	for k := range table {
		if t := &table[k]; t.Worse {
			by := t.RMS / max(t.LBSRMS, skinning.KernelRounding)
			c.clips[k] *= min(max(1.5*by*by, leastMore), mostMore)
			count := 0
			for _, at := range c.moments {
				if at.Clip == k {
					count++
				}
			}
			if at := (poses.Moment{Clip: k, Time: t.worstTime}); count < leastOfBad && !slices.Contains(c.moments, at) {
				c.moments = append(slices.Clone(c.moments), at)
			}
		}
	}
}
