package viewer

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"skinlab/render/ui"
	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/files"
	"skinlab/render/viewer/notes"
	"skinlab/render/viewer/state"
	"skinlab/skinning"
)

// sources are the files of the shown models and the load under way.
type sources struct {
	source       files.Source // of the model that is shown
	besideSource files.Source
	watcher      files.Watcher
	dialogs      files.Dialogs

	path     string    // "" if nothing is being loaded
	since    time.Time // start of the load
	progress *desk.Progress
	load     desk.Job[loaded]
	card     notes.Loading // reused by underway
}

// request asks for a file to be shown.
type request struct {
	path   string
	then   string // a second file to put beside this one; "" for none
	pane   int    // pane for a second file beside the first; 0 to replace the first
	reload bool   // the file is shown already, so camera, clip, time and panes stay
	undoes bool   // it is opened to undo or redo a step
}

// loaded is the result of a loading goroutine.
type loaded struct {
	request
	source files.Source
	shown  *prepared
	beside *beside
	err    error
}

// underway returns the load under way, nil for none. The result is valid until the next call.
func (f *sources) underway() *notes.Loading {
	if f.path == "" {
		return nil
	}
	step, share := f.progress.Get()
	f.card = notes.Loading{Name: filepath.Base(f.path), Step: step, Share: share, Since: f.since}
	return &f.card
}

var errNoLoading = errors.New("this window loads no files")

// drop starts to load dropped files. One file replaces the first file, or if it was dropped on another pane than the
// first, it stands beside it. Of two files, the second stands beside the first.
func (a *app) drop(paths []string) {
	a.wake()
	switch {
	case len(paths) >= 2:
		a.load(request{path: paths[0], then: paths[1]})
	case len(paths) == 1 && strings.EqualFold(filepath.Ext(paths[0]), ".json"):
		a.pose.LoadFrom(paths[0])
	case len(paths) == 1:
		a.load(request{path: paths[0], pane: max(a.view.PaneAt(a.view.MouseX, a.view.MouseY), 0)})
	}
}

// load starts to load a file. It cancels a load under way.
func (a *app) load(r request) {
	if a.opt.Load == nil {
		a.NotLoaded(r.path, errNoLoading)
		return
	}
	a.forgetLoad()
	a.notes.Drop(func(m notes.Message) bool { return m.OfLoading })
	progress, open, list := &desk.Progress{}, a.opt.Load, a.opt.Files
	a.files.path, a.files.since, a.files.progress = r.path, time.Now(), progress
	a.files.load.Start(a.ctx, a.waker.Wake, func(ctx context.Context) (loaded, error) {
		out := loaded{request: r, source: files.NewSource(list, r.path)}
		m, err := open(ctx, r.path, progress.Report)
		switch {
		case err != nil:
			out.err = err
		case r.pane > 0:
			out.beside = prepareBeside(m)
		default:
			out.shown = prepare(m, 0)
		}
		return out, nil
	})
	a.wake()
}

// forgetLoad cancels the load under way.
func (a *app) forgetLoad() {
	a.files.load.Stop()
	a.files.path, a.past.waiting = "", false
}

// cancelLoad cancels the load under way and says so.
func (a *app) cancelLoad() {
	if a.files.path != "" {
		a.notes.Notify("Cancelled", filepath.Base(a.files.path)+" is not loaded", desk.NoticeTime)
		a.forgetLoad()
	}
}

// reload reads the shown files again.
func (a *app) reload() {
	switch {
	case a.files.source.Path != "":
		r := request{path: a.files.source.Path, reload: true}
		if a.beside != nil {
			r.then = a.files.besideSource.Path
		}
		a.load(r)
	case a.beside != nil && a.files.besideSource.Path != "":
		a.load(request{path: a.files.besideSource.Path, pane: a.besidePane(), reload: true})
	default:
		a.notes.Notify("Nothing to reload", "This model comes from no file", desk.NoticeTime)
	}
}

// fileChanged reads a saved file again. While another file is being loaded it does nothing, and the file is read after
// its next save.
func (a *app) fileChanged(which int) {
	switch {
	case a.files.path != "" && a.files.path != a.files.source.Path && a.files.path != a.files.besideSource.Path:
	case which == files.First && a.files.source.Path != "":
		a.load(request{path: a.files.source.Path, reload: true})
	case which == files.Beside && a.beside != nil && a.files.besideSource.Path != "":
		a.load(request{path: a.files.besideSource.Path, pane: a.besidePane(), reload: true})
	}
}

// besidePane returns a pane that shows the second file.
func (a *app) besidePane() int {
	return max(slices.IndexFunc(a.state.Seen(), func(p state.Pane) bool { return p.Beside }), 1)
}

// receive shows a loaded file and runs the jobs from other goroutines.
func (a *app) receive() {
	if a.mail.Run() {
		a.wake()
	}
	if r, _, ok := a.files.load.Take(); ok {
		a.files.path = ""
		a.take(&r)
		a.wake()
	}
}

