package decompose

import (
	"context"

	"skinlab/fit"
	"skinlab/fit/ssdr"
	"skinlab/skinning/messages"
	"skinlab/skinning/metrics"
)

// defaultRounds suffices for sequences to converge, until rounds gain less than the solver's threshold.
const defaultRounds = 100

// Recipe returns the steps of a decomposition of a sequence, with rounds of motions and weights at most, once all bones
// are there. Bones are inserted one by one where that lowers the error most, as helper bones are, in place of the
// paper's clusters (their section 5).
func Recipe(rounds int) *ssdr.Recipe {
	r := ssdr.Ours()
	r.Starts, r.Rounds = []int{2}, rounds
	return r
}

// Solution is a decomposition and, if it has fewer bones than were asked for, the reason.
type Solution struct {
	*ssdr.Decomposition
	Fewer string // a sentence; "" where the number is the one that was asked for
}

// Solve decomposes a sequence into D locked joints, which may be none, and the bones that are added to them. Diagonal
// is the diagonal of the rest pose, metres. A done context ends it with the best so far.
func Solve(ctx context.Context, x *ssdr.Examples, diagonal float64, opt ssdr.Options) (*Solution, error) {
	d, err := ssdr.Decompose(ctx, x, opt)
	if err != nil {
		return nil, err
	}
	s := &Solution{Decomposition: d}
	switch n := len(d.Motions); {
	case n >= opt.Bones:
	case d.Reason == fit.Cancelled:
		s.Fewer = "cancelled before the others were added"
	case d.RMS <= metrics.Rounding*diagonal:
		s.Fewer = messages.Count(n, "bone shows", "bones show") + " every frame exactly: nothing is left for others to do"
	default:
		s.Fewer = messages.Count(len(x.Rest), "vertex has", "vertices have") +
			" no room for more bones: further ones would move nothing"
	}
	return s, nil
}
