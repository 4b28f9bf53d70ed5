package viewer

import (
	"context"
	"fmt"
	"time"

	"github.com/go-gl/gl/all-core/gl"
	"github.com/go-gl/glfw/v3.3/glfw"

	"skinlab/render"
	"skinlab/render/gpu"
	"skinlab/render/picture"
	"skinlab/render/skin"
	"skinlab/render/ui"
	"skinlab/render/viewer/caption"
	"skinlab/render/viewer/cliplist"
	"skinlab/render/viewer/crowd"
	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/files"
	"skinlab/render/viewer/fitted"
	"skinlab/render/viewer/measure"
	"skinlab/render/viewer/menu"
	"skinlab/render/viewer/notes"
	"skinlab/render/viewer/pages/bodypage"
	"skinlab/render/viewer/pages/fitpage"
	"skinlab/render/viewer/pages/helperpage"
	"skinlab/render/viewer/pages/modelpage"
	"skinlab/render/viewer/pages/posepage"
	"skinlab/render/viewer/pages/sweep"
	"skinlab/render/viewer/pages/timing"
	"skinlab/render/viewer/palette"
	"skinlab/render/viewer/posing"
	"skinlab/render/viewer/saver"
	"skinlab/render/viewer/settings"
	"skinlab/render/viewer/skeleton"
	"skinlab/render/viewer/state"
	"skinlab/render/viewer/transport"
	"skinlab/render/viewer/view"
	"skinlab/render/viewer/window"
	"skinlab/skinning"
)

// app is the running viewer. Only the main goroutine uses it, except for waker and mail.
type app struct {
	opt     Options
	ctx     context.Context
	win     *window.Window
	ui      *ui.Context
	desk    desk.Desk
	gpu     *render.Renderer
	lists   lists
	waker   window.Waker
	mail    desk.Mailbox
	prefs   settings.Keeper
	menu    menu.Menu
	clips   *cliplist.List
	palette palette.Palette
	shot    shot
	loop    loop
	past    past

	// What is shown.
	state  state.State
	shown  *prepared
	view   *view.View
	focus  focus
	scene  picture.Scene // reused by draw
	over   picture.Over  // likewise
	keys   []float64     // times of the shown clip's keys
	crowd  *crowd.Crowd
	beside *beside       // second file in the same picture; nil without one
	still  *still        // what a fit has learnt beside its models, in place of a second file; nil without one
	fitted *fitted.Model // nil without added bones
	card   methodCard    // of fitted

	// The pages and the joints, distances and crowd that they show.
	tabs      []tab
	facts     *modelpage.Page
	pose      *posepage.Page
	sweep     *sweep.Page
	times     *timing.Page
	fit       *fitpage.Page
	helpers   *helperpage.Page
	body      *bodypage.Page
	skeleton  *skeleton.Overlay
	distances distances

	// Files, places, the mouse and messages.
	files    sources
	layout   layout
	player   transport.Bar
	captions *caption.Captions
	mouse    mouse
	notes    notes.Notes
	saver    *saver.Saver

	findingFont bool // a search is under way for a font with characters that the fonts lack
}

// lists are the tables that are made once.
type lists struct {
	commands   []command
	help       []ui.KeyGroup
	methods    []skinning.Method // methods that can show the model, the fit last
	methodKeys string            // keys of the direct methods
	cards      methodCards
	tabNames   []ui.Segment // reused by tabRow
	tabIDs     []state.Tab
}

// layout is the places and sizes of the interface.
type layout struct {
	left, right float32   // widths of the panels at the sides, design pixels
	paged       bool      // a window with room for one panel at its sides shows the page
	tab         state.Tab // of the last frame
	scale       float32   // logical pixels per design pixel, with the person's factor
	zoom        float32   // the user's factor
}

// mouse is the state of the mouse.
type mouse struct {
	pressed press
	drag    drag
	button  glfw.MouseButton // of the drag
}

// loop is the state that a frame leaves for the next one.
type loop struct {
	framesLeft int       // number of frames still to draw although nothing moves
	last       time.Time // of the clip's clock, which stands while the loop sleeps
	turned     time.Time // of the last turn
	drawn      uint64
	tip        time.Duration // until the tip of the thing under the mouse is shown; 0 for none to come
}

