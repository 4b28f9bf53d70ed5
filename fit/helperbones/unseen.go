package helperbones

import (
	"context"
	"errors"
	"fmt"

	"skinlab/fit"
	"skinlab/fit/training"
	"skinlab/skinning"
)

// Fitted returns the fitted model.
func (a *learned) Fitted() *skinning.Model { return a.fitted }

// Measure measures the fit, the trained weights and linear blending on examples.
func (a *learned) Measure(_ context.Context, x *training.Examples, _ bool) (*fit.UnseenTest, error) {
	e := fit.NewShapeErrors(x)
	return &fit.UnseenTest{Frames: len(x.Frames), Of: len(x.Frames), LBS: e.Plain, SSD: e.Of(a.weighted),
		Fit: e.Of(a.fitted)}, nil
}

// LeaveOneOut fits again without each example. It is nil where the context is done before the first.
func (a *learned) LeaveOneOut(ctx context.Context) (*fit.UnseenTest, error) {
	f, n := a.run, a.x.Given()
	tell := func(done, of int) { f.stage(fmt.Sprintf("leave one out: %d of %d", done, of)) }
	all, err := fit.LeaveOneOut(ctx, f.job.Workers, n, tell,
		func(ctx context.Context, workers, i int) (*learned, error) {
			job := *f.job
			job.Workers, job.Progress = workers, nil
			run := *f
			run.job = &job
			fold := &learned{run: &run, x: a.x.Without(i)}
			fold.errors = fit.NewShapeErrors(fold.x)
			fold.plain = fold.errors.Plain
			if err := fold.fit(ctx); err != nil {
				return nil, err
			}
			if fold.reason == fit.Cancelled {
				return nil, ctx.Err()
			}
			return fold, nil
		})
	if err != nil {
		if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
			return nil, nil
		}
		return nil, err
	}
	var made []int // the examples that were predicted
	for i := range all {
		if all[i] != nil {
			made = append(made, i)
		}
	}
	e := fit.NewShapeErrors(a.x.Pick(made))
	return &fit.UnseenTest{Frames: len(made), Of: n,
		SSD: e.OfEach(func(i int) *skinning.Model { return all[made[i]].weighted }),
		Fit: e.OfEach(func(i int) *skinning.Model { return all[made[i]].fitted })}, nil
}
