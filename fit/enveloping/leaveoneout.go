package enveloping

import (
	"context"
	"fmt"
	"runtime"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
)

// Generalization is how well each way predicts examples that it has not seen.
type Generalization struct {
	SSD, PSD, Fit Errors
}

// LeaveOneOut learns once for every example, from all the others, and predicts that one (RTER section 7.1: leave-one-out cross
// validation). Errors are over all examples so predicted, EE against the best rigid prediction of all of them, as for the training.
// Progress is told how many are done, on the caller's goroutine; it may be nil. A done context ends it with ctx.Err() and nothing.
func LeaveOneOut(ctx context.Context, x *Examples, opt Options, progress func(done, of int)) (*Generalization, error) {
	if err := x.check(); err != nil {
		return nil, err
	}
	n := len(x.Pairs)
	if n < 2 {
		return nil, fmt.Errorf("%w: %d example, leaving one out takes two", ErrProblem, n)
	}
	opt.Progress, opt.History = nil, false
	ssd, psd, fit := make([][]mgl64.Vec3, n), make([][]mgl64.Vec3, n), make([][]mgl64.Vec3, n)
	var driver skinning.EnvelopeDriver
	for i := range n {
		rest := x.Without(i)
		r, err := Fit(ctx, rest, opt)
		if err != nil {
			return nil, fmt.Errorf("without example %d: %w", i, err)
		}
		if r.Reason == Cancelled {
			return nil, ctx.Err()
		}
		p, err := NewPSD(ctx, rest, r.Trained, opt.Workers)
		if err != nil {
			return nil, fmt.Errorf("without example %d: %w", i, err)
		}
		pose := x.Pairs[i].Matrices
		ssd[i], psd[i], fit[i] = r.Trained.Pose(x.Rest, pose), p.Pose(x.Rest, pose), r.Model.Pose(&driver, x.Rest, pose)
		if progress != nil {
			progress(i+1, n)
		}
	}
	rigid := rigidErrors(x, max(opt.Workers, runtime.GOMAXPROCS(0)))
	over := func(predicted [][]mgl64.Vec3) Errors {
		m := missesBy(x, func(i int) []mgl64.Vec3 { return predicted[i] })
		return m.measure(x, rigid)
	}
	return &Generalization{over(ssd), over(psd), over(fit)}, nil
}
