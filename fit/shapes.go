package fit

import (
	"context"
	"fmt"

	"skinlab/fit/training"
	"skinlab/skinning"
	"skinlab/skinning/compare"
	"skinlab/skinning/messages"
)

// ShapeAttempt is one fit to example shapes.
type ShapeAttempt interface {
	// Fitted returns the fitted model.
	Fitted() *skinning.Model
	// Measure measures the fit and plain linear blending on examples of the model that was fitted; with others, every
	// way that learns from the same examples.
	Measure(ctx context.Context, x *training.Examples, others bool) (*UnseenTest, error)
	// LeaveOneOut fits again without each example. It is nil where the context is done before the first.
	LeaveOneOut(ctx context.Context) (*UnseenTest, error)
}

// ShapeFit has the functions of a fit that learns from example shapes, for [RunOnShapes].
type ShapeFit[A ShapeAttempt] struct {
	Job *Job
	// Method poses fitted models where clips are measured; the zero value is linear blending.
	Method skinning.Method
	// Learn fits to the examples of a set.
	Learn func(set *training.Set, x *training.Examples) (A, error)
	// Stage names the work after a fit.
	Stage func(what string)
	// Report makes the report of the attempt that is kept, and its details' tests, which are filled in later.
	Report func(a A, set *training.Set) (*Report, *UnseenTests)
}

// RunOnShapes chooses the poses of a method that teaches, fits, fits again where a clip got worse than with linear
// blending, and measures what the job asks for. A cancelled fit leaves out the tests that were still to come.
func RunOnShapes[A ShapeAttempt](ctx context.Context, f ShapeFit[A]) (best A, report *Report, err error) {
	m, job, set := f.Job.Model, f.Job, f.Job.Training
	unseen, heldOut, err := job.Tests.Of(m, set) // before the fit, not after it
	if err != nil {
		return best, nil, err
	}
	teacher := m
	if !training.KeepsMorphs(m) {
		teacher = training.WithoutMorphs(m)
	}
	var table ClipTable
	if set.Taught() {
		if job.Tests.AllClips || set.Open() {
			table = MeasureLinear(ctx, teacher, set, job.Workers)
		}
		set = set.ChoosePoses(m, table.Linear())
	}
	type fitted struct {
		of    A
		set   *training.Set
		clips ClipTable // against the method that teaches; nil where no table is asked for or the fit was cancelled
	}
	kept, refitted, err := Refit(ctx, m, set, func(set *training.Set) (*fitted, ClipTable, error) {
		a := &fitted{set: set}
		x, err := set.Examples(m)
		if err == nil && job.Tests.LeaveOneOut && len(x.Frames) < 2 { // before the fit, not after it
			err = fmt.Errorf("%s, leaving one out takes two", messages.Count(len(x.Frames), "example", "examples"))
		}
		if err != nil {
			return nil, nil, err
		}
		a.of, err = f.Learn(set, x)
		if err == nil && len(table) > 0 && ctx.Err() == nil {
			f.Stage("all clips")
			a.clips = table.MeasureFit(ctx, teacher, compare.Subject{Model: a.of.Fitted(), Method: f.Method}, set, job.Workers)
		}
		return a, a.clips, err
	})
	if err != nil {
		return best, nil, err
	}
	report, tests := f.Report(kept.of, kept.set)
	report.Refitted = refitted
	if kept.set.Taught() {
		report.Clips = append(ClipTable{}, kept.clips...)
	} else if report.Operator = "examples"; job.Tests.AllClips && ctx.Err() == nil {
		f.Stage("all clips")
		if err := measureShapes(ctx, m, kept.of, kept.set, report); err != nil {
			return best, nil, err
		}
	}
	report.Warnings = report.Clips.Warnings(report.Diagonal)
	others := &tests.HeldOut
	if job.Tests.Sequence {
		others = &tests.Sequence
	}
	for _, t := range []struct {
		test *training.Test
		to   **UnseenTest
	}{{unseen, &tests.Unseen}, {heldOut, others}} {
		if t.test == nil || ctx.Err() != nil {
			continue
		}
		f.Stage(t.test.Stage)
		x, err := t.test.Examples(m)
		if err == nil {
			*t.to, err = kept.of.Measure(ctx, x, true)
		}
		if err != nil && ctx.Err() == nil {
			return best, nil, err
		}
		if *t.to != nil {
			(*t.to).Clip, (*t.to).Learnt = t.test.Name, t.test == unseen && t.test.Learnt(m, kept.set)
			report.Judge(t.test.Stage, (*t.to).test())
		}
	}
	if job.Tests.LeaveOneOut && ctx.Err() == nil {
		tests.LeaveOneOut, err = kept.of.LeaveOneOut(ctx)
		if tests.LeaveOneOut != nil {
			tests.LeaveOneOut.Clip = report.Train
		}
	}
	return kept.of, report, err
}

// measureShapes measures a fit to shapes in the clips that show shapes, or at the poses for which shapes were given. It
// also returns a note with the number of clips without shapes.
func measureShapes(ctx context.Context, m *skinning.Model, a ShapeAttempt, of *training.Set, report *Report) error {
	own := training.OwnClips(m)
	for _, c := range own {
		if ctx.Err() != nil {
			return nil
		}
		set, err := of.ShapesOf(m, c)
		if err == nil && set == nil {
			continue
		}
		var x *training.Examples
		if err == nil {
			x, err = set.Examples(m)
		}
		if err != nil {
			return err
		}
		e, err := a.Measure(ctx, x, false)
		if err != nil {
			return err
		}
		row := ClipError{Name: m.Clips[c].Name, Frames: e.Frames, Errors: e.test().Errors}
		row.Judge()
		report.Clips = append(report.Clips, row)
	}
	switch n := len(own) - len(report.Clips); {
	case n == 1:
		report.Without = "1 other clip has no shapes to measure against."
	case n > 1:
		report.Without = messages.Count(n, "other clip", "other clips") + " have no shapes to measure against."
	}
	return nil
}
