package viewer

import (
	"slices"

	"skinlab/render/viewer/history"
	"skinlab/render/viewer/pages/fitpage"
	"skinlab/render/viewer/posing"
	"skinlab/render/viewer/state"
	"skinlab/skinning"
	"skinlab/skinning/rig"
)

// moment is all that the user can undo to. A frame that ends with another moment than the one before is a step; while
// the mouse is down or text is typed, the step is not over. Files are named, and opened again.
type moment struct {
	settings     state.State      // see [state.State.Settings]
	pose         *posing.Copy     // nil for the clip's
	helpers      *rig.HelperBones // as they were edited; nil as they were fitted
	fits         *fitpage.List
	compared     fitpage.Choice // the choice beside the shown fit; nothing where a second file is
	path, beside string         // of the files that are shown
}

// past is the history of moments.
type past struct {
	history.List[moment]
	fits    *fitpage.List // at the last frame
	back    bool          // the direction of the step that waits for a file
	waiting bool
	frees   bool // the list of fits has changed
	amends  bool // what this frame changes is no step of its own
}

// moment returns the present one. It allocates nothing as long as the pose stays the same.
func (a *app) moment() moment {
	m := moment{settings: a.state.Settings(), pose: a.pose.Edits.Copy(), helpers: a.helpers.Edited(), fits: a.fit.List(),
		path: a.files.source.Path}
	m.compared, _ = a.Compared()
	if a.beside != nil {
		m.beside = a.files.besideSource.Path
	}
	return m
}

// record takes what this frame has changed into the history.
func (a *app) record() {
	switch {
	case a.past.waiting || a.mouse.drag == dragGizmo || a.ui.Busy():
	case a.past.amends:
		a.past.amends = false
		a.past.Amend(a.moment())
	default:
		a.past.Record(a.moment())
	}
	if l := a.fit.List(); l != a.past.fits {
		a.past.fits, a.past.frees = l, true
		a.forgetDropped(l)
	}
	if a.past.frees && !a.fit.Running() { // the models of a fit under way are not all known
		a.past.frees = false
		a.freeFits()
	}
}

// freeFits frees the data of the fits that are neither shown nor in a moment.
func (a *app) freeFits() {
	if a.opt.Fit == nil {
		return
	}
	var models []*skinning.Model
	if a.fitted != nil {
		models = append(models, a.fitted.Written)
	}
	known := map[*fitpage.Fit]bool{nil: true}
	for _, m := range append(a.past.All(), a.moment()) {
		for _, f := range append(m.fits.Fits(), m.compared.Fit) {
			if !known[f] {
				known[f] = true
				models = append(models, f.Models()...)
			}
		}
	}
	a.opt.Fit.Keep(models)
	a.helpers.Keep(models)
}

// mostDropped is the number of fits that can be brought back. Each holds the models of all its steps.
const mostDropped = 4

// forgetDropped forgets the moments before the last few fits that have been dropped from the list.
func (a *app) forgetDropped(l *fitpage.List) {
	kept, dropped := l.Fits(), []*fitpage.Fit(nil)
	a.past.DropBefore(func(m *moment) bool {
		for _, f := range append(m.fits.Fits(), m.compared.Fit) {
			if f != nil && !slices.Contains(kept, f) && !slices.Contains(dropped, f) {
				dropped = append(dropped, f)
			}
		}
		return len(dropped) > mostDropped
	})
}

// Undo undoes a step, or does it again.
func (a *app) Undo(back bool) {
	if to, ok := a.past.Peek(back); ok && !a.past.waiting {
		a.past.back = back
		a.goTo(&to)
	}
}

func (a *app) UndoSteps() (back, forth int) { return a.past.Steps() }

// goTo makes a moment the present one. Where it shows another file, it loads that, and goes on once it is shown.
func (a *app) goTo(to *moment) {
	now := a.moment()
	switch {
	case to.path != now.path:
		a.load(request{path: to.path, undoes: true})
	case to.beside != now.beside && to.beside != "":
		a.load(request{path: to.beside, pane: a.besidePane(), undoes: true})
	default:
		if to.beside != now.beside || to.compared.Fit == nil && now.compared.Fit != nil {
			a.dropBeside()
		}
		a.become(to)
		return
	}
	a.past.waiting = a.files.path != ""
}

// goOn goes on to the moment for which a file has been opened. A pose stands again where it stood in its clip.
func (a *app) goOn(opened *loaded) {
	to, ok := a.past.Peek(a.past.back)
	if !ok {
		return
	}
	if clip, time, posed := to.pose.Place(); posed && opened.shown != nil && clip < len(a.shown.Model.Clips) {
		a.SetClip(clip)
		a.state.Seek(time)
		a.state.Playing = false
	}
	a.goTo(&to)
}

// become makes a moment of the files that are shown the present one.
func (a *app) become(to *moment) {
	a.past.waiting = false
	a.fit.Restore(to.fits)
	if now, _ := a.Compared(); to.compared.Fit != nil && to.compared != now {
		a.Compare(to.compared, to.fits.NameOf(to.compared))
	}
	a.state.Restore(to.settings)
	if a.fitted == nil {
		a.state.CloseFitted()
	}
	if a.beside == nil {
		a.state.CloseBeside()
	}
	a.pose.Restore(to.pose)
	a.helpers.Restore(to.helpers)
	a.past.Step(a.past.back, a.moment())
	a.wake()
}

// forgetModel takes what belongs to the shown version of the first file out of the history, before another model is
// shown. A file can be opened again; what comes from no file cannot.
func (a *app) forgetModel() {
	if a.files.source.Path == "" || a.opt.Load == nil {
		a.past.List = history.List[moment]{}
	}
	a.past.Revise(func(m *moment) { m.helpers, m.fits, m.compared = nil, nil, fitpage.Choice{} })
}
