package viewer

import (
	"cmp"
	"time"

	"skinlab/render"
	"skinlab/render/ui"
	"skinlab/render/viewer/state"
	"skinlab/skinning"
)

const (
	// readPause is the least time between two readings of the timer that are shown: figures that change faster cannot be
	// read.
	readPause = 250 * time.Millisecond
	// leastSamples make a median worth showing.
	leastSamples = 8
)

// figures are the times of one pass as they are shown, seconds.
type figures struct {
	last, median, p95 float64
	there             bool
}

// methodCost is what a method was measured to take.
type methodCost struct {
	perVertex float64 // seconds of the skin pass
	palette   float64 // seconds a frame, on the CPU
	vertices  int
	there     bool
}

// methodCosts are those of all methods that a model can be shown by, the fit last, by where vertices are posed.
type methodCosts [len(skinningWays)][]methodCost

func newMethodCosts() (c methodCosts) {
	for way := range c {
		c[way] = make([]methodCost, len(shownMethods()))
	}
	return c
}

// timing is what the window knows about its own times: figures of the passes of what is shown now, and of each method
// from when it was shown alone.
type timing struct {
	passes  []render.Pass
	figures []figures // by pass
	picture figures
	history ui.Stack
	scratch []float64

	subject  subject
	vertices int // posed in a frame, all pictures together
	readAt   time.Time

	costs   methodCosts
	measure measureRun
	growth  growthRun
	missing [len(skinningWays)]string // why a way to skin is not there; "" where it is

	at timingPlaces
}

// timingPlaces is where the page's controls are, logical pixels.
type timingPlaces struct{ measure, copy, reset, skinning, crowd, grow ui.Rect }

// subject is what times depend on: those of another are not mixed with it.
type subject struct {
	layout                state.Layout
	panes                 [state.MostPanes]state.Pane
	shown                 *prepared
	fitted                *fitted
	beside                *beside
	clip                  int
	clay, wireframe, grid bool
	heat                  bool
	instances             int
	width, height         float32
}

func newTiming() timing {
	t := timing{passes: render.Passes(), costs: newMethodCosts(), scratch: make([]float64, 0, render.SampleWindow)}
	t.figures = make([]figures, len(t.passes))
	for i := range t.history.X {
		t.history.X[i] = float64(i)
	}
	t.history.Layers, t.history.MostX, t.history.MostY = len(t.passes)+1, ui.StackSamples-1, 1
	for k := range t.passes {
		t.history.Color[k+1] = passColor(k)
	}
	return t
}

// costs returns what the methods cost where vertices are posed now.
func (a *app) costs() []methodCost { return a.timing.costs[a.skinningAt()] }

// cost returns the seconds a vertex that a method's skin pass was measured to take on this model, false before that.
func (a *app) cost(m skinning.Method) (seconds float64, measured bool) {
	for i, row := range a.lists.methods {
		if row == m {
			c := &a.costs()[i]
			return c.perVertex, c.there
		}
	}
	return 0, false
}

// costText says what a pane's method costs: what it was measured to take and where, in fewer words where it has to fit
// a narrow place, and before that its class. It holds until the line is used again.
func (a *app) costText(p state.Pane, width float32) string {
	seconds, measured := a.cost(p.Method)
	if !measured || p.Beside {
		return a.paneCard(p).Class
	}
	decimals := 0
	if seconds < 99.95e-9 {
		decimals = 1
	}
	text := a.line.Start().F(seconds*1e9, decimals).S(" ns a vertex, ").S(a.gpu.Timer().Label()).View()
	if a.ui.TextWidth(ui.Body, text) <= width {
		return text
	}
	device := " ns, wall time"
	switch label := a.gpu.Timer().Label(); {
	case a.info.Software:
		device = " ns, CPU"
	case label == "GPU":
		device = " ns, GPU"
	}
	return a.line.Start().F(seconds*1e9, decimals).S(device).View()
}

// timesPasses reports whether each pass is to be timed. Queries of a GPU cost nothing; a software renderer has to
// finish every pass by itself, so there it is only done while somebody looks.
func (a *app) timesPasses() bool {
	return !a.info.Software || a.timing.busy() || a.seesPage(state.TabTiming)
}

// takeTimes runs before each frame: it keeps the times of different things apart, and reads those of this one.
func (a *app) takeTimes(now time.Time) {
	t := &a.timing
	a.stepMeasure(now)
	a.stepGrowth(now)
	way := render.TimingPicture
	if a.timesPasses() {
		way = render.TimingPasses
		a.poseAnew() // a pose that is kept would cost nothing
	}
	a.gpu.Timer().SetTiming(way)
	s := subject{
		layout: a.state.Layout, shown: a.shown, fitted: a.fitted, beside: a.beside, clip: a.state.Clip, clay: a.state.Clay,
		wireframe: a.state.Wireframe, grid: a.state.Grid, heat: a.state.Heat, instances: a.crowd.drawn,
		width: a.layout.view.W, height: a.layout.view.H,
	}
	copy(s.panes[:], a.state.Seen())
	if s != t.subject {
		if s.shown != t.subject.shown {
			t.costs = newMethodCosts()
			a.stopGrowth("")
			t.growth = growthRun{}
		}
		if s.fitted != t.subject.fitted {
			t.forgetFitted()
		}
		t.subject = s
		a.gpu.Timer().Reset()
		t.clear()
	}
	if way == render.TimingPasses && now.Sub(t.readAt) >= readPause {
		t.readAt = now
		a.readTimes()
	}
}

