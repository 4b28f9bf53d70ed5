package helperbones

import (
	"context"

	"skinlab/fit"
	"skinlab/fit/ssdr"
	"skinlab/fit/training"
	"skinlab/skinning"
	"skinlab/skinning/rig"
)

// weightsFor returns weights for a level of detail that keeps the first bones of a rig, solved again for their motions
// in the examples (section 7).
func (c *Controlled) weightsFor(x *training.Examples, bones int, opt ssdr.Options) ([][]skinning.Share, error) {
	opt.Start = &ssdr.Decomposition{Weights: c.Weights, Motions: Motions(x, c.Rig)}
	s, err := ssdr.NewSolver(x, opt)
	if err != nil {
		return nil, err
	}
	s.Keep(bones)
	s.SolveWeights(true)
	s.TrimWeights()
	return s.Weights(), nil
}

// level implements [fit.Method.Level].
func level(ctx context.Context, r *fit.Result, bones int) (*skinning.Model, fit.Measured, error) {
	m, e, err := r.Learned.(*learned).level(bones)
	if err == nil {
		err = ctx.Err()
	}
	return m, e, err
}

// level returns the fitted model with its first helper bones only, and weights that are solved for them.
func (a *learned) level(bones int) (*skinning.Model, fit.Measured, error) {
	if a.after == nil || bones >= len(a.after.Rig.Bones) {
		return a.fitted, a.with, nil
	}
	weights, err := a.after.weightsFor(a.x, bones, a.run.options())
	if err != nil {
		return nil, fit.Measured{}, err
	}
	m, err := a.run.model(&rig.HelperBones{Inputs: a.after.Rig.Inputs, Bones: a.after.Rig.Bones[:bones]}, weights)
	if err != nil {
		return nil, fit.Measured{}, err
	}
	return m, a.errors.Of(m), nil
}

// steps are the levels of detail, and the fitted model.
func (a *learned) steps() (all []fit.Step) {
	for k := 1; k <= len(a.fitted.Added()); k++ {
		m, e, err := a.level(k)
		if err != nil {
			panic(err) // the rig has been valid with all its bones
		}
		all = append(all, fit.Step{Added: k, EE: float64(e.EE), Elapsed: a.elapsed,
			Model: func() *skinning.Model { return m }})
	}
	return all
}
