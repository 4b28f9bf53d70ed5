package helperbones

import (
	"context"
	"math"
	"slices"

	"skinlab/fit"
	"skinlab/fit/training"
	"skinlab/skinning"
	"skinlab/skinning/geom"
)

// mixedPoses is the number of candidates that are made if the file's clips contain no poses except those of its
// examples. In such a candidate, each joint has its rotation in an example that is drawn for this joint.
const mixedPoses = 512

// suggest returns poses for which example shapes should be made, the most useful first, see [doubt]. They are poses of
// the file's clips or, if these contain only the examples, mixtures of the examples' poses.
func suggest(ctx context.Context, r *fit.Result, poses int) (chosen []*skinning.Pose, err error) {
	a := r.Learned.(*learned)
	if a.after == nil {
		return nil, nil
	}
	candidates := a.candidates()
	if len(candidates) == 0 {
		return nil, nil
	}
	palettes := make([][]geom.Affine, len(candidates))
	f := skinning.NewFrame(a.x.Model, nil)
	for i, p := range candidates {
		f.SetPose(p)
		palettes[i] = slices.Clone(f.Matrices)
	}
	doubt := newDoubt(a.x, a.after, palettes)
	for len(chosen) < poses && ctx.Err() == nil {
		next := doubt.choose()
		if next < 0 {
			break
		}
		chosen = append(chosen, candidates[next])
	}
	return chosen, nil
}

// candidates are the poses that may be suggested.
func (a *learned) candidates() (all []*skinning.Pose) {
	m := a.run.m
	f := skinning.NewFrame(a.x.Model, nil)
	for _, at := range training.Candidates(m, training.OwnClips(m)) {
		p := m.NewPose()
		m.SamplePose(p, at.Clip, at.Time)
		f.SetPose(p)
		if !a.isExample(f.Matrices) {
			all = append(all, p)
		}
	}
	if len(all) > 0 {
		return all
	}
	var keys []*skinning.Pose
	for _, c := range training.OwnClips(m) {
		for _, t := range m.Clips[c].KeyTimes() {
			p := m.NewPose()
			m.SamplePose(p, c, t)
			keys = append(keys, p)
		}
	}
	for i := range min(mixedPoses, mixedPoses*len(keys)) {
		p := m.NewPose()
		for n := range p.Local { // irrational steps, a different one for each node: an even spread without a seed
			_, share := math.Modf(float64(i+1) * math.Sqrt(float64(n)+2))
			p.Local[n] = keys[int(share*float64(len(keys)))].Local[n]
		}
		all = append(all, p)
	}
	return all
}

// Two poses are the same if no entry of a joint's matrix differs by more than samePose, about a thousandth of a radian.
const samePose = 1e-3

// isExample reports whether an example has this pose.
func (a *learned) isExample(palette []geom.Affine) bool {
	return slices.ContainsFunc(a.x.Palettes, func(example []geom.Affine) bool {
		for j := range palette {
			for k := range 12 {
				if k%4 != 3 && !(math.Abs(palette[j][k]-example[j][k]) <= samePose) {
					return false
				}
			}
		}
		return true
	})
}
