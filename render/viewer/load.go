package viewer

import (
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"skinlab/skinning"
)

// loaded is what a loading goroutine hands over.
type loaded struct {
	number int
	path   string
	then   string // another file, to be put beside this one; "" for none
	pane   int    // a file for this pane, beside the first one; 0 for one that replaces the first
	shown  *prepared
	beside *beside
	err    error
}

// drop starts to load dropped files. One file replaces the first, or stands beside it when it falls on a pane other than the
// first; of two files, the second stands beside the first.
func (a *app) drop(paths []string) {
	a.wake()
	switch {
	case len(paths) >= 2:
		a.load(paths[0], paths[1], 0)
	case len(paths) == 1 && isPose(paths[0]):
		a.loadPose(paths[0])
	case len(paths) == 1:
		a.load(paths[0], "", max(a.paneAt(a.win.mouseX, a.win.mouseY), 0))
	}
}

// load starts to load a file. One that is still being loaded is forgotten.
func (a *app) load(path, then string, pane int) {
	if a.opt.Load == nil {
		a.fail(path, fmt.Errorf("this window loads no files"))
		return
	}
	a.loadNumber++
	a.loadingPath, a.loadingSince = path, time.Now()
	a.failure = ""
	number, load, loads, wake := a.loadNumber, a.opt.Load, a.loads, a.waker.wake
	go func() {
		result := loaded{number: number, path: path, then: then, pane: pane}
		var m *skinning.Model
		if m, result.err = load(path); result.err == nil {
			if pane > 0 {
				result.beside = prepareBeside(m)
			} else {
				result.shown = prepare(m)
			}
		}
		// The channel holds one result; the loop empties it when it wakes. An older one that waits there is replaced.
		for {
			select {
			case loads <- result:
				wake()
				return
			case old := <-loads:
				if old.number > number {
					result = old
				}
			}
		}
	}()
}

// receive shows what has been loaded.
func (a *app) receive() {
	select {
	case r := <-a.loads:
		if r.number != a.loadNumber {
			return
		}
		a.loadingPath = ""
		a.wake()
		switch {
		case r.err != nil:
		case r.pane > 0:
			r.err = a.showBeside(r.beside, r.pane)
		default:
			if r.err = a.show(r.shown, 0); r.err == nil {
				a.state.Playing = true
			}
		}
		if r.err != nil {
			a.fail(r.path, r.err)
			return
		}
		if r.then != "" {
			a.load(r.then, "", 1)
		}
	default:
	}
}

// longestFailure bounds a message in bytes, so that its card fits into a small window.
const longestFailure = 400

// fail shows why a file could not be loaded; the old model stays.
func (a *app) fail(path string, err error) {
	a.complain("Could not load "+filepath.Base(path), err)
}

// complain shows what went wrong until it is dismissed.
func (a *app) complain(title string, err error) {
	a.failedTitle, a.failure = title, err.Error()
	if len(a.failure) > longestFailure {
		a.failure = strings.ToValidUTF8(a.failure[:longestFailure], "") + " …"
	}
	a.wake()
}