// busy reports whether times are being taken that change what is shown.
func (t *timing) busy() bool { return t.measure.on || t.growth.on }

// poseAnew lets the next frame pose what it shows, whether or not that stands still.
func (a *app) poseAnew() {
	a.shown.at.ok = false
	if a.fitted != nil {
		a.fitted.at.ok = false
	}
	if a.beside != nil {
		a.beside.at.ok = false
	}
	a.crowd.posed.ok = false
}

func (t *timing) clear() {
	clear(t.figures)
	t.picture = figures{}
	t.history.Len = 0
	t.readAt = time.Time{}
}

// readTimes takes over what the timer has.
func (a *app) readTimes() {
	t, timer := &a.timing, a.gpu.Timer()
	t.vertices = 0
	for _, p := range a.state.Seen() {
		if p.Beside && a.beside != nil {
			t.vertices += a.beside.vertices()
		} else {
			t.vertices += a.shown.vertices() * a.crowd.drawn
		}
	}
	for i, p := range t.passes {
		t.figures[i] = read(timer.Pass(p))
	}
	t.picture = read(timer.Picture())
	t.stack(timer)
	a.readCost()
}

// vertices returns how many vertices posing moves.
func (p *posable) vertices() int {
	n := len(p.model.Skin.Positions)
	for i := range p.model.Rigid {
		n += len(p.model.Rigid[i].Positions)
	}
	return n
}

func read(s *render.Samples) figures {
	return figures{s.Last(), s.Median(), s.P95(), s.Len() > 0}
}

// stack piles the histories of the passes up, in milliseconds. A pass runs in every frame or in none of a subject, so
// the newest samples belong to the same frame.
func (t *timing) stack(timer *render.Timer) {
	h := &t.history
	h.Len = 0
	for _, p := range t.passes {
		h.Len = max(h.Len, timer.Pass(p).Len())
	}
	for i := range h.Len {
		h.X[i] = float64(ui.StackSamples - h.Len + i) // the newest at the right
	}
	var most float64
	for k, p := range t.passes {
		t.scratch = timer.Pass(p).History(t.scratch[:0])
		lower, top := &h.Tops[k], &h.Tops[k+1]
		missing := h.Len - len(t.scratch)
		for i := range h.Len {
			top[i] = lower[i]
			if i >= missing {
				top[i] += t.scratch[i-missing] * 1e3
			}
			most = max(most, top[i])
		}
	}
	// The scale grows at once and shrinks late, or it would jump about.
	if most > h.MostY || most < 0.3*h.MostY {
		h.MostY = cmp.Or(state.RoundTop(most*1.1), 1)
	}
}

// readCost notes what the method costs that is shown alone: its skin pass, and of a linear rig the two that go with it
// (RTER section 6).
func (a *app) readCost() {
	t, timer := &a.timing, a.gpu.Timer()
	skin, palette := timer.Pass(render.PassSkin), timer.Pass(render.PassPalette)
	pane := a.state.Panes[0]
	if a.state.Layout != state.One || pane.Beside || t.vertices == 0 || skin.Len() < leastSamples {
		return
	}
	seconds := skin.Median()
	if pane.Method == blendBones && a.fitted != nil && a.fitted.linear != nil {
		seconds += timer.Pass(render.PassProxies).Median() + timer.Pass(render.PassNormals).Median()
	}
	for i, m := range a.lists.methods {
		if m == pane.Method {
			a.costs()[i] = methodCost{seconds / float64(t.vertices), palette.Median(), t.vertices, true}
		}
	}
}

// forgetFitted drops what the fitted model was measured to cost: another one is shown.
func (t *timing) forgetFitted() {
	for _, costs := range t.costs {
		costs[len(costs)-1] = methodCost{}
	}
}

// resetTimes forgets all times.
func (a *app) resetTimes() {
	a.gpu.Timer().Reset()
	a.timing.clear()
	a.timing.costs = newMethodCosts()
	a.stopGrowth("")
	a.timing.growth = growthRun{}
}

func (a *app) timingSnapshot() TimingSnapshot {
	t := &a.timing
	s := TimingSnapshot{
		Label: a.gpu.Timer().Label(), Picture: t.picture.median, Measuring: t.measure.on,
		Skinning: a.gpu.Skinning(), Measure: t.at.measure, Copy: t.at.copy, Reset: t.at.reset, Ways: t.at.skinning,
		Crowd: t.at.crowd, Grow: t.at.grow, Instances: [2]int{a.crowd.many, a.crowd.drawn}, Grown: len(t.growth.plot.X),
		Growing: t.growth.on,
	}
	for i, f := range t.figures {
		s.Passes[i] = f.median
	}
	s.Costs, s.Palettes = a.loop.snap.Timing.Costs[:0], a.loop.snap.Timing.Palettes[:0]
	for _, c := range a.costs() {
		s.Costs, s.Palettes = append(s.Costs, c.perVertex), append(s.Palettes, c.palette)
	}
	return s
}

// passColor returns the colour of a pass in the history.
func passColor(k int) ui.Color {
	return dyeColor(boneColor(k + 1))
}
