package bodymodel

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"time"

	"skinlab/fit"
	"skinlab/skinning"
	"skinlab/skinning/parallel"
)

// options tune [solve].
type options struct {
	Recipe      *Recipe
	Skeleton    *skeleton // to start from; nil finds limbs in the scans
	Start       startOptions
	Alpha       float64 // the weight of the Laplacian in Q
	Rounds      int     // at each weight of the Laplacian at most; at least 1
	FixedJoints bool    // joints stay where they start; poses move
	Linear      bool    // fit a body for linear blending
	Workers     int     // 0 means all cores; the result does not depend on it
	// Progress receives the state after each step on Solve's goroutine. The solution is read-only and changes after the
	// call. It may be nil.
	Progress func(p Phase, s *solution)
}

// Phase is the state after a step.
type Phase struct {
	Name    string  // "start", "weights", "vertices" or "joints"
	Alpha   float64 // of Q
	Round   int     // at this α, from 1; 0 at the start
	Share   float64 // of the work that is done, as far as that can be told
	Elapsed time.Duration
	Errors
}

// solution is a fitted body.
type solution struct {
	*Body
	Errors          // at the last α
	First   *Body   // as it started
	Rigid   float64 // RMS distance of the best rigid predictions: each vertex moved by one limb of the start, metres
	Largest float64 // distance of a vertex, metres
	History []Phase // Q never rises at one α
	Reason  fit.Reason
}

// solve fits a body to scans by a recipe's steps. A done context ends it with the best body so far. If there is none
// yet, it returns the context's error.
func solve(ctx context.Context, s *scans, opt options) (*solution, error) {
	if opt.Rounds < 1 || !(opt.Alpha >= 0) || math.IsInf(opt.Alpha, 1) {
		panic(fmt.Sprintf("bodymodel: Solve: %d rounds, α = %g", opt.Rounds, opt.Alpha))
	}
	if opt.Workers <= 0 {
		opt.Workers = runtime.GOMAXPROCS(0)
	}
	begin, recipe := time.Now(), opt.Recipe
	body := Start(ctx, s, opt.Skeleton, opt.Start)
	if err := ctx.Err(); err != nil { // a cancelled start may have fewer limbs than it should
		return nil, err
	}
	if err := holds(len(s.Shapes), len(body.Joints)); err != nil {
		return nil, err
	}
	body.Linear = opt.Linear
	body.setAxes()
	var alphas []float64
	for _, a := range recipe.Alphas {
		if a < opt.Alpha {
			alphas = append(alphas, a)
		}
	}
	alphas = append(alphas, opt.Alpha)
	f := newSolver(s, body, alphas[0], opt.Workers)
	f.jointTurn = recipe.JointTurn
	out := &solution{Body: body, First: body.Clone(), Rigid: f.rigid(), Reason: fit.Converged}
	told := func(name string, stage, round int) float64 {
		p := Phase{Name: name, Alpha: f.alpha, Round: round, Elapsed: time.Since(begin), Errors: f.errors()}
		p.Share = (float64(stage) + float64(round)/float64(opt.Rounds+1)) / float64(len(alphas))
		out.History = append(out.History, p)
		if opt.Progress != nil {
			opt.Progress(p, out)
		}
		return p.Q
	}
	joints := recipe.Joints
	if opt.FixedJoints {
		joints = recipe.Poses
	}
	for stage, alpha := range alphas {
		f.setAlpha(alpha)
		out.Reason = fit.RoundLimit
		q := told("start", stage, 0)
		for round := 1; round <= opt.Rounds && ctx.Err() == nil; round++ {
			before := q
			for _, step := range []struct {
				name    string
				improve Step
			}{{"weights", recipe.Weights}, {"vertices", recipe.Vertices}, {"joints", joints}} {
				if err := step.improve(ctx, f); err != nil {
					return nil, err
				}
				q = told(step.name, stage, round)
			}
			if before-q <= recipe.Stall*before {
				out.Reason = fit.Converged
				break
			}
		}
	}
	f.setAlpha(opt.Alpha)
	out.Errors, out.Largest = f.errors(), f.largest()
	if ctx.Err() != nil {
		out.Reason = fit.Cancelled
	}
	return out, nil
}

// holds returns an error where there is no memory for the equations of all scans, which are held at once.
func holds(scans, limbs int) error {
	poses := 3 + 3*limbs // unknowns, see scanEquations
	if err := fit.Holds(scans * poses * poses * 8); err != nil {
		return fmt.Errorf("%d scans of %d limbs: %w", scans, limbs, err)
	}
	return nil
}

// largest returns the largest distance of a vertex from its scan.
func (f *solver) largest() (most float64) {
	for _, off := range f.off {
		for _, d := range off {
			most = max(most, d.Dot(d))
		}
	}
	return math.Sqrt(most)
}

// rigid returns the RMS distance of the scans from the bind shape where each vertex moves with the one limb that
// predicts it best in all scans.
func (f *solver) rigid() float64 {
	n := len(f.body.Vertices)
	sums := make([]float64, parallel.Chunks(n))
	parallel.For(f.workers, len(sums), func(_, c int) {
		lo, hi := parallel.Chunk(c, n)
		for v := lo; v < hi; v++ {
			least := math.Inf(1)
			for j := range f.body.Joints {
				sum := 0.0
				for i, p := range f.palettes {
					d := f.scans.Shapes[i][v].Sub(p.Motions[j].Apply(f.body.Vertices[v]))
					sum += d.Dot(d)
				}
				least = min(least, sum)
			}
			sums[c] += least
		}
	})
	total := 0.0
	for _, sum := range sums {
		total += sum
	}
	return math.Sqrt(total / float64(max(n*len(f.palettes), 1)))
}

// Clone returns a copy. It shares only what fits do not change.
func (b *Body) Clone() *Body {
	out := *b
	out.Joints, out.Axes, out.Vertices = slices.Clone(b.Joints), slices.Clone(b.Axes), slices.Clone(b.Vertices)
	out.Swing, out.Twist = clonedShares(b.Swing), clonedShares(b.Twist)
	out.Poses = make([]Pose, len(b.Poses))
	for i, p := range b.Poses {
		out.Poses[i] = Pose{p.Place, slices.Clone(p.Turns)}
	}
	return &out
}

func clonedShares(all [][]skinning.Share) [][]skinning.Share {
	out := make([][]skinning.Share, len(all))
	for v := range all {
		out[v] = slices.Clone(all[v])
	}
	return out
}

// Poses are fitted in at most poseRounds steps, which end where Q falls by a share of less than poseStall: 0.5e-4 of
// the RMS error.
const (
	poseRounds = 30
	poseStall  = 1e-4
)

// fitPoses returns the body in the poses that bring it nearest to other scans of the same vertices, with their errors
// at α = 0: only poses move. They start from Procrustes' method. A done context ends it with the
// best so far.
func fitPoses(ctx context.Context, b *Body, s *scans, workers int) (*Body, Errors) {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	out := b.Clone()
	out.startPoses(s, workers)
	f := newSolver(s, out, 0, workers)
	f.settle(ctx)
	return out, f.errors()
}

// settle improves the poses alone until Q stalls. A done context ends it with the best so far.
func (f *solver) settle(ctx context.Context) {
	q := f.errors().Q
	for range poseRounds {
		before := q
		_ = gaussNewtonPoses(ctx, f) // it has no error
		q = f.errors().Q
		if ctx.Err() != nil || before-q <= poseStall*before {
			break
		}
	}
}
