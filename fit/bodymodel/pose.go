package bodymodel

import (
	"context"
	"runtime"
)

const (
	// poseRounds is how often [FitPoses] takes jointSteps steps at most, and poseStall the fall of Q in them, as a share,
	// below which it ends: a share of 1e-4 of Q is half that of RMS.
	poseRounds = 30
	poseStall  = 1e-4
)

// FitPoses returns the body in the poses that bring it nearest to other scans of the same vertices, with their errors
// at α = 0: only poses move. They start from Procrustes' method. A done context ends it with the
// best so far.
func FitPoses(ctx context.Context, b *Body, s *Scans, workers int) (*Body, Errors) {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	out := b.Clone()
	out.startPoses(s, workers, false)
	f := newSolver(s, out, 0, workers)
	q := f.errors().Q
	for range poseRounds {
		before := q
		f.joints(ctx, jointSteps, false)
		if q = f.errors().Q; ctx.Err() != nil || before-q <= poseStall*before {
			break
		}
	}
	return out, f.errors()
}
