// Package undo brings back what the window was: its settings, pose, fits and files.
package undo

import (
	"slices"

	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/loader"
	"skinlab/render/viewer/models"
	"skinlab/render/viewer/pages/fitpage"
	"skinlab/render/viewer/pages/helperpage"
	"skinlab/render/viewer/pages/posepage"
	"skinlab/render/viewer/posing"
	"skinlab/render/viewer/state"
	"skinlab/skinning"
	"skinlab/skinning/rig"
)

// moment is all that the user can undo to. If the moment at the end of a frame differs from that of the frame before, the
// frame has made a step. A step goes on while the mouse is down or text is typed. A moment names its files; they are opened
// again.
type moment struct {
	settings     state.State      // see [state.State.Settings]
	pose         *posing.Copy     // nil for the clip's
	helpers      *rig.HelperBones // as they were edited; nil as they were fitted
	fits         *fitpage.List
	compared     fitpage.Choice // the choice beside the shown fit; nothing where a second file is
	path, beside string         // of the files that are shown
}

// Past is the history of moments of the parts of the window.
type Past struct {
	Desk    *desk.Desk
	Models  *models.Shown
	Loader  *loader.Loader
	Page    *posepage.Page
	Fits    *fitpage.Page
	Helpers *helperpage.Page
	Fitter  fitpage.Fitter // nil for none

	list   list[moment]
	fits   *fitpage.List // at the last frame
	back   bool          // the direction of the step that waits for a file
	frees  bool          // the list of fits has changed
	amends bool          // what this frame changes is no step of its own
}

// moment returns the present one. It allocates nothing as long as the pose stays the same.
func (p *Past) moment() moment {
	m := moment{settings: p.Desk.State.Settings(), pose: p.Page.Edits.Copy(), helpers: p.Helpers.Edited(), fits: p.Fits.List(),
		path: p.Models.File.Origin.Path}
	m.compared, _ = p.Fits.Compared()
	if p.Models.Second != nil {
		m.beside = p.Models.Second.Origin.Path
	}
	return m
}

// Record takes what this frame has changed into the history, unless the user holds something and the step goes on.
func (p *Past) Record(held bool) {
	switch {
	case held || p.Loader.Undoes():
	case p.amends:
		p.amends = false
		p.list.amend(p.moment())
	default:
		p.list.Record(p.moment())
	}
	if l := p.Fits.List(); l != p.fits {
		p.fits, p.frees = l, true
		p.forgetDropped(l)
	}
	if p.frees && !p.Fits.Running() { // the models of a fit under way are not all known
		p.frees = false
		p.freeFits()
	}
}

// freeFits frees the data of the fits that are neither shown nor in a moment.
func (p *Past) freeFits() {
	if p.Fitter == nil {
		return
	}
	var used []*skinning.Model
	if f := p.Models.Fitted(); f != nil {
		used = append(used, f.Written)
	}
	known := map[*fitpage.Fit]bool{nil: true}
	for _, m := range append(p.list.all(), p.moment()) {
		for _, f := range append(m.fits.Fits(), m.compared.Fit) {
			if !known[f] {
				known[f] = true
				used = append(used, f.Models()...)
			}
		}
	}
	p.Fitter.Keep(used)
	p.Helpers.Keep(used)
}

// mostDropped is the number of fits that can be brought back. Each holds the models of all its steps.
const mostDropped = 4

// forgetDropped forgets the moments before the last few fits that have been dropped from the list.
func (p *Past) forgetDropped(l *fitpage.List) {
	kept, dropped := l.Fits(), []*fitpage.Fit(nil)
	p.list.dropBefore(func(m *moment) bool {
		for _, f := range append(m.fits.Fits(), m.compared.Fit) {
			if f != nil && !slices.Contains(kept, f) && !slices.Contains(dropped, f) {
				dropped = append(dropped, f)
			}
		}
		return len(dropped) > mostDropped
	})
}

// Undo undoes a step, or does it again. What has changed since the last frame, such as a drag that ends in this one, is
// a step too.
func (p *Past) Undo(back bool) {
	p.Record(false)
	if to, ok := p.list.Peek(back); ok && !p.Loader.Undoes() {
		p.back = back
		p.goTo(&to)
	}
}

func (p *Past) UndoSteps() (back, forth int) { return p.list.steps() }

// goTo makes a moment the present one. Where it shows another file, it loads that, and goes on once it is shown.
func (p *Past) goTo(to *moment) {
	now := p.moment()
	switch {
	case to.path != now.path:
		p.Loader.Load(loader.Request{Path: to.path, Undoes: true})
	case to.beside != now.beside && to.beside != "":
		p.Loader.Load(loader.Request{Path: to.beside, Pane: p.Desk.State.BesidePane(), Undoes: true})
	default:
		if to.beside != now.beside || to.compared.Fit == nil && now.compared.Fit != nil {
			p.Fits.EndCompare()
		}
		p.become(to)
	}
}

// GoOn goes on to the moment for which a file has been opened. A pose stands again where it stood in its clip.
func (p *Past) GoOn(opened *loader.Loaded) {
	to, ok := p.list.Peek(p.back)
	if !ok {
		return
	}
	if clip, time, posed := to.pose.Place(); posed && opened.First != nil && clip < len(p.Models.File.Model.Clips) {
		p.Models.SetClip(clip)
		p.Desk.State.Seek(time)
		p.Desk.State.Playing = false
	}
	p.goTo(&to)
}

// become makes a moment of the files that are shown the present one.
func (p *Past) become(to *moment) {
	p.Fits.Restore(to.fits)
	if now, _ := p.Fits.Compared(); to.compared.Fit != nil && to.compared != now {
		p.Fits.Compare(to.compared, to.fits.NameOf(to.compared))
	}
	p.Desk.State.Restore(to.settings)
	if p.Models.Fitted() == nil {
		p.Desk.State.CloseFitted()
	}
	if p.Models.Second == nil {
		p.Desk.State.CloseBeside()
	}
	p.Page.Restore(to.pose)
	p.Helpers.Restore(to.helpers)
	p.list.step(p.back, p.moment())
	p.Desk.Wake()
}

// ForgetModel takes what belongs to a version of the first file out of the history, because another model is shown. A
// file can be opened again; what comes from no file cannot.
func (p *Past) ForgetModel(f *models.File) {
	if f == nil || f.Origin.Path == "" || p.Loader.Options.Load == nil {
		p.list = list[moment]{}
	}
	p.list.revise(func(m *moment) { m.helpers, m.fits, m.compared = nil, nil, fitpage.Choice{} })
}

// ForgetPoses takes the poses out of the history: they are of an older version of the model.
func (p *Past) ForgetPoses() {
	p.list.revise(func(m *moment) { m.pose = nil })
}

// Amends makes what this frame changes a part of the step before.
func (p *Past) Amends() { p.amends = true }
