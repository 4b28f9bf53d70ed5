// Package viewer is skinlab's window: it plays a model, switches its skinning live, and loads files that are dropped on
// it. It knows no file format: its caller gives it a function that reads files.
//
// # The loop
//
// One goroutine, the program's main one, owns the window, OpenGL and the interface. It draws while something moves and
// a few frames after every event, then sleeps until the next: an idle window costs nothing. Loading runs beside it and
// hands over a finished model. A frame allocates nothing once warm.
//
// # The rooms
//
// Package state holds the user's settings and the clock of the clip. Package desk is handed to everything that draws:
// it has the interface, that state, a scratch line, and functions to wake the loop and to show a message. Package
// posing poses a model and keeps the user's changes of the pose. Package models holds the models that are shown, of
// the files and of a fit. Package distances measures how far their pictures are from the reference, by package
// measure, which works beside the loop. Package view places the pictures and holds the camera that they share;
// skeleton, fitted, legend and crowd draw into them. Package input takes the mouse and the keys, loader reads files,
// undo brings back what the window was, notes shows the cards at the bottom, saver writes files, files opens them,
// and window wraps GLFW.
//
// The panel at the right shows one of several pages. A page is a package below pages with a state of its own. It
// reads models and distances, sees the rest of the window through an interface of its own (host.go), and has a row in
// the table of pages (tabs.go). The type app connects all of these. In every frame it lets pages draw and change the
// state, poses the shown models, asks for measurements, and draws the pictures and then the overlays (loop.go).
package viewer

import (
	"context"
	"fmt"
	"image"
	"time"

	"github.com/go-gl/glfw/v3.3/glfw"

	"skinlab/render"
	"skinlab/render/environment"
	"skinlab/render/gpu"
	"skinlab/render/skin"
	"skinlab/render/ui"
	"skinlab/render/viewer/caption"
	"skinlab/render/viewer/cliplist"
	"skinlab/render/viewer/crowd"
	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/distances"
	"skinlab/render/viewer/input"
	"skinlab/render/viewer/loader"
	"skinlab/render/viewer/models"
	"skinlab/render/viewer/pages/fitpage"
	"skinlab/render/viewer/pages/helperpage"
	"skinlab/render/viewer/pages/posepage"
	"skinlab/render/viewer/saver"
	"skinlab/render/viewer/settings"
	"skinlab/render/viewer/skeleton"
	"skinlab/render/viewer/state"
	"skinlab/render/viewer/undo"
	"skinlab/render/viewer/view"
	"skinlab/render/viewer/window"
	"skinlab/skinning"
)

