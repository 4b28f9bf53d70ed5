package helperbones

import (
	"context"

	"skinlab/fit/ssdr"
)

// Beyond the paper: section 5 makes controllers of motions that were free in each example, and keeps the weights that
// were solved for these. Here controllers and weights are solved again in turn, until both agree. Weights are solved
// for the motions that the controllers give (equation 5). Coefficients are solved for the errors of the skin
// (normal.go) rather than for motions, so that they serve where the weights make them count, and helper bones make up
// for each other. Which coefficients there are is what the Lasso has chosen, and none rises in cost.

const (
	// mostRefinements bounds the rounds.
	mostRefinements = 10
	// refined ends them, when a round lowers the RMS error by less than this share of it.
	refined = 2e-3
	// coefficientSteps is how many steps of Gauss and Newton are made for each set of weights.
	coefficientSteps = 2
)

func (c *controlling) refine(ctx context.Context) ssdr.Reason {
	s := c.solver
	s.SolveWeights(true)
	for round := range mostRefinements {
		if ctx.Err() != nil {
			return ssdr.Cancelled
		}
		before := s.RMS()
		o := c.newCoefficients()
		for range coefficientSteps {
			o.step()
		}
		c.drive()
		s.SolveWeights(true)
		if c.opt.Progress != nil {
			c.opt.Progress(ControlProgress{Bones: len(c.bones), Round: round + 1, RMS: s.RMS(), Current: c.current})
		}
		if !(before-s.RMS() >= refined*before) {
			return ssdr.Converged
		}
	}
	return ssdr.RoundLimit
}
