package enveloping

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"slices"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit"
	"skinlab/fit/training"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/metrics"
	"skinlab/skinning/parallel"
)

// Weights that were painted or trained for linear blending are not the best for another method (SBS section 5.1). Here
// a vertex's weights w are trained for a method Φ: those of the least Σ_i ‖Φ(w; C_i)·q − y_i‖² over the examples i, with
// at most four joints. Φ is not linear in w. A Gauss-Newton step replaces it by its derivatives with respect to the
// weights; the step is then a problem like that of linear blending, which the simplex solver solves. The descent runs
// twice: from the file's weights, and from the weights trained for linear blending. The result of less error is kept.

const (
	// newtonSteps bounds the steps of a vertex. Most stop after three to five.
	newtonSteps = 20
	// newtonGain is the least share of the squared error that a step must save for another one.
	newtonGain = 1e-4
	// newtonHalvings bounds how often a step that does not save is halved.
	newtonHalvings = 6
	// weightStep is the difference of a weight for derivatives. Its square is the rounding of float64.
	weightStep = 1e-7
)

// methodWeights is an attempt at weights for a method.
type methodWeights struct {
	run    *fitting
	x      *training.Examples
	linear *Result // the weights trained for linear blending
	fitted *skinning.Model
	// Errors over the examples: of the method by the file's weights, and by the trained ones.
	own, trained Errors
	elapsed      time.Duration
}

// runFor is [runMethod] for a method that is not linear blending.
func runFor(ctx context.Context, job *fit.Job, method skinning.Method) (*fit.Result, error) {
	if job.Model.Skin.Second(method) != nil {
		return nil, fmt.Errorf("%s: its two weight sets are made for %v: skinlab fit body-model trains both", job.Model.Name, method)
	}
	f := &fitting{job: job, learn: fitSSD, method: method, start: time.Now()}
	best, report, err := fit.RunOnShapes(ctx, fit.ShapeFit[*methodWeights]{Job: job, Method: method, Stage: f.stage,
		Learn: f.attemptFor, Report: f.methodReport})
	if err != nil {
		return nil, err
	}
	return &fit.Result{Model: best.fitted, Report: report, Last: f.last}, nil
}

// attemptFor learns from examples.
func (f *fitting) attemptFor(ctx context.Context, _ *training.Poses,
	x *training.Examples) (*methodWeights, *skinning.Model, error) {
	start := time.Now()
	a, err := f.weightsFor(ctx, x, f.options())
	if err != nil {
		return nil, nil, err
	}
	a.own = MeasureBy(x, posedBy(x, f.method, x.Model))
	a.trained = MeasureBy(x, posedBy(x, f.method, a.fitted))
	a.elapsed = time.Since(start)
	f.elapsed += a.elapsed
	return a, a.fitted, nil
}

// weightsFor trains the weights. A cancelled run keeps the file's for the vertices that it did not reach.
func (f *fitting) weightsFor(ctx context.Context, x *training.Examples, opt Options) (*methodWeights, error) {
	if opt.Recipe == nil {
		opt.Recipe = Ours()
	}
	a := &methodWeights{run: f, x: x}
	var err error
	if a.linear, err = fitSSD(ctx, x, opt); err != nil {
		return nil, err
	}
	held := withoutMorphed(x)
	if opt.Recipe.Rig {
		held = withPriors(held, opt.Recipe, func(x *training.Examples, pose []geom.Affine) []mgl64.Vec3 {
			return frameOf(x.Model, pose, nil).Positions(f.method)
		})
	}
	weights, err := trainFor(ctx, held, f.method, a.linear.Trained.Weights, opt.Workers)
	if err != nil {
		return nil, err
	}
	if a.fitted, err = (&SSD{Weights: weights}).With(x.Model); err != nil {
		return nil, err
	}
	a.fitted = training.WithMorphs(a.fitted, f.job.Model)
	return a, nil
}

// trainFor returns the weights of each vertex.
func trainFor(ctx context.Context, x *training.Examples, method skinning.Method, linear [][]skinning.Share,
	workers int) ([][]skinning.Share, error) {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	frames := framesOf(x, x.Model)
	for _, f := range frames {
		f.Evaluate(method, []uint16{0}, []float64{1}) // makes what the method reads of the joints
	}
	all := newWeighers(x, x.Palettes, workers)
	out := make([][]skinning.Share, len(x.Rest))
	parallel.For(workers, parallel.Chunks(len(x.Rest)), func(worker, c int) {
		n := &newton{weigher: &all[worker], method: method, frames: frames}
		lo, hi := parallel.Chunk(c, len(x.Rest))
		for v := lo; v < hi; v++ {
			out[v] = x.Rigged[v]
			if ctx.Err() != nil {
				continue
			}
			n.read(v)
			least := n.improve(x.Rigged[v])
			out[v] = skinning.AppendShares(nil, n.choice, n.u)
			if n.improve(linear[v]) < least {
				out[v] = skinning.AppendShares(nil, n.choice, n.u)
			}
		}
	})
	return out, nil
}