// Options say what the window opens with.
type Options struct {
	// Model is shown first; it is required unless Failed says why there is none.
	Model *skinning.Model
	// Failed says why the file at FailedPath could not be read, Model or Beside. The window shows that until it is
	// dismissed; nil for no failure.
	Failed     error
	FailedPath string
	// Load reads a file that is dropped on the window or chosen in it. It runs on a goroutine of its own, calls report
	// with its step and the share of it that is done, and ends soon after ctx is done. Scene is the name or the index of
	// a scene of the file, "" for its default. Nil refuses drops.
	Load func(ctx context.Context, path, scene string, report func(step string, share float64)) (*skinning.Model, error)
	// Motion adds the clips of a file to a model, as [loader.Motion] says; Motions are files whose clips Model has. Nil:
	// no model plays the motion of another file.
	Motion  loader.Motion
	Motions []string
	// Endings are those of the files that Load reads: ".glb".
	Endings []string
	// Files names the files that a model at a path is made of, the one at the path first. They are watched, and read
	// again when they change. Nil watches none.
	Files func(path string) []string
	// Path is the file of Model, and BesidePath the file of Beside; empty where there is none.
	Path, BesidePath string
	// Scene is the scene of Path that Model is, as Load takes it.
	Scene string
	// BuiltIn are the names of built-in models, which Load takes where a path may stand.
	BuiltIn []string

	// Settings are those that were kept when a window was last open; nil for the defaults. SettingsPath is where they
	// are kept; empty keeps none. The fields below that settings have as well stand above them.
	Settings     *settings.Settings
	SettingsPath string
	Notice       string // shown at the start; empty for none
	OffersLast   bool   // the file that was opened last is offered

	Layout  state.Layout
	Methods []skinning.Method // of the panes from the first on; the other panes take the remaining methods
	// MethodChosen says that a person asked for the first of them. Else a file that was made for a method opens in that.
	MethodChosen bool
	Reference    *skinning.Method // what errors are distances to; nil chooses for each model
	Heat         bool             // the skin is coloured by them
	Page         *state.Tab       // of the panel at the right; nil for the one that was kept, or for Fit with StartFit
	Beside       *skinning.Model  // another file for the second pane; nil for none
	Clip         int              // −1 or past the last is the static pose
	Time         float64          // seconds; other than 0, the window opens paused there
	Pose         *skinning.Pose   // of Model, that it stands in at first; nil for the clip's
	Clay         bool
	// Environment lights materials at first: its name where it is one of package environment's choices, or the light of
	// a file, which the window offers beside these. Nil is the one that was kept.
	Environment     *environment.Light
	EnvironmentName string
	Over            bool // a body model lies over the scan that is shown

	// ShortestPath resolves antipodality: quaternions take the shorter way round. False follows each joint's rotation
	// through the clip instead, for turns past 180° (ALNS figure 9).
	ShortestPath bool

	Width, Height int // of the window in the window system's units; 0 chooses

	// Fit fits models. Nil: there is no fit panel. StartFit names a row of its fits, which is started on Model at
	// once, as the panel proposes it; a screenshot waits for it.
	Fit      fitpage.Fitter
	StartFit string
	Paint    *state.PaintView // the paint of added bones on the skin; nil for none
	// CheckOutput says where a file may be written; it is required. It runs on other goroutines too.
	CheckOutput saver.Check

	// Export writes a fitted model to a file. Nil: there is no export.
	Export fitpage.Export

	// HelperExamples finds what a model's helper bones were learnt from. Nil: the window shows no examples beside them.
	HelperExamples helperpage.FindExamples
	// HelperLevel solves the weights of fewer helper bones than were fitted. Nil: the window has the fitted weights
	// alone.
	HelperLevel helperpage.SolveLevel

	// SavePose and LoadPose keep poses in files. Nil: there is none.
	SavePose posepage.Save
	LoadPose posepage.Load

	// WritePicture writes what the window shows to a PNG file, whole or not at all; it is required, and runs on
	// goroutines of its own.
	WritePicture func(path string, picture image.Image) error
	// Screenshot, when not empty, draws the window with its interface until it is settled, writes that picture to
	// this PNG file and returns. NoInterface leaves the interface out: the picture alone.
	Screenshot  string
	NoInterface bool

	// MeasureFrames, when not 0, draws as many frames as fast as possible, hands Measured how long they took, and
	// returns.
	MeasureFrames int
	Measured      func(FrameRate)

	// GLErrors, when not nil, is called with the text of every OpenGL error, on a debug context, which is slower. For
	// tests.
	GLErrors func(message string)

	// observe, when not nil, is called on the main goroutine after every turn of the loop: tests see the window by it.
	observe func(a *app)
}

// Run opens the window and returns when it is closed, when ctx is done (with nil: closing is no failure), or with the
// reason why there is no window. Options without a required field are a caller's bug and panic. It must be called on
// the program's main goroutine, which [runtime.LockOSThread] has locked in an init function: window systems insist on
// the first thread.
func Run(ctx context.Context, opt Options) error {
	if opt.Model == nil && opt.Failed == nil || opt.WritePicture == nil || opt.CheckOutput == nil {
		panic("viewer: Run: no model, or nothing to write pictures or to check outputs with")
	}
	a, err := newApp(ctx, opt)
	if err != nil {
		return fmt.Errorf("viewer: %w", err)
	}
	defer a.delete()
	if opt.MeasureFrames > 0 {
		var rate FrameRate
		rate, err = a.measureFrames(opt.MeasureFrames)
		if err == nil {
			opt.Measured(rate)
		}
	} else {
		err = a.run(ctx)
	}
	if err != nil {
		return fmt.Errorf("viewer: %w", err)
	}
	return nil
}

