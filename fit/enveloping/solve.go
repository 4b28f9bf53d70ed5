package enveloping

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"

	"skinlab/fit"
	"skinlab/fit/training"
	"skinlab/skinning"
	"skinlab/skinning/metrics"
)

// Options say how to fit.
type Options struct {
	Recipe  *Recipe // nil means [Ours]
	Proxies int     // P at most; 0 means 80
	// Target asks for the fewest proxies with which [Result.Fit] has an EE below this percentage. The paper's target
	// (RTER section 5.1, ε) is the error of the vertex reduction alone; the model's is several times as large. 0
	// means as many proxies as Proxies.
	Target float64
	// Rigid fixes vertices to trained SSD whose error is below this share of the mean (section 4.2); nil means 0.6, and
	// with 0 only vertices of no triangle with an area are fixed.
	Rigid   *float64
	Workers int // 0 means all processors
	// History makes models of fewer proxies too, from firstProxies on, so that the error can be seen falling. It does
	// not change a bit of the last model.
	History bool
	// Progress is told each stage as it begins and each better model, on Fit's goroutine; nil for none.
	Progress func(fit.Progress)
	// Skinned makes the skinned model of a step of the progress; nil where steps need none.
	Skinned func(m *Model) (*skinning.Model, error)
}

const (
	defaultProxies = 80
	defaultRigid   = 0.6
	// firstProxies is the number of the first model of a history. Each further one has twice as many.
	firstProxies = 5
)

func (o *Options) validate() error {
	if !(o.Target >= 0) {
		return fmt.Errorf("%w: target of %g percent", training.ErrExamples, o.Target)
	}
	if o.Recipe == nil {
		o.Recipe = Ours()
	}
	if o.Proxies <= 0 {
		o.Proxies = defaultProxies
	}
	if o.Rigid == nil {
		o.Rigid = new(defaultRigid)
	}
	if !(*o.Rigid >= 0) {
		return fmt.Errorf("%w: fixed below %g of the mean error", training.ErrExamples, *o.Rigid)
	}
	if o.Workers <= 0 {
		o.Workers = runtime.GOMAXPROCS(0)
	}
	return nil
}

// The reasons for which a fit ends, beside those of package fit.
const (
	ProxyLimit   fit.Reason = "proxy limit"                                 // the model has as many proxies as asked for
	Pruned       fit.Reason = "proxy limit, those without vertices removed" // that many were fitted, some without a vertex
	TargetMissed fit.Reason = "target missed"                               // EE was above it with every number that was tried
	NothingToDo  fit.Reason = "trained weights as good"                     // there is no proxy
)

// The points of a history that have no proxies.
const (
	pointRig     = "rig's weights"
	pointTrained = "trained weights"
	pointProxies = "proxy bones"
)

// Result is a fit and its baseline. A cancelled fit returns the best so far.
type Result struct {
	Model    *Model // without proxies if it was cancelled before there were any, or if trained weights are as good
	Trained  *SSD   // trained on the same examples
	SSD, Fit Errors // of Trained and Model over the examples, with their morph targets
	Last     fit.Progress
	Points   []fit.Point // of the history: the rig's weights, trained weights, and rising numbers of proxies
	Reason   fit.Reason
	Elapsed  time.Duration
}

// Fit learns a model from examples. A done context ends it with the best model so far and the reason [fit.Cancelled].
// If it was done before there was any, the error is [fit.ErrNoModel].
func Fit(ctx context.Context, x *training.Examples, opt Options) (*Result, error) {
	r, err := begin(ctx, x, opt)
	if err != nil {
		return nil, err
	}
	if err := r.checkMemory(0); err != nil {
		return nil, err
	}
	trained, err := r.train()
	if err != nil {
		return nil, err
	}
	m, reason, err := r.addProxies(trained)
	if err != nil {
		return nil, err
	}
	return r.result(trained, m, reason), nil
}

// fitSSD trains the weights of SSD alone: a model without proxies.
func fitSSD(ctx context.Context, x *training.Examples, opt Options) (*Result, error) {
	r, err := begin(ctx, x, opt)
	if err != nil {
		return nil, err
	}
	trained, err := r.train()
	if err != nil {
		return nil, err
	}
	return r.result(trained, r.best, fit.Converged), nil
}

