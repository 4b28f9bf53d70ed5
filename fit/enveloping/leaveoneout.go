package enveloping

import (
	"context"
	"fmt"
	"runtime"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
	"skinlab/skinning/parallel"
)

// Generalization is how well each way predicts examples that it has not seen.
type Generalization struct {
	SSD, PSD, Fit Errors
	Done          int // examples that were left out and predicted: all, or as many as a context left time for
}

// foldsAtOnce bounds how many fits go on side by side. Each takes 200 bytes for every triangle and pair, prior ones
// too: 0.4 GB for 49 examples on 26,000 triangles. And with four, what one of them does on one worker alone keeps few
// others waiting.
const foldsAtOnce = 4

// prediction is an example as it is predicted by what was learnt from the others.
type prediction struct {
	example       int
	ssd, psd, fit []mgl64.Vec3
	err           error
}

// LeaveOneOut learns once for every example, from all the others, and predicts that one (RTER section 7.1:
// leave-one-out cross validation). Errors are over all examples so predicted, EE against the best rigid prediction of
// all of them, as for the training.
//
// Every fold is a fit of its own from the start: folds share the rest pose, the triangles, the skeleton and the rig's
// weights, of which no example says anything, and no sum, group or weight in which the example that is left out has a
// part. They go on side by side, and the errors are the same to the bit for any number of workers.
//
// Progress is told how many are done, on the caller's goroutine; it may be nil. A done context ends it with the errors
// over the examples that were predicted before, or with ctx.Err() where there was none.
func LeaveOneOut(ctx context.Context, x *Examples, opt Options, progress func(done, of int)) (*Generalization, error) {
	if err := x.check(); err != nil {
		return nil, err
	}
	n := len(x.Pairs)
	if n < 2 {
		return nil, fmt.Errorf("%w: %d example, leaving one out takes two", ErrProblem, n)
	}
	workers := opt.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	folds := min(workers, foldsAtOnce, n)
	opt.Progress, opt.History, opt.Workers = nil, false, workers/folds
	running, stop := context.WithCancel(ctx)
	defer stop()
	made := make(chan prediction)
	go func() {
		defer close(made)
		parallel.For(folds, n, func(_, i int) {
			if running.Err() == nil {
				made <- predict(running, x, opt, i)
			}
		})
	}()
	var fault error
	all := make([]*prediction, n)
	done := 0
	for p := range made {
		switch {
		case p.err == nil:
			all[p.example] = &p
			done++
			if progress != nil {
				progress(done, n)
			}
		case running.Err() == nil:
			fault = fmt.Errorf("without example %d: %w", p.example, p.err)
			stop()
		}
	}
	if fault != nil {
		return nil, fault
	}
	if done == 0 {
		return nil, ctx.Err()
	}
	return generalization(x, all, workers), nil
}

// predict learns from all examples but one, and predicts that.
func predict(ctx context.Context, x *Examples, opt Options, i int) prediction {
	rest := x.Without(i)
	r, err := Fit(ctx, rest, opt)
	if err == nil && r.Reason == Cancelled {
		err = ctx.Err()
	}
	if err != nil {
		return prediction{err: err, example: i}
	}
	psd, err := NewPSD(ctx, rest, r.Trained, opt.Workers)
	if err != nil {
		return prediction{err: err, example: i}
	}
	shape, _ := x.measured(i)
	pose := x.Pairs[i].Matrices
	var driver skinning.EnvelopeDriver
	return prediction{example: i, ssd: r.Trained.Pose(shape, pose), psd: psd.Pose(shape, pose),
		fit: r.Model.Pose(&driver, shape, pose)}
}

// generalization measures what was predicted; nil is what was not.
func generalization(x *Examples, all []*prediction, workers int) *Generalization {
	seen := *x
	seen.Pairs = nil
	var made []*prediction
	for i, p := range all {
		if p != nil {
			seen.Pairs, made = append(seen.Pairs, x.Pairs[i]), append(made, p)
		}
	}
	rigid := rigidErrors(&seen, workers)
	over := func(predicted func(p *prediction) []mgl64.Vec3) Errors {
		m := missesBy(&seen, func(i int) []mgl64.Vec3 { return predicted(made[i]) })
		return m.measure(&seen, rigid)
	}
	return &Generalization{
		SSD:  over(func(p *prediction) []mgl64.Vec3 { return p.ssd }),
		PSD:  over(func(p *prediction) []mgl64.Vec3 { return p.psd }),
		Fit:  over(func(p *prediction) []mgl64.Vec3 { return p.fit }),
		Done: len(made),
	}
}
