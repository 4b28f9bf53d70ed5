package decompose

import (
	"context"

	"skinlab/fit"
	"skinlab/fit/ssdr"
	"skinlab/fit/training"
	"skinlab/skinning/messages"
	"skinlab/skinning/metrics"
	"skinlab/skinning/parallel"
)

// defaultRounds is enough for a sequence to converge. Rounds end earlier where they gain less than the solver asks for.
const defaultRounds = 100

// mostInserted is the largest number of bones for which bones are inserted, too. With more, insertion is slow and
// worse: 20 bones of bone_sequence leave 0.0033 where clusters leave 0.0020.
const mostInserted = 8

// Recipe returns the steps of a decomposition of a sequence, with rounds of motions and weights at most, once all bones
// are there.
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
// is the diagonal of the rest pose, metres. A done context ends it with the best so far, or with [fit.ErrNoModel] where
// there is none yet.
//
// Bones begin as clusters of vertices (section 5 of the paper). Up to mostInserted bones are also inserted one by one,
// and the better decomposition counts. With 4 bones demo:bar then has 0.13 mm in place of 2.4.
func Solve(ctx context.Context, x *training.Examples, diagonal float64, opt ssdr.Options) (*Solution, error) {
	if err := x.Validate(); err != nil {
		return nil, err
	}
	within := metrics.Rounding * diagonal
	tell := func(bones int) {
		if opt.Progress != nil {
			opt.Progress(ssdr.Step{Bones: bones}, nil)
		}
	}
	start, err := cluster(ctx, x, opt.Bones, parallel.Workers(opt.Workers), within*within*float64(len(x.Targets)), tell)
	if err != nil {
		return nil, err
	}
	tell(0)
	clustered := opt
	clustered.Start, clustered.Bones = start, len(start.Motions)
	d, err := ssdr.Decompose(ctx, x, clustered)
	if err != nil {
		return nil, err
	}
	if opt.Bones <= mostInserted && len(d.Motions) == opt.Bones && d.RMS > within && d.Reason != fit.Cancelled {
		inserted, err := ssdr.Decompose(ctx, x, opt)
		if err != nil {
			return nil, err
		}
		if len(inserted.Motions) >= len(d.Motions) && inserted.RMS < d.RMS {
			d = inserted
		} else if inserted.Reason == fit.Cancelled { // it might have become the better one
			d.Reason = fit.Cancelled
		}
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
