package helperbones

import (
	"math/rand/v2"
	"slices"

	"skinlab/fit/ssdr"
	"skinlab/fit/training"
	"skinlab/skinning"
)

// The joints of a clip turn together: in a run the left arm turns as the right leg does. Controllers that learn from few
// clips may read the wrong one of such joints, and fail in another clip. A taught fit therefore learns from prior poses
// too (row 287). Each of their joints turns as in one of the clips' poses, chosen by chance. The teacher makes the shapes.
// Examples from files have no teacher, and no prior poses.
const (
	priorPoses        = 24
	priorShare        = 0.2    // importance of all prior poses together, where that of the clips' poses is 1
	mostPriorVertices = 40_000 // of a model that has prior poses: their shapes take memory
)

// withPriorPoses returns the examples with prior poses appended, or the same examples where the set is not taught by clips.
func withPriorPoses(x *ssdr.Examples, m *skinning.Model, set *training.Set) (*ssdr.Examples, error) {
	if _, made := set.FromSkeleton(); made || !set.Taught() || len(x.Rest) > mostPriorVertices {
		return x, nil
	}
	times, err := set.ClipTimes(m)
	if err != nil || len(times) == 0 {
		return x, err
	}
	given := make([]*skinning.Pose, len(times))
	for n, t := range times {
		given[n] = m.NewPose()
		m.SamplePose(given[n], t.Clip, t.Time)
	}
	out, count := *x, len(x.Targets)
	out.Targets, out.Palettes, out.Importance = slices.Clip(x.Targets), slices.Clip(x.Palettes), nil
	for n := range count {
		out.Importance = append(out.Importance, x.ImportanceOf(n))
	}
	random := rand.New(rand.NewPCG(1, 2))
	frame, pose := skinning.NewFrame(m, nil), m.NewPose()
	for range priorPoses {
		for k := range pose.Local {
			pose.Local[k] = given[random.IntN(len(given))].Local[k]
		}
		frame.SetPose(pose)
		out.Targets = append(out.Targets, frame.Positions(set.Teacher))
		out.Palettes = append(out.Palettes, slices.Clone(frame.Matrices))
		out.Importance = append(out.Importance, priorShare/priorPoses*x.TotalImportance())
	}
	return &out, nil
}
