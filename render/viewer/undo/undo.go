// Package undo brings back what the window was: its settings, its files, and what its pages keep.
package undo

import (
	"fmt"

	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/loader"
	"skinlab/render/viewer/models"
	"skinlab/render/viewer/pages"
	"skinlab/render/viewer/state"
	"skinlab/render/viewer/view"
)

// mostPages bounds the pages that keep moments.
const mostPages = 8

// moment is all that the user can undo to. If the moment at the end of a frame differs from that of the frame before,
// the frame has made a step. A step goes on while the mouse is down or text is typed. A moment names its files; they
// are opened again.
type moment struct {
	settings     state.State    // see [state.State.Settings]
	pages        [mostPages]any // by row
	path, beside string         // of the files that are shown
	scene        string         // of the first file
}

// Past is the history of moments of the parts of the window.
type Past struct {
	desk   *desk.Desk
	models *models.Shown
	loader *loader.Loader
	view   *view.View
	pages  []page

	places map[file]place // where each file was that has left the window
	list   list[moment]
	back   bool // the direction of the step that waits for a file
	amends bool // what this frame changes is no step of its own
}

// file names a first file and a scene of it.
type file struct{ path, scene string }

// place is what a file showed: a clip, -1 for none, and its clock, looked at from some side.
type place struct {
	clip    int
	time    float64
	playing bool
	looked  view.View // unused for a pose
}

type page struct {
	pages.Undo
	past *Past
	at   int // index of the row
}

// New makes a history without moments for pages with these rows.
func New(d *desk.Desk, m *models.Shown, l *loader.Loader, v *view.View, rows []pages.Undo) *Past {
	if len(rows) > mostPages {
		panic(fmt.Sprintf("undo: %d pages, at most %d can keep moments", len(rows), mostPages))
	}
	p := &Past{desk: d, models: m, loader: l, view: v, places: map[file]place{}}
	for i, row := range rows {
		p.pages = append(p.pages, page{row, p, i})
	}
	return p
}

// moment returns the present one. It allocates nothing as long as the pages stay the same.
func (p *Past) moment() moment {
	m := moment{settings: p.desk.State.Settings(), path: p.models.File.Origin.Path, scene: p.models.File.Origin.Scene}
	for i := range p.pages {
		m.pages[i] = p.pages[i].Moment()
	}
	if p.models.Second != nil {
		m.beside = p.models.Second.Origin.Path
	}
	return m
}

// Record takes what this frame has changed into the history, unless the user holds something and the step goes on.
func (p *Past) Record(held bool) {
	switch {
	case held || p.loader.Undoes():
	case p.amends:
		p.amends = false
		p.list.amend(p.moment())
	default:
		p.list.Record(p.moment())
	}
	for i := range p.pages {
		if page := &p.pages[i]; page.Trim != nil {
			page.Trim(page)
		}
	}
}

// Moments returns the moments of a page, the present one last.
func (p *page) Moments() (all []any) {
	for _, m := range p.past.list.states {
		all = append(all, m.pages[p.at])
	}
	return append(all, p.Moment())
}

func (p *page) DropBefore(tooMuch func(moment any) bool) {
	p.past.list.dropBefore(func(m *moment) bool { return tooMuch(m.pages[p.at]) })
}

// Undo undoes a step, or does it again. What has changed since the last frame, such as a drag that ends in this one, is
// a step too.
func (p *Past) Undo(back bool) {
	p.Record(false)
	if to, ok := p.list.Peek(back); ok && !p.loader.Undoes() {
		p.back = back
		p.goTo(&to)
	}
}

func (p *Past) UndoSteps() (back, forth int) { return p.list.steps() }

// goTo makes a moment the present one. Where it shows another file, it loads that, and goes on once it is shown.
func (p *Past) goTo(to *moment) {
	now := p.moment()
	switch {
	case to.path != now.path || to.scene != now.scene:
		p.loader.Load(loader.Request{Path: to.path, Scene: to.scene, Undoes: true})
	case to.beside != now.beside && to.beside != "":
		p.loader.Load(loader.Request{Path: to.beside, Pane: p.desk.State.BesidePane(), Undoes: true})
	default:
		if to.beside != now.beside {
			p.models.DropSecond()
		}
		p.become(to)
	}
}

// GoOn goes on to the moment for which a file has been opened. A first file goes on in the clip that it showed when it
// left, looked at as it was then, and a pose stands again where it stood in its clip.
func (p *Past) GoOn(opened *loader.Loaded) {
	to, ok := p.list.Peek(p.back)
	if !ok {
		return
	}
	if was, ok := p.places[file{to.path, to.scene}]; ok && opened.First != nil {
		p.stand(was)
		p.view.Keep(&was.looked, 1)
	}
	for _, m := range to.pages {
		pose, ok := m.(interface {
			Place() (clip int, time float64, posed bool)
		})
		if !ok || opened.First == nil {
			continue
		}
		if clip, time, posed := pose.Place(); posed {
			p.stand(place{clip: clip, time: time})
		}
	}
	p.goTo(&to)
}

// stand shows a place in the first file, if the file has its clip still.
func (p *Past) stand(at place) {
	if at.clip < len(p.models.File.Model.Clips) {
		p.models.SetClip(at.clip)
		p.desk.State.Seek(at.time)
		p.desk.State.Playing = at.playing
	}
}

// become makes a moment of the files that are shown the present one.
func (p *Past) become(to *moment) {
	p.restore(to, true)
	p.desk.State.Restore(to.settings)
	if p.models.Fitted() == nil {
		p.desk.State.CloseFitted()
	}
	if p.models.Second == nil {
		p.desk.State.CloseBeside()
	}
	p.restore(to, false)
	p.models.Refer()
	p.list.step(p.back, p.moment())
	p.desk.Wake()
}

// restore brings back the pages that come before the settings, or those that come behind them.
func (p *Past) restore(to *moment, first bool) {
	for i := range p.pages {
		if p.pages[i].First == first {
			p.pages[i].Restore(to.pages[i])
		}
	}
}

// ForgetModel takes what belongs to a version of the first file out of the history, because another model is shown. A
// file can be opened again; what comes from no file cannot.
func (p *Past) ForgetModel(f *models.File) {
	if s := p.desk.State; f != nil {
		p.places[file{f.Origin.Path, f.Origin.Scene}] = place{s.Clip, s.Time, s.Playing, *p.view}
	}
	if f == nil || f.Origin.Path == "" || p.loader.Options.Load == nil {
		p.list = list[moment]{}
	}
	p.forget(func(page *page) bool { return !page.Reopens })
}

// ForgetVersion takes what belongs to an older version of the model out of the history.
func (p *Past) ForgetVersion() { p.forget(func(page *page) bool { return !page.Renews }) }

func (p *Past) forget(which func(page *page) bool) {
	p.list.revise(func(m *moment) {
		for i := range p.pages {
			if which(&p.pages[i]) {
				m.pages[i] = nil
			}
		}
	})
}

// Amends makes what this frame changes a part of the step before.
func (p *Past) Amends() { p.amends = true }