// run is one call of Fit.
type run struct {
	ctx    context.Context
	opt    Options
	start  time.Time
	whole  *training.Examples // as they were given
	x      *training.Examples // welded, without morph targets
	of     []int              // per vertex, the welded one
	copies []float64          // per welded vertex, the number of its copies
	rigid  []float64          // per welded vertex, the squared error of the best rigid prediction
	best   *Model             // welded
	now    fit.Progress
	points []fit.Point
}

// begin makes a run of examples and options that have been checked.
func begin(ctx context.Context, x *training.Examples, opt Options) (*run, error) {
	if err := errors.Join(x.Validate(), opt.validate()); err != nil {
		return nil, err
	}
	if len(x.Triangles) == 0 || x.Primaries() == 0 || len(x.Parents) != x.Primaries() {
		return nil, fmt.Errorf("%w: %d triangles, %d joints of %d", training.ErrExamples, len(x.Triangles), x.Primaries(),
			len(x.Parents))
	}
	if n := len(x.Parents); n+opt.Proxies > 1<<16 {
		return nil, fmt.Errorf("%w: %d joints and %d proxies: an influence can name %d", training.ErrExamples, n, opt.Proxies, 1<<16)
	}
	if !opt.Recipe.Rig {
		x = withoutRig(x)
	}
	r := &run{ctx: ctx, opt: opt, start: time.Now(), whole: x}
	r.x, r.of = welded(withoutMorphed(x))
	r.copies = make([]float64, len(r.x.Rest))
	for _, v := range r.of {
		r.copies[v]++
	}
	return r, nil
}

// checkMemory returns an error where a fit that joins so many triangles must hold more memory than it may: the targets
// of all poses, and the sums of the groups that have more than one triangle at a time. They are assumed to be a seventh
// of the triangles. In ten fits they were a tenth to a third.
func (r *run) checkMemory(joined int) error {
	pairs := len(r.x.Targets)
	if r.x.Model != nil && r.x.Rigged != nil {
		pairs += r.opt.Recipe.PriorPoses + 1
	}
	numbers := 3*pairs*len(r.x.Rest) + 24*pairs*joined/7
	if len(r.x.Rest) < len(r.whole.Rest) { // copies are welded
		numbers += 3 * len(r.whole.Targets) * len(r.whole.Rest)
	}
	if err := fit.Holds(8 * numbers); err != nil {
		return fmt.Errorf("%d vertices in %d poses: %w", len(r.x.Rest), pairs, err)
	}
	return nil
}

// train trains the weights of SSD.
func (r *run) train() (*SSD, error) {
	r.stage("joint weights", 0.05)
	r.rigid = rigidErrors(r.x, r.opt.Workers)
	if err := r.ctx.Err(); err != nil {
		return nil, errNoModel(err)
	}
	if r.x.Rigged != nil {
		r.record(pointRig, nil, r.ee(residualsOf(r.x, r.opt.Workers, r.x.Palettes, r.x.Rigged).square))
	}
	s := trainSSD(r.x, r.opt.Recipe, r.opt.Workers, r.cancelled)
	m, ee := newModel(r.x, s.Weights), r.ee(s.square)
	r.found(m, ee)
	r.record(pointTrained, m, ee)
	return s, nil
}

// errNoModel is the error of a run that a context has ended before there was a model.
func errNoModel(err error) error { return fmt.Errorf("%w: %w", fit.ErrNoModel, err) }

