package helperbones

import (
	"context"
	"fmt"

	"skinlab/skinning"
	"skinlab/skinning/rig"
)

// WeightsFor returns weights for a level of detail that keeps the first bones of a rig, solved again for their motions
// in the examples (section 7). Of the options it reads those that [NewSolver] does.
func (c *Controlled) WeightsFor(ctx context.Context, x *Examples, bones int, opt Options) ([][]skinning.Share, error) {
	if bones < 0 || bones > len(c.Rig.Bones) {
		return nil, fmt.Errorf("%w: a level of %d helper bones of %d", ErrProblem, bones, len(c.Rig.Bones))
	}
	s, err := NewSolver(x, opt)
	if err != nil {
		return nil, err
	}
	s.SetMotions(Motions(x, c.Rig))
	s.SetWeights(c.Weights)
	s.SetMotions(Motions(x, &rig.HelperBones{Inputs: c.Rig.Inputs, Bones: c.Rig.Bones[:bones]}))
	s.SolveWeights(true)
	return s.Current().Weights, ctx.Err()
}
