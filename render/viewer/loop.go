package viewer

import (
	"context"
	"slices"
	"time"

	"github.com/go-gl/gl/all-core/gl"
	"github.com/go-gl/glfw/v3.3/glfw"

	"skinlab/render/passes"
	"skinlab/render/ui/systemfont"
	"skinlab/render/viewer/state"
)

const (
	// framesAfterInput is the number of frames drawn after an event. The interface sees a press and its release in
	// separate frames, and shows their effect in the next.
	framesAfterInput = 4
	// longestTick limits the clock's step in seconds, so that the animation does not jump after a pause of the program.
	longestTick = 0.25
	// idleWait is the longest sleep of an idle loop in seconds. Events and loads wake it earlier.
	idleWait = 5
	// workingWait is the time between frames while a fit runs, seconds. Its clock is shown, but the fit needs the
	// processor.
	workingWait = 0.1
	// minimisedWait is the time between turns of the loop in a minimised window, seconds. The clip plays on.
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
		if a.opt.Screenshot != "" && a.loop.framesLeft <= 0 {
			return nil
		}
		a.wait(time.Since(start))
		a.collect()
		if ctx.Err() != nil || a.win.ShouldClose() && a.closes() {
			return nil
		}
	}
}

func (a *app) collect() {
	if a.mail.Run() {
		a.desk.Wake()
	}
	a.loader.Receive()
	a.distances.Receive()
	a.receiveFocus()
	for i := range a.tabs {
		a.tabs[i].Receive()
	}
}

// turn advances the clock by the time that has passed and draws a frame if the window is visible.
func (a *app) turn() error {
	now := time.Now()
	dt := min(now.Sub(a.loop.last).Seconds(), longestTick)
	passed := now.Sub(a.loop.turned).Seconds() // a sleep counts: clicks before and after it are no double click
	a.loop.last, a.loop.turned = now, now
	a.state.Tick(dt)
	if a.win.PixelsX > 0 && a.win.PixelsY > 0 && a.win.Width > 0 && a.win.Height > 0 {
		if err := a.drawFrame(passed, now); err != nil {
			return err
		}
	}
	a.loop.framesLeft--
	if a.ui.Pending() {
		a.loop.framesLeft = max(a.loop.framesLeft, framesAfterInput)
	}
	a.prefs.Keep(a.choices(), now)
	if a.opt.observe != nil {
		a.opt.observe(a)
	}
	return nil
}

// runInterface lays out a frame's interface, for [ui.Context.End] to draw, and obeys it. Passed is in seconds.
func (a *app) runInterface(passed float64, now time.Time) {
	a.ui.SetScale(a.win.UIScale() * a.zoom())
	a.ui.SetTheme(a.theme())
	sx, sy := a.win.Density()
	a.ui.Begin(a.win.Width, a.win.Height, sx, sy, float32(passed))
	a.view.Dragging = a.input.Drags()
	if !a.loop.bare {
		a.panels(now)
		for i := range a.tabs {
			a.tabs[i].Update(now, a.seesPage(a.tabs[i].Tab))
		}
	}
	a.state.FollowTab()
	start := time.Now()
	a.models.Pose()
	a.fit.PoseCompared()
	a.crowd.Pose(a.models.File.Frame, a.models.Fit())
	a.gpu.Timer().Add(passes.Palette, time.Since(start))
	a.distances.Survey()
	a.distances.ScaleHeat()
	a.distances.Ask()
	a.askFont()
	if a.opt.Screenshot != "" && (a.measuring() || a.outer.Running() || a.findingFont) {
		a.desk.Wake() // the picture is not finished
	}
	a.view.Fit()
	a.view.FollowTo(a.models.File.Place(), a.state.Follow && !a.crowd.On() && !a.input.Gizmo())
	if !a.crowd.On() { // a crowd has no marks
		if a.skeleton.Handle(a.input.Gizmo()) {
			a.input.LeaveGizmo()
		}
		a.skeleton.Draw()
		a.bones()
		if a.seesPage(state.TabBody) {
			a.body.DrawJoints(a.view)
		}
		a.distances.MarkVertex()
	}
	a.past.Record(a.input.Gizmo() || a.ui.Holds())
}

