package viewer

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"skinlab/render/ui"
	"skinlab/render/viewer/state"
	"skinlab/skinning"
)

// request asks for a file to be shown.
type request struct {
	path   string
	then   string // another file, to be put beside this one; "" for none
	pane   int    // a file for this pane, beside the first one; 0 for one that replaces the first
	reload bool   // the file is shown already: camera, clip, time and panes stay
}

// loaded is what a loading goroutine hands over.
type loaded struct {
	request
	number int
	source source
	shown  *prepared
	beside *beside
	err    error
}

// source is where a model comes from.
type source struct {
	path   string // "" for one that was handed to the window without
	files  []string
	stamps []stamp // from before they were read
}

// loading is a load under way. Its goroutine leaves how far it is.
type loading struct {
	cancel context.CancelFunc

	mu    sync.Mutex
	step  string
	share float64
}

func (l *loading) report(step string, share float64) {
	l.mu.Lock()
	l.step, l.share = step, share
	l.mu.Unlock()
}

func (l *loading) progress() (step string, share float64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.step, l.share
}

var errNoLoading = errors.New("this window loads no files")

// drop starts to load dropped files. One file replaces the first, or stands beside it when it falls on a pane other
// than the first; of two files, the second stands beside the first.
func (a *app) drop(paths []string) {
	a.wake()
	switch {
	case len(paths) >= 2:
		a.load(request{path: paths[0], then: paths[1]})
	case len(paths) == 1 && isPose(paths[0]):
		a.loadPose(paths[0])
	case len(paths) == 1:
		a.load(request{path: paths[0], pane: max(a.paneAt(a.win.mouseX, a.win.mouseY), 0)})
	}
}

// load starts to load a file. One that is still being loaded is forgotten.
func (a *app) load(r request) {
	if a.opt.Load == nil {
		a.fail(r.path, errNoLoading)
		return
	}
	a.forgetLoad()
	a.notes.drop(func(m *message) bool { return m.ofLoading })
	a.files.path, a.files.since = r.path, time.Now()
	ctx, cancel := context.WithCancel(a.ctx)
	l := &loading{cancel: cancel}
	a.files.loading = l
	number, open, files, loads, wake := a.files.number, a.opt.Load, a.opt.Files, a.files.loads, a.waker.wake
	go func() {
		defer cancel()
		result := loaded{request: r, number: number, source: newSource(files, r.path)}
		var m *skinning.Model
		if m, result.err = open(ctx, r.path, l.report); result.err == nil {
			if r.pane > 0 {
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
	a.wake()
}

// newSource looks at the files of a model before they are read.
func newSource(files func(string) []string, path string) source {
	s := source{path: path}
	if files != nil && path != "" {
		s.files = files(path)
		s.stamps = stampsOf(s.files)
	}
	return s
}

// forgetLoad gives up what is being loaded.
func (a *app) forgetLoad() {
	a.files.number++
	if a.files.loading != nil {
		a.files.loading.cancel()
	}
	a.files.loading, a.files.path = nil, ""
}

// cancelLoad gives up what is being loaded, and says so.
func (a *app) cancelLoad() {
	if a.files.path != "" {
		a.notify("Cancelled", filepath.Base(a.files.path)+" is not loaded", noticeTime)
		a.forgetLoad()
	}
}

// reload reads the shown files again.
func (a *app) reload() {
	switch {
	case a.files.source.path != "":
		r := request{path: a.files.source.path, reload: true}
		if a.beside != nil {
			r.then = a.files.besideSource.path
		}
		a.load(r)
	case a.beside != nil && a.files.besideSource.path != "":
		a.load(request{path: a.files.besideSource.path, pane: a.besidePane(), reload: true})
	default:
		a.notify("Nothing to load again", "This model comes from no file", noticeTime)
	}
}

// fileChanged reads a file again that has been saved. While another is being loaded it waits for the next save: that
// one goes first.
func (a *app) fileChanged(which int) {
	switch {
	case a.files.path != "" && a.files.path != a.files.source.path && a.files.path != a.files.besideSource.path:
	case which == watchFirst && a.files.source.path != "":
		a.load(request{path: a.files.source.path, reload: true})
	case which == watchBeside && a.beside != nil && a.files.besideSource.path != "":
		a.load(request{path: a.files.besideSource.path, pane: a.besidePane(), reload: true})
	}
}

// besidePane returns a pane that shows the second file.
func (a *app) besidePane() int {
	return max(slices.IndexFunc(a.state.Seen(), func(p state.Pane) bool { return p.Beside }), 1)
}

// receive shows what has been loaded, and does what other goroutines have left.
func (a *app) receive() {
	a.doMail()
	select {
	case r := <-a.files.loads:
		if r.number == a.files.number {
			a.files.loading, a.files.path = nil, ""
			a.take(&r)
			a.wake()
		}
	default:
	}
}

// take shows a file that has been read, or says why it could not be.
func (a *app) take(r *loaded) {
	switch {
	case r.err != nil:
	case r.pane > 0 && r.reload:
		r.err = a.reshowBeside(r.beside, r.pane)
	case r.pane > 0:
		r.err = a.showBeside(r.beside, r.pane)
	case r.reload:
		r.err = a.reshow(r.shown)
	default:
		if r.err = a.show(r.shown, 0); r.err == nil {
			a.state.Playing = true
		}
	}
	if r.err != nil {
		// A shown file is read again when it is saved again, even where this could not be read: the stamps are the new ones.
		if r.reload {
			a.watchSource(r)
		}
		a.fail(r.path, r.err)
		return
	}
	a.watchSource(r)
	if !r.reload {
		a.remember(r.path)
	} else {
		a.notify("Loaded again", filepath.Base(r.path), noticeTime)
	}
	if r.then != "" {
		a.load(request{path: r.then, pane: a.besidePane(), reload: r.reload})
	}
}

// watchSource watches a file that has been read. Where it could not be read, the files that it was made of before stay
// watched.
func (a *app) watchSource(r *loaded) {
	which, old := watchFirst, &a.files.source
	if r.pane > 0 {
		which, old = watchBeside, &a.files.besideSource
	}
	s := r.source
	if r.err != nil {
		for _, f := range old.files {
			if !slices.Contains(s.files, f) {
				s.files, s.stamps = append(s.files, f), append(s.stamps, stampOf(f))
			}
		}
	}
	*old = s
	a.files.watcher.watch(which, s.files, s.stamps)
}

// fail shows why a file could not be loaded; the old model stays.
func (a *app) fail(path string, err error) {
	a.notes.say(message{tone: ui.Failure, title: "Could not load " + filepath.Base(path), text: failureText(err),
		ofLoading: true})
	a.wake()
}
