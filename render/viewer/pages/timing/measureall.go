package timing

import (
	"time"

	"skinlab/render/passes"
	"skinlab/render/viewer/state"
)

const (
	// measureTime is how long "Measure all" shows each method, or longer until measureFrames frames have been drawn.
	measureTime   = time.Second
	measureFrames = 20
	// measureLimit ends the measurement of a slow method before it has all its samples.
	measureLimit = 5 * time.Second
)

// measureRun shows the methods one after the other, each alone, to time them.
type measureRun struct {
	on     bool
	at     int // index into the offered methods
	since  time.Time
	layout state.Layout // layout before the run
	panes  [state.MostPanes]state.Pane
	active int
	own    [state.MostPanes]state.Pane // the panes as set by the run; if they differ, the user has chosen something
}

// Measure starts the run with the first method.
func (p *Page) Measure(now time.Time) {
	p.stopGrowth("stopped")
	m := &p.measure
	*m = measureRun{on: true, at: -1, layout: p.State.Layout, panes: p.State.Panes, active: p.State.Active}
	p.nextMeasure(now)
}

// nextMeasure shows the next offered method. After the last it restores the panes of before.
func (p *Page) nextMeasure(now time.Time) {
	m := &p.measure
	offered := p.Models.Offered()
	m.at++
	if m.at >= len(offered) {
		p.stopMeasure()
		return
	}
	p.State.SetLayout(state.One)
	p.State.Panes[0] = state.Pane{Method: offered[m.at]}
	m.own, m.since = p.State.Panes, now
}

// stopMeasure restores the panes of before.
func (p *Page) stopMeasure() {
	m := &p.measure
	if !m.on {
		return
	}
	p.State.Panes = m.panes
	p.State.SetLayout(m.layout)
	if p.Models.Fit() == nil { // the fit has been removed meanwhile
		p.State.CloseFitted()
	}
	if p.Models.Beside() == nil {
		p.State.CloseBeside()
	}
	p.State.Activate(m.active)
	*m = measureRun{}
	p.Wake()
}

// stepMeasure goes on to the next method when the current one has been timed. It ends if the user shows something else.
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
	if took >= measureTime && p.GPU.Timer().Pass(passes.Palette).Len() >= measureFrames || took >= measureLimit {
		p.readTimes()
		p.nextMeasure(now)
	}
}

// progress returns the share of a run over this many methods that is done.
func (m *measureRun) progress(now time.Time, methods int) float64 {
	if !m.on {
		return 0
	}
	part := min(now.Sub(m.since).Seconds()/measureTime.Seconds(), 1)
	return (float64(m.at) + part) / float64(methods)
}
