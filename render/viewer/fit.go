package viewer

import (
	"context"
	"sync"
	"time"

	"skinlab/render/viewer/state"
	"skinlab/skinning"
)

// FitRequest is what the fit panel asks for.
type FitRequest struct {
	Operator skinning.Method // DQS, SDQS, DIB or SBS
	Bones    int             // blend bones at most
	Clip     int             // of the training poses; −1 for range-of-motion poses made from the skeleton
	Frames   int             // training poses
	Target   float64         // the EE in percent that is good enough; 0 for none
}

// FitStep is one state of a fit.
type FitStep struct {
	Bones   int
	EE      float64 // percent
	Elapsed time.Duration
	Model   *skinning.Model // with Model.Blend set; its joints are the fitted model's own with the blend bones behind them
}

// FitUpdate is how far a fit has come. Its receiver keeps it: neither the history nor the models may change later.
type FitUpdate struct {
	Now     FitStep
	History []FitStep // one per number of blend bones reached so far, from 0 on
	Done    bool
	Reason  string // why it ended
	Err     error
}

// fitJob is a fit under way. Its goroutine leaves the newest update; the loop takes it when it wakes.
type fitJob struct {
	cancel context.CancelFunc

	mu       sync.Mutex
	latest   FitUpdate
	fresh    bool
	returned bool
}

// startFit fits blend bones to the shown model.
func (a *app) startFit(now time.Time) {
	f := &a.fit
	ctx, cancel := context.WithCancel(a.ctx)
	job := &fitJob{cancel: cancel}
	*f = fitting{request: f.request, job: job, started: now, picked: -1}
	if a.state.Layout == state.One {
		a.state.Panes[1] = state.Pane{Method: f.request.Operator} // what the fit imitates, one key away
	}
	run, model, request, wake := a.opt.Fit, a.shown.model, f.request, a.waker.wake
	go func() {
		defer cancel()
		run(ctx, model, request, func(u FitUpdate) {
			job.mu.Lock()
			job.latest, job.fresh = u, true
			job.mu.Unlock()
			wake()
		})
		job.mu.Lock()
		job.returned = true
		job.mu.Unlock()
		wake()
	}()
	a.wake()
}

// stopFit cancels the fit; what it reached arrives as its last update.
func (a *app) stopFit() {
	if j := a.fit.job; j != nil {
		j.cancel()
	}
}

// dropFit cancels the fit and forgets everything about it: the model has been replaced.
func (a *app) dropFit() {
	a.stopFit()
	a.fit = fitting{request: a.fit.request, picked: -1}
	a.fitted = nil
	a.state.Unfit()
}

const (
	// swapPause is the least time between two models of a running fit on the screen.
	swapPause = 100 * time.Millisecond
	// swapShare bounds the share of the time that goes into putting them there: one in so many.
	swapShare = 5
)

// receiveFit takes the newest update of the fit under way.
func (a *app) receiveFit(now time.Time) {
	f := &a.fit
	if f.job == nil {
		return
	}
	f.job.mu.Lock()
	returned := f.job.returned
	due := f.job.fresh && (f.job.latest.Done || returned || !now.Before(f.nextSwap))
	var u FitUpdate
	if due {
		u, f.job.fresh = f.job.latest, false
	}
	f.job.mu.Unlock()
	if due {
		a.takeUpdate(&u, now)
	}
	if returned || u.Done {
		f.job.cancel()
		f.job = nil
		a.wake()
	}
}

func (a *app) takeUpdate(u *FitUpdate, now time.Time) {
	f := &a.fit
	a.wake()
	if u.Err != nil {
		a.complain("Could not fit blend bones", u.Err)
	}
	f.reason = u.Reason
	if u.Now.Model == nil { // it failed before there was anything to show
		return
	}
	f.now, f.history, f.picked = u.Now, u.History, len(u.History)-1
	f.plot(u.History)
	a.showFitted(u.Now.Model)
	if took := time.Since(now); took > 0 {
		f.nextSwap = now.Add(max(swapPause, swapShare*took))
	}
	if !f.seen && a.fitted != nil {
		f.seen = true // once: whoever looks at another method meanwhile wants to
		a.state.SetMethod(blendBones)
	}
}

// pickStep shows a state of the fit's history.
func (a *app) pickStep(k int) {
	f := &a.fit
	if k < 0 || k >= len(f.history) || k == f.picked {
		return
	}
	f.picked = k
	f.now = f.history[k]
	if f.now.Model != nil {
		a.showFitted(f.now.Model)
	}
	a.wake()
}