func newApp(ctx context.Context, opt Options) (_ *app, err error) {
	a := &app{
		opt:    opt,
		ctx:    ctx,
		state:  state.New(),
		lists:  lists{commands: commands(), methodKeys: methodKeys()},
		layout: layout{zoom: 1},
		loop:   loop{framesLeft: framesAfterInput, turned: time.Now()},
	}
	a.lists.help = helpGroups(a.lists.commands)
	go environment.Studio() // the light of the first picture, beside the window's start
	if err := window.Start(); err != nil {
		return nil, err
	}
	a.waker.Set(true)
	defer func() {
		if err != nil {
			a.delete()
		}
	}()
	if a.win, err = window.Open(opt.Width, opt.Height, opt.GLErrors != nil, opt.Settings); err != nil {
		return nil, err
	}
	if opt.GLErrors != nil && !gpu.WatchErrors(opt.GLErrors) {
		opt.GLErrors("this context has no debug messages")
	}
	if a.gpu, err = render.NewRenderer(); err != nil {
		return nil, err
	}
	if a.ui, err = ui.New(); err != nil {
		return nil, err
	}
	a.furnish()
	a.applySettings()
	a.state.Clay, a.state.Heat = opt.Clay, opt.Heat
	a.setEnvironments()
	if opt.Reference != nil {
		a.state.ChooseReference(*opt.Reference)
	}
	page := opt.Page
	if fits := state.TabFit; page == nil && opt.StartFit != "" {
		page = &fits // it says how far the fit is
	}
	if page != nil {
		a.state.Tab = *page
		a.layout.tab, a.layout.paged = *page, true // the first page too, where there is room for one panel
	}
	if len(opt.Methods) > 1 {
		a.state.SetDivider(0.5) // the command line asks to see both
	}
	a.state.SetPanes(opt.Methods)
	a.state.SetLayout(opt.Layout)
	if err := a.open(); err != nil {
		return nil, err
	}
	if opt.MethodChosen {
		a.state.SetMethod(opt.Methods[0])
	}
	if opt.Failed != nil {
		a.loader.NotLoaded(opt.FailedPath, fmt.Errorf("%w\nCtrl O opens another file", opt.Failed))
	}
	a.input.Listen()
	if opt.Screenshot == "" {
		a.loader.Begin(opt.Path, opt.Scene, opt.BesidePath, opt.FailedPath)
		if opt.Notice != "" {
			a.notes.Notify("Settings", opt.Notice, desk.AdviceTime)
		}
		a.loader.NoteLostRig()
		if opt.OffersLast {
			a.offerLast()
		}
	} else {
		a.win.SetCursorPosCallback(nil) // the picture has no tip of what the mouse happens to rest on
	}
	context.AfterFunc(ctx, a.waker.Wake)
	return a, nil
}

