package decompose

import (
	"context"
	"runtime"

	"skinlab/fit/ssdr"
	"skinlab/skinning"
	"skinlab/skinning/messages"
	"skinlab/skinning/metrics"
)

// Options tune [Solve].
type Options struct {
	Bones    int                 // to add
	Rounds   int                 // of motions and weights at most, once all bones are there; 0 means 100
	Workers  int                 // 0 means all cores; the result does not depend on it
	Progress func(ssdr.Progress) // called after each round, on Solve's goroutine; may be nil
}

// mostInserted is the largest number of bones that the solver inserts without clusters as a start.
const mostInserted = 8

// defaultRounds suffices for sequences to converge, until rounds gain less than the solver's threshold: bone_sequence
// takes 30 to 90.
const defaultRounds = 100

// Solution is a decomposition and, if it has fewer bones than were asked for, the reason.
type Solution struct {
	*ssdr.Decomposition
	Fewer string // a sentence; "" where the number is the one that was asked for
}

// Solve decomposes a sequence into D locked joints, which may be none, and the bones that are added to them. Diagonal
// is the diagonal of the rest pose, metres. A done context ends it with the best so far.
//
// A bone begins as a cluster, or at a place where the solver inserts it. No single kind of start is the best. In 21
// cases (tube, bone_sequence and the leg without a skeleton; bar, leg and arm_examples with theirs; 1 to 16 bones), the
// best start had all bones as clusters in 4 cases, half of them in 6, and none in 11. The error of the worst start was
// 1.0 to 16 times that of the best. So the start with all bones as clusters is solved to the end, which is fast. The
// other two starts are tried with a quarter of the rounds, and the best start is continued. Above mostInserted bones
// the start without clusters is not tried, because it is slow and was never the best.
func Solve(ctx context.Context, x *ssdr.Examples, diagonal float64, opt Options) (*Solution, error) {
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
	trial := max(opt.Rounds/4, 1)
	var best *ssdr.Decomposition
	left := 0 // rounds
	for _, clusters := range []int{opt.Bones, opt.Bones / 2, 0} {
		if clusters == 0 && opt.Bones > mostInserted {
			break
		}
		rounds := trial
		if clusters == opt.Bones {
			rounds = opt.Rounds
		}
		start := cluster(x, clusters, opt.Workers, within*within*float64(len(x.Targets)))
		bones := opt.Bones
		if len(start.Motions) < clusters { // nothing is left to insert either
			bones = len(start.Motions)
		}
		d, err := solveFrom(ctx, x, start, bones, rounds, opt)
		if err != nil {
			return nil, err
		}
		if best == nil || len(d.Motions) > len(best.Motions) || len(d.Motions) == len(best.Motions) && d.RMS < best.RMS {
			best, left = d, opt.Rounds-rounds
		}
		if ctx.Err() != nil || best.RMS <= within || opt.Bones == 1 && x.Primaries() == 0 {
			break
		}
	}
	if best.Reason == ssdr.RoundLimit && left > 0 {
		d, err := solveFrom(ctx, x, best, len(best.Motions), left, opt)
		if err != nil {
			return nil, err
		}
		d.History = append(best.History, d.History...)
		best = d
	}
	s := &Solution{Decomposition: best}
	switch n := len(best.Motions); {
	case n >= opt.Bones:
	case best.Reason == ssdr.Cancelled:
		s.Fewer = "cancelled before the others were added"
	case best.RMS <= within:
		s.Fewer = messages.Count(n, "bone shows", "bones show") + " every frame exactly: nothing is left for others to do"
	default:
		s.Fewer = messages.Count(len(x.Rest), "vertex has", "vertices have") +
			" no room for more bones: further ones would move nothing"
	}
	return s, nil
}

// mostRefills bounds the rounds in which bones without vertices are removed and inserted again where the error is
// largest.
const mostRefills = 3

// solveFrom decomposes from a start. Bones that no vertex follows in the end are begun again.
func solveFrom(ctx context.Context, x *ssdr.Examples, start *ssdr.Decomposition, bones, rounds int,
	opt Options) (out *ssdr.Decomposition, err error) {
	var history []ssdr.Step
	for range 1 + mostRefills {
		next, err := ssdr.Decompose(ctx, x, ssdr.Options{Bones: bones, Rounds: rounds, Workers: opt.Workers,
			Progress: opt.Progress, Start: start})
		if err != nil {
			return nil, err
		}
		history = append(history, next.History...)
		full := dropUnused(x, next)
		if out != nil && len(full.Motions) <= len(out.Motions) {
			break
		}
		if out = full; len(out.Motions) >= bones || next.Reason == ssdr.Cancelled {
			break
		}
		start = out
	}
	out.History = history
	return out, nil
}

// dropUnused returns the decomposition without the bones that no vertex follows.
func dropUnused(x *ssdr.Examples, d *ssdr.Decomposition) *ssdr.Decomposition {
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
