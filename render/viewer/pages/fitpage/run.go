package fitpage

import (
	"context"
	"errors"
	"math"
	"slices"
	"sync"
	"time"

	"skinlab/render/ui"
	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/fitted"
	"skinlab/render/viewer/state"
	"skinlab/skinning"
)

// job is a fit under way. Its goroutine stores the newest update and wakes the loop, which takes it.
type job struct {
	cancel context.CancelFunc

	mu       sync.Mutex
	latest   Update
	ready    *fitted.Model // shows the latest model; nil without one
	fresh    bool
	returned bool
}

func (p *Page) form() *form {
	if p.Chosen >= len(p.forms) {
		return nil
	}
	return p.forms[p.Chosen]
}

// TrainsOn returns the clip that the next fit learns from, or RangeOfMotion or AllClips; −1 where nothing can be
// fitted. Also are further clips, see [Request].
func (p *Page) TrainsOn() (clip int, also []int) {
	if f := p.form(); f != nil {
		return f.ask.Clip, f.ask.Also
	}
	return -1, nil
}

func (p *Page) Running() bool { return p.job != nil }

// Progress returns what the fit under way adds, and the share of it that is done.
func (p *Page) Progress() (nouns string, share float64) {
	return p.ran.row.Nouns(), min(max(p.Last.Share, 0.01), 1)
}

func (p *Page) Busy() bool { return p.Running() || p.comparing() }

// Begin starts the fit with a name, or says that the model cannot have it.
func (p *Page) Begin(name string) {
	which := slices.IndexFunc(p.forms, func(f *form) bool { return f.row.Name == name })
	if which < 0 || p.Models.File.Fitted != nil {
		p.Complain("Could not fit "+name, errors.New("the page Fit offers what this model can have"))
		return
	}
	p.Chosen = which
	p.start(time.Now())
}

type Offer struct {
	Name, Title, Nouns string
	Count, Least, Most float64 // of the added joints: of the form, and its range; Most is 0 where there is no such number
}

// Offers lists the fits that the model can have, with the numbers of their forms.
func (p *Page) Offers() (all []Offer) {
	if p.Models.File.Fitted != nil {
		return nil
	}
	for _, f := range p.forms {
		o := Offer{Name: f.row.Name, Title: f.row.Title, Nouns: f.row.Nouns()}
		if c := f.row.Count(); c != nil && c.Slider != nil {
			o.Count, o.Least, o.Most = f.ask.Values[c.Name], c.Least, c.Slider.Most
		}
		all = append(all, o)
	}
	return all
}

// BeginWith starts the fit with a name and a number of added joints, which its form then has.
func (p *Page) BeginWith(name string, count float64) {
	for _, f := range p.forms {
		if c := f.row.Count(); f.row.Name == name && c != nil && c.Slider != nil {
			f.ask.Values[c.Name] = min(max(count, c.Least), c.Slider.Most)
		}
	}
	p.Begin(name)
}

func (p *Page) start(now time.Time) {
	form := p.form()
	ctx, cancel := context.WithCancel(p.Context)
	j := &job{cancel: cancel}
	p.drop()
	p.advice.passed = true
	p.ran, p.asked, p.job, p.started = form, form.request(), j, now
	p.of, p.on = p.Models.File.Model, p.Models.File.Model
	shows, clip := p.asked.shows(), p.State.Clip
	if form.row.sequence() { // of the clip's morph targets
		shows = p.Models.Scan()
	}
	switch {
	case p.asked.Own:
		clip = p.Models.Examples
	case p.asked.Files:
		if posed := form.row.Targets.Posed; posed {
			clip = p.targets.clip
		}
		p.targets.ask(&p.asked, form.row.Targets.Posed)
	}
	p.Models.Teach(p.asked.teacher())
	if !p.asked.Files { // no method shows what files hold
		p.State.Reference = shows
	}
	if p.State.Layout == state.One {
		if shows == state.DeltaMush {
			shows = skinning.LBS // no picture shows it
		}
		p.State.Panes[1] = state.Pane{Method: shows} // the other pane shows the fit's target
	}
	p.Fit.clip, p.Fit.before, p.Fit.time = clip, p.State.Clip, p.State.Time
	if clip != p.State.Clip {
		p.Models.SetClip(clip)
		p.Notify("Another clip plays", p.of.Clips[clip].Name+" has the shapes that the fit learns.", desk.NoticeTime)
	}
	p.list = p.list.with(p.Fit)
	p.named = nil
	p.propose()
	fits, request, model, wake := p.fits, p.asked, p.Models.File.Model, p.WakeLater
	go func() {
		defer cancel()
		var ready *fitted.Model
		fits.Fit(ctx, model, request, func(u Update) {
			// Models are made on this goroutine so that no frame waits for them.
			for _, s := range u.History {
				s.Model()
			}
			if u.Now.Model != nil && (ready == nil || ready.Model != u.Now.Model()) {
				ready = fitted.New(u.Now.Model())
			}
			j.mu.Lock()
			j.latest, j.ready, j.fresh = u, ready, true
			j.mu.Unlock()
			wake()
		})
		j.mu.Lock()
		j.returned = true
		j.mu.Unlock()
		wake()
	}()
	p.Wake()
}

