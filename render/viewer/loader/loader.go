// Package loader reads the files of models beside the window's loop, and again when they change.
package loader

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"skinlab/render/ui"
	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/files"
	"skinlab/render/viewer/models"
	"skinlab/render/viewer/notes"
	"skinlab/skinning"
)

// Options are those of the window about files, which documents them.
type Options struct {
	Load    func(ctx context.Context, path, scene string, report func(step string, share float64)) (*skinning.Model, error)
	Endings []string
	Files   func(path string) []string
	BuiltIn []string
	Recent  func(path string) // called with each file that has been opened
	Newest  func() string     // the file that was opened last, also in an earlier window; "" for none
	Motion  Motion            // nil: no file plays the motion of another one
}

type Host interface {
	Show(f *models.File, clip int) error // shows a first file in place of another
	ShowNewer(f *models.File) error      // shows a newer version of the first file
	Amends()                             // what this frame changes belongs to the step before
	GoOn(l *Loaded)                      // goes on to undo a step, for which a file has been opened
	// Leaves reports whether nothing is lost with the first file. Else it asks the user, and calls then if that is fine.
	Leaves(what string, then func()) bool
	// AskMotion asks whether the first file shall play the motion of a file, or that file be opened.
	AskMotion(file, text string, play, open func())
	FrameFile(f *models.File) // sets the camera so that all of a file's first clip is seen
}

// Loader loads the files of the shown models. One load is under way at a time.
type Loader struct {
	Options
	Dialogs files.Dialogs

	desk     *desk.Desk
	models   *models.Shown
	notes    *notes.Notes
	host     Host
	watcher  files.Watcher
	beside   *models.Second // whose files are watched
	request  Request        // under way; without a path for none
	progress *desk.Progress
	job      desk.Job[Loaded]
	card     notes.Loading // what the window shows of it
}

type Request struct {
	Path   string
	Scene  string // name or index of a scene of the file; "" for its default
	Then   string // a second file to put beside this one; "" for none
	Pane   int    // pane for a second file beside the first; 0 to replace the first
	Reload bool   // the file is shown already, so camera, clip, time and panes stay
	Undoes bool   // it is opened to undo or redo a step
	// Motions are files whose clips a first file gets, and Plays says that the last of them is played at once.
	Motions []string
	Plays   bool
	Dropped bool // on the window: the first file may be to play its motion
	agreed  bool // what is lost with the first file may be lost
}

// Loaded is a file that has been read: a first or a second one.
type Loaded struct {
	Request
	First  *models.File
	second *models.Second
	origin files.Source
	clip   int    // of the first file, that is shown first
	said   string // of the motion that is played
	err    error
}

func New(d *desk.Desk, m *models.Shown, n *notes.Notes, host Host, o Options) *Loader {
	l := &Loader{Options: o, desk: d, models: m, notes: n, host: host,
		Dialogs: files.Dialogs{Desk: d, Own: &files.PathField{Desk: d}}}
	l.watcher.Changed = func(which int) { d.Later(func() { l.changed(which) }) }
	return l
}

// Begin starts to watch the files with which the window was opened, the first one with a scene of it. One that could
// not be read is watched as well, and shown once it can be read.
func (l *Loader) Begin(path, scene, beside, unread string) {
	open := func(which int, origin *files.Source, path string) {
		*origin = files.NewSource(l.Files, path)
		l.watch(which, *origin)
	}
	open(files.First, &l.models.File.Origin, path)
	l.models.File.Origin.Scene = scene
	if b := l.models.Second; b != nil {
		open(files.Beside, &b.Origin, beside)
		l.remember(beside, 0)
	}
	if path != unread {
		l.remember(path, 0)
	}
	if l.Files != nil {
		go l.watcher.Run(l.desk.Context)
	}
}

func (l *Loader) watch(which int, s files.Source) {
	l.watcher.Watch(which, s)
	if which == files.Beside {
		l.beside = l.models.Second
	}
}

// Underway returns the load under way, nil for none. The result is valid until the next call.
func (l *Loader) Underway() *notes.Loading {
	if !l.Loads() {
		return nil
	}
	l.card.Step, l.card.Share = l.progress.Get()
	return &l.card
}

func (l *Loader) Loads() bool { return l.request.Path != "" }

// Undoes reports whether a step that is undone or redone waits for its file.
func (l *Loader) Undoes() bool { return l.request.Undoes }

var errNoLoading = errors.New("this window loads no files")

