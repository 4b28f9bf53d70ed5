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
	// Measure measures the fit and plain linear blending on examples of the model that was fitted; with others, every
	// way that learns from the same examples.
	Measure(ctx context.Context, x *training.Examples, others bool) (*UnseenTest, error)
	// LeaveOneOut fits again without each example, and tells how many are done.
	LeaveOneOut(ctx context.Context, tell func(done, of int)) (*UnseenTest, error)
}

// ShapeFit has the functions of a fit that learns from example shapes, for [RunOnShapes].
type ShapeFit[A ShapeAttempt] struct {
	Job *Job
	// Method poses fitted models where clips are measured; the zero value is linear blending.
	Method skinning.Method
	// Learn fits to the examples of poses, and returns the fitted model too.
	Learn func(ctx context.Context, p *training.Poses, x *training.Examples) (A, *skinning.Model, error)
	// Stage names the work after a fit.
	Stage func(what string)
	// Report makes the report of the attempt that is kept, and its details' tests, which are filled in later.
	Report func(a A, p *training.Poses) (*Report, *UnseenTests)
}

// RunOnShapes fits by [Learn], and measures what the job asks for. A cancelled fit leaves out the tests that were still
// to come.
func RunOnShapes[A ShapeAttempt](ctx context.Context, f ShapeFit[A]) (best A, report *Report, err error) {
	m, job := f.Job.Model, f.Job
	unseen, heldOut, err := job.Tests.Of(m, job.Training) // before the fit, not after it
	if err != nil {
		return best, nil, err
	}
	teacher := m
	if !training.KeepsMorphs(m) {
		teacher = m.WithoutMorphs()
	}
	kept, err := Learn(ctx, job, teacher, true, func() { f.Stage("all clips") },
		func(p *training.Poses) (of A, fitted compare.Subject, err error) {
			x, err := p.Examples()
			if err == nil && job.Tests.LeaveOneOut && len(x.Frames) < 2 { // before the fit, not after it
				err = fmt.Errorf("%s, leaving one out takes two", messages.Count(len(x.Frames), "example", "examples"))
			}
			if err == nil {
				of, fitted.Model, err = f.Learn(ctx, p, x)
			}
			fitted.Method = f.Method
			return of, fitted, err
		})
	if err != nil {
		return best, nil, err
	}
	report, tests := f.Report(kept.Of, kept.Poses)
	report.Refitted = kept.Again
	report.Clips = append(report.Clips, kept.Clips...)
	if !kept.Poses.Taught && job.Tests.AllClips && ctx.Err() == nil {
		f.Stage("all clips")
		if err := measureShapes(ctx, kept.Of, kept.Poses, report); err != nil {
			return best, nil, err
		}
		job.TellClips(report.Clips)
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
			*t.to, err = kept.Of.Measure(ctx, x, true)
		}
		if err != nil && ctx.Err() == nil {
			return best, nil, err
		}
		if *t.to != nil {
			(*t.to).Clip, (*t.to).Learnt = t.test.Poses.Name, t.test == unseen && t.test.Learnt(kept.Poses)
			report.Judge(t.test.Stage, (*t.to).test())
		}
	}
	if job.Tests.LeaveOneOut && ctx.Err() == nil {
		tests.LeaveOneOut, err = kept.Of.LeaveOneOut(ctx, func(done, of int) {
			f.Stage(fmt.Sprintf("leave one out: %d of %d", done, of))
		})
		if ctx.Err() != nil { // it was cancelled before the first
			err = nil
		}
		if tests.LeaveOneOut != nil {
			tests.LeaveOneOut.Clip = report.Train
		}
	}
	return kept.Of, report, err
}

// measureShapes measures a fit to shapes in the clips that show shapes, or at the poses for which shapes were given. It
// also returns a note with the number of clips without shapes.
func measureShapes(ctx context.Context, a ShapeAttempt, of *training.Poses, report *Report) error {
	own := training.OwnClips(of.Model)
	for _, c := range own {
		if ctx.Err() != nil {
			return nil
		}
		p := of.ShapesOf(c)
		if p == nil {
			continue
		}
		x, err := p.Examples()
		if err != nil {
			return err
		}
		e, err := a.Measure(ctx, x, false)
		if err != nil {
			return err
		}
		row := ClipError{Name: of.Model.Clips[c].Name, Frames: e.Frames, Errors: e.test().Errors}
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
