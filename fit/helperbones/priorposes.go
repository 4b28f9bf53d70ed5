package helperbones

import (
	"math/rand/v2"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/ssdr"
	"skinlab/fit/training"
	"skinlab/skinning"
)

// The joints of a clip turn together: in a run the left arm turns as the right leg does. Controllers that learn from few
// clips may read the wrong one of such joints, and fail in another clip. A taught fit therefore learns from prior poses
// too (row 287). Each of their joints turns as in one of the clips' poses, chosen by chance. The teacher makes the shapes.
// Examples from files have no teacher, and no prior poses.
//
// Where feet hang from the root, such a pose tears the legs from them. Linear blending then errs by many times what it
// errs by in the clips, and helper bones would be spent on poses that no clip shows. So the weight of a prior pose falls
// with the squared error of linear blending in it, and it never counts for more than a pose of the clips does.
const (
	priorPoses        = 24
	priorShare        = 0.2    // importance of all prior poses together at most, where that of the clips' poses is 1
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
	frame, pose, shown := skinning.NewFrame(m, nil), m.NewPose(), 0.0 // mean squared error in the clips' poses
	for n := range count {
		for j := range x.Palettes[n] {
			frame.SetMatrix(j, &x.Palettes[n][j])
		}
		shown += x.ImportanceOf(n) / x.TotalImportance() * squareDistance(frame.Positions(skinning.LBS), x.Targets[n])
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range priorPoses {
		for k := range pose.Local {
			pose.Local[k] = given[random.IntN(len(given))].Local[k]
		}
		frame.SetPose(pose)
		target, share := frame.Positions(set.Teacher), priorShare/priorPoses*x.TotalImportance()
		if e := squareDistance(frame.Positions(skinning.LBS), target); e > shown {
			share *= shown / e
		}
		if !(share > 0) { // linear blending is exact in the clips
			continue
		}
		out.Targets = append(out.Targets, target)
		out.Palettes = append(out.Palettes, slices.Clone(frame.Matrices))
		out.Importance = append(out.Importance, share)
	}
	return &out, nil
}

// squareDistance returns the sum of the squared distances between the points of two shapes.
func squareDistance(a, b []mgl64.Vec3) (sum float64) {
	for v := range a {
		sum += a[v].Sub(b[v]).LenSqr()
	}
	return sum
}