// Forget drops all about the fit and proposes one of the current model: to its examples, else to all its clips.
func (p *Page) Forget() {
	p.stop()
	if p.comparison() != nil {
		p.EndCompare()
	}
	p.drop()
	p.forgetAdvice()
	p.targets.forget()
	p.again, p.clips.open = nil, false
	p.shown, p.list, p.waiting, p.named = nil, nil, nil, nil
	clip, operator := p.everyClip(), skinning.DQS
	p.Models.Examples, p.exampleCount, p.lost, p.Chosen = -1, 0, "", 0
	p.offer(p.Models.File.Model)
	if m := p.Models.File.Model; p.fits != nil && p.Models.File.Fitted == nil && len(m.Skin.Positions) > 0 {
		p.Models.Examples, p.exampleCount = p.fits.Examples(m)
		operator, p.lost = p.fits.Operator(m)
	}
	for i, f := range slices.Backward(p.forms) {
		f.ask.Also = nil
		f.ask.Clip, f.ask.By, f.ask.Own, f.ask.Files = clip, operator, f.row.shapes() && p.exampleCount > 0, false
		if f.row.sequence() {
			f.ask.By = skinning.LBS // the morph targets
		}
		if f.ask.Own {
			p.Chosen = i
		}
	}
	p.propose()
}

// everyClip is what a fit learns from where nothing else is asked: all clips, or the range of motion of a model without.
func (p *Page) everyClip() int {
	if p.Models.File.Own == 0 {
		return rangeOfMotion // its poses are better than the stress clips
	}
	return AllClips
}

// drop leaves the page without a fit. The form and the list stay.
func (p *Page) drop() {
	p.Fit, p.job, p.nextSwap = &Fit{Picked: -1}, nil, time.Time{}
	p.phases.X, p.phases.Y = p.phases.X[:0], p.phases.Y[:0]
	c := &p.curve
	*c = ui.Plot{X: c.X[:0], Y: c.Y[:0], Levels: c.Levels[:0], LevelNames: c.LevelNames[:0]}
}

// stop cancels the fit. Its best result arrives as its last update.
func (p *Page) stop() {
	if p.job != nil {
		p.job.cancel()
	}
}

func (p *Page) Close() {
	p.stop()
	p.forgetAdvice()
	p.forgetCompared()
	p.targets.reading.Stop()
	p.targets.times.Delete()
	p.name.Delete()
	p.path.Delete()
}

const (
	// swapPause is the least time for which a model of a running fit is shown.
	swapPause = 100 * time.Millisecond
	// swapShare is the least ratio of that time to the time of showing the model.
	swapShare = 5
)

// Receive takes the newest update of the fit under way, targets that have been read, and the result of an export.
func (p *Page) Receive() {
	p.receiveExport()
	p.receiveTargets()
	p.receiveCompared()
	p.receiveAdvice()
	j, now := p.job, time.Now()
	if j == nil {
		return
	}
	j.mu.Lock()
	returned := j.returned
	due := j.fresh && (j.latest.Done || returned || !now.Before(p.nextSwap))
	var u Update
	var ready *fitted.Model
	if due {
		u, ready, j.fresh = j.latest, j.ready, false
	}
	j.mu.Unlock()
	if due {
		p.take(&u, ready, now)
	}
	if returned || u.Done {
		j.cancel()
		p.job = nil
		p.dropFailed()
		p.saveNext()
		p.fitNext()
		p.Wake()
	}
}

