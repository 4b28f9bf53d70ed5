// Package blendbones makes a nonlinear skinning method linear. It adds blend bones to the joints of a model. The matrix
// of a blend bone is Φ(u; C): the nonlinear operator Φ blends the joints' matrices C with the bone's fixed weights u.
// Then weights over blend bones and joints (the masters) are fitted, so that linear blending looks like the nonlinear
// method (ALNS: Kavan, Collins, O'Sullivan 2009, Algorithm 1).
//
// # Where the speed is
//
// The normal equations of a vertex need only v̂ᵀ(Σ_f C_aᵀC_b)v̂: one 4×4 moment per pair of bones, summed over all
// frames f ([linear.Form]). Only the columns of the few bones in its active set are computed (wstep.go). The gain of a
// candidate is computed again only where weights or bones have changed, and only while it may be the largest
// (candidates.go). The u-step needs the vertices only as sums of v̂v̂ᵀ and of residuals (ustep.go). The weights follow
// the bones within that step, so a few steps converge where the alternation of Algorithm 1 takes a hundred
// (project.go).
//
// # Where it goes beyond the paper
//
// The steps that the paper does not have, and what each of them buys, are those of [departures]. The poses of a clip are
// chosen, too ([training.Set.ChooseOfParts]).
package blendbones

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"time"

	"skinlab/skinning"
	"skinlab/skinning/metrics"
	"skinlab/skinning/parallel"
	"skinlab/skinning/rig"
)

// Problem is a model and the poses that it is trained on.
type Problem struct {
	Model    *skinning.Model
	Operator skinning.Method   // one of skinning.Operators
	Frames   []*skinning.Frame // poses of the model; those that are unrolled train without antipodality resolution
}

// ErrProblem marks a problem that no fit can start from.
var ErrProblem = errors.New("blend bones: bad problem")

// Validate reports every defect of the problem.
func (p *Problem) Validate() error {
	var errs []error
	bad := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("%w: "+format, append([]any{ErrProblem}, args...)...))
	}
	if p.Model == nil || len(p.Model.Skin.Positions) == 0 {
		bad("the model has no skin")
	}
	if !p.Operator.IsOperator() {
		bad("%s needs no blend bones", p.Operator.Title())
	}
	if len(p.Frames) == 0 {
		bad("no training poses")
	}
	for i, f := range p.Frames {
		for j := range f.Matrices {
			if !f.Matrices[j].IsFinite() {
				bad("pose %d: joint %d %q is not finite", i, j, f.Model.Skeleton.Joints[j].Name)
				break
			}
		}
	}
	return errors.Join(errs...)
}

// roomFor reports an error where the joints and added bones are more than the 16 bits of an influence can number.
func (p *Problem) roomFor(bones int) error {
	if n := len(p.Model.Skeleton.Joints); n+bones > 1<<16 {
		return fmt.Errorf("%w: %d joints and %d added ones: an influence can name %d", ErrProblem, n, bones, 1<<16)
	}
	return nil
}

// Options tune [Solve].
type Options struct {
	MaxBones int     // blend bones to place at most; 0 means 10
	Target   float64 // stop when EE falls below this percentage; 0 means run to MaxBones
	// AsPublished runs Algorithm 1 of the paper without the departures from it.
	AsPublished  bool
	FromSkeleton bool           // the poses are made from the skeleton and are no part of a clip, see [Options.priorShare]
	LongWay      bool           // of the rig, see [rig.BlendBones]
	Weights      []float64      // of the poses' squared errors, above 0; nil for 1 each. Results are without them
	Workers      int            // 0 means GOMAXPROCS; the result does not depend on it
	Progress     func(Progress) // called between steps and within long ones on Solve's goroutine; may be nil
}

func (o *Options) validate(p *Problem) error {
	if o.MaxBones < 0 || o.MaxBones > 1000 {
		return fmt.Errorf("%w: %d blend bones: from 0 to 1000", ErrProblem, o.MaxBones)
	}
	if !(o.Target >= 0) {
		return fmt.Errorf("%w: target EE of %g percent", ErrProblem, o.Target)
	}
	if o.Weights != nil && len(o.Weights) != len(p.Frames) {
		return fmt.Errorf("%w: %d weights of %d poses", ErrProblem, len(o.Weights), len(p.Frames))
	}
	for i, w := range o.Weights {
		if !(w > 0) || math.IsInf(w, 0) {
			return fmt.Errorf("%w: pose %d: weight %g", ErrProblem, i, w)
		}
	}
	return nil
}

// Progress is the present state of a fit. Its rig is a copy that the receiver may keep.
type Progress struct {
	EE      float64
	Rig     *Rig
	Elapsed time.Duration
	History []Step // so far; not to be changed
}