// Load starts to load a file. It cancels a load under way.
func (l *Loader) Load(r Request) {
	if l.Options.Load == nil {
		l.NotLoaded(r.Path, errNoLoading)
		return
	}
	l.ForgetLoad()
	l.notes.Drop(func(m notes.Message) bool { return m.OfLoading })
	progress, open, motion, list := &desk.Progress{}, l.Options.Load, l.Motion, l.Files
	l.request, l.progress, l.card = r, progress, notes.Loading{Name: filepath.Base(r.Path), Since: time.Now()}
	l.job.Start(l.desk.Context, l.desk.WakeLater, func(ctx context.Context) (Loaded, error) {
		out := Loaded{Request: r, origin: files.NewSource(list, r.Path)}
		out.origin.Scene = r.Scene
		m, err := open(ctx, r.Path, r.Scene, progress.Report)
		if err == nil {
			m, out.clip, out.said, err = withMotions(ctx, m, motion, r.Motions)
		}
		switch {
		case err != nil:
			out.err = err
		case r.Pane > 0:
			out.second = models.PrepareSecond(m)
			out.second.Origin = out.origin
		default:
			out.First = models.Prepare(m, out.clip)
			out.First.Origin, out.First.Motions = out.origin, r.Motions
		}
		return out, nil
	})
	l.desk.Wake()
}

func (l *Loader) ForgetLoad() {
	l.job.Stop()
	l.request = Request{}
}

func (l *Loader) CancelLoad() {
	if l.Loads() {
		l.notes.Notify("Cancelled", filepath.Base(l.request.Path)+" is not loaded", desk.NoticeTime)
		l.ForgetLoad()
	}
}

// paths returns the files of the shown models, "" where one comes from no file.
func (l *Loader) paths() (first, second string) {
	if b := l.models.Second; b != nil {
		second = b.Origin.Path
	}
	return l.models.File.Origin.Path, second
}

func (l *Loader) Reload() {
	switch first, second := l.paths(); {
	case first != "":
		l.Load(Request{Path: first, Scene: l.models.File.Origin.Scene, Then: second, Reload: true,
			Motions: l.models.File.Motions})
	case second != "":
		l.reloadSecond(second)
	default:
		l.notes.Notify("Nothing to reload", "This model comes from no file", desk.NoticeTime)
	}
}

func (l *Loader) LoadScene(scene int) {
	l.Load(Request{Path: l.models.File.Origin.Path, Scene: "#" + strconv.Itoa(scene)})
}

func (l *Loader) reloadSecond(path string) {
	l.Load(Request{Path: path, Pane: l.desk.State.BesidePane(), Reload: true})
}

// changed reads a saved file again. While another is being loaded it waits for its next save.
func (l *Loader) changed(which int) {
	switch first, second := l.paths(); {
	case l.Loads() && l.request.Path != first && l.request.Path != second:
	case which == files.First && first != "":
		l.Load(Request{Path: first, Scene: l.models.File.Origin.Scene, Reload: true, Motions: l.models.File.Motions})
	case which == files.Beside && second != "":
		l.reloadSecond(second)
	}
}

// Receive shows a file that has been read, or says why it could not be read.
func (l *Loader) Receive() {
	if l.beside != nil && l.beside != l.models.Second { // it is shown no more
		l.watch(files.Beside, files.Source{})
	}
	if r, _, ok := l.job.Take(); ok {
		l.take(r)
	}
}

func (l *Loader) take(r Loaded) {
	l.request = Request{}
	l.desk.Wake()
	if r.Pane == 0 && !r.Reload && !r.Undoes && r.err == nil && !r.agreed {
		if !r.Dropped || !l.asksForMotion(r) {
			l.leave(r)
		}
		return
	}
	before := l.models.File
	if err := l.show(&r); err != nil {
		l.NotLoaded(r.Path, err)
		return
	}
	switch {
	case r.Plays:
		l.playing(&r)
	case !r.Reload:
		l.remember(r.Path, r.Pane)
		if r.Dropped && r.Pane == 0 {
			l.offerMotion(before, &r)
		}
	default:
		l.notes.Notify("Reloaded", filepath.Base(r.Path), desk.NoticeTime)
	}
	if r.Pane == 0 {
		l.NoteLostRig()
	}
	if r.Undoes {
		l.host.GoOn(&r)
	}
	if r.Then != "" {
		l.Load(Request{Path: r.Then, Pane: l.desk.State.BesidePane(), Reload: r.Reload})
	}
}