// addProxies finds the proxies. A cancelled fit leaves its best model in r.best.
func (r *run) addProxies(trained *SSD) (m *Model, reason fit.Reason, err error) {
	if r.opt.Target > 0 && r.errors(r.best).EE < r.opt.Target {
		return r.best, fit.TargetMet, nil
	}
	r.stage("vertex groups", 0.2)
	fixed := fixedVertices(r.x, trained, *r.opt.Rigid)
	use, joined := used(r.x, fixed)
	if err := r.checkMemory(joined); err != nil {
		return nil, "", err
	}
	y := withPriors(r.x, r.opt.Recipe, dualBlended)
	groups := newClustering(y, use, r.opt.Proxies, r.opt.Recipe.Refit, r.opt.Workers)
	most := min(r.opt.Proxies, joined)
	if most == 0 {
		if r.opt.Target > 0 {
			return r.best, TargetMissed, nil
		}
		return r.best, NothingToDo, nil
	}
	groups.joinTo(most, r.cancelled)
	solve := func(count int) (*Model, float64, error) {
		groups.joinTo(count, r.cancelled)
		if r.cancelled() {
			return nil, 0, nil
		}
		of, transforms := groups.at(count)
		return r.solve(newSolution(y, r.opt.Recipe, trained, fixed, of, transforms, r.opt.Workers))
	}
	count := most
	if r.opt.Target > 0 {
		m, count, reason, err = r.fewest(most, solve)
		if m == nil {
			return nil, "", err
		}
	}
	for p := firstProxies; r.opt.History && p < count; p *= 2 {
		step, ee, err := solve(p)
		if step == nil {
			return nil, "", err
		}
		r.record(pointProxies, step, ee)
	}
	if reason != "" {
		return m, reason, nil
	}
	m, _, err = solve(count)
	if m == nil {
		return nil, "", err
	}
	switch m.Proxies() {
	case 0: // every vertex was left to the trained weights
		return m, NothingToDo, nil
	case count:
		return m, ProxyLimit, nil
	}
	return m, Pruned, nil
}

// used reports for each triangle whether one of its vertices is not fixed, and the number of these triangles.
func used(x *training.Examples, fixed []bool) (use []bool, count int) {
	use = make([]bool, len(x.Triangles))
	for k, t := range x.Triangles {
		use[k] = !fixed[t[0]] || !fixed[t[1]] || !fixed[t[2]]
		if use[k] {
			count++
		}
	}
	return use, count
}

// solve takes the steps of the recipe from groups to a model. It returns the model and its enveloping error, or nil
// where it was cancelled.
func (r *run) solve(s *solution) (*Model, float64, error) {
	r.stage("proxy bones", 0.4)
	s.fitProxies(r.cancelled)
	if s.recipe.Keys != nil {
		s.recipe.Keys(s)
	}
	r.stage("predictors", 0.6)
	s.fitKeys(r.cancelled)
	if r.cancelled() {
		return nil, 0, nil
	}
	if err := s.recipe.Matrices(s); err != nil {
		return nil, 0, err
	}
	s.drive()
	for range s.recipe.Refine {
		if r.cancelled() {
			return nil, 0, nil
		}
		s.fitMatrices()
		s.solveWeights(true)
	}
	m := &s.model
	square := residualsOf(r.x, r.opt.Workers, s.palettes, m.Weights).square
	if s.recipe.Refine > 0 {
		for v, e := range square {
			if !(e < s.trained.square[v]) {
				m.Weights[v], square[v] = s.trained.Weights[v], s.trained.square[v]
			}
		}
		m = m.pruned()
	}
	ee := r.ee(square)
	r.found(m, ee)
	return m, ee, nil
}

// fewest returns the model of fewest proxies whose EE is below the target, and its number of groups. It doubles the
// number until a model meets the target, and then bisects between that number and the last that missed it. The error
// need not fall at every step, so fewer proxies might meet it too. Where no number meets the target, it returns the
// best model that it tried. The model is nil where the fit was cancelled.
func (r *run) fewest(most int, solve func(int) (*Model, float64, error)) (best *Model, count int, reason fit.Reason, err error) {
	least, missed := 0.0, 0
	for step := 1; ; {
		m, _, err := solve(step)
		if m == nil {
			return nil, 0, "", err
		}
		ee := r.errors(m).EE
		met := ee < r.opt.Target
		if best == nil || met || reason != fit.TargetMet && ee < least {
			best, least = m, ee
		}
		switch {
		case met:
			count, reason = step, fit.TargetMet
		case step == most:
			return best, most, TargetMissed, nil
		default:
			missed = step
		}
		if reason != fit.TargetMet {
			step = min(2*step, most)
		} else if step = (count + missed) / 2; count-missed <= 1 {
			return best, count, reason, nil
		}
	}
}

