package viewer

import (
	"context"
	"time"

	"github.com/go-gl/gl/all-core/gl"
	"github.com/go-gl/glfw/v3.3/glfw"
	"github.com/go-gl/mathgl/mgl32"

	"skinlab/render"
	"skinlab/render/gpu"
	"skinlab/render/picture"
	"skinlab/render/skin"
	"skinlab/render/ui"
	"skinlab/render/viewer/measure"
	"skinlab/render/viewer/pages"
	"skinlab/render/viewer/state"
	"skinlab/skinning"
)

// app is the running viewer. Everything in it belongs to the main goroutine, except what waker and files.loads pass.
type app struct {
	opt   Options
	ctx   context.Context
	win   *window
	ui    *ui.Context
	line  ui.Line // scratch for text
	desk  pages.Desk
	gpu   *render.Renderer
	info  gpu.Info
	lists lists
	waker waker
	mail  mailbox
	prefs prefs
	menu  menu
	shot  shot
	loop  loop

	// What is shown.
	state   state.State
	shown   *prepared
	scene   picture.Scene   // scratch of draw
	keys    []float64       // times of the shown clip's keys
	signs   *skinning.Signs // nil where quaternions take the shorter way
	crowd   crowding
	beside  *beside // another file in the same picture; nil where there is none
	camera  picture.Camera
	framing framing
	posing  *posing   // over the clip's pose
	tools   poseTools // to pose with

	// What is fitted, measured and timed.
	fit       fitting
	fitted    *fitted // nil where there are no blend bones
	firstBead [2]int  // where the first blend bone is, for tests and tools
	export    exporting
	distances distances

	// What the person does and sees around it.
	files  files
	layout layout
	mouse  mouse
	notes  notes
	asking questions

	findingFont bool // for a name that the program's own fonts cannot write
}

// lists are made once: what there is to do and to choose.
type lists struct {
	commands  []command
	help      []ui.KeyHelp
	methods   []skinning.Method // that a model can be shown by, the fit last
	cards     methodCards
	operators operators
	tabs      []tab
	tabNames  []string // scratch of tabRow
	tabIDs    []state.Tab
}

// files is how files come into the window.
type files struct {
	source       source // of the model that is shown
	besideSource source
	watcher      *watcher
	asking       bool // a file dialog is open

	path    string // "" while nothing is being loaded
	since   time.Time
	loading *loading // nil while nothing is being loaded
	number  int      // of the load, to tell an answer from that of an earlier one
	loads   chan loaded
}

// layout is where things are, logical pixels.
type layout struct {
	left, right float32 // widths of the panels at the sides, design pixels
	scale       float32 // logical pixels per design pixel, with the person's factor
	zoom        float32 // the person's factor
	view        ui.Rect // where the picture is
	timeline    ui.Rect
}

// framing is what the camera was last fitted to.
type framing struct {
	lo, hi mgl32.Vec3
	on     bool    // the camera is still fitted: fit it again when the view changes
	aspect float32 // of the view that it was fitted to
}

// mouse is what the mouse is about.
type mouse struct {
	pressed press
	drag    drag
	button  glfw.MouseButton // of the drag
	bone    int              // the blend bone under it, −1 for none
}

// exporting is the writing of the shown fit.
type exporting struct {
	path    *ui.TextField
	running bool
	done    chan exported
}

// loop is what the frames leave for the next one.
type loop struct {
	settle int // frames still to draw though nothing moves
	last   time.Time
	drawn  uint64
}

func newApp(ctx context.Context, opt Options) (_ *app, err error) {
	a := &app{
		opt:   opt,
		ctx:   ctx,
		state: state.New(),
		fit:   newFitting(opt.Fit),
		lists: lists{commands: commands(), methods: shownMethods(), cards: newMethodCards(),
			operators: newOperators()},
		export: exporting{done: make(chan exported, 1)},
		files:  files{loads: make(chan loaded, 1)},
		layout: layout{scale: 1, zoom: 1},
		mouse:  mouse{bone: -1},
		loop:   loop{settle: settleFrames},
	}
	for i := range a.lists.commands {
		a.lists.help = append(a.lists.help, ui.KeyHelp{Keys: a.lists.commands[i].caps, Does: a.lists.commands[i].does})
	}
	a.lists.help = append(a.lists.help, mouseHelp...)
	a.menu.lines = menuLines()
	a.files.watcher = &watcher{changed: func(which int) { a.later(func() { a.fileChanged(which) }) }}
	if err := startGLFW(); err != nil {
		return nil, err
	}
	a.waker.set(true)
	a.distances.live = measure.NewLive(a.waker.wake)
	defer func() {
		if err != nil {
			a.delete()
		}
	}()
	if a.win, err = openWindow(opt.Width, opt.Height, opt.GLErrors != nil, opt.Settings); err != nil {
		return nil, err
	}
	if opt.GLErrors != nil && !gpu.WatchErrors(opt.GLErrors) {
		opt.GLErrors("this context has no debug messages")
	}
	if a.gpu, err = render.NewRenderer(); err != nil {
		return nil, err
	}
	a.info = a.gpu.Info()
	if a.ui, err = ui.New(); err != nil {
		return nil, err
	}
	a.desk = pages.Desk{UI: a.ui, State: &a.state, Context: ctx, Wake: a.wake, WakeLater: a.waker.wake,
		Notify:   func(title, text string) { a.notify(title, text, noticeTime) },
		Complain: a.complain}
	a.makePages()
	a.export.path = ui.NewTextField("")
	a.crowd = crowding{most: skin.MaxInstances, many: 1}
	a.tools.search, a.tools.path = ui.NewTextField(""), ui.NewTextField(poseName)
	a.applySettings()
	a.state.Clay, a.state.Reference, a.state.Heat = opt.Clay, opt.Reference, opt.Heat
	if opt.Page != nil {
		a.state.Tab = *opt.Page
	}
	a.setPanes(opt.Methods)
	a.state.SetLayout(opt.Layout)
	first := prepare(opt.Model)
	if err := a.show(first, opt.Clip); err != nil {
		return nil, err
	}
	if opt.Beside != nil {
		if err := a.showBeside(prepareBeside(opt.Beside), 1); err != nil {
			return nil, err
		}
	}
	if opt.Time != 0 || opt.Screenshot != "" {
		a.state.Playing = false
		a.state.Seek(opt.Time)
	}
	if opt.Pose != nil {
		a.openPose(opt.Pose)
	}
	if opt.Paint != nil {
		a.state.Paint, a.state.PaintView = true, *opt.Paint
	}
	clip := a.state.Clip
	if a.beginFit(opt.StartFit); opt.Time != 0 && a.state.Clip != clip {
		a.setClip(clip) // a fit goes to what it learns from, but a pose was asked for
		a.state.Seek(opt.Time)
	}
	a.listen()
	a.openSources()
	context.AfterFunc(ctx, a.waker.wake)
	return a, nil
}