// show shows a file that has been read, and watches it. If a newer version could not be shown, its files are watched
// nevertheless beside those of the older version, so that the next save is read.
func (l *Loader) show(r *Loaded) (err error) {
	switch {
	case r.err != nil:
		err = r.err
	case r.Pane > 0 && r.Reload:
		err = l.models.ShowSecondAgain(r.second, r.Pane)
		if err == nil {
			l.host.Amends()
		}
	case r.Pane > 0:
		err = l.models.ShowSecond(r.second, r.Pane)
	case r.Reload:
		err = l.host.ShowNewer(r.First)
	default:
		second := l.models.Second
		err = l.host.Show(r.First, r.clip)
		if err == nil {
			l.desk.State.Playing = true
			l.leaveSecond(second, r)
		}
	}
	if err != nil && (!r.Reload || r.Pane > 0 && l.models.Second == nil) {
		return err
	}
	which, old := files.First, &l.models.File.Origin
	if r.Pane > 0 {
		which, old = files.Beside, &l.models.Second.Origin
	}
	if err != nil {
		r.origin.Join(old)
		*old = r.origin
	}
	l.watch(which, r.origin)
	return err
}

// leaveSecond closes a second file, which leaves with the first one, and offers to keep it.
func (l *Loader) leaveSecond(b *models.Second, r *Loaded) {
	if b == nil || b != l.models.Second {
		return
	}
	pane, path := l.desk.State.BesidePane(), b.Origin.Path
	l.models.DropSecond()
	if path != "" && !r.Undoes && r.Then == "" {
		l.notes.Offer("The second file is closed too", filepath.Base(path)+" stood beside the file before.", notes.Action{
			Label: "Keep it", Tip: "Shows it beside this file as well.",
			Run: func() { l.Load(Request{Path: path, Pane: pane}) }})
	}
}

// NoteLostRig says where the first file is that of a fit and has lost its rig.
func (l *Loader) NoteLostRig() {
	if m := l.models.File.Model; m.Fit != nil && m.Fit.RigLost {
		l.notes.Notify("The rig of a fit is lost", m.Name+": "+m.Fit.Text(m.Diagonal()), desk.AdviceTime)
	}
}

// Reads returns the names of the files that the window shows.
func (l *Loader) Reads() []string {
	reads := slices.Concat(l.models.File.Origin.Files, []string{l.models.File.Origin.Path})
	if b := l.models.Second; b != nil {
		reads = append(append(reads, b.Origin.Files...), b.Origin.Path)
	}
	return reads
}

// NotLoaded says why a file could not be loaded. The old model stays.
func (l *Loader) NotLoaded(path string, err error) {
	l.notes.Say(notes.Message{Tone: ui.Failure, Title: "Could not load " + filepath.Base(path), Text: notes.Failure(err),
		OfLoading: true})
}

func (l *Loader) builtIn(name string) bool { return slices.Contains(l.BuiltIn, name) }

// remember makes a file the newest of the recent ones. A second file comes behind the first, which the next start
// offers.
func (l *Loader) remember(path string, pane int) {
	if !l.builtIn(path) && path != "" {
		l.Recent(path)
	}
	if pane > 0 {
		l.remember(l.models.File.Origin.Path, 0)
	}
}

// Source returns the first file, "" for a model that comes from none.
func (l *Loader) Source() string {
	if path := l.models.File.Origin.Path; !l.builtIn(path) {
		return path
	}
	return ""
}

func (l *Loader) AskOpen() { l.askModel("Open a model", func() int { return 0 }) }

func (l *Loader) AskOpenBeside() { l.askModel("Open a model beside this one", l.desk.State.BesidePane) }

func (l *Loader) askModel(title string, pane func() int) {
	if l.Options.Load == nil {
		l.NotLoaded("a file", errNoLoading)
		return
	}
	l.ask(files.Dialog{Title: title, Kind: "Models", Ends: l.Endings},
		func(path string) { l.Load(Request{Path: path, Pane: pane()}) })
}

func (l *Loader) AskFolder(take func(folder string)) {
	l.ask(files.Dialog{Title: "Choose the folder of exports, poses and pictures", Folder: true}, take)
}

func (l *Loader) AskShapes(endings []string, read func(folder string)) {
	l.ask(files.Dialog{Title: "Choose a folder of shapes", Kind: "Shapes", Ends: endings, Folder: true}, read)
}

// ask opens a dialog in the folder of the first file, of the file that was opened last where the first has none.
func (l *Loader) ask(d files.Dialog, take func(path string)) {
	if path := cmp.Or(l.Source(), l.Newest()); path != "" {
		d.Propose = filepath.Dir(path) + string(filepath.Separator)
	}
	l.Dialogs.Ask(d, take)
}