func (r *run) cancelled() bool { return r.ctx.Err() != nil }

// ee returns the enveloping error for the squared errors of the welded vertices.
func (r *run) ee(square []float64) float64 {
	sum, rigid := 0.0, 0.0
	for v, e := range square {
		sum += r.copies[v] * e
		rigid += r.copies[v] * r.rigid[v]
	}
	return metrics.EnvelopingError(sum, rigid, len(r.of)*len(r.x.Targets), r.x.Diagonal())
}

// base returns the squared errors of the best rigid prediction over the examples before welding.
func (r *run) base() []float64 {
	if r.whole.Morphed != nil {
		return rigidErrors(r.whole, r.opt.Workers)
	}
	return training.Pick(r.rigid, r.of)
}

// errors returns the errors of a welded model over the examples before welding, as the result reports them.
func (r *run) errors(m *Model) Errors {
	return m.split(r.of).residuals(r.whole, r.opt.Workers).measure(r.whole, r.base())
}

// result measures what the fit ends with.
func (r *run) result(trained *SSD, m *Model, reason fit.Reason) *Result {
	if r.cancelled() {
		m, reason = r.best, fit.Cancelled
	}
	r.stage("errors", 0.95)
	s := &SSD{training.Pick(trained.Weights, r.of), training.Pick(trained.square, r.of)}
	joints := residualsOf(r.whole, r.opt.Workers, r.whole.Palettes, s.Weights)
	out := &Result{Model: m.split(r.of), Trained: s, SSD: joints.measure(r.whole, r.base()), Fit: r.errors(m), Reason: reason}
	if m.Proxies() > 0 && reason != fit.Cancelled {
		ee := out.Fit.EE
		if r.whole.Morphed != nil { // the history is without morph targets, as the fit is
			ee = r.ee(m.residuals(r.x, r.opt.Workers).square)
		}
		r.record(pointProxies, m, ee)
	}
	out.Last, out.Points, out.Elapsed = r.now, r.points, time.Since(r.start)
	return out
}

// stage reports the stage that begins, and the share of the work that is done.
func (r *run) stage(what string, share float64) {
	r.now.Stage, r.now.Share = what, max(r.now.Share, share)
	r.report()
}

// found takes a model if it is the best so far, and reports it.
func (r *run) found(m *Model, ee float64) {
	if r.best == nil || ee < r.now.Now.EE {
		r.best, r.now.Now = m, r.step(m, ee)
		r.report()
	}
}

// step is a state of the fit.
func (r *run) step(m *Model, ee float64) fit.Step {
	s := fit.Step{Added: m.Proxies(), EE: ee, Elapsed: time.Since(r.start)}
	if r.opt.Skinned != nil {
		s.Model = fit.LazyModel(func() (*skinning.Model, error) { return r.opt.Skinned(m.split(r.of)) })
	}
	return s
}

// record adds a point to the history. The model is welded, or nil. Models of the history have more and more proxies.
// Since those that no vertex follows are pruned, a model of more groups may have no more proxies than the last one:
// it replaces models that have as many and a larger error, or is left out.
func (r *run) record(what string, m *Model, ee float64) {
	point := fit.Point{What: what, EE: metrics.Percent(ee), Seconds: time.Since(r.start).Seconds()}
	if what != pointProxies {
		r.now.Marks = append(slices.Clip(r.now.Marks), fit.Mark{Name: what, EE: ee})
	}
	if m != nil {
		point.AddedBones = m.Proxies()
	}
	r.points = append(r.points, point)
	if m == nil || !r.opt.History || r.opt.Skinned == nil {
		return
	}
	all, s := r.now.History, r.step(m, ee)
	for n := len(all); n > 0 && all[n-1].Added >= s.Added; n-- {
		if !(all[n-1].EE > ee) {
			return
		}
		all = all[:n-1]
	}
	r.now.History = append(slices.Clip(all), s)
}

func (r *run) report() {
	if r.opt.Progress != nil {
		r.now.Now.Elapsed = time.Since(r.start)
		r.opt.Progress(r.now)
	}
}
