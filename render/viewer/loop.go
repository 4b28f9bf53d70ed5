package viewer

import (
	"context"
	"time"

	"github.com/go-gl/gl/all-core/gl"
	"github.com/go-gl/glfw/v3.3/glfw"

	"skinlab/render"
	"skinlab/render/viewer/state"
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
	a.last = time.Now()
	for {
		start := time.Now()
		if err := a.turn(); err != nil {
			return err
		}
		if a.opt.Screenshot != "" && a.settle <= 0 {
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
	a.receiveSweep()
}

// turn lets the time pass that has passed and draws a frame, unless there is nothing to draw on.
func (a *app) turn() error {
	now := time.Now()
	dt := min(now.Sub(a.last).Seconds(), longestTick)
	a.last = now
	a.state.Tick(dt)
	if a.win.pixelsX > 0 && a.win.pixelsY > 0 && a.win.width > 0 && a.win.height > 0 {
		if err := a.drawFrame(dt, now); err != nil {
			return err
		}
	}
	a.settle--
	a.keepSettings(now)
	if a.opt.Observe != nil {
		a.observe()
	}
	return nil
}

// drawFrame draws the interface's logic first and its pixels last, so that what a click changes is seen in the same frame.
func (a *app) drawFrame(dt float64, now time.Time) error {
	a.scale = a.win.uiScale() * a.zoom
	a.ui.SetScale(a.scale)
	sx, sy := a.win.density()
	a.ui.Begin(a.win.width, a.win.height, sx, sy, float32(dt))
	a.panels(now)
	a.takeTimes(now)
	a.state.FollowTab()
	posing := time.Now()
	a.setPose()
	a.gpu.Timer().Add(render.PassPalette, time.Since(posing))
	a.survey()
	a.askSweep()
	a.scaleHeat()
	a.ask()
	if a.opt.Screenshot != "" && (a.measuring() || a.fit.job != nil) {
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
	a.gpu.Timer().Begin(render.PassInterface)
	a.ui.End()
	a.gpu.Timer().End(render.PassInterface)
	a.gpu.Timer().Frame()
	if err != nil {
		return err
	}
	a.win.showCursor(a.ui.Cursor())
	if err := a.takeShots(true); err != nil {
		return err
	}
	a.drawn++
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
	case a.settle > 0:
		glfw.PollEvents()
	case a.fit.job != nil || a.exporting:
		glfw.WaitEventsTimeout(workingWait)
		a.settle = max(a.settle, 1)
	case a.notice != "":
		glfw.WaitEventsTimeout(max(time.Until(a.noticeUntil).Seconds(), 0.01))
		a.wake()
	default:
		glfw.WaitEventsTimeout(idleWait)
		a.last = time.Now() // time spent asleep is not time in which a clip plays
	}
}

// animated reports whether the picture changes by itself.
func (a *app) animated() bool { return a.state.Moving() || a.loadingPath != "" || a.timing.busy() }

func (a *app) observe() {
	name := a.shown.model.Name
	a.snap = Snapshot{
		State: a.state, Model: name, Loading: a.loadingPath != "", Idle: a.settle <= 0 && !a.animated(), Failure: a.failure, Drawn: a.drawn,
		Width: a.win.pixelsX, Height: a.win.pixelsY, Camera: a.camera, View: a.view, Timeline: a.timeline,
		FrameSeconds: a.gpu.Timer().Picture().Smoothed(), Fit: a.fitSnapshot(), Pose: a.poseSnapshot(), Timing: a.timingSnapshot(),
		Files: a.filesSnapshot(), Errors: a.errorSnapshot(),
	}
	for id := range a.snap.Tabs {
		a.snap.Tabs[id] = a.tabPlace(state.Tab(id))
	}
	a.opt.Observe(&a.snap)
}