func newApp(ctx context.Context, opt Options) (_ *app, err error) {
	a := &app{
		opt:    opt,
		ctx:    ctx,
		state:  state.New(),
		lists:  lists{commands: commands(), methods: shownMethods(), methodKeys: methodKeys(), cards: newMethodCards()},
		layout: layout{scale: 1, zoom: 1},
		loop:   loop{framesLeft: framesAfterInput, turned: time.Now()},
	}
	a.lists.help = helpGroups(a.lists.commands)
	if err := window.Start(); err != nil {
		return nil, err
	}
	a.waker.Set(true)
	a.distances.live = measure.NewLive(a.waker.Wake)
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
	if opt.Reference != nil {
		a.state.ChooseReference(*opt.Reference)
	}
	if opt.Page != nil {
		a.state.Tab = *opt.Page
	}
	a.state.SetPanes(opt.Methods)
	a.state.SetLayout(opt.Layout)
	if err := a.open(); err != nil {
		return nil, err
	}
	if opt.Failed != nil {
		a.NotLoaded(opt.FailedPath, fmt.Errorf("%w\nCtrl O opens another file", opt.Failed))
	}
	a.listen()
	a.openSources()
	context.AfterFunc(ctx, a.waker.Wake)
	return a, nil
}

// furnish makes the parts of the window. The desk comes first because all others share it.
func (a *app) furnish() {
	a.notes.Desk, a.palette.Desk, a.player.Desk = &a.desk, &a.desk, &a.desk
	a.desk = desk.Desk{UI: a.ui, State: &a.state, Context: a.ctx, Wake: a.wake, WakeLater: a.waker.Wake,
		Notify: a.notes.Notify, Complain: a.notes.Complain,
		Later: func(job func()) {
			a.mail.Put(job)
			a.waker.Wake()
		}}
	a.files.dialogs = files.Dialogs{Desk: &a.desk, Own: &files.PathField{Desk: &a.desk}}
	a.files.watcher.Changed = func(which int) { a.desk.Later(func() { a.fileChanged(which) }) }
	a.menu, a.clips = a.newMenu(), cliplist.New(&a.desk, a.SetClip)
	a.saver = saver.New(&a.desk, a.opt.CheckOutput, a.reads)
	a.view = &view.View{Desk: &a.desk}
	a.captions = caption.New(a.view, a)
	a.crowd = crowd.New(&a.desk, a.gpu)
	a.makePages()
	a.skeleton = skeleton.New(a.view, a, a.pose)
}

// open shows the model, poses and views of the options.
func (a *app) open() error {
	opt := &a.opt
	if opt.Model == nil {
		opt.Model = &skinning.Model{Name: "No model"}
	}
	if err := a.show(prepare(opt.Model, opt.Clip), opt.Clip); err != nil {
		return err
	}
	if opt.Beside != nil {
		if err := a.showBeside(prepareBeside(opt.Beside), 1); err != nil {
			return err
		}
	}
	if opt.Time != 0 || opt.Screenshot != "" {
		a.state.Playing = false
		a.state.Seek(opt.Time)
	}
	if opt.Pose != nil { // treated like a pose that the user made
		a.pose.Show(opt.Pose)
		a.Pose()
		var o skin.Outline
		o.AddFrame(a.shown.Frame)
		a.view.Frame(o.Points())
	}
	if opt.Paint != nil {
		a.state.Paint, a.state.PaintView = true, *opt.Paint
	}
	a.state.Over = opt.Over
	clip := a.state.Clip
	if a.fit.Begin(opt.StartFit); opt.Time != 0 && a.state.Clip != clip {
		a.SetClip(clip) // a fit chooses the clip that it learns from, but the options asked for this pose
		a.state.Seek(opt.Time)
	}
	return nil
}