// take shows a file that has been read, or says why it could not be read.
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
		// A shown file is read again at its next save even if it could not be read this time. So its new stamps are
		// kept.
		if r.reload {
			a.watchSource(r)
		}
		a.past.waiting = false
		a.NotLoaded(r.path, r.err)
		return
	}
	a.watchSource(r)
	if !r.reload {
		a.remember(r.path)
	} else {
		a.notes.Notify("Reloaded", filepath.Base(r.path), desk.NoticeTime)
	}
	if r.undoes {
		a.goOn(r)
	}
	if r.then != "" {
		a.load(request{path: r.then, pane: a.besidePane(), reload: r.reload})
	}
}

// watchSource watches a file that has been read. If it could not be read, the files of the previous version stay
// watched too.
func (a *app) watchSource(r *loaded) {
	which, old := files.First, &a.files.source
	if r.pane > 0 {
		which, old = files.Beside, &a.files.besideSource
	}
	if r.err != nil {
		r.source.Join(old)
	}
	*old = r.source
	a.files.watcher.Watch(which, r.source)
}

// reads returns the names of the files that the window shows.
func (a *app) reads() []string {
	first, second := &a.files.source, &a.files.besideSource
	return slices.Concat(first.Files, second.Files, []string{first.Path, second.Path})
}

// NotLoaded says why a file could not be loaded. The old model stays.
func (a *app) NotLoaded(path string, err error) {
	a.notes.Say(notes.Message{Tone: ui.Failure, Title: "Could not load " + filepath.Base(path), Text: notes.Failure(err),
		OfLoading: true})
}

// reshow replaces the model by a newer version of itself. The camera, clip, time, pose and panes stay. On an error the
// old version stays.
func (a *app) reshow(p *prepared) error {
	was, looked, kept, old, edits := a.state, *a.view, a.facts.Keep(), a.shown.Model, a.pose.Edits
	size := a.shown.diagonal
	if err := a.show(p, sameClip(old, was.Clip, p.Model)); err != nil {
		return err
	}
	s := &a.state
	keepPanes(s, &was, func(q state.Pane) bool { return q.Method != state.Fitted || q.Beside || a.fitted != nil })
	if sameName(old, was.Clip, p.Model, s.Clip) {
		s.Range = was.Range
		if s.Range.To > s.Seconds {
			s.Range = state.Range{}
		}
		s.Seek(was.Time)
	}
	s.Playing = was.Playing
	a.view.Keep(&looked, p.diagonal/max(size, 1e-12))
	a.facts.Restore(kept)
	a.pose.Carry(edits, was.Joint)
	a.past.Revise(func(m *moment) { m.pose = nil }) // of the older version
	a.past.amends = true
	return nil
}

// reshowBeside replaces the second file by a newer version of itself.
func (a *app) reshowBeside(b *beside, pane int) error {
	was := a.state
	if err := a.showBeside(b, pane); err != nil {
		return err
	}
	a.past.amends = true
	keepPanes(&a.state, &was, func(q state.Pane) bool { return !q.Beside || b.fitted == (q.Method == state.Fitted) })
	return nil
}

// keepPanes restores the panes if what they showed is still there.
func keepPanes(s, was *state.State, there func(state.Pane) bool) {
	for _, p := range was.Panes {
		if !there(p) {
			return
		}
	}
	s.Panes, s.Active, s.Layout = was.Panes, was.Active, was.Layout
}

// sameClip returns the clip in a newer version of a model that goes with a clip of the older version: the one with its
// name, else the one with its index.
func sameClip(old *skinning.Model, clip int, now *skinning.Model) int {
	if clip < 0 || clip >= len(old.Clips) {
		return clip
	}
	for i := range now.Clips {
		if sameName(old, clip, now, i) {
			return i
		}
	}
	return min(clip, len(now.Clips)-1)
}

func sameName(m *skinning.Model, clip int, n *skinning.Model, other int) bool {
	return clip >= 0 && clip < len(m.Clips) && other >= 0 && other < len(n.Clips) &&
		m.Clips[clip].Name == n.Clips[other].Name
}

// openSources starts to watch the files with which the window was opened.
func (a *app) openSources() {
	if a.opt.Screenshot != "" {
		return
	}
	open := func(which int, source *files.Source, path string) {
		*source = files.NewSource(a.opt.Files, path)
		a.files.watcher.Watch(which, *source)
		if path != a.opt.FailedPath { // it is watched nevertheless, and shown once it can be read
			a.remember(path)
		}
	}
	open(files.First, &a.files.source, a.opt.Path)
	if a.beside != nil {
		open(files.Beside, &a.files.besideSource, a.opt.BesidePath)
	}
	if a.opt.Files != nil {
		go a.files.watcher.Run(a.ctx)
	}
	if a.opt.Notice != "" {
		a.notes.Notify("Settings", a.opt.Notice, desk.AdviceTime)
	}
}