// Reason says why a fit ended.
type Reason int

// The reasons.
const (
	BoneLimit   Reason = iota // MaxBones are placed
	TargetMet                 // EE is below Target
	NoGain                    // no further bone lowers the error
	Cancelled                 // the context was done; the result is the best so far
	NothingToDo               // the operator and linear blending agree on all poses
)

func (r Reason) String() string {
	return [...]string{"bone limit", "target met", "no further gain", "cancelled", "nothing to do: already linear"}[r]
}

// Step is one point of a fit's history.
type Step struct {
	Rig     *Rig
	EE      float64 // percent, training poses
	Elapsed time.Duration
}

// Result is the best model so far, so that a cancelled fit is still usable.
type Result struct {
	Rig     *Rig
	EE      float64 // percent, over all training poses
	RMS     float64 // fraction of the rest-pose diagonal
	Max     float64
	History []Step // one step per number of blend bones, from 0 on
	Reason  Reason
	Elapsed time.Duration
}

// Solve runs Algorithm 1. Its only error is that of a bad problem. A cancelled fit has a result.
func Solve(ctx context.Context, p *Problem, opt Options) (*Result, error) {
	if err := errors.Join(opt.validate(p), p.Validate()); err != nil {
		return nil, err
	}
	if opt.MaxBones == 0 {
		opt.MaxBones = 10
	}
	if err := p.roomFor(opt.MaxBones); err != nil {
		return nil, err
	}
	return newRun(ctx, p, opt).solve(), nil
}

// run is one call of Solve.
type run struct {
	*solver
	ctx      context.Context
	opt      Options
	problem  *Problem
	start    time.Time
	size     float64 // the rest diagonal, metres
	history  []Step
	reported time.Time
	pause    time.Duration                  // before the next report
	measured struct{ total, given float64 } // givenTotal, and the total over all poses that it belongs to
	judge    *solver                        // what errors are measured with, see judged; nil for the run's own
}

func newRun(ctx context.Context, p *Problem, opt Options) *run {
	if opt.Workers <= 0 {
		opt.Workers = runtime.GOMAXPROCS(0)
	}
	r := &run{ctx: ctx, opt: opt, problem: p, start: time.Now(), size: p.Model.Diagonal()}
	with := ours
	if opt.AsPublished {
		with = departures{}
	}
	r.solver = &solver{data: prepare(p, opt.teacher(p.Operator), with, &opt), workers: opt.Workers,
		scratch: make([]workspace, opt.Workers)}
	if r.method != p.Operator {
		r.judge = &solver{data: prepare(p, p.Operator, with, &opt), workers: opt.Workers,
			scratch: r.scratch}
		r.rigid = r.judge.rigid
	}
	r.products = make([][]product, len(r.initial))
	r.w, r.between, r.stop = slices.Clone(r.initial), r.report, r.stopped
	r.listBones()
	return r
}

func (r *run) stopped() bool { return r.ctx.Err() != nil }

// ee is the enveloping error in percent over the given poses, see [metrics.EnvelopingError].
func (r *run) ee() float64 {
	if total := r.total(); total != r.measured.total || r.measured.given == 0 {
		r.measured.total, r.measured.given = total, r.judged().givenTotal()
	}
	return metrics.EnvelopingError(r.measured.given, r.rigid, len(r.w)*r.given, r.size)
}

// givenTotal returns Σ over all vertices and the given frames of the squared error.
func (s *solver) givenTotal() (e float64) {
	n := len(s.w)
	parts := make([]float64, parallel.Chunks(n))
	parallel.For(s.workers, len(parts), func(worker, c int) {
		lo, hi := parallel.Chunk(c, n)
		for v := lo; v < hi; v++ {
			for f, d := range s.residualsOf(&s.scratch[worker], &s.w[v], v, s.given) {
				parts[c] += d.Dot(d) * s.plain[f]
			}
		}
	})
	for _, p := range parts {
		e += p
	}
	return e
}

func (r *run) solve() *Result {
	r.record()
	reason := r.grow(r.opt.MaxBones, true)
	for polished := -1; r.with.settle && reason != Cancelled && reason != NothingToDo && len(r.bones) > polished; {
		polished = len(r.bones)
		r.polish()
		if reason == NoGain { // polished bones may leave errors that a further bone lowers
			reason = r.grow(r.opt.MaxBones, true)
		}
	}
	return r.result(reason)
}

// result returns the present state, with the reason unless the fit was cancelled.
func (r *run) result(reason Reason) *Result {
	if r.stopped() {
		reason = Cancelled
	}
	out := &Result{Rig: r.rig(), EE: r.ee(), History: r.history, Reason: reason}
	out.RMS, out.Max = r.judged().distances(r.size)
	out.Elapsed = time.Since(r.start)
	return out
}

