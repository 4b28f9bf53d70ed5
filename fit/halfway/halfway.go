// Package halfway is half-way joints as a row of the table of fits. They are the baseline of ALNS figure 7, trained on
// a method, and of RTER figure 14, trained on examples.
package halfway

import (
	"context"
	"fmt"

	"skinlab/fit"
	"skinlab/fit/blendbones"
	"skinlab/fit/enveloping"
	"skinlab/fit/training"
	"skinlab/skinning"
)

// halfWayPoses is the number of poses from which it is decided which half-way joints have vertices to move.
const halfWayPoses = 4

// Method is half-way joints as a row of the table of fits.
var Method = &fit.Method{
	Name: "half-way", Title: "Half-way joints", Noun: "half-way joint", Suffix: "-half-way", Learns: fit.Operator,
	Help:     "Add a bone half-way between the two sides of each joint, the baseline of blend bones",
	Example:  "-o fitted.glb",
	Run:      blendbones.RunHalfWay,
	OnShapes: trainOnShapes,
	Baseline: true,
}

// trainOnShapes is the baseline of RTER figure 14, after Mohr and Gleicher 2003. Every joint with a parent gets a
// half-way joint. Weights over all joints are trained on the examples by the least squares of trained SSD.
func trainOnShapes(ctx context.Context, m *skinning.Model, set *training.Set) (*skinning.Model, error) {
	fitted, err := train(ctx, m, set)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.Name, err)
	}
	return fitted, nil
}

func train(ctx context.Context, m *skinning.Model, set *training.Set) (*skinning.Model, error) {
	x, err := set.Examples(m)
	if err != nil {
		return nil, err
	}
	problem := &blendbones.Problem{Model: m, Operator: skinning.DQS, Frames: training.RangeOfMotionPoses(m, halfWayPoses)}
	result, err := blendbones.HalfWay(ctx, problem, blendbones.Options{})
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	joints, err := result.Rig.Model(m)
	if err != nil {
		return nil, err
	}
	frames, moments, err := set.Pose(joints)
	if err == nil && moments == nil {
		err = fmt.Errorf("half-way joints are trained on a clip")
	}
	if err != nil {
		return nil, err
	}
	with, err := enveloping.NewExamples(joints, frames, x.Targets)
	if err != nil {
		return nil, err
	}
	s, err := enveloping.TrainSSD(with, 0)
	if err != nil {
		return nil, err
	}
	return s.With(joints)
}