// framesOf returns a frame of a model for each example.
func framesOf(x *training.Examples, m *skinning.Model) []*skinning.Frame {
	centers := skinning.NewCenterSets(&m.Skin.Influences, &m.Skeleton)
	out := make([]*skinning.Frame, len(x.Targets))
	for i := range out {
		out[i] = frameOf(m, x.Palettes[i], centers)
	}
	return out
}

// frameOf returns a frame of a model with these matrices of its joints. Centers are as in [skinning.NewFrame].
func frameOf(m *skinning.Model, matrices []geom.Affine, centers *skinning.CenterSets) *skinning.Frame {
	f := skinning.NewFrame(m, centers)
	for j := range matrices {
		f.SetMatrix(j, &matrices[j])
	}
	return f
}

// posedBy poses the shapes on which errors are measured by a method with a model's weights.
func posedBy(x *training.Examples, method skinning.Method, m *skinning.Model) func(i int) []mgl64.Vec3 {
	frames := framesOf(x, m)
	return func(i int) []mgl64.Vec3 {
		rest, _ := x.Measured(i)
		out := make([]mgl64.Vec3, len(rest))
		parallel.Runs(len(rest), func(lo, hi int) {
			for v := lo; v < hi; v++ {
				out[v] = frames[i].BlendVertex(method, v).Apply(rest[v])
			}
		})
		return out
	}
}

// newton finds the weights of vertices for a method.
type newton struct {
	*weigher
	method skinning.Method
	frames []*skinning.Frame
	joints []uint16  // of the choice
	u      []float64 // their weights
	missed []float64 // Φ(u)·q − y, three numbers for each example, times the root of its weight
	moved  []float64 // missed by other weights
}

// improve puts the best weights that it finds from a start into u, over the choice, and returns their squared error.
func (n *newton) improve(start []skinning.Share) float64 {
	start = start[:min(len(start), mostInfluences)]
	n.choice, n.joints, n.u = n.choice[:0], n.joints[:0], n.u[:0]
	sum := 0.0
	for _, s := range start {
		sum += s.Weight
	}
	for _, s := range start {
		n.choice, n.joints, n.u = append(n.choice, int(s.Joint)), append(n.joints, s.Joint), append(n.u, s.Weight/sum)
	}
	least := n.miss(&n.missed, n.u)
	if len(n.u) == 1 {
		return least
	}
	u := make([]float64, len(n.u))
	for range newtonSteps {
		n.step()
		at, gained := 1.0, false
		for range newtonHalvings {
			for k := range u {
				u[k] = n.u[k] + at*(n.w[k]-n.u[k])
			}
			if error := n.miss(&n.moved, u); error < least {
				gained = least-error > newtonGain*least
				least = error
				copy(n.u, u)
				n.missed, n.moved = n.moved, n.missed
				break
			}
			at /= 2
		}
		if !gained {
			break
		}
	}
	return least
}

// step puts the weights that are best for the method's derivatives at u into w. With the columns missed + ∂_k − Σ u·∂,
// the sum over the weights w is missed + ∂·(w − u), since weights sum to 1.
func (n *newton) step() {
	k, rows := len(n.u), len(n.missed)
	n.columns = append(n.columns[:0], make([]float64, k*rows)...)
	mean := make([]float64, rows) // Σ u·∂
	u := slices.Clone(n.u)
	for j := range k {
		u[j] += weightStep
		n.miss(&n.moved, u)
		u[j] = n.u[j]
		for r, m := range n.moved {
			d := (m - n.missed[r]) / weightStep
			n.columns[j*rows+r] = n.missed[r] + d
			mean[r] += n.u[j] * d
		}
	}
	for j := range k {
		for r, m := range mean {
			n.columns[j*rows+r] -= m
		}
	}
	n.overColumns(skinning.AppendShares(nil, n.choice, n.u), mostInfluences)
}

// miss fills in how far the vertex is from its targets with weights u, and returns the squared error.
func (n *newton) miss(into *[]float64, u []float64) (square float64) {
	*into = (*into)[:0]
	evaluate := func(f *skinning.Frame) geom.Affine { return f.Evaluate(n.method, n.joints, u) }
	if n.method == skinning.COR { // the centre is that of the weights in every pose, and takes longer than the rest
		center := (*mgl64.Vec3)(nil)
		if c, ok := n.frames[0].CenterOfRotation(n.joints, u); ok {
			center = &c
		}
		evaluate = func(f *skinning.Frame) geom.Affine { return f.EvaluateAboutSplit(n.joints, u, center) }
	}
	for i, f := range n.frames {
		m := evaluate(f)
		p := m.Apply(n.rest)
		for c := range p {
			d := n.roots[i]*p[c] - n.target[3*i+c]
			*into = append(*into, d)
			square += d * d
		}
	}
	return square
}

