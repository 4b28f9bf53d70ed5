package viewer

import (
	"context"
	"time"

	"github.com/go-gl/gl/all-core/gl"
	"github.com/go-gl/glfw/v3.3/glfw"

	"skinlab/render/passes"
	"skinlab/render/viewer/pages/timing"
)

const (
	// longestTick bounds the clock's step, so that a pause of the whole program does not jump the animation.
	longestTick = 0.25
	// idleWait is how long an idle loop sleeps at most, in seconds. Nothing needs it to wake: events and loads do.
	idleWait = 5
	// workingWait paces it while a fit runs, whose clock is shown; the fit needs the processor.
	workingWait = 0.1
	// minimisedWait paces the loop while there is nothing to draw on, in seconds: the clip plays on.
	minimisedWait = 0.1
)

// run draws until the window is closed or ctx is done.
func (a *app) run(ctx context.Context) error {
	a.loop.last = time.Now()
	for {
		start := time.Now()
		if err := a.turn(); err != nil {
			return err
		}
		if a.opt.Screenshot != "" && a.loop.settle <= 0 {
			return nil
		}
		a.wait(time.Since(start))
		a.collect()
		if ctx.Err() != nil || a.win.ShouldClose() {
			return nil
		}
	}
}

// collect takes over what other goroutines have finished.
func (a *app) collect() {
	a.receive()
	a.receiveFit(time.Now())
	a.receiveExport()
	a.receiveDistances()
	for i := range a.lists.tabs {
		a.lists.tabs[i].Receive()
	}
}

// turn lets the time pass that has passed and draws a frame, unless there is nothing to draw on.
func (a *app) turn() error {
	now := time.Now()
	dt := min(now.Sub(a.loop.last).Seconds(), longestTick)
	a.loop.last = now
	a.state.Tick(dt)
	if a.win.pixelsX > 0 && a.win.pixelsY > 0 && a.win.width > 0 && a.win.height > 0 {
		if err := a.drawFrame(dt, now); err != nil {
			return err
		}
	}
	a.loop.settle--
	a.keepSettings(now)
	if a.opt.observe != nil {
		a.opt.observe(a)
	}
	return nil
}

// drawFrame draws the interface's logic first and its pixels last, so that what a click changes is seen in the same
// frame.
func (a *app) drawFrame(dt float64, now time.Time) error {
	a.layout.scale = a.win.uiScale() * a.layout.zoom
	a.ui.SetScale(a.layout.scale)
	sx, sy := a.win.density()
	a.ui.Begin(a.win.width, a.win.height, sx, sy, float32(dt))
	a.panels(now)
	a.updatePages(now)
	a.state.FollowTab()
	posing := time.Now()
	a.setPose()
	a.gpu.Timer().Add(passes.Palette, time.Since(posing))
	a.survey()
	a.scaleHeat()
	a.ask()
	a.askFont()
	if a.opt.Screenshot != "" && (a.measuring() || a.fit.job != nil || a.findingFont) {
		a.wake() // the picture is not finished
	}
	a.fitCamera()
	if !a.crowded() { // what is marked is the model alone
		a.gizmo()
		a.skeletonView()
		a.bones()
		a.markVertex()
	}
	err := a.draw()
	if err == nil {
		err = a.takeShots(false)
	}
	gl.BindFramebuffer(gl.FRAMEBUFFER, 0)
	gl.Disable(gl.FRAMEBUFFER_SRGB)
	a.gpu.Timer().Begin(passes.Interface)
	a.ui.End()
	a.gpu.Timer().End(passes.Interface)
	a.gpu.Timer().Frame()
	if err != nil {
		return err
	}
	a.win.showCursor(a.ui.Cursor())
	if err := a.takeShots(true); err != nil {
		return err
	}
	a.loop.drawn++
	a.win.SwapBuffers()
	return nil
}

// wait collects events, and sleeps until the next where nothing moves.
func (a *app) wait(took time.Duration) {
	period := 1 / a.win.refreshPerSecond
	switch {
	case a.win.pixelsX == 0 || a.win.pixelsY == 0:
		glfw.WaitEventsTimeout(minimisedWait)
	case a.animated():
		// A display that does not hold SwapBuffers back until its refresh would turn the loop into a heater.
		if rest := period - took.Seconds(); rest > period/4 {
			glfw.WaitEventsTimeout(rest)
		} else {
			glfw.PollEvents()
		}
	case a.loop.settle > 0:
		glfw.PollEvents()
	case a.fit.job != nil || a.export.running:
		glfw.WaitEventsTimeout(workingWait)
		a.loop.settle = max(a.loop.settle, 1)
	case !a.notes.ends().IsZero():
		glfw.WaitEventsTimeout(max(time.Until(a.notes.ends()).Seconds(), 0.01))
		a.wake()
	default:
		glfw.WaitEventsTimeout(idleWait)
		a.loop.last = time.Now() // time spent asleep is not time in which a clip plays
	}
}

// animated reports whether the picture changes by itself.
func (a *app) animated() bool {
	return a.state.Moving() || a.files.path != "" || pageOf[*timing.Page](a).Running()
}
