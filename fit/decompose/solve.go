package decompose

import (
	"context"
	"runtime"

	"skinlab/fit/helperbones"
	"skinlab/skinning"
	"skinlab/skinning/messages"
	"skinlab/skinning/metrics"
)

// Options tune [Solve].
type Options struct {
	Bones    int                        // to add
	Rounds   int                        // of motions and weights at most; 0 means 100
	Start    *helperbones.Decomposition // to begin from beside clusters; nil for the solver's own insertion
	Workers  int                        // 0 means all cores; the result does not depend on it
	Progress func(helperbones.Progress) // called after each round, on Solve's goroutine; may be nil
}

// defaultRounds is what sequences need until a round gains less than a thousandth: bone_sequence takes 40 to 100.
const defaultRounds = 100

// mostRefills is how often bones that no vertex follows any more are begun again where the error is largest.
const mostRefills = 4

// Solution is a decomposition, and where it has fewer bones than were asked for, why.
type Solution struct {
	*helperbones.Decomposition
	Fewer string // a sentence; "" where the number is the one that was asked for
}

// Solve decomposes a sequence: D locked joints, which may be none, and the bones that are added to them. Diagonal is
// that of the rest pose, metres. A done context ends it with the best so far.
//
// It starts both from clusters and, bone after bone, from the solver's own insertion, and takes the better end. Of 30
// cases (tube, bone_sequence and the leg without a skeleton; bar, leg and arm_examples with theirs; 1 to 20 bones)
// insertion ends better in 16, by 7 % in the median, and clusters in 14, by 6 %. The worse of the two is worse by up to
// a factor of 22.
func Solve(ctx context.Context, x *helperbones.Examples, diagonal float64, opt Options) (*Solution, error) {
	if err := x.Validate(); err != nil {
		return nil, err
	}
	if opt.Rounds == 0 {
		opt.Rounds = defaultRounds
	}
	if opt.Workers <= 0 {
		opt.Workers = runtime.GOMAXPROCS(0)
	}
	within := metrics.Rounding * diagonal
	clusters := cluster(x, opt.Bones, opt.Workers, within*within*float64(len(x.Targets)))
	var best *helperbones.Decomposition
	for _, start := range []*helperbones.Decomposition{clusters, opt.Start} {
		bones := opt.Bones
		if start == clusters {
			bones = len(clusters.Motions)
		}
		d, err := solveFrom(ctx, x, start, bones, opt)
		if err != nil {
			return nil, err
		}
		if best == nil || len(d.Motions) > len(best.Motions) || len(d.Motions) == len(best.Motions) && d.RMS < best.RMS {
			best = d
		}
		if ctx.Err() != nil || best.RMS <= within {
			break
		}
	}
	s := &Solution{Decomposition: best}
	switch n := len(best.Motions); {
	case n >= opt.Bones:
	case best.Reason == helperbones.Cancelled:
		s.Fewer = "cancelled before the others were added"
	case best.RMS <= within:
		s.Fewer = messages.Count(n, "bone shows", "bones show") + " every frame exactly: nothing is left for others to do"
	default:
		s.Fewer = messages.Count(len(x.Rest), "vertex has", "vertices have") +
			" no room for more bones: further ones would move nothing"
	}
	return s, nil
}

// solveFrom decomposes from a start, nil for the solver's own insertion. Bones that no vertex follows in the end are
// begun again.
func solveFrom(ctx context.Context, x *helperbones.Examples, start *helperbones.Decomposition, bones int,
	opt Options) (out *helperbones.Decomposition, err error) {
	solver := helperbones.Options{Bones: bones, Rounds: opt.Rounds, Workers: opt.Workers, Progress: opt.Progress,
		Start: start}
	var history []helperbones.Step
	for range mostRefills {
		next, err := helperbones.Decompose(ctx, x, solver)
		if err != nil {
			return nil, err
		}
		history = append(history, next.History...)
		full := dropIdle(x, next)
		if out != nil && len(full.Motions) <= len(out.Motions) {
			break
		}
		if out = full; len(out.Motions) >= solver.Bones || next.Reason == helperbones.Cancelled {
			break
		}
		solver.Start = out
	}
	out.History = history
	return out, nil
}

// dropIdle returns the decomposition without the bones that no vertex follows.
func dropIdle(x *helperbones.Examples, d *helperbones.Decomposition) *helperbones.Decomposition {
	first := x.Primaries()
	used := make([]bool, len(d.Motions))
	for _, shares := range d.Weights {
		for _, s := range shares {
			if int(s.Joint) >= first && s.Weight > 0 {
				used[int(s.Joint)-first] = true
			}
		}
	}
	out := *d
	out.Motions = nil
	to := make([]uint16, len(used))
	for h := range used {
		if to[h] = uint16(first + len(out.Motions)); used[h] {
			out.Motions = append(out.Motions, d.Motions[h])
		}
	}
	out.Weights = make([][]skinning.Share, len(d.Weights))
	for v, shares := range d.Weights {
		for _, s := range shares {
			if int(s.Joint) >= first {
				s.Joint = to[int(s.Joint)-first]
			}
			if s.Weight > 0 {
				out.Weights[v] = append(out.Weights[v], s)
			}
		}
	}
	return &out
}