// delete releases everything in reverse order. The app may be only partly made.
func (a *app) delete() {
	a.forgetLoad()
	a.closeSettings()
	a.stopDistances()
	for i := range a.tabs {
		a.tabs[i].Close()
	}
	a.crowd.Close()
	a.files.dialogs.Own.Delete()
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

// show replaces the model. On an error the old one stays.
func (a *app) show(p *prepared, clip int) error {
	if err := a.gpu.SetModel(p.Model); err != nil {
		return err
	}
	a.saver.TakeBack()
	a.forgetModel()
	if a.still != nil {
		a.dropBeside()
	}
	a.fitted = nil
	a.state.CloseFitted()
	a.shown, a.desk.Size = p, p.diagonal
	a.state.Bare = p.Model.IsSkeleton() && len(p.bones.Bones) > 0
	if !a.state.ReferenceChosen {
		a.state.Reference = p.reference
	}
	for i := range a.tabs {
		a.tabs[i].Forget()
	}
	a.clips.Set(p.clipNames, p.seconds, p.own)
	p.Under(a.pose.Edits)
	if a.beside != nil {
		a.beside.shareStress(p)
		a.beside.Under(a.pose.Edits)
	}
	a.forgetDistances()
	if p.fitted != nil {
		a.PutFitted(p.fitted)
		if a.fitted != nil && a.state.Method() == skinning.LBS {
			a.state.SetMethod(state.Fitted) // the skin of the file
		}
	}
	if clip < 0 || clip >= len(p.Model.Clips) {
		clip = -1
	}
	a.SetClip(clip)
	a.state.Release()
	a.focus.job.Stop()
	a.view.Frame(p.outline)
	a.view.Reset()
	title := window.Title
	if p.Model.Name != "" {
		title = p.Model.Name + " – " + window.Title
	}
	a.win.SetTitle(title)
	a.wake()
	return nil
}

// SetClip plays a clip from its start. The camera stays.
func (a *app) SetClip(clip int) {
	p := a.shown
	a.state.SetClip(clip, p.length(clip))
	a.clips.Reveal(clip)
	p.At.OK = false
	a.keys = nil
	if clip >= 0 {
		a.keys = p.Model.Clips[clip].KeyTimes()
	}
}

// nextClip moves through the clips and wraps around at the ends.
func (a *app) nextClip(by int) {
	n := len(a.shown.Model.Clips)
	if n == 0 {
		return
	}
	a.SetClip((a.state.Clip + by + n) % n)
}

// PutFitted shows a model with added bones from now on. If the GPU has no room for it, the previous one stays.
func (a *app) PutFitted(f *fitted.Model) {
	if f.Whole = !a.gpu.Binds(f.Model); f.Whole {
		for v := range f.Tints { // seen where it lies over a scan
			f.Tints[v] = fitted.Clay
		}
	} else {
		f.Paint(a.state.PaintView, -1)
	}
	if err := a.gpu.SetFitted(f.Model, f.Tints); err != nil {
		a.notes.Complain("Could not show the added bones", err)
		return
	}
	if a.fitted, a.card = f, fittedCard(f.Written); f.Whole && f.Written.Skin.Twist == nil {
		a.card = rigCard(skinning.RigNames{Short: "SSDR", Title: "Decomposed"},
			"Plain linear blending over bones that clips move. Any engine plays it.")
	}
	f.Under(a.pose.Edits)
	a.wake()
}

// Pose poses the frames that are seen at the state's clip and time, with the user's edits. It allocates nothing.
func (a *app) Pose() {
	s := &a.state
	want := posing.Instant{Clip: s.Clip, Time: s.Time, LongWay: a.longWay(), OK: true}
	a.shown.Set(want) // overlays read it too
	if b := a.beside; b != nil && b.still == nil {
		other := want
		other.Clip, other.Baked = b.clip(a.shown.Model, s.Clip), s.Baked && b.fitted
		b.Set(other)
	}
	if a.fitted != nil && (s.Shows(state.Fitted) || a.measuresFitted()) {
		want.Baked, want.Clip = s.Baked && a.fitted.Baked, a.FittedClip()
		a.fitted.Set(want)
	}
	a.poseStill()
	a.poseCrowd()
}

// longWay reports whether the clip's rotations are followed past 180 degrees: the user asked for it, or the fit that is
// shown has learnt them so.
func (a *app) longWay() bool {
	return !a.opt.ShortestPath || a.fitted != nil && a.fitted.Model.LongWay()
}

// poseCrowd poses the crowds that are seen.
func (a *app) poseCrowd() { a.crowd.Pose(a.shown.Model, a.Fit()) }

// draw draws the panes into the view.
func (a *app) draw() error {
	gl.BindFramebuffer(gl.FRAMEBUFFER, 0)
	gl.Disable(gl.SCISSOR_TEST)
	gl.Viewport(0, 0, int32(a.win.PixelsX), int32(a.win.PixelsY))
	gl.ClearColor(0.07, 0.08, 0.09, 1)
	gl.Clear(gl.COLOR_BUFFER_BIT)
	for i := range a.state.Seen() {
		if err := a.drawPane(i); err != nil && !a.crowd.Refuse(err) {
			return err
		}
	}
	return nil
}
