package bodymodel

import (
	"cmp"
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
	Skeleton *skeleton // to start from; nil finds limbs in the scans
	Start    startOptions
	Alpha    float64 // the weight of the Laplacian in Q
	Rounds   int     // of all phases at most, at the last α; at least 1
	// Steps are weights of the Laplacian, ascending, at which the fit runs before it runs at Alpha. Nil means none, as
	// published.
	Steps       []float64
	FixedJoints bool // joints stay where they start; poses move
	// Published uses the paper's phases: plain coordinate descent of the weights without a tie between the two sets,
	// and Gauss-Newton steps without damping.
	Published bool
	Linear    bool // fit a body for linear blending
	Workers   int  // 0 means all cores; the result does not depend on it
	// Progress receives the state after each phase on Solve's goroutine. The solution is read-only and changes after the
	// call. It may be nil.
	Progress func(p Phase, s *solution)
}

// steps are the weights of the Laplacian that a fit at α goes through (rows 269, 270). At a large α a vertex hardly
// moves without its neighbours.
func steps(alpha float64) []float64 {
	var steps []float64
	for _, a := range []float64{0, 10} {
		if a < alpha {
			steps = append(steps, a)
		}
	}
	return steps
}

// Phase is the state after a phase.
type Phase struct {
	Name    string  // "start", "joints", "weights", "surface" or "vertices"
	Alpha   float64 // of Q
	Round   int     // at this α, from 1; 0 at the start
	Share   float64 // of the work that is done, as far as that can be told
	Elapsed time.Duration
	Errors
}

// reason is why a fit ended.
type reason string

// Ends of a fit.
const (
	converged  reason = "converged"
	roundLimit reason = "round limit"
	cancelled  reason = "cancelled"
)

// solution is a fitted body.
type solution struct {
	*Body
	Errors          // at the last α
	First   *Body   // as it started
	Rigid   float64 // RMS distance of the best rigid predictions: each vertex moved by one limb of the start, metres
	Largest float64 // distance of a vertex, metres
	History []Phase // Q never rises at one α
	Reason  reason
}

const (
	// Rounds at an α end when Q falls by less than a share of itself: stall at the last α, and stepStall at the first
	// of several (rows 275, 276). Every α between these gets one round. With these numbers the fit to the arm's 31
	// examples ends at an RMS of 1.61 mm and Q of 1.146 m², after 9 s of processor time.
	stall     = 3e-2
	stepStall = 2.5e-2
	// The paper iterates until convergence (section 4). As published, the share is the following one.
	publishedStall = 1e-4
	// A round solves the weights of every vertex sweeps times, and moves joints and poses by jointSteps steps of Levenberg
	// and Marquardt (row 274). One of each lowers Q most for its time.
	sweeps     = 1
	jointSteps = 1
)

// solve fits a body to scans (EBM section 4): joints and poses, both sets of weights, and vertices in turns until Q
// stalls, first at the smaller weights of the Laplacian. A done context ends it with the best body so far. If there is
// none yet, it returns the context's error.
func solve(ctx context.Context, s *scans, opt options) (*solution, error) {
	if opt.Rounds < 1 || !(opt.Alpha >= 0) || math.IsInf(opt.Alpha, 1) {
		panic(fmt.Sprintf("bodymodel: Solve: %d rounds, α = %g", opt.Rounds, opt.Alpha))
	}
	if opt.Workers <= 0 {
		opt.Workers = runtime.GOMAXPROCS(0)
	}
	begin := time.Now()
	body, err := Start(ctx, s, opt.Skeleton, opt.Start)
	if err = cmp.Or(err, ctx.Err()); err != nil { // a cancelled start may have fewer limbs than it should
		return nil, err
	}
	poses := 3 + 3*len(body.Joints) // unknowns, see scanEquations: those of all scans are held at once
	if err := fit.Holds(len(s.Shapes) * poses * poses * 8); err != nil {
		return nil, fmt.Errorf("%d scans of %d limbs: %w", len(s.Shapes), len(body.Joints), err)
	}
	body.Linear = opt.Linear
	body.setAxes()
	alphas := append(slices.Clone(opt.Steps), opt.Alpha)
	f := newSolver(s, body, alphas[0], opt.Workers)
	if f.published = opt.Published; !f.published {
		f.tie = tieOf(body.Vertices)
	}
	out := &solution{Body: body, First: body.Clone(), Rigid: f.rigid(), Reason: converged}
	told := func(name string, stage, round int) float64 {
		p := Phase{Name: name, Alpha: f.alpha, Round: round, Elapsed: time.Since(begin), Errors: f.errors()}
		p.Share = (float64(stage) + float64(round)/float64(opt.Rounds+1)) / float64(len(alphas))
		out.History = append(out.History, p)
		if opt.Progress != nil {
			opt.Progress(p, out)
		}
		return p.Q
	}
	phases := f.phases(&opt)
	for stage, alpha := range alphas {
		f.setAlpha(alpha)
		last := stage == len(alphas)-1
		q := told("start", stage, 0)
		for round := 1; ctx.Err() == nil; round++ {
			before, limit := q, 1.
			switch {
			case opt.Published:
				limit = publishedStall
			case last:
				limit = stall
			case stage == 0:
				limit = stepStall
			}
			for _, p := range phases {
				if err := p.improve(ctx); err != nil {
					return nil, err
				}
				q = told(p.name, stage, round)
			}
			if before-q <= limit*before {
				break
			}
			if round == opt.Rounds {
				if last {
					out.Reason = roundLimit
				}
				break
			}
		}
	}
	f.setAlpha(opt.Alpha)
	out.Errors, out.Largest = f.errors(), f.largest()
	if ctx.Err() != nil {
		out.Reason = cancelled
	}
	return out, nil
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

// phase is a part of a round.
type phase struct {
	name    string
	improve func(ctx context.Context) error
}

// phases returns a round (rows 271, 272).
func (f *solver) phases(opt *options) []phase {
	joints := phase{"joints", func(ctx context.Context) error {
		f.joints(ctx, jointSteps, !opt.FixedJoints)
		return nil
	}}
	weights := phase{"weights", func(ctx context.Context) error {
		f.weights(ctx, sweeps)
		return nil
	}}
	if opt.Published {
		return []phase{weights, {"vertices", f.vertices}, joints}
	}
	return []phase{joints, weights, {"surface", f.surface}}
}

const (
	// poseRounds is the largest number of rounds of jointSteps steps in [fitPoses]. It ends before where Q falls by a
	// share of less than poseStall in a round: 1e-4 of Q is 0.5e-4 of the RMS error.
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
