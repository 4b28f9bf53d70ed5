package helperbones

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"skinlab/fit"
	"skinlab/fit/ssdr"
	"skinlab/fit/training"
	"skinlab/skinning"
)

// Fitted implements [fit.ShapeAttempt].
func (a *learned) Fitted() *skinning.Model { return a.fitted }

// Measure implements [fit.ShapeAttempt].
func (a *learned) Measure(_ context.Context, x *training.Examples, _ bool) (*fit.UnseenTest, error) {
	e := fit.NewShapeErrors(x)
	return &fit.UnseenTest{Frames: len(x.Frames), Of: len(x.Frames), LBS: e.Plain, SSD: e.Of(a.weighted),
		Fit: e.Of(a.fitted)}, nil
}

// LeaveOneOut implements [fit.ShapeAttempt].
func (a *learned) LeaveOneOut(ctx context.Context) (*fit.UnseenTest, error) {
	f, n := a.run, len(a.shapes.Frames)
	tell := func(done, of int) { f.stage(fmt.Sprintf("leave one out: %d of %d", done, of)) }
	all, err := fit.LeaveOneOut(ctx, f.job.Workers, n, tell,
		func(ctx context.Context, workers, i int) (*learned, error) {
			job := *f.job
			job.Workers, job.Progress = workers, nil
			fold := &learned{run: &fitting{job: &job, m: f.m, rigid: f.rigid}, shapes: without(a.shapes, i),
				x: a.x.Pick(slices.Delete(indices(n), i, i+1))}
			fold.errors = fit.NewShapeErrors(fold.shapes)
			fold.plain = fold.errors.Plain
			if err := fold.fit(ctx); err != nil {
				return nil, err
			}
			if fold.reason == ssdr.Cancelled {
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
	return a.predicted(all), nil
}

func indices(n int) []int {
	all := make([]int, n)
	for i := range all {
		all[i] = i
	}
	return all
}

// without returns the examples without one.
func without(x *training.Examples, i int) *training.Examples {
	out := *x
	out.Frames = slices.Delete(slices.Clone(x.Frames), i, i+1)
	out.Targets = slices.Delete(slices.Clone(x.Targets), i, i+1)
	if x.Morphed != nil {
		out.Morphed = slices.Delete(slices.Clone(x.Morphed), i, i+1)
	}
	return &out
}

// predicted measures predictions of leave-one-out; one that was not made is nil.
func (a *learned) predicted(all []*learned) *fit.UnseenTest {
	made, seen := all, a.shapes
	for i := len(all) - 1; i >= 0; i-- {
		if all[i] == nil {
			seen, made = without(seen, i), slices.Delete(slices.Clone(made), i, i+1)
		}
	}
	e := fit.NewShapeErrors(seen)
	return &fit.UnseenTest{Frames: len(made), Of: len(all),
		SSD: e.OfEach(func(i int) *skinning.Model { return made[i].weighted }),
		Fit: e.OfEach(func(i int) *skinning.Model { return made[i].fitted })}
}
