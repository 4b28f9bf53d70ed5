// Package timing is the page that shows the times of each pass of a frame and of each method. It also chooses where
// vertices are posed, and measures crowds of growing size.
package timing

import (
	"cmp"
	"time"

	"skinlab/render/gpu"
	"skinlab/render/passes"
	"skinlab/render/picture"
	"skinlab/render/ui"
	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/pages"
	"skinlab/render/viewer/state"
	"skinlab/skinning"
	"skinlab/skinning/metrics"
)

const (
	// readPause is the least time between two readings of the timer. Numbers that change faster cannot be read.
	readPause = 250 * time.Millisecond
	// leastSamples is the least number of samples that have quartiles, or a median which is a method's cost.
	leastSamples = 8
)

// Figures are the times of one pass in seconds.
type Figures struct {
	Last, Lower, Median, Upper, P95 float64 // Lower and Upper are the quartiles
	There                           bool
	Frames                          int // from which they are
}

type Host interface {
	ViewPixels() (width, height int) // of the pictures
	SetClipboard(string)             // puts a text on the clipboard
	Reframe()                        // frames all that is shown, unless the user has moved the camera
}

// Page holds the times of the current picture's passes, and of each method from when it was shown alone.
type Page struct {
	pages.Room
	pages.Still
	host Host
	info gpu.Info

	passes  []passes.Pass
	Times   []Figures // by pass
	Picture Figures
	history ui.Stack
	scratch []float64

	subject  subject
	vertices int // number of vertices posed per frame in all panes
	readAt   time.Time

	Expert  bool // the part for experts is open
	rate    frameRate
	costs   records
	measure measureRun
	growth  growthRun
	ways    [len(ways)]ui.Segment
	missing [len(ways)]string // why a way of skinning is not available; "" if it is
}

// subject is what times depend on. When it changes, the old times are dropped.
type subject struct {
	layout                state.Layout
	panes                 [state.MostPanes]state.Pane
	model, fit, beside    *skinning.Model
	setting               setting
	clay, wireframe, grid bool
	heat                  bool
	timing                passes.Timing
}

// New makes the page. It finds out which ways of skinning this context has.
func New(room pages.Room, host Host) *Page {
	t := &Page{Room: room, host: host, passes: passes.All(), scratch: make([]float64, 0, passes.SampleWindow)}
	t.info, t.costs.list = t.GPU.Info(), make([]record, 0, mostRecords)
	t.Times = make([]Figures, len(t.passes))
	for i := range t.history.X {
		t.history.X[i] = float64(i)
	}
	t.history.Layers, t.history.MostX, t.history.MostY = len(t.passes)+1, ui.StackSamples-1, 1
	for k := range t.passes {
		t.history.Color[k+1] = desk.Color(picture.Distinct(k + 1))
	}
	t.probe()
	return t
}

// CostOf returns the cost of a method on this model in the current setting.
func (p *Page) CostOf(m skinning.Method) Cost { return p.costs.of(p.subject.setting, m) }

// timesPasses reports whether each pass is timed. A GPU's queries cost nothing. A software renderer has to finish every
// pass before the next, so there passes are only timed while the page is seen or a run needs it.
func (p *Page) timesPasses(seen bool) bool { return !p.info.Software || p.Running() || seen }

// Update drops the times of another subject and reads those of the newest frame.
func (p *Page) Update(now time.Time, seen bool) {
	if !seen {
		p.stopGrowth("The page was left.")
	}
	p.stepMeasure(now)
	p.stepGrowth(now)
	way := passes.TimingPicture
	if p.timesPasses(seen) {
		way = passes.TimingPasses
		p.Models.PoseAnew() // a pose that is kept would cost no time
		p.Crowd.PoseAnew()
	}
	p.GPU.Timer().SetTiming(way)
	t := p.State
	p.rate.count(now, t.Moving())
	s := subject{
		layout: t.Layout, model: p.Models.File.Model, fit: p.Models.Fit(), beside: p.Models.Beside(), setting: p.settingNow(),
		clay: t.Clay, wireframe: t.Wireframe, grid: t.Grid, heat: t.Heat, timing: way,
	}
	copy(s.panes[:], t.Seen())
	if s != p.subject {
		if s.fit != p.subject.fit {
			p.costs.forgetFitted()
		}
		p.subject = s
		p.GPU.Timer().Reset()
		p.clear()
	}
	if way == passes.TimingPasses && now.Sub(p.readAt) >= readPause {
		p.readAt = now
		p.readTimes()
	}
}

func (p *Page) Forget() {
	p.costs.list = p.costs.list[:0]
	p.measure = measureRun{}
	if p.growth.on {
		p.Crowd.Set(p.growth.before)
	}
	p.growth, p.subject = growthRun{}, subject{}
}

// Running reports whether a run is under way that changes what is shown.
func (p *Page) Running() bool { return p.Measuring() || p.Growing() }

func (p *Page) Measuring() bool { return p.measure.on }

func (p *Page) Growing() bool { return p.growth.on }

func (p *Page) Grown() int { return len(p.growth.plot.X) }

