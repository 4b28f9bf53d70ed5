package timing

import (
	"math"
	"time"

	"skinlab/render/passes"
	"skinlab/render/ui"
)

const (
	// growthTime is how long a crowd of each size is shown, or longer until growthFrames frames have been drawn.
	growthTime   = 300 * time.Millisecond
	growthFrames = 8
	// growthLimit ends that time for a slow crowd after slowFrames frames.
	growthLimit = 3 * time.Second
	slowFrames  = 2
	// growthEnd is the time of a frame in seconds at which the crowd stops growing.
	growthEnd = 1.0
)

// growthRun doubles the crowd from one instance on and records the time per instance at each size.
type growthRun struct {
	on     bool
	since  time.Time
	before int // size of the crowd before the run
	n      int
	reason string // why the run ended
	method string
	setting
	plot ui.LogPlot
}

// startGrowth starts the run with the model alone.
func (p *Page) startGrowth(now time.Time) {
	g := &p.growth
	*g = growthRun{on: true, since: now, before: p.Crowd.Many, n: 1,
		plot: ui.LogPlot{X: g.plot.X[:0], Y: g.plot.Y[:0], LeastX: 1, MostX: 10, LeastY: 1, MostY: 10}}
	p.stopMeasure()
	p.setCrowd(1)
	g.method, g.setting = p.name(p.State.Method()), p.settingNow().withInstances(0)
	p.GPU.Timer().Reset()
	p.Wake()
}

// setCrowd shows a crowd of a size that the user has not asked for, and all of it.
func (p *Page) setCrowd(n int) {
	p.Crowd.Set(n)
	p.host.Reframe()
}

// stopGrowth restores the crowd of before.
func (p *Page) stopGrowth(reason string) {
	if g := &p.growth; g.on {
		g.on, g.reason = false, reason
		p.setCrowd(g.before)
	}
}

// stepGrowth doubles the crowd when the current size has been timed. It ends if the user sets another size.
func (p *Page) stepGrowth(now time.Time) {
	g, t, crowd := &p.growth, p.GPU.Timer(), p.Crowd
	if !g.on {
		return
	}
	if crowd.Many != g.n || p.settingNow().withInstances(0) != g.setting {
		g.on, g.reason = false, "stopped"
		return
	}
	picture, palette := t.Picture(), t.Pass(passes.Palette)
	took := now.Sub(g.since)
	quick := took >= growthTime && picture.Len() >= growthFrames
	if slow := took >= growthLimit && picture.Len() >= slowFrames; !quick && !slow {
		return
	}
	seconds := picture.Median() + palette.Median()
	if instances := p.instances(); seconds > 0 && instances > 0 {
		g.add(float64(g.n), seconds*1e6/float64(instances))
	}
	switch {
	case seconds > growthEnd:
		p.stopGrowth("stopped: a frame takes more than a second")
	case crowd.Drawn < g.n:
		p.stopGrowth("stopped: more do not fit")
	case 2*g.n > crowd.Most:
		p.stopGrowth("")
	default:
		g.n *= 2
		g.since = now
		p.setCrowd(g.n)
	}
}

// instances returns the number of models posed per frame in all panes, without those of the second file.
func (p *Page) instances() (n int) {
	for _, pane := range p.State.Seen() {
		if !pane.Beside || p.Models.Beside() == nil {
			n += p.Crowd.Drawn
		}
	}
	return n
}

// add adds a point to the curve and extends the axes to whole powers of ten.
func (g *growthRun) add(n, microseconds float64) {
	p := &g.plot
	p.X, p.Y = append(p.X, n), append(p.Y, microseconds)
	lo, hi := math.Inf(1), 0.0
	for _, y := range p.Y {
		lo, hi = min(lo, y), max(hi, y)
	}
	p.LeastY = math.Pow(10, math.Floor(math.Log10(lo*0.999)))
	p.MostY = math.Pow(10, math.Ceil(math.Log10(hi*1.001)))
	p.MostX = math.Pow(10, math.Ceil(math.Log10(n*1.001)))
}

// progress returns the share of the run that is done if it goes on to the largest size.
func (g *growthRun) progress(most int) float64 {
	if !g.on {
		return 0
	}
	return math.Log2(float64(g.n)) / math.Log2(float64(2*most))
}
