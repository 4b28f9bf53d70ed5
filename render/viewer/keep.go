package viewer

import (
	"path/filepath"
	"strings"

	"github.com/go-gl/glfw/v3.3/glfw"

	"skinlab/render/viewer/files"
	"skinlab/render/viewer/loader"
	"skinlab/render/viewer/notes"
	"skinlab/render/viewer/pages/fitpage"
	"skinlab/render/viewer/saver"
	"skinlab/render/viewer/state"
	"skinlab/skinning/messages"
)

// quitting is what drops all fits for good.
const quitting = "Quitting"

// Leaves reports whether nothing is lost with the first file: no fit that no file holds. Else it asks the user what to
// do with the fits, and calls then if they are exported or may be lost. What says what drops them: [quitting], or
// "Opening x.glb".
func (a *app) Leaves(what string, then func()) bool {
	fits := a.fit.Unsaved()
	if len(fits) == 0 {
		return true
	}
	title, lost := "The fit "+fits[0]+" is not exported", "it"
	if len(fits) > 1 {
		title, lost = messages.Count(len(fits), "fit is", "fits are")+" not exported", strings.Join(fits, ", ")
	}
	text := what + " would lose " + lost + "."
	if what != quitting {
		text = what + " drops " + lost + ": Ctrl Z brings the file back with its fits, until you quit."
	}
	var export func()
	if len(fits) == len(a.fit.Waiting()) {
		text += "\nIt comes back with a version of the file that has the vertices and joints of before."
	} else if a.opt.Export != nil {
		folder := filepath.Dir(a.saver.Place(a.fit.ProposedName()))
		if abs, err := filepath.Abs(folder); err == nil {
			folder = abs
		}
		text += "\nExport writes glTF to " + folder + " first."
		export = func() { a.fit.SaveAll(then) }
	}
	a.saver.Put(title, text, leaveAnswers(export, then)...)
	return false
}

// leaveAnswers lists what can be done with fits that no file holds. Export is nil where nothing can be exported.
func leaveAnswers(export, discard func()) (answers []saver.Answer) {
	if export != nil {
		answers = append(answers,
			saver.Answer{Label: "Export", Tip: "Writes what was fitted, and goes on.\tE", Key: glfw.KeyE, Run: export})
	}
	return append(answers,
		saver.Answer{Label: "Discard", Tip: "Drops what was fitted.\tD", Key: glfw.KeyD, Run: discard, Loses: true},
		saver.Answer{Label: "Cancel", Tip: "Goes on with this file.\tEsc", Key: glfw.KeyN})
}

// AskMotion asks whether the first file shall play the motion of a file, or that file be opened in its place.
func (a *app) AskMotion(file, text string, play, open func()) {
	name := a.models.ModelName()
	a.saver.Put(file+" is a skeleton that moves", text,
		saver.Answer{Label: "Play it", Tip: "Plays its motion on " + name + ".\tP", Key: glfw.KeyP, Run: play},
		saver.Answer{Label: "Open it", Tip: "Shows the skeleton in place of " + name + ".\tO", Key: glfw.KeyO, Run: open},
		saver.Answer{Label: "Cancel", Tip: "Goes on with this file.\tEsc", Key: glfw.KeyN})
}

// closes reports whether the window may close now: nothing is lost with it, or the user has agreed.
func (a *app) closes() bool {
	quit := func() {
		a.quits = true
		a.win.SetShouldClose(true)
		a.desk.Wake()
	}
	if a.quits {
		return true
	}
	a.win.SetShouldClose(false)
	if a.saver.Asked() != "" { // the question stands already
		return false
	}
	return a.Leaves(quitting, quit)
}

// offerLast offers the file that was opened last in an earlier window, if it is still there.
func (a *app) offerLast() {
	path := a.prefs.Newest()
	if path == "" {
		return
	}
	go func() { // a sleeping network drive may be slow
		if !files.Exists(path) {
			return
		}
		a.desk.Later(func() {
			a.notes.Offer("Last time: "+filepath.Base(path), path, notes.Action{Label: "Open it",
				Tip: "Opens the file that was opened last.", Run: func() { a.loader.Load(loader.Request{Path: path}) }})
		})
	}()
}

// carryFits brings the fits of an older version of the first file over to the newer one that is shown. Where it has
// other vertices or joints, it offers to fit again with the same options.
func (a *app) carryFits(k fitpage.Kept) {
	gone, stale := a.fit.Carry(k)
	again := func(title, text string, fits []*fitpage.Fit) {
		a.notes.Offer(title, text, notes.Action{Label: "Fit again", Tip: "Fits the file with the same options as before.",
			Run: func() {
				a.state.Tab = state.TabFit
				a.fit.Again(fits)
			}})
	}
	name := a.models.ModelName()
	switch {
	case len(gone) > 0:
		again("The fit is for another shape", name+" has other vertices or joints than the file that was fitted. The fit "+
			"comes back with a version that has those.", gone)
	case stale:
		again("The fit is of the older weights", name+" has other weights than the file that was fitted.", a.fit.List().Fits())
	}
}
