package job

import (
	"context"
	"fmt"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/blendbones"
	"skinlab/fit/enveloping"
	"skinlab/fit/poses"
	"skinlab/skinning"
)

// halfWayPoses is how many poses show which half-way joints have vertices to move.
const halfWayPoses = 4

// TrainHalfWay is the baseline of RTER figure 14: Mohr and Gleicher's half-way joints (2003), one for every joint with
// a parent, with weights over all joints trained on examples by the least squares of trained SSD.
func TrainHalfWay(ctx context.Context, m *skinning.Model, t *Training) (*skinning.Model, error) {
	x, err := t.Examples(m)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.Name, err)
	}
	problem := &blendbones.Problem{Model: m, Operator: skinning.DQS, Frames: poses.RangeOfMotion(m, halfWayPoses)}
	result, err := blendbones.HalfWay(ctx, problem, blendbones.Options{})
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.Name, err)
	}
	joints, err := result.Rig.Model(m)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.Name, err)
	}
	frames, err := t.frames(joints)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.Name, err)
	}
	targets := make([][]mgl64.Vec3, len(x.Pairs))
	for i := range targets {
		targets[i] = x.Pairs[i].Target
	}
	with, err := enveloping.NewExamples(joints, frames, targets)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.Name, err)
	}
	s, err := enveloping.TrainSSD(with, 0)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.Name, err)
	}
	return s.With(joints)
}

// frames poses a model as the examples are.
func (t *Training) frames(m *skinning.Model) ([]*skinning.Frame, error) {
	if _, made := t.rangeOfMotion(); made {
		return nil, fmt.Errorf("half-way joints are trained on a clip")
	}
	at, err := t.moments(m)
	return poses.At(m, at), err
}