// grow places bones one by one until there are limit, and returns why it ended.
func (r *run) grow(limit int, record bool) Reason {
	if r.ee() < 1e-9 {
		return NothingToDo
	}
	if r.gains == nil {
		r.collectCandidates()
	}
	for len(r.bones) < limit {
		if r.met() {
			return TargetMet
		}
		if r.ee() < 1e-9 {
			return NoGain // on the given poses; a bone always lowers the error of the prior ones
		}
		c := r.bestCandidate(r.stopped, r.report)
		if r.stopped() {
			return Cancelled
		}
		if c == nil || c.gain < 1e-9*r.total() {
			return NoGain
		}
		r.add(c.bone)
		last := len(r.bones) - 1
		r.alternate(r.sharing(last), []int{last}, 3, 2e-3)
		if record {
			r.record()
		}
		if r.stopped() {
			return Cancelled
		}
	}
	if r.met() {
		return TargetMet
	}
	return BoneLimit
}

func (r *run) met() bool { return r.opt.Target > 0 && r.ee() < r.opt.Target }

// alternate runs the repeat-until loop of Algorithm 1 over a group of bones. It ends after the given number of rounds,
// or when a round lowers the error by less than share. First the vertices that may follow one of the fresh bones choose
// among all bones in reach. Of the group only those bones move that some vertex then follows together with a fresh one:
// the others gain nothing from it, and a master has the more bones the more there are. Later those vertices that follow
// a bone that has moved only try exchanges. A full search at every step changes EE in the fifth digit only, and makes a
// fit of 80 bones a fifth slower.
func (r *run) alternate(group, fresh []int, rounds int, share float64) {
	if !r.with.follow {
		r.alternateSoftly(group, fresh)
		return
	}
	r.solveWeights(r.reach(fresh), rough, true)
	group = r.beside(fresh, group)
	vertices := r.reach(group)
	for range rounds {
		if r.stopped() {
			return
		}
		before := r.total()
		if !r.moveBones(group, vertices) {
			return
		}
		r.solveWeights(r.following(group, vertices), rough, false)
		r.report()
		if r.total() > before*(1-share) {
			return
		}
	}
}

// record adds the present state to the history and reports it.
func (r *run) record() {
	r.history = append(r.history, Step{r.rig(), r.ee(), time.Since(r.start)})
	r.reported = time.Time{}
	r.report()
}

// improve replaces the last step of the history with the present state.
func (r *run) improve() {
	r.history[len(r.history)-1] = Step{r.rig(), r.ee(), time.Since(r.start)}
}

// reportEvery is the least time between two reports. reportRest is the least pause as a multiple of the time that the
// last report took. A report sums the error and copies the rig, which takes longer than reportEvery for a million
// vertices.
const (
	reportEvery = 100 * time.Millisecond
	reportRest  = 9
)

// report sends the present state. During a trial it sends the last step of the history.
func (r *run) report() {
	start := time.Now()
	if r.opt.Progress == nil || start.Sub(r.reported) < r.pause {
		return
	}
	p := Progress{Elapsed: start.Sub(r.start), History: r.history}
	p.EE, p.Rig = r.ee(), r.rig()
	r.opt.Progress(p)
	r.reported = time.Now()
	r.pause = max(reportEvery, reportRest*r.reported.Sub(start))
}

// rig copies the present state.
func (r *run) rig() *Rig {
	out := &Rig{Operator: r.problem.Operator, LongWay: r.opt.LongWay}
	for _, b := range r.bones {
		out.Bones = append(out.Bones, rig.BlendBone{Joint: r.joints + len(out.Bones), Masters: slices.Clone(b.joints),
			Weights: slices.Clone(b.u), Swings: slices.Clone(b.swings)})
	}
	out.Influences.Bindings = make([]skinning.Binding, 0, len(r.w))
	var raw [maxJoints]skinning.Influence
	for v := range r.w {
		w := &r.w[v]
		for k := range w.count {
			raw[k] = skinning.Influence{Joint: uint16(w.bone[k]), Weight: float32(w.weight[k])}
		}
		out.Influences.Append(raw[:w.count], 0)
	}
	return out
}

// distances returns the root mean square and the largest error over the given poses, as fractions of a size.
func (s *solver) distances(size float64) (rms, most float64) {
	sum := 0.0
	for v := range s.w {
		for f, d := range s.residualsOf(&s.scratch[0], &s.w[v], v, s.given) {
			d2 := d.Dot(d) * s.plain[f]
			sum += d2
			most = math.Max(most, d2)
		}
	}
	if size == 0 {
		return 0, 0
	}
	return math.Sqrt(sum/float64(len(s.w)*s.given)) / size, math.Sqrt(most) / size
}
