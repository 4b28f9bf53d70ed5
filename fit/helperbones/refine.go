package helperbones

import (
	"context"

	"skinlab/fit/ssdr"
)

// This goes beyond the paper. Section 5 makes controllers for motions that were free in each example, and keeps the
// weights that were solved for these motions. Here weights and controllers are solved again in turn, until both agree.
// Weights are solved for the motions that the controllers give (equation 5). Coefficients minimise the errors of the
// skin (normal.go) and not those of motions, so that the weights decide where errors matter, and helper bones can
// correct each other. Only the coefficients that the Lasso made non-zero are solved, and no step raises the error.

const (
	// mostRefinements bounds the rounds.
	mostRefinements = 10
	// Rounds end when one lowers the RMS error by less than the share refined of it.
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
