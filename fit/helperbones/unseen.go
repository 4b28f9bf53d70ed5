package helperbones

import (
	"context"

	"skinlab/fit"
	"skinlab/fit/training"
	"skinlab/skinning"
)

// Measure implements [fit.ShapeAttempt]. It measures the fit, the trained weights and linear blending.
func (a *learned) Measure(_ context.Context, x *training.Examples, _ bool) (*fit.UnseenTest, error) {
	e := fit.NewShapeErrors(x)
	return &fit.UnseenTest{Frames: len(x.Frames), Of: len(x.Frames), LBS: e.Plain, SSD: e.Of(a.weighted),
		Fit: e.Of(a.fitted)}, nil
}

// LeaveOneOut implements [fit.ShapeAttempt].
func (a *learned) LeaveOneOut(ctx context.Context, tell func(done, of int)) (*fit.UnseenTest, error) {
	f, n := a.run, a.x.Given()
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
