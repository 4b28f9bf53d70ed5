package ssdr

import (
	"context"
	"math/rand/v2"
	"slices"

	"skinlab/fit/training"
)

// A sketch is some of the vertices and examples. It determines the places of helper bones nearly as well as all do. So
// bones are inserted on a sketch, which is cheap enough to compare several starts. All vertices and examples take part
// in the last rounds.
const (
	sketchedExamples = 200
	sketchedVertices = 2500
	startRounds      = 15 // after the last bone, before starts are compared
)

// bestStart decomposes a sketch in the ways of the recipe, and returns a start for all of the examples by the
// decomposition of most bones and least error.
func bestStart(ctx context.Context, x *training.Examples, opt Options) (best *Decomposition) {
	rng := rand.New(rand.NewPCG(1, 1))
	few := fewer(x, rng)
	small := few
	if n := len(x.Targets); n > 2*sketchedExamples {
		small = few.Pick(sample(rng, n, sketchedExamples))
	}
	if tell := opt.Progress; tell != nil {
		opt.Progress = func(step Step, _ *Solver) { tell(step, nil) }
	}
	short := *opt.Recipe
	short.Rounds = startRounds
	opt.Recipe = &short
	for _, trial := range short.Starts {
		d := decompose(ctx, small, opt, trial)
		if best == nil || len(d.Motions) > len(best.Motions) || len(d.Motions) == len(best.Motions) && d.RMS < best.RMS {
			best = d
		}
		if ctx.Err() != nil {
			break
		}
	}
	if small != few { // motions in all examples
		s := newSolver(few, &opt)
		s.begin(&Decomposition{Weights: best.Weights})
		best.Motions = s.Current().Motions
	}
	if few != x {
		best.Weights = nil
	}
	return best
}

// sample returns count of the numbers below n, in ascending order.
func sample(rng *rand.Rand, n, count int) []int {
	out := rng.Perm(n)[:count]
	slices.Sort(out)
	return out
}

// fewer returns the examples with fewer vertices, chosen at random, if there are many. They have no triangles.
func fewer(x *training.Examples, rng *rand.Rand) *training.Examples {
	if len(x.Rest) <= 2*sketchedVertices {
		return x
	}
	chosen := sample(rng, len(x.Rest), sketchedVertices)
	out := *x
	out.Triangles, out.Rest, out.Rigged = nil, training.Pick(x.Rest, chosen), training.Pick(x.Rigged, chosen)
	out.Targets = nil
	for _, target := range x.Targets {
		out.Targets = append(out.Targets, training.Pick(target, chosen))
	}
	return &out
}
