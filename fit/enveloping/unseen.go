package enveloping

import (
	"context"
	"fmt"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit"
	"skinlab/fit/training"
	"skinlab/skinning"
	"skinlab/skinning/rig"
)

// Fitted implements [fit.ShapeAttempt].
func (a *attempt) Fitted() *skinning.Model { return a.fitted }

// Measure implements [fit.ShapeAttempt]. It measures linear blending and the fit and, if others is set, trained SSD.
func (a *attempt) Measure(_ context.Context, x *training.Examples, others bool) (*fit.UnseenTest, error) {
	if err := x.Validate(); err != nil {
		return nil, err
	}
	d := a.run.job.Model.Diagonal()
	plain := &SSD{Weights: a.x.Rigged}
	u := &fit.UnseenTest{Frames: len(x.Targets), Of: len(x.Targets), LBS: measured(plain.Measure(x), d),
		Fit: measured(a.out.Model.Measure(x), d)}
	if others {
		u.SSD = measured(a.out.Trained.Measure(x), d)
	}
	return u, nil
}

// LeaveOneOut implements [fit.ShapeAttempt].
func (a *attempt) LeaveOneOut(ctx context.Context) (*fit.UnseenTest, error) {
	start := time.Now()
	tell := func(done, of int) { a.run.stage(fmt.Sprintf("leave one out: %d of %d", done, of), start) }
	g, err := LeaveOneOut(ctx, a.x, a.run.options(), tell)
	if err != nil && ctx.Err() != nil {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if a.run.job.Method.Count() == nil {
		g.Fit = g.SSD
	}
	d := a.run.job.Model.Diagonal()
	return &fit.UnseenTest{Frames: g.Done, Of: len(a.x.Targets), SSD: measured(g.SSD, d), Fit: measured(g.Fit, d)}, nil
}

// Generalization is how well each way predicts examples that it has not seen.
type Generalization struct {
	SSD, Fit Errors
	Done     int // the number of examples that were left out and predicted: fewer than all where a context ended it
}

// prediction is an example as it is predicted by fits to all other examples.
type prediction struct{ ssd, fit []mgl64.Vec3 }

// LeaveOneOut learns once for every example, from all the others, and predicts that one (RTER section 7.1:
// leave-one-out cross validation). Errors are over all examples that were predicted. EE is relative to the best rigid
// prediction of these.
//
// Every fold is a complete fit. Folds share the rest pose, the triangles, the skeleton and the rig's weights, and
// nothing that depends on the example that is left out. The errors are the same to the bit for any number of workers.
// Progress and a done context are as in [fit.LeaveOneOut].
func LeaveOneOut(ctx context.Context, x *training.Examples, opt Options, progress func(done, of int)) (*Generalization, error) {
	if err := x.Validate(); err != nil {
		return nil, err
	}
	n := len(x.Targets)
	if n < 2 {
		return nil, fmt.Errorf("%w: %d example, leaving one out takes two", training.ErrExamples, n)
	}
	opt.Progress, opt.History = nil, false
	all, err := fit.LeaveOneOut(ctx, opt.Workers, n, progress,
		func(ctx context.Context, workers, i int) (*prediction, error) {
			fold := opt
			fold.Workers = workers
			return predict(ctx, x, fold, i)
		})
	if err != nil {
		return nil, err
	}
	return generalization(x, all, opt.Workers), nil
}

// predict learns from all examples but one, and predicts that.
func predict(ctx context.Context, x *training.Examples, opt Options, i int) (*prediction, error) {
	rest := x.Without(i)
	r, err := Fit(ctx, rest, opt)
	if err == nil && r.Reason == fit.Cancelled {
		err = ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	shape, _ := x.Measured(i)
	pose := x.Palettes[i]
	var driver rig.EnvelopingDriver
	return &prediction{ssd: r.Trained.Pose(shape, pose), fit: r.Model.Pose(&driver, shape, pose)}, nil
}

// generalization measures the predictions. A nil prediction was not made and does not count.
func generalization(x *training.Examples, all []*prediction, workers int) *Generalization {
	var indices []int
	var made []*prediction
	for i, p := range all {
		if p != nil {
			indices, made = append(indices, i), append(made, p)
		}
	}
	seen := x.Pick(indices)
	rigid := rigidErrors(seen, workers)
	over := func(predicted func(p *prediction) []mgl64.Vec3) Errors {
		return residualsBy(seen, func(i int) []mgl64.Vec3 { return predicted(made[i]) }).measure(seen, rigid)
	}
	return &Generalization{
		SSD:  over(func(p *prediction) []mgl64.Vec3 { return p.ssd }),
		Fit:  over(func(p *prediction) []mgl64.Vec3 { return p.fit }),
		Done: len(made),
	}
}