// furnish makes the parts of the window. The desk comes first because all others share it.
func (a *app) furnish() {
	a.notes.Desk, a.palette.Desk, a.player.Desk = &a.desk, &a.desk, &a.desk
	a.desk = desk.Desk{UI: a.ui, State: &a.state, Context: a.ctx, Notify: a.notes.Notify, Complain: a.notes.Complain,
		Wake: func() { a.loop.framesLeft = framesAfterInput }, WakeLater: a.waker.Wake,
		Later: func(job func()) {
			a.mail.Put(job)
			a.waker.Wake()
		}}
	a.saver = saver.New(&a.desk, a.opt.CheckOutput, func() []string { return a.loader.Reads() },
		func() string { return a.loader.Source() })
	a.models = models.New(&a.desk, a.gpu, a.opt.ShortestPath)
	a.menu, a.clips = a.newMenu(), cliplist.New(&a.desk, a.models.SetClip)
	a.models.Reveal, a.models.Amends = a.clips.Reveal, func() { a.past.Amends() }
	a.loader = loader.New(&a.desk, a.models, &a.notes, a, loader.Options{Load: a.opt.Load, Endings: a.opt.Endings,
		Files: a.opt.Files, BuiltIn: a.opt.BuiltIn, Recent: a.prefs.AddRecent, Newest: a.prefs.Newest, Motion: a.opt.Motion})
	a.view = &view.View{Desk: &a.desk}
	a.crowd = crowd.New(&a.desk, a.gpu)
	a.distances = distances.New(a.models, a.view, a.crowd, func(bone int) { a.pose.Pick(bone) })
	a.makePages()
	a.captions = caption.New(a.view, a.models, a.distances, a.times, a.gpu)
	a.past = undo.New(&a.desk, a.models, a.loader, a.view, a.undoRows())
	a.skeleton = skeleton.New(a.view, a.models, a, a.pose)
	a.input = &input.Input{Desk: &a.desk, Window: a.win, View: a.view, Skeleton: a.skeleton, Saver: a.saver,
		Palette: &a.palette, Path: a.loader.Dialogs.Own, Host: a}
}

// open shows the model, poses and views of the options.
func (a *app) open() error {
	opt := &a.opt
	if opt.Model == nil {
		opt.Model = &skinning.Model{Name: "No model"}
	}
	first := models.Prepare(opt.Model, opt.Clip)
	first.Motions = opt.Motions
	if err := a.Show(first, opt.Clip); err != nil {
		return err
	}
	if opt.Beside != nil {
		if err := a.models.ShowSecond(models.PrepareSecond(opt.Beside), 1); err != nil {
			return err
		}
		if p := &a.state.Panes[1]; len(opt.Methods) > 1 && p.Method != state.Fitted { // another is none that was named
			p.Method = opt.Methods[0]
		}
	}
	if opt.Time != 0 || opt.Screenshot != "" {
		a.state.Playing = false
		a.state.Seek(opt.Time)
	}
	if opt.Pose != nil { // treated like a pose that the user made
		a.pose.Show(opt.Pose)
		a.models.Pose()
		var o skin.Outline
		o.AddFrame(a.models.File.Frame)
		a.view.Frame(o.Points())
	}
	if opt.Paint != nil {
		a.state.SetPaint(true)
		a.state.PaintView = *opt.Paint
	}
	a.state.Over = opt.Over
	clip := a.state.Clip
	if opt.StartFit != "" {
		a.fit.Begin(opt.StartFit)
	}
	switch now := a.state.Clip; { // a fit chooses the clip that it learns from
	case now == clip:
	case opt.Time != 0: // the options asked for this pose
		a.models.SetClip(clip)
		a.state.Seek(opt.Time)
	case opt.Pose == nil && now >= 0:
		var o skin.Outline
		o.AddClip(skinning.NewFrame(first.Model, first.Frame.Centers), now, models.ClipTimes(first.Model.Clips[now].Seconds)...)
		a.view.Frame(o.Points())
	}
	return nil
}

// delete releases everything in reverse order. The app may be only partly made.
func (a *app) delete() {
	if a.loader != nil {
		a.loader.ForgetLoad()
		a.loader.Dialogs.Own.Delete()
	}
	now := a.choices
	if a.win == nil || a.win.Window == nil || a.models == nil || a.models.File == nil {
		now = nil
	}
	a.prefs.Close(now)
	if a.distances != nil {
		a.distances.Close()
	}
	for i := range a.tabs {
		a.tabs[i].Close()
	}
	a.crowd.Close()
	a.palette.Delete()
	a.clips.Delete()
	a.ui.Delete()
	if a.gpu != nil {
		a.gpu.Delete()
	}
	a.win.Delete()
	a.waker.Set(false)
	glfw.Terminate()
}
