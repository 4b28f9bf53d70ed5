package helperbones

import (
	"context"
	"fmt"

	"skinlab/fit"
	"skinlab/fit/ssdr"
	"skinlab/skinning"
	"skinlab/skinning/rig"
)

// weightsFor returns weights for a level of detail that keeps the first bones of a rig, solved again for their motions
// in the examples (section 7). It reads the options that [ssdr.NewSolver] reads.
func (c *Controlled) weightsFor(ctx context.Context, x *ssdr.Examples, bones int,
	opt ssdr.Options) ([][]skinning.Share, error) {
	if bones < 0 || bones > len(c.Rig.Bones) {
		return nil, fmt.Errorf("%w: a level of %d helper bones of %d", ssdr.ErrProblem, bones, len(c.Rig.Bones))
	}
	s, err := ssdr.NewSolver(x, opt)
	if err != nil {
		return nil, err
	}
	s.SetMotions(Motions(x, c.Rig))
	s.SetWeights(c.Weights)
	s.SetMotions(Motions(x, &rig.HelperBones{Inputs: c.Rig.Inputs, Bones: c.Rig.Bones[:bones]}))
	s.SolveWeights(true)
	s.TrimWeights()
	return s.Current().Weights, ctx.Err()
}

// level implements [fit.Method.Level].
func level(ctx context.Context, r *fit.Result, bones int) (*skinning.Model, fit.Measured, error) {
	return r.Learned.(*learned).level(ctx, bones)
}

// level returns the fitted model with its first helper bones only, and weights that are solved for them.
func (a *learned) level(ctx context.Context, bones int) (*skinning.Model, fit.Measured, error) {
	if a.after == nil || bones >= len(a.after.Rig.Bones) {
		return a.fitted, a.with, nil
	}
	helpers := *a.after.Rig
	helpers.Bones = helpers.Bones[:bones]
	weights, err := a.after.weightsFor(ctx, a.x, bones, a.run.options())
	if err != nil {
		return nil, fit.Measured{}, err
	}
	m, err := a.run.model(&helpers, weights)
	if err != nil {
		return nil, fit.Measured{}, err
	}
	return m, a.errors.Of(m), nil
}

// steps are the levels of detail, and the fitted model.
func (a *learned) steps() (all []fit.Step) {
	for k := 1; k <= len(a.fitted.Added()); k++ {
		m, e, err := a.level(context.Background(), k)
		if err != nil {
			panic(err) // the rig has been valid with all its bones
		}
		all = append(all, fit.Step{Added: k, EE: float64(e.EE), Elapsed: a.elapsed,
			Model: func() *skinning.Model { return m }})
	}
	return all
}