// delete releases everything in reverse order. It is fit for an app of which only a part was made.
func (a *app) delete() {
	a.forgetLoad()
	a.closeSettings()
	a.stopFit()
	a.stopDistances()
	for i := range a.lists.tabs {
		a.lists.tabs[i].Close()
	}
	a.crowd.own.drop()
	a.crowd.fitted.drop()
	a.export.path.Delete()
	a.tools.path.Delete()
	a.tools.search.Delete()
	a.ui.Delete()
	if a.gpu != nil {
		a.gpu.Delete()
	}
	a.win.delete()
	a.waker.set(false)
	glfw.Terminate()
}

// show replaces the model. On an error the old one stays.
func (a *app) show(p *prepared, clip int) error {
	if err := a.gpu.SetModel(p.model); err != nil {
		return err
	}
	a.takeBack()
	a.dropFit()
	a.shown, a.desk.Size = p, p.diagonal
	a.posePrepared(p)
	a.forgetDistances()
	for i := range a.lists.tabs {
		a.lists.tabs[i].Forget()
	}
	if p.fitted != nil {
		a.putFitted(p.fitted)
		if a.fitted != nil && a.state.Method() == skinning.LBS {
			a.state.SetMethod(blendBones) // the file's own skin
		}
	}
	if clip < 0 || clip >= len(p.model.Clips) {
		clip = -1
	}
	a.setClip(clip)
	a.askFitOf(p)
	a.proposeExport()
	a.state.Release()
	a.camera = picture.NewCamera(a.framing.lo, a.framing.hi, 1)
	title := windowTitle
	if p.model.Name != "" {
		title = p.model.Name + " – " + windowTitle
	}
	a.win.SetTitle(title)
	a.wake()
	return nil
}

// setClip plays a clip from its start. A camera that nobody has moved is fitted to all of it, so that a walk stays in
// view.
func (a *app) setClip(clip int) {
	p := a.shown
	a.state.SetClip(clip, p.length(clip))
	p.at.ok = false
	a.keys = nil
	if clip >= 0 {
		a.keys = p.model.Clips[clip].KeyTimes()
	}
	a.signs = nil
	if !a.opt.ShortestPath {
		a.signs = skinning.NewSigns(p.model, clip)
	}
	a.framing.lo, a.framing.hi = p.bounds(clip, clipTimes(a.state.Seconds)...)
	a.framing.on, a.framing.aspect = true, 0
}

// nextClip moves through the clips, around at the ends.
func (a *app) nextClip(by int) {
	n := len(a.shown.model.Clips)
	if n == 0 {
		return
	}
	a.setClip((a.state.Clip + by + n) % n)
}

// frameAll fits the camera to the pose of this instant.
func (a *app) frameAll() {
	a.framing.lo, a.framing.hi = a.shown.bounds(a.state.Clip, a.state.Time)
	if a.crowded() {
		a.frameCrowd()
	}
	a.framing.on, a.framing.aspect = true, 0
}

// setPose brings the frames that are to be seen to the state's clip and time. It allocates nothing.
func (a *app) setPose() {
	s := &a.state
	a.keepPose()
	want := posed{clip: s.Clip, time: s.Time, edit: a.posing.version, ok: true}
	a.shown.set(want, a.signs) // what is drawn over the picture reads it too
	if a.fitted != nil && (s.Shows(blendBones) || a.measuresFitted()) {
		want.baked = s.Baked && a.fitted.baked
		a.fitted.set(want, nil)
	}
	if a.beside != nil {
		a.beside.follow(a.shown, s, a.posing.version)
	}
	a.poseCrowds()
}

// draw draws the panes into the view.
func (a *app) draw() error {
	gl.BindFramebuffer(gl.FRAMEBUFFER, 0)
	gl.Disable(gl.SCISSOR_TEST)
	gl.Viewport(0, 0, int32(a.win.pixelsX), int32(a.win.pixelsY))
	gl.ClearColor(0.07, 0.08, 0.09, 1)
	gl.Clear(gl.COLOR_BUFFER_BIT)
	for i := range a.state.Seen() {
		if err := a.drawPane(i); err != nil && !a.refuseCrowd(err) {
			return err
		}
	}
	return nil
}
