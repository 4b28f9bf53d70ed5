package timing

import (
	"time"

	"skinlab/render/passes"
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
	own    [state.MostPanes]state.Pane // as the run has set them: other ones mean that a person has chosen something
}

// Measure starts with the first method.
func (p *Page) Measure(now time.Time) {
	p.stopGrowth("stopped")
	m := &p.measure
	*m = measureRun{on: true, at: -1, layout: p.State.Layout, panes: p.State.Panes, active: p.State.Active}
	p.nextMeasure(now)
}

// nextMeasure shows the next method that the model has, and what was shown before after the last.
func (p *Page) nextMeasure(now time.Time) {
	m := &p.measure
	offered := p.host.Offered()
	if m.at++; m.at >= len(offered) {
		p.stopMeasure()
		return
	}
	p.State.SetLayout(state.One)
	p.State.Panes[0] = state.Pane{Method: offered[m.at]}
	m.own, m.since = p.State.Panes, now
}

// stopMeasure shows what was shown before.
func (p *Page) stopMeasure() {
	m := &p.measure
	if !m.on {
		return
	}
	p.State.Panes = m.panes
	p.State.SetLayout(m.layout)
	if p.host.Fit() == nil { // gone meanwhile
		p.State.Unfit()
	}
	if p.host.Beside() == nil {
		p.State.Lonely()
	}
	p.State.Activate(m.active)
	*m = measureRun{}
	p.Wake()
}

// stepMeasure goes on to the next method when the one that is shown has its times. It ends where a person shows
// something else.
func (p *Page) stepMeasure(now time.Time) {
	m := &p.measure
	if !m.on {
		return
	}
	if p.State.Layout != state.One || p.State.Panes != m.own {
		*m = measureRun{}
		return
	}
	took := now.Sub(m.since)
	if took >= measureTime && p.gpu.Timer().Pass(passes.Palette).Len() >= measureFrames || took >= measureLimit {
		p.readTimes()
		p.nextMeasure(now)
	}
}

// progress returns how much of a run over a number of methods is done.
func (m *measureRun) progress(now time.Time, methods int) float64 {
	if !m.on {
		return 0
	}
	part := min(now.Sub(m.since).Seconds()/measureTime.Seconds(), 1)
	return (float64(m.at) + part) / float64(methods)
}