// Stop ends the run and restores what was shown before it.
func (p *Page) Stop() {
	p.stopMeasure()
	p.stopGrowth("stopped")
}

func (p *Page) clear() {
	clear(p.Times)
	p.Picture = Figures{}
	p.history.Len = 0
	p.readAt = time.Time{}
}

func (p *Page) readTimes() {
	timer := p.GPU.Timer()
	p.vertices = 0
	for _, pane := range p.State.Seen() {
		if m := p.Models.Beside(); pane.Beside && m != nil {
			p.vertices += vertices(m)
		} else {
			p.vertices += vertices(p.Models.File.Model) * p.Crowd.Drawn
		}
	}
	for i, pass := range p.passes {
		p.Times[i] = read(timer.Pass(pass))
	}
	p.addPicture()
	p.stack(timer)
	p.readCost()
}

// ofPicture reports whether a pass is a part of the picture: the CPU's palette and what surrounds the picture are not.
func ofPicture(p passes.Pass) bool { return !p.OnCPU() && p != passes.Interface }

// addPicture makes the picture's newest time and its median the sums of its passes', so that the table adds up: a
// median of sums is a little off the sum of the medians. The other figures are those of whole pictures.
func (p *Page) addPicture() {
	p.Picture = Figures{}
	for i, pass := range p.passes {
		if f := p.Times[i]; f.There && ofPicture(pass) {
			last, median := p.Picture.Last+f.Last, p.Picture.Median+f.Median
			p.Picture = read(p.GPU.Timer().Picture())
			p.Picture.Last, p.Picture.Median, p.Picture.There = last, median, true
		}
	}
}

// vertices returns the number of vertices that posing a model moves.
func vertices(m *skinning.Model) int {
	n := len(m.Skin.Positions)
	for i := range m.Rigid {
		n += len(m.Rigid[i].Positions)
	}
	return n
}

func read(s *passes.Samples) Figures {
	lower, upper := s.Quartiles()
	return Figures{s.Last(), lower, s.Median(), upper, s.P95(), s.Len() > 0, s.Len()}
}

// stack stacks the histories of the passes, in milliseconds. For one subject a pass runs in every frame or in none, so
// the newest samples of all passes belong to the same frame.
func (p *Page) stack(timer *passes.Timer) {
	h := &p.history
	h.Len = 0
	for _, pass := range p.passes {
		h.Len = max(h.Len, timer.Pass(pass).Len())
	}
	for i := range h.Len {
		h.X[i] = float64(ui.StackSamples - h.Len + i) // the newest at the right
	}
	var most float64
	for k, pass := range p.passes {
		p.scratch = timer.Pass(pass).History(p.scratch[:0])
		lower, top := &h.Tops[k], &h.Tops[k+1]
		missing := h.Len - len(p.scratch)
		for i := range h.Len {
			top[i] = lower[i]
			if i >= missing {
				top[i] += p.scratch[i-missing] * 1e3
			}
			most = max(most, top[i])
		}
	}
	// The scale grows at once but shrinks late, so that it does not jump about.
	if most > h.MostY || most < 0.3*h.MostY {
		h.MostY = cmp.Or(metrics.RoundTop(most*1.1), 1)
	}
}

// readCost records the cost of a method shown alone: its skin pass, and a linear rig's two more (RTER section 6).
func (p *Page) readCost() {
	timer := p.GPU.Timer()
	skin, palette := timer.Pass(passes.Skin), timer.Pass(passes.Palette)
	pane := p.State.Panes[0]
	if p.State.Layout != state.One || pane.Beside || p.vertices == 0 || skin.Len() < leastSamples {
		return
	}
	seconds := skin.Median()
	if fit := p.Models.Fit(); pane.Method == state.Fitted && fit != nil && fit.SolvedRig() != nil {
		seconds += timer.Pass(passes.Proxies).Median() + timer.Pass(passes.Normals).Median()
	}
	p.costs.put(p.subject.setting, pane.Method,
		Cost{seconds / float64(p.vertices), palette.Median(), true, p.measure.on, p.vertices})
}

func (p *Page) reset() {
	p.GPU.Timer().Reset()
	p.clear()
	p.costs.list = p.costs.list[:0]
	p.stopGrowth("")
	p.growth = growthRun{}
}

const (
	// rateTime is how long frames are counted for a rate: a number that changes faster cannot be read.
	rateTime = time.Second / 2
	// rateGap is the longest time between two frames of a moving picture. After a longer one the count begins anew: the
	// window draws nothing while nothing moves.
	rateGap = time.Second
)

// frameRate counts frames of the moving picture.
type frameRate struct {
	since, last time.Time
	frames      int
	perSecond   float64 // 0 while unknown
}

// count counts a frame, which begins now.
func (r *frameRate) count(now time.Time, moves bool) {
	if !moves || now.Sub(r.last) > rateGap {
		*r = frameRate{since: now, last: now}
		return
	}
	r.last = now
	r.frames++
	if took := now.Sub(r.since); took >= rateTime {
		r.perSecond = float64(r.frames) / took.Seconds()
		r.since, r.frames = now, 0
	}
}
