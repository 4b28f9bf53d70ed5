package enveloping

import (
	"context"
	"fmt"
	"runtime"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit"
	"skinlab/fit/training"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/messages"
	"skinlab/skinning/parallel"
	"skinlab/skinning/rig"
)

// unseen measures linear blending, trained SSD, PSD and the fit on a test.
func (f *fitting) unseen(t *training.Test) (*UnseenTest, error) {
	x, err := FromSet(t.Of, t.Set)
	if err == nil && t.Of != f.m {
		x, err = f.asOwn(t.Of, x)
	}
	if err != nil {
		return nil, err
	}
	psd, err := NewPSD(f.ctx, f.x, f.out.Trained, f.job.Workers)
	if err != nil {
		return nil, err
	}
	d := f.m.Diagonal()
	return &UnseenTest{Clip: t.Name, Frames: len(x.Pairs), Of: len(x.Pairs), LBS: measured(f.plain().Measure(x), d),
		SSD: measured(f.out.Trained.Measure(x), d), PSD: measured(psd.Measure(x), d),
		Fit: measured(f.out.Model.Measure(x), d)}, nil
}

// plain is linear blending with the file's own weights.
func (f *fitting) plain() *SSD { return &SSD{Weights: f.x.Rigged} }

// asOwn makes the examples of another file, whose joints and vertices are the same, examples of the fitted model.
func (f *fitting) asOwn(of *skinning.Model, x *Examples) (*Examples, error) {
	joint, err := training.SameJoints(f.m, of)
	if err != nil {
		return nil, err
	}
	out := *f.x
	out.Pairs = slices.Clone(x.Pairs)
	for i := range out.Pairs {
		matrices := make([]geom.Affine, len(joint))
		for j, k := range joint {
			matrices[j] = out.Pairs[i].Matrices[k]
		}
		out.Pairs[i].Matrices = matrices
	}
	return &out, nil
}

// measureShapes measures a fit to shapes in the clips that show shapes, or at the poses that shapes were given for, and
// says how many clips there are no shapes of.
func (f *fitting) measureShapes() error {
	own := training.OwnClips(f.m)
	var table fit.ClipTable
	for _, c := range own {
		if f.ctx.Err() != nil {
			return nil
		}
		set, err := f.set.ShapesOf(f.m, c)
		if err != nil {
			return err
		}
		if set == nil {
			continue
		}
		x, err := FromSet(f.m, set)
		if err != nil {
			return err
		}
		d := f.m.Diagonal()
		of, lbs := measured(f.out.Model.Measure(x), d), measured(f.plain().Measure(x), d)
		row := fit.ClipError{Name: f.m.Clips[c].Name, Frames: len(x.Pairs), Errors: fit.Errors{
			EE: of.EE, RMS: of.RMS, Max: of.Max, LBSEE: lbs.EE, LBSRMS: lbs.RMS, LBSMax: lbs.Max}}
		row.Judge()
		table = append(table, row)
	}
	f.report.Clips = append(f.report.Clips, table...)
	switch n := len(own) - len(table); {
	case n == 1:
		f.report.Without = "1 other clip has no shapes to measure against."
	case n > 1:
		f.report.Without = messages.Count(n, "other clip", "other clips") + " have no shapes to measure against."
	}
	return nil
}

// Generalization is how well each way predicts examples that it has not seen.
type Generalization struct {
	SSD, PSD, Fit Errors
	Done          int // the number of examples that were left out and predicted: fewer than all where a context ended it
}

// foldsAtOnce bounds the number of concurrent fits. Each takes 200 bytes for every triangle and pair, prior ones too:
// 0.4 GB for 49 examples on 26,000 triangles. Four keep the processors busy while one of them runs on a single worker.
const foldsAtOnce = 4

// prediction is an example as the fits to all others predict it.
type prediction struct {
	example       int
	ssd, psd, fit []mgl64.Vec3
	err           error
}

// LeaveOneOut learns once for every example, from all the others, and predicts that one (RTER section 7.1:
// leave-one-out cross validation). Errors are over all examples so predicted, EE against the best rigid prediction of
// all of them, as for the training.
//
// Every fold is a complete fit. Folds share the rest pose, the triangles, the skeleton and the rig's weights, and
// nothing that depends on the example that is left out. They run concurrently, and the errors are the same to the bit
// for any number of workers.
//
// Progress, which may be nil, is called on the caller's goroutine with the number of examples that are done. A done
// context ends it with the errors over the examples that were predicted before, or with ctx.Err() where there was
// none.
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
	var driver rig.EnvelopingDriver
	return prediction{example: i, ssd: r.Trained.Pose(shape, pose), psd: psd.Pose(shape, pose),
		fit: r.Model.Pose(&driver, shape, pose)}
}

// generalization measures predictions; one that was not made is nil.
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
