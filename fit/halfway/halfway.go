// Package halfway is the joints of Mohr and Gleicher 2003 as rows of the table of fits: half-way joints, the baseline
// of ALNS figure 7, trained on a method; and with them joints that grow and shrink, the baseline of RTER figure 14,
// trained on examples.
package halfway

import (
	"cmp"
	"context"
	"slices"

	"skinlab/fit"
	"skinlab/fit/blendbones"
	"skinlab/fit/enveloping"
	"skinlab/fit/training"
	"skinlab/skinning"
)

// Method is half-way joints as a row of the table of fits.
var Method = &fit.Method{
	Name: "half-way", Title: "Half-way joints", Noun: "half-way joint", Suffix: "-half-way", Learns: fit.Operator,
	Help:     "Add a bone half-way between the two sides of each joint, the baseline of blend bones",
	Example:  "-o fitted.glb",
	Options:  []fit.Option{fit.ShortestPath},
	Run:      blendbones.RunHalfWay,
	OnShapes: trainOnShapes,
	Baseline: true,
}

// WholeMethod is Mohr and Gleicher 2003 whole, the baseline of RTER figure 14: half-way joints and joints that grow and
// shrink with the angle, and weights over all joints that are trained on shapes by the least squares of trained SSD.
// Joints that no vertex follows are left out.
var WholeMethod = &fit.Method{
	Name: "mohr-gleicher", Title: "Mohr and Gleicher", Noun: skinning.AddedBone, Suffix: "-mohr-gleicher", Learns: fit.Shapes,
	Help:     "Add half-way joints and joints that grow and shrink with the angle, and train all weights on shapes",
	Example:  "--teach dqs -o fitted.glb",
	Options:  enveloping.SSDMethod.Options,
	Run:      func(ctx context.Context, job *fit.Job) (*fit.Result, error) { return run(ctx, job, true) },
	Baseline: true,
	Differs: slices.Concat([]string{
		"Section 7 only names the joints of Mohr and Gleicher 2003, which is not among the sources: how they are placed is ours.",
		"Joints that grow and shrink scale alike along all axes about the middle of the bone, by 1 + (θ/π)² and " +
			"1 − (θ/π)²/2 for an angle θ.",
		"Weights are found as trained SSD's, and not by the least squares of Mohr and Gleicher; joints that no vertex follows " +
			"are left out.",
	}, enveloping.WeightsDiffer),
}

// trainOnShapes trains half-way joints alone in the same way.
func trainOnShapes(ctx context.Context, m *skinning.Model, set *training.Set) (*skinning.Model, error) {
	out, err := run(ctx, &fit.Job{Method: WholeMethod, Model: m, Training: set, Tests: training.Tests{Clip: -1}}, false)
	if err = cmp.Or(err, ctx.Err()); err != nil {
		return nil, err
	}
	return out.Model, nil
}

// run trains weights over the model with the joints.
func run(ctx context.Context, job *fit.Job, scaling bool) (*fit.Result, error) {
	m, all := *job, newJoints(&job.Model.Skeleton, scaling)
	var err error
	if m.Model, err = all.model(job.Model, job.Model.Skin.Influences); err != nil {
		return nil, err
	}
	out, err := enveloping.SSDMethod.Run(ctx, &m)
	if err != nil {
		return nil, err
	}
	kept, weights := all.used(&out.Model.Skin.Influences, len(job.Model.Skin.Positions), len(job.Model.Skeleton.Joints))
	morphs := out.Model.Skin.Morphs
	if out.Model, err = kept.model(job.Model, weights); err != nil {
		return nil, err
	}
	out.Model.Skin.Morphs = morphs
	out.Last.Now.Added, out.Last.Now.Model = len(out.Model.Added()), func() *skinning.Model { return out.Model }
	details := out.Report.Details.(*enveloping.Details)
	details.LeaveOutSSD()
	details.Fixed = fixed(&weights, len(job.Model.Skin.Positions), len(job.Model.Skeleton.Joints))
	out.Report.MasterBones, out.Report.AddedBones = job.Model.Skeleton.JointNodes(), out.Last.Now.Added
	return out, nil
}
