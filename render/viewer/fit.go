package viewer

import (
	"context"
	"slices"
	"sync"
	"time"

	"skinlab/render/viewer/state"
	"skinlab/skinning"
)

// fitJob is a fit under way. Its goroutine leaves the newest update; the loop takes it when it wakes.
type fitJob struct {
	cancel context.CancelFunc

	mu       sync.Mutex
	latest   FitUpdate
	ready    *fitted // shows the latest model, where there is one
	fresh    bool
	returned bool
}

// beginFit starts the fit that the window opens with, where the model can be fitted.
func (a *app) beginFit(name string) {
	which := slices.IndexFunc(a.fit.forms, func(k *fitForm) bool { return k.row.Name == name })
	if which < 0 || a.shown.fitted != nil || len(a.shown.model.Skin.Positions) == 0 {
		return
	}
	a.fit.chosen = which
	a.startFit(time.Now())
}

// startFit fits the shown model as the panel asks.
func (a *app) startFit(now time.Time) {
	form := a.fit.form()
	ctx, cancel := context.WithCancel(a.ctx)
	job := &fitJob{cancel: cancel}
	a.fit.forget()
	a.fit.ran, a.fit.asked, a.fit.job, a.fit.started = form, form.request(), job, now
	shows := a.fit.asked.shows()
	if a.state.Reference = shows; a.state.Layout == state.One {
		a.state.Panes[1] = state.Pane{Method: shows} // what the fit imitates, one key away
	}
	if a.fit.asked.Own && a.fit.examples != a.state.Clip {
		a.setClip(a.fit.examples)
	}
	a.proposeExport()
	fits, request, model, wake := a.opt.Fit, a.fit.asked, a.shown.model, a.waker.wake
	go func() {
		defer cancel()
		var ready *fitted
		fits.Fit(ctx, model, request, func(u FitUpdate) {
			if m := u.Now.Model; m != nil && (ready == nil || ready.model != m) {
				ready = newFitted(m) // here, where no frame waits for it
			}
			job.mu.Lock()
			job.latest, job.ready, job.fresh = u, ready, true
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

// askFitOf tells the panel which model is shown: a fit begins with poses of all its clips.
func (a *app) askFitOf(p *prepared) {
	clip := AllClips
	if p.own == 0 {
		clip = RangeOfMotion // a fit has better poses of its own than the stress clips
	}
	examples, count, operator := -1, 0, skinning.DQS
	if a.opt.Fit != nil && p.fitted == nil && len(p.model.Skin.Positions) > 0 {
		examples, count = a.opt.Fit.Examples(p.model)
		operator, a.fit.lost = a.opt.Fit.Operator(p.model)
	}
	a.fit.setModel(clip, examples, count, operator)
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
	a.fit.forget()
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
	var ready *fitted
	if due {
		u, ready, f.job.fresh = f.job.latest, f.job.ready, false
	}
	f.job.mu.Unlock()
	if due {
		a.takeUpdate(&u, ready, now)
	}
	if returned || u.Done {
		f.job.cancel()
		f.job = nil
		a.wake()
	}
}

// takeUpdate shows an update, and what shows its model where it has one.
func (a *app) takeUpdate(u *FitUpdate, ready *fitted, now time.Time) {
	f := &a.fit
	a.wake()
	if u.Err != nil {
		a.complain("Could not fit "+f.ran.row.Nouns, u.Err)
	}
	f.reason, f.stage, f.share = u.Reason, u.Stage, max(f.share, u.Share)
	f.verdict, f.worse = u.Verdict, u.Worse
	if u.Now.Model == nil && len(u.History) == 0 && len(u.Marks) == 0 { // it failed before there was anything to show
		return
	}
	f.now, f.history, f.marks, f.picked = u.Now, u.History, u.Marks, len(u.History)-1
	f.plot()
	if ready == nil {
		return
	}
	if a.fitted == nil || a.fitted.model != ready.model {
		a.putFitted(ready)
	}
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