// take shows an update. ready shows its model, nil if it has none.
func (p *Page) take(u *Update, ready *fitted.Model, now time.Time) {
	p.Wake()
	if u.Err != nil {
		p.Complain("Could not fit "+p.ran.row.Nouns(), u.Err)
	}
	last := p.Last
	p.Last = *u
	p.Last.Share = max(u.Share, last.Share)
	if u.Now.Model == nil && len(u.History) == 0 && len(u.Marks) == 0 { // it failed before there was anything to show
		p.Last.Now, p.Last.History, p.Last.Marks = last.Now, last.History, last.Marks
		return
	}
	p.Picked = len(u.History) - 1
	p.plot()
	if ready == nil {
		return
	}
	if p.of != p.Models.File.Model { // the file has been read again since the fit began
		ready = fitted.New(fitted.Onto(ready.Model, p.of, p.Models.File.Model))
	}
	if f := p.Models.Fitted(); f == nil || f.Model != ready.Model {
		p.Models.PutFitted(ready)
		p.shown = p.ran
	}
	p.model = ready
	if took := time.Since(now); took > 0 {
		p.nextSwap = now.Add(max(swapPause, swapShare*took))
	}
	if !p.seen && p.Models.Fitted() != nil {
		p.seen = true // only once, because the user may choose another method while the fit runs
		p.State.SetMethod(state.Fitted)
		p.host.Amends()
	}
}

func (p *Page) pick(k int) {
	if k < 0 || k >= len(p.Last.History) || k == p.Picked {
		return
	}
	p.Picked = k
	p.Last.Now = p.Last.History[k]
	if m := p.Last.Now.Model(); p.Models.Fitted() == nil || p.Models.Fitted().Model != m {
		p.model = fitted.New(fitted.Onto(m, p.of, p.Models.File.Model))
		p.Models.PutFitted(p.model)
	}
	p.Wake()
}

func (p *Page) plot() {
	c, most := &p.curve, 0.0
	add := func(to *[]float64, ee float64) {
		*to = append(*to, ee)
		if !math.IsInf(ee, 0) && !math.IsNaN(ee) {
			most = max(most, ee)
		}
	}
	c.X, c.Y, c.Levels, c.LevelNames = c.X[:0], c.Y[:0], c.Levels[:0], c.LevelNames[:0]
	for _, s := range p.Last.History {
		c.X = append(c.X, float64(s.Added))
		add(&c.Y, s.EE)
	}
	for _, m := range p.Last.Marks {
		c.LevelNames = append(c.LevelNames, m.Name+", no added bones")
		add(&c.Levels, m.EE)
	}
	bones, room := max(p.ran.row.most(&p.asked), p.Last.Now.Added, 1), 1.08
	if len(p.Last.Marks) > 0 {
		room = 1.5 // room for a name above the highest line of a low plot
	}
	c.MostX, c.MostY = float64(bones)*1.04, max(most*room, 0.1)
}

// note returns the page's sentence about the fit, and whether it is a warning. It says what the chosen method would
// lose on the model, else how the last fit does in all clips.
func (p *Page) note() (text string, warning bool) {
	if f := p.form(); f != nil && p.lost != "" {
		if by := f.ask.shows(); by < state.Fitted && by.LosesScale() {
			return p.lost, true
		}
	}
	if text := p.missed(); text != "" {
		return text, false
	}
	if p.ran != p.form() {
		return "", false // the verdict is on another fit
	}
	if p.Last.Verdict != "" && p.wasEdited() {
		return p.Line.Start().S(beforeEdit).S(p.Last.Verdict).View(), p.Last.Worse
	}
	if p.asked.Files && p.Last.Verdict != "" && !p.Last.Worse {
		return p.Line.Start().S(p.Last.Verdict).S(" Cards: errors against ").S(p.Models.Short(p.State.Reference)).
			S(", not the shapes.").View(), false
	}
	return p.Last.Verdict, p.Last.Worse
}

// beforeEdit stands before what was measured of a fit that a person has changed since.
const beforeEdit = "Before edits: "

// wasEdited reports whether a person has changed the shown fit since it was measured.
func (p *Page) wasEdited() bool { return p.job == nil && p.edited() != nil }
