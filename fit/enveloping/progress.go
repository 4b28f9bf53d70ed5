package enveloping

import (
	"context"
	"slices"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
	"skinlab/skinning/metrics"
)

// Progress is how far a fit has come. Its receiver may keep it and must not change it.
type Progress struct {
	Stage   string
	Model   *Model  // the best so far on the examples; nil until there is one
	Proxies int     // the number of its proxy bones
	EE      float64 // its enveloping error over the examples, percent
	Elapsed time.Duration
	History []Step
}

// Step is one point of a fit's history. The first has the rig's own weights and the second trained weights, both
// without a proxy. The others have a rising number of proxies.
type Step struct {
	What    string
	Proxies int
	EE      float64 // percent, over the examples
	Elapsed time.Duration
	Model   *Model // nil without [Options.History], and for the rig's own weights
}

// The kinds of steps.
const (
	stepRig     = "rig's weights"
	stepTrained = "trained weights"
	stepProxies = "proxy bones"
)

// Reason says why a fit ended.
type Reason int

// The reasons.
const (
	ProxyLimit   Reason = iota // the model has the number of proxies that was asked for, or one for each triangle
	Pruned                     // that many were fitted, and those that no vertex follows were removed
	TargetMet                  // EE is below the target
	TargetMissed               // EE was above the target with every number of proxies that was tried
	NothingToDo                // trained weights predict every vertex as well: there is no proxy
	Converged                  // only trained weights were asked for
	FewerBetter                // more proxies have a larger error over the few poses of the examples
	Cancelled                  // the context ended the fit: the result is the best so far
)

func (r Reason) String() string {
	return [...]string{"proxy limit", "proxy limit, those without vertices removed", "target met", "target missed",
		"trained weights as good", "converged", "fewer proxies are better", "cancelled"}[r]
}

// run is one call of Fit.
type run struct {
	ctx      context.Context
	opt      Options
	start    time.Time
	x        *Examples // welded
	y        *Examples // x with prior pairs behind
	of       []int     // per vertex, the welded one
	copies   []float64 // per welded vertex, the number of its copies
	diagonal float64
	rigid    float64   // Σ of the squared errors of the best rigid prediction
	whole    *Examples // as they were given
	base     []float64 // per vertex of whole, the squared error of the best rigid prediction
	best     *Model    // welded
	paper    published
	now      Progress
}

func newRun(ctx context.Context, whole *Examples, opt Options) *run {
	r := &run{ctx: ctx, opt: opt, start: time.Now(), whole: whole, paper: opt.published()}
	r.x, r.of = whole.withoutMorphed().welded()
	r.diagonal = r.x.diagonal()
	r.copies = make([]float64, len(r.x.Rest))
	for _, v := range r.of {
		r.copies[v]++
	}
	return r
}

func (r *run) cancelled() bool { return r.ctx.Err() != nil }

// ee returns the enveloping error for the squared errors of the welded vertices.
func (r *run) ee(square []float64) float64 {
	sum := 0.0
	for v, e := range square {
		sum += r.copies[v] * e
	}
	return metrics.EnvelopingError(sum, r.rigid, len(r.of)*len(r.x.Pairs), r.diagonal)
}

// errors returns the errors of a welded model over the examples before welding, as the result reports them.
func (r *run) errors(m *Model) Errors { return m.split(r.of).measure(r.whole, r.base, r.opt.Workers) }

// stage reports the stage that begins.
func (r *run) stage(what string) {
	r.now.Stage = what
	r.report()
}

// found takes a model if it is the best so far, and reports it.
func (r *run) found(m *Model, ee float64) {
	if r.best != nil && !(ee < r.now.EE) {
		return
	}
	r.best, r.now.Model, r.now.Proxies, r.now.EE = m, nil, m.Proxies(), ee
	r.report()
}

// record adds a step to the history. The model is welded, or nil.
func (r *run) record(what string, m *Model, ee float64) {
	step := Step{What: what, EE: ee, Elapsed: time.Since(r.start)}
	if m != nil {
		if step.Proxies = m.Proxies(); r.opt.History {
			step.Model = m.split(r.of)
		}
	}
	r.now.History = append(slices.Clip(r.now.History), step)
}

func (r *run) report() {
	if r.opt.Progress == nil {
		return
	}
	if r.now.Model == nil && r.best != nil {
		r.now.Model = r.best.split(r.of)
	}
	r.now.Elapsed = time.Since(r.start)
	r.opt.Progress(r.now)
}

// bound is a model without proxies: linear blending with given weights.
func bound(x *Examples, weights [][]skinning.Share) *Model {
	return &Model{Rig: newRig(x.Parent, make([]mgl64.Vec3, len(x.Parent)), &matrices{joints: len(x.Parent)}),
		Weights: slices.Clone(weights)}
}
