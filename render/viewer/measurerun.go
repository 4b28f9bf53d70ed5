package viewer

import (
	"time"

	"skinlab/render"
	"skinlab/render/viewer/state"
)

const (
	// measureTime is how long each method is shown by "Measure all", longer where that is fewer than measureFrames frames.
	measureTime   = time.Second
	measureFrames = 20
	// measureLimit ends a method that draws so slowly that it never gets there.
	measureLimit = 5 * time.Second
)

// measureRun shows the methods one after the other, each alone, so that each gets its times.
type measureRun struct {
	on     bool
	at     int // index of what is offered
	since  time.Time
	layout state.Layout // as it was before
	panes  [state.MostPanes]state.Pane
	active int
	shown  *prepared                   // the model
	own    [state.MostPanes]state.Pane // as the run has set them: other ones mean that a person has chosen something
}

// startMeasure starts with the first method.
func (a *app) startMeasure(now time.Time) {
	a.stopGrowth("stopped")
	m := &a.timing.measure
	*m = measureRun{on: true, at: -1, layout: a.state.Layout, panes: a.state.Panes, active: a.state.Active, shown: a.shown}
	a.nextMeasure(now)
}

// nextMeasure shows the next method that the model has, and what was shown before after the last.
func (a *app) nextMeasure(now time.Time) {
	m := &a.timing.measure
	offered := a.Offered()
	if m.at++; m.at >= len(offered) {
		a.stopMeasure()
		return
	}
	a.state.SetLayout(state.One)
	a.state.Panes[0] = state.Pane{Method: offered[m.at]}
	m.own, m.since = a.state.Panes, now
}

// stopMeasure shows what was shown before.
func (a *app) stopMeasure() {
	m := &a.timing.measure
	if !m.on {
		return
	}
	a.state.Panes = m.panes
	a.state.SetLayout(m.layout)
	if a.fitted == nil { // gone meanwhile
		a.state.Unfit()
	}
	if a.beside == nil {
		a.state.Lonely()
	}
	a.state.Activate(m.active)
	*m = measureRun{}
	a.wake()
}

// stepMeasure goes on to the next method when the one that is shown has its times. It ends where a person shows
// something else.
func (a *app) stepMeasure(now time.Time) {
	m := &a.timing.measure
	if !m.on {
		return
	}
	if a.state.Layout != state.One || a.state.Panes != m.own || a.shown != m.shown {
		*m = measureRun{}
		return
	}
	took := now.Sub(m.since)
	if took >= measureTime && a.gpu.Timer().Pass(render.PassPalette).Len() >= measureFrames || took >= measureLimit {
		a.readTimes()
		a.nextMeasure(now)
	}
}

// progress returns how much of a run over so many methods is done.
func (m *measureRun) progress(now time.Time, methods int) float64 {
	if !m.on {
		return 0
	}
	part := min(now.Sub(m.since).Seconds()/measureTime.Seconds(), 1)
	return (float64(m.at) + part) / float64(methods)
}