// Measure implements [fit.ShapeAttempt]. It measures linear blending and the method by the file's weights and by trained
// ones.
func (a *methodWeights) Measure(_ context.Context, x *training.Examples, others bool) (*fit.UnseenTest, error) {
	if err := x.Validate(); err != nil {
		return nil, err
	}
	d := x.Diagonal()
	u := &fit.UnseenTest{Frames: len(x.Targets), Of: len(x.Targets),
		LBS: measured((&SSD{Weights: x.Rigged}).Measure(x), d),
		Fit: measured(MeasureBy(x, posedBy(x, a.run.method, a.fitted)), d)}
	if others {
		u.SSD = measured(a.linear.Trained.Measure(x), d)
		u.Own = measured(MeasureBy(x, posedBy(x, a.run.method, x.Model)), d)
	}
	return u, nil
}

// LeaveOneOut implements [fit.ShapeAttempt].
func (a *methodWeights) LeaveOneOut(ctx context.Context, tell func(done, of int)) (*fit.UnseenTest, error) {
	opt := a.run.options()
	opt.Progress, opt.History = nil, false
	all, err := fit.LeaveOneOut(ctx, opt.Workers, len(a.x.Targets), tell,
		func(ctx context.Context, workers, i int) (*prediction, error) {
			fold := opt
			fold.Workers = workers
			b, err := a.run.weightsFor(ctx, a.x.Without(i), fold)
			if err != nil {
				return nil, err
			}
			rest, _ := a.x.Measured(i)
			return &prediction{ssd: b.linear.Trained.Pose(rest, a.x.Palettes[i]),
				fit: posedBy(a.x, a.run.method, b.fitted)(i)}, nil
		})
	if err != nil {
		return nil, err
	}
	g, d := generalization(a.x, all, opt.Workers), a.x.Diagonal()
	return &fit.UnseenTest{Frames: g.Done, Of: len(a.x.Targets), SSD: measured(g.SSD, d), Fit: measured(g.Fit, d)}, nil
}

// methodReport makes the report of the best attempt.
func (f *fitting) methodReport(a *methodWeights, p *training.Poses) (*fit.Report, *fit.UnseenTests) {
	f.last = a.linear.Last
	f.last.Now = fit.Step{EE: a.trained.EE, Elapsed: a.elapsed, Model: fit.LazyModel(func() (*skinning.Model, error) { return a.fitted, nil })}
	r := fit.NewReport(f.job, p, a.fitted, &f.last.Now)
	d := a.x.Diagonal()
	of, own, ssd := measured(a.trained, d), measured(a.own, d), measured(a.linear.SSD, d)
	r.Seconds, r.EE, r.RMS, r.Max, r.Frames, r.Reason = f.elapsed.Seconds(), of.EE, of.RMS, of.Max, len(a.x.Targets),
		string(a.linear.Reason)
	plain := measured((&SSD{Weights: a.x.Rigged}).Measure(a.x), d)
	r.For = a.run.method.String()
	details := &MethodDetails{Before: own, Linear: plain, TrainedLinear: ssd}
	if ssd.RMS < of.RMS {
		details.Loses = "linear blending by weights trained for it is closer to the examples"
	}
	if own.RMS < of.RMS { // priors may cost more than the examples gain
		details.Loses = "the file's own weights are closer to the examples by " + r.For
	}
	r.Details = details
	return r, &details.UnseenTests
}

// MethodDetails are the parts of a report that weights for a method have. Errors are over the training examples.
type MethodDetails struct {
	Before        fit.Measured `json:"before"`          // the method by the file's weights
	Linear        fit.Measured `json:"linear"`          // linear blending by the file's weights
	TrainedLinear fit.Measured `json:"trained_linear"`  // linear blending by weights trained for it
	Loses         string       `json:"loses,omitempty"` // to what the fit loses on its examples
	fit.UnseenTests
}

// WriteText is [fit.Details].
func (d *MethodDetails) WriteText(w io.Writer, r *fit.Report) {
	fmt.Fprintf(w, "%s: weights for %s from %d of %s, %s after %.2f s%s\n", r.Model, r.For, r.Frames, r.Train, r.Reason, r.Seconds, r.Ending())
	fmt.Fprintln(w, "                                              EE %      RMS   largest")
	line := func(name string, e fit.Measured) {
		fmt.Fprintf(w, "%-41s  %8s  %.1e  %.1e\n", name, e.EE.Text(2), e.RMS, e.Max)
	}
	line("linear blending, the file's weights", d.Linear)
	line("linear blending, weights trained for it", d.TrainedLinear)
	line(r.For+", the file's weights", d.Before)
	line(r.For+", weights trained for it", fit.Measured{EE: metrics.Percent(r.EE), RMS: r.RMS, Max: r.Max})
	d.Each(r.For+", weights trained for it", line)
	if d.Loses != "" {
		fmt.Fprintf(w, "The fit loses: %s.\n", d.Loses)
	}
	d.WritePoses(w)
}
