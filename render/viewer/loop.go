package viewer

import (
	"context"
	"time"

	"github.com/go-gl/gl/all-core/gl"
	"github.com/go-gl/glfw/v3.3/glfw"

	"skinlab/render/passes"
	"skinlab/render/ui"
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
	a.receiveDistances()
	for i := range a.tabs {
		a.tabs[i].Receive()
	}
}

// turn lets the time pass that has passed and draws a frame, unless there is nothing to draw on.
func (a *app) turn() error {
	now := time.Now()
	dt := min(now.Sub(a.loop.last).Seconds(), longestTick)
	a.loop.last = now
	a.state.Tick(dt)
	if a.win.PixelsX > 0 && a.win.PixelsY > 0 && a.win.Width > 0 && a.win.Height > 0 {
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
	a.layout.scale = a.win.UIScale() * a.layout.zoom
	a.ui.SetScale(a.layout.scale)
	sx, sy := a.win.Density()
	a.ui.Begin(a.win.Width, a.win.Height, sx, sy, float32(dt))
	a.view.Dragging = a.mouse.drag != dragNone
	a.panels(now)
	for i := range a.tabs {
		a.tabs[i].Update(now, a.seesPage(a.tabs[i].Tab))
	}
	a.state.FollowTab()
	start := time.Now()
	a.Pose()
	a.gpu.Timer().Add(passes.Palette, time.Since(start))
	a.survey()
	a.scaleHeat()
	a.ask()
	a.askFont()
	if a.opt.Screenshot != "" && (a.measuring() || a.findingFont) {
		a.wake() // the picture is not finished
	}
	a.view.Fit()
	if !a.crowd.On() { // what is marked is the model alone
		if a.skeleton.Handle(a.mouse.drag == dragGizmo) {
			a.leaveGizmo()
		}
		a.skeleton.Draw()
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
	a.win.ShowCursor(a.ui.Cursor())
	if err := a.takeShots(true); err != nil {
		return err
	}
	a.loop.drawn++
	a.win.SwapBuffers()
	return nil
}

// leaveGizmo lets the picture have a press that the gizmo does not want.
func (a *app) leaveGizmo() {
	if a.mouse.drag == dragGizmo {
		a.ui.MouseButton(0, false)
		a.mouse.drag = dragOrbit
	}
}

// bones draws the bones that a fit has added, and paints the skin by what is under the mouse.
func (a *app) bones() {
	f, s := a.fitted, &a.state
	if f == nil {
		return
	}
	f.Hovered = -1
	if s.Bones {
		f.Draw(a.view)
	}
	lit := -1
	if s.Paint {
		lit = f.Hovered
	}
	if f.Paint(s.PaintView, lit) {
		if err := a.gpu.SetTints(f.Model, f.Tints); err != nil {
			a.notes.Complain("Could not paint the blend bones", err)
		}
	}
}

// wait collects events, and sleeps until the next where nothing moves.
func (a *app) wait(took time.Duration) {
	period := 1 / a.win.RefreshPerSecond
	switch {
	case a.win.PixelsX == 0 || a.win.PixelsY == 0:
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
	case a.fit.Running() || a.fit.Exporting():
		glfw.WaitEventsTimeout(workingWait)
		a.loop.settle = max(a.loop.settle, 1)
	case !a.notes.Ends().IsZero():
		glfw.WaitEventsTimeout(max(time.Until(a.notes.Ends()).Seconds(), 0.01))
		a.wake()
	default:
		glfw.WaitEventsTimeout(idleWait)
		a.loop.last = time.Now() // time spent asleep is not time in which a clip plays
	}
}

// animated reports whether the picture changes by itself.
func (a *app) animated() bool {
	return a.state.Moving() || a.files.path != "" || a.times.Running()
}

// askFont looks for a font of the system where a name has characters that the program's fonts lack. That takes a file
// of some megabytes and another program, so it is done once for all that a frame shows, while the next ones are drawn.
func (a *app) askFont() {
	if a.findingFont {
		return // what is missing meanwhile stays noted
	}
	wanted := a.ui.TakeMissing()
	if len(wanted) == 0 {
		return
	}
	a.findingFont = true
	go func() {
		fonts := ui.FindFonts(wanted)
		a.desk.Later(func() {
			a.findingFont = false
			for _, f := range fonts {
				a.ui.AddFont(f)
			}
		})
	}()
}