// drawFrame runs the interface before the pictures, so that a click's effect shows in the same frame.
func (a *app) drawFrame(passed float64, now time.Time) error {
	a.runInterface(passed, now)
	err := a.draw()
	if err == nil {
		err = a.takeShots(false)
	}
	gl.BindFramebuffer(gl.FRAMEBUFFER, 0)
	gl.Disable(gl.FRAMEBUFFER_SRGB)
	a.gpu.Timer().Begin(passes.Interface)
	if a.sketches() {
		gl.Enable(gl.RASTERIZER_DISCARD)
	}
	a.ui.End()
	gl.Disable(gl.RASTERIZER_DISCARD)
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

// measuring reports whether a result that is shown has not arrived yet.
func (a *app) measuring() bool {
	return a.models.Making() || a.distances.Measures() || slices.ContainsFunc(a.tabs, func(t tab) bool { return t.Busy() })
}

// bones draws the added bones and paints the skin for the bone under the mouse.
func (a *app) bones() {
	f, s := a.models.Fitted(), &a.state
	if f == nil || !f.Adds() {
		return
	}
	f.Hovered, f.Touched = -1, -1
	if s.Bones {
		f.Draw(a.view)
	}
	lit := -1
	if s.Paint {
		lit = f.Hovered
	}
	if f.Paint(s.PaintView, lit) {
		if err := a.gpu.SetTints(f.Model, f.Tints); err != nil {
			a.notes.Complain("Could not paint the added bones", err)
		}
	}
}

// wait collects events. If nothing moves, it sleeps until the next event.
func (a *app) wait(took time.Duration) {
	period := 1 / a.win.RefreshPerSecond
	switch {
	case a.win.PixelsX == 0 || a.win.PixelsY == 0:
		glfw.WaitEventsTimeout(minimisedWait)
	case a.animated():
		// If SwapBuffers does not wait for the display's refresh, the loop would use a whole processor.
		if rest := period - took.Seconds(); rest > period/4 {
			glfw.WaitEventsTimeout(rest)
		} else {
			glfw.PollEvents()
		}
	case a.loop.framesLeft > 0:
		glfw.PollEvents()
	case a.loop.tip > 0:
		glfw.WaitEventsTimeout(a.loop.tip.Seconds())
		a.loop.framesLeft = max(a.loop.framesLeft, 1)
	case a.fit.Running() || a.fit.Exporting() || a.models.Making():
		glfw.WaitEventsTimeout(workingWait)
		a.loop.framesLeft = max(a.loop.framesLeft, 1)
	case !a.notes.Ends().IsZero():
		glfw.WaitEventsTimeout(max(time.Until(a.notes.Ends()).Seconds(), 0.01))
		a.desk.Wake()
	default:
		glfw.WaitEventsTimeout(idleWait)
		a.loop.last = time.Now() // the clip does not play while the loop sleeps
	}
}

// animated reports whether the picture changes without events.
func (a *app) animated() bool {
	return a.state.Moving() || a.loader.Loads() || a.times.Running()
}

// askFont searches the system for a font if a name has characters that the fonts lack. That runs another program and
// reads some megabytes, so a goroutine does it once for all the characters of a frame.
func (a *app) askFont() {
	if a.findingFont {
		return // further missing characters stay noted meanwhile
	}
	wanted := a.ui.TakeMissing()
	if len(wanted) == 0 {
		return
	}
	a.findingFont = true
	go func() {
		fonts := systemfont.Find(wanted)
		a.desk.Later(func() {
			a.findingFont = false
			for _, f := range fonts {
				a.ui.AddFont(f)
			}
		})
	}()
}
