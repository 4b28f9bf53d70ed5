package viewer

import (
	"math"
	"strings"

	"github.com/go-gl/glfw/v3.3/glfw"
	"github.com/go-gl/mathgl/mgl32"
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit"
	"skinlab/render/passes"
	"skinlab/render/picture"
	"skinlab/render/skin"
	"skinlab/render/ui"
	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/files"
	"skinlab/render/viewer/measure"
	"skinlab/render/viewer/notes"
	"skinlab/render/viewer/pages/fitpage"
	"skinlab/render/viewer/pages/modelpage"
	"skinlab/render/viewer/posing"
	"skinlab/render/viewer/state"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/metrics"
	"skinlab/skinning/rig"
)

// Snapshot is what the window shows.
type Snapshot struct {
	State        state.State
	Model        string
	Title        string // of the first pane's caption
	Loading      bool
	Unused       bool   // nothing moves and nothing is left to draw
	Pictured     bool   // the display shows pictures of this frame as a person sees them, and no sketches
	Busy         bool   // the mouse or the keyboard holds an item
	Failure      string // the newest
	Drawn        uint64 // frames drawn so far
	Width        int    // of the framebuffer, pixels
	Height       int
	Camera       picture.Camera
	Framed       bool        // the user has not moved the camera
	View         ui.Rect     // the picture, logical pixels
	Timeline     ui.Rect     // zero while the panels are hidden
	Palette      []string    // the commands that it lists; nil while it is closed
	Tabs         []state.Tab // the pages that there are, in the order of their headings
	Placed       []ui.Placed // where the panels and their items are
	FrameSeconds float64
	Fit          FitSnapshot
	Pose         PoseSnapshot
	Timing       TimingSnapshot
	Errors       ErrorSnapshot
	Files        FilesSnapshot
	Saving       SavingSnapshot
	Helpers      HelperSnapshot
	Body         BodySnapshot
	Parts        int       // of the first file's meshes
	HiddenParts  int       // of them
	TreeRows     int       // eyes of the tree of nodes on the screen
	Morphs       []float64 // weights of the first file's morph targets
}

// SavingSnapshot is what the window shows of what it has written and is to replace.
type SavingSnapshot struct {
	Titles [notes.Most]string // of the messages, the newest first; empty for none
	Asked  string             // the file that a question is about; empty while there is none
}

// FilesSnapshot is what the window shows of files.
type FilesSnapshot struct {
	Path, Beside string // of the models that are shown
	Scene        int    // of the first
	Step         string // of what is being loaded, and how far that is
	Share        float64
	Menu, Asking bool // the menu, a dialog is open
	Notice       string
	// Of the window's own dialog: its text, what is listed below, the index of the chosen one, what is wrong.
	Own     bool
	Typed   string
	Found   []files.Entry
	Chosen  int
	Problem string
}

// newest is the text of the newest message of a tone, "" where there is none.
func newest(a *app, tone ui.Tone) string {
	for _, m := range a.notes.Messages {
		if m.Tone == tone {
			return m.Text
		}
	}
	return ""
}

// FitSnapshot is what the window shows of fits.
type FitSnapshot struct {
	Kind      string // that the panel asks for
	Running   bool
	Stage     string
	Doing     string // by the search for advice; "" while there is none
	Advised   string // the recommended way
	Bones     int    // added bones on the screen; 0 where there are none
	Fitted    bool
	Enveloped bool // the bones are proxy bones
	EE        float64
	Steps     int // of the history
	Marks     []fit.Mark
	Picked    int // the step on the screen, −1 for none
	Reason    string
	Verdict   string // how the fit does in all clips
	Worse     bool   // in one of them at least
	Hovered   int    // the added bone under the mouse, −1 for none
	Bead      [2]int // the pixel of the first added bone, logical
	Notice    string
	Typing    bool     // a text field is edited
	Names     []string // of the fits in the list
	Shown     int      // the one that is shown
	Compared  string   // the one beside it
	Beside    fitpage.Beside
	Kept      int    // models of fits that are kept
	Proposed  string // name of an exported file
	Also      []int  // clips that the next fit learns from beside those of the file
	Clip      int    // that the next fit learns from
	Targets   int    // shapes that have been read from files
}

// observed returns what hands a snapshot of the window to f, after every turn of the loop. F keeps neither the pointer
// nor what it points to.
func observed(f func(*Snapshot)) func(a *app) {
	var s Snapshot
	return func(a *app) {
		a.ui.KeepPlaces()
		s = Snapshot{
			State: a.state, Model: a.models.File.Model.Name, Title: a.models.Words(a.state.Panes[0]).Title, Loading: a.loader.Loads(),
			Unused: a.loop.framesLeft <= 0 && !a.animated(), Busy: a.ui.Busy(),
			Failure: newest(a, ui.Failure), Drawn: a.loop.drawn,
			Width: a.win.PixelsX, Height: a.win.PixelsY, Camera: a.view.Camera, Framed: a.view.Framed(), View: a.view.Rect, Timeline: a.player.Timeline,
			FrameSeconds: a.gpu.Timer().Picture().Smoothed(), Fit: a.fitSnapshot(), Pose: a.poseSnapshot(),
			Timing: a.timingSnapshot(),
			Files:  a.filesSnapshot(), Errors: a.errorSnapshot(), Saving: a.savingSnapshot(), Helpers: a.helperSnapshot(),
			Body: a.bodySnapshot(), Parts: a.models.File.Model.PartCount(), Morphs: a.models.File.Pose.Morphs,
			Tabs: a.lists.tabIDs, Placed: a.ui.Placed(),
		}
		if a.palette.Shown() {
			s.Palette, _ = a.palette.Found()
		}
		for _, hidden := range a.models.Hidden {
			if hidden {
				s.HiddenParts++
			}
		}
		for _, at := range s.Placed {
			if at.Item >= modelpage.ItemTree && at.Item < modelpage.ItemMorph && (at.Item-modelpage.ItemTree)%3 == 2 {
				s.TreeRows++
			}
		}
		f(&s)
	}
}

// TimingSnapshot is what the page of times shows.
type TimingSnapshot struct {
	Label string
	// medians in the order of [passes.All], seconds; 0 for a pass that has not run
	Passes    [passes.Interface + 1]float64
	Picture   float64
	Costs     []float64 // seconds a vertex of each method, the fit last; 0 before they are measured
	Palettes  []float64 // and of their palettes, seconds
	Measuring bool
	Skinning  skin.Way
	Instances [2]int // asked for, drawn
	Grown     int    // points of the curve over growing crowds
	Growing   bool
}

func (a *app) timingSnapshot() TimingSnapshot {
	page, t := a.times, a.gpu.Timer()
	s := TimingSnapshot{
		Label: t.Label(), Picture: page.Picture.Median, Measuring: page.Measuring(), Skinning: a.gpu.Way(),
		Instances: [2]int{a.crowd.Many, a.crowd.Drawn}, Grown: page.Grown(), Growing: page.Growing(),
	}
	for i, f := range page.Times {
		s.Passes[i] = f.Median
	}
	for _, m := range append(skinning.Methods(), state.Fitted) {
		c := page.CostOf(m)
		s.Costs, s.Palettes = append(s.Costs, c.PerVertex), append(s.Palettes, c.Palette)
	}
	return s
}

// firstBead is the pixel of the first added bone, where some are drawn.
func (a *app) firstBead() (at [2]int) {
	if a.models.Fitted() == nil || len(a.models.Fitted().Joints) == 0 || !a.state.Bones || a.crowd.On() {
		return at
	}
	for i, p := range a.state.Seen() {
		if p.Method == state.Fitted && !p.Beside {
			proj := a.view.Projector(a.view.Pane(i))
			x, y, _ := proj.At(a.models.Fitted().Seen[0])
			at = [2]int{int(x), int(y)}
		}
	}
	return at
}

// pickedJoint is the pixel of the picked joint, in the first picture that shows it.
func (a *app) pickedJoint() [2]int {
	bone := a.pose.Bone()
	for i, p := range a.state.Seen() {
		if bone < 0 || p.Beside || !a.state.Skeleton || a.crowd.On() {
			continue
		}
		proj := a.view.Projector(a.view.Pane(i))
		if x, y, ok := proj.Ahead(a.models.File.Bones.Place(a.models.File.Frame, bone)); ok {
			return [2]int{int(x), int(y)}
		}
	}
	return [2]int{}
}

func (a *app) fitSnapshot() FitSnapshot {
	f, last := a.fit, &a.fit.Last
	s := FitSnapshot{
		Running: f.Running(), Stage: last.Stage, EE: last.Now.EE, Steps: len(last.History),
		Marks: last.Marks, Picked: f.Picked, Reason: last.Reason, Hovered: -1, Verdict: last.Verdict, Worse: last.Worse,
		Notice: newest(a, ui.Neutral), Bead: a.firstBead(), Typing: a.ui.Typing(),
	}
	if a, doing := f.Advice(); a != nil {
		s.Advised = a.Choose
	} else {
		s.Doing = doing
	}
	s.Names, s.Shown = f.Names()
	s.Kept = int(keptModels.Load())
	s.Proposed = f.ProposedName()
	if t := f.Targets(); t != nil {
		s.Targets = len(t.Shapes)
	}
	if c, beside := a.fit.Compared(); c.Fit != nil {
		s.Compared, s.Beside = f.List().NameOf(c), beside
	}
	if a.opt.Fit != nil {
		s.Kind = a.opt.Fit.Fits()[f.Chosen].Title
		s.Clip, s.Also = f.TrainsOn()
	}
	if a.models.Fitted() != nil {
		s.Fitted, s.Enveloped, s.Bones = true, a.models.Fitted().Linear != nil, len(a.models.Fitted().Joints)
		s.Hovered = a.models.Fitted().Hovered
	}
	return s
}

func (a *app) filesSnapshot() FilesSnapshot {
	s := FilesSnapshot{
		Path: a.models.File.Origin.Path, Scene: a.models.File.Model.Scene, Menu: a.menu.Shown(), Notice: newest(a, ui.Neutral),
		Asking: a.loader.Dialogs.Open,
	}
	if a.models.Second != nil {
		s.Beside = a.models.Second.Origin.Path
	}
	if own := a.loader.Dialogs.Own; own.Shown() {
		s.Own, s.Typed, s.Problem = true, own.Text(), own.Problem()
		s.Found, s.Chosen = own.Found()
	}
	if l := a.loader.Underway(); l != nil {
		s.Step, s.Share = l.Step, l.Share
	}
	return s
}

func (a *app) savingSnapshot() SavingSnapshot {
	s := SavingSnapshot{}
	for i, m := range a.notes.Messages {
		s.Titles[i] = m.Title
	}
	s.Asked = a.saver.Asked()
	return s
}

// ErrorSnapshot is what the window shows of distances to the reference.
type ErrorSnapshot struct {
	Measured  bool                             // nothing that is shown is still to come
	EE        [state.MostPanes]metrics.Percent // of every picture that is seen at this pose; −1 where there is none
	Worst     int                              // the vertex of the largest error in the active picture
	HeatTop   float64                          // metres
	Surveyed  bool                             // the errors over the clip are there
	VertexMax float64                          // of the picked vertex over the clip in the active picture, metres

	Swept   bool    // the page's curves are there
	SweptAt float64 // degrees, 0 where no angle is chosen
	Chosen  bool    // one is
}

func (a *app) errorSnapshot() ErrorSnapshot {
	s := &a.state
	out := ErrorSnapshot{
		Measured: !a.measuring(), Surveyed: a.distances.Clip() != nil, Worst: -1,
	}
	_, out.HeatTop = a.distances.HeatScale()
	for i, p := range s.Seen() {
		ee := metrics.Percent(-1)
		if row := a.distances.Row(p); row != nil && row.Compared {
			ee = metrics.Percent(row.EE)
			if i == s.Active {
				out.Worst = row.Worst
			}
		}
		out.EE[i] = ee
	}
	if c := a.distances.VertexClip(); c != nil {
		out.VertexMax = c.Rows[measure.OfPane(s.Panes[s.Active])].Max
	}
	out.Swept, out.SweptAt = a.sweep.Swept()
	if math.IsNaN(out.SweptAt) {
		out.SweptAt = 0
	} else {
		out.Chosen = true
	}
	return out
}

// PoseSnapshot is what the window shows of posing.
type PoseSnapshot struct {
	Joints int // bones of the tree
	Rows   int // that it lists
	Picked string
	Under  string         // the joint under the mouse
	Local  geom.Transform // of the picked joint
	Euler  [3]float64     // its angles against rest, degrees
	Edited int            // nodes that differ from the clip
	Undo   int            // steps
	Redo   int
	At     [2]int           // where the picked joint is, logical pixels
	Radius float32          // of the gizmo's rings, 0 where there is none
	Rings  [3][9]mgl32.Vec2 // points of the half of each that faces the eye, logical pixels
	Held   bool             // the gizmo is
	Over   bool             // the mouse is over the gizmo
	Told   string           // beside the mouse, of what the gizmo has done last
	NoLimb string           // why no limb ends at the picked joint
}

func (a *app) poseSnapshot() PoseSnapshot {
	p, bones := a.pose, a.models.File.Bones.Bones
	out := PoseSnapshot{
		Joints: len(bones), Rows: len(p.Rows), At: a.pickedJoint(), Radius: a.skeleton.Radius, Held: a.skeleton.Gizmo.Held,
		Over: a.skeleton.Gizmo.Over,
	}
	out.Undo, out.Redo = a.past.UndoSteps()
	for node := range a.models.File.Model.Skeleton.Nodes {
		if p.Edits.Edited(node) {
			out.Edited++
		}
	}
	if i := p.Bone(); i >= 0 {
		out.Picked, out.Local = bones[i].Name, a.models.File.Pose.Local[bones[i].Node]
		for k, e := range p.Angles(i) {
			out.Euler[k] = e * 180 / math.Pi
		}
		r, _ := geom.PolarDecompose(a.models.File.Frame.Globals[bones[i].Node].Linear())
		view := a.view.Camera.View().Mat3()
		for k, axis := range posing.GimbalAxes(p.Angles(i)) {
			v := r.Apply(axis)
			x := view.Mul3x1(mgl32.Vec3{float32(v[0]), float32(v[1]), float32(v[2])})
			side := mgl32.Vec3{1, 0, 0} // of a ring that faces the eye
			if across := (mgl32.Vec3{x[1], -x[0], 0}); across.Len() > 0 {
				side = across.Normalize()
			}
			near := x.Cross(side)
			near = near.Mul(float32(math.Copysign(1, float64(near[2]))))
			for phase := range out.Rings[k] {
				sin, cos := math.Sincos(float64(phase-4) * math.Pi / 16)
				at := side.Mul(float32(sin)).Add(near.Mul(float32(cos))).Mul(out.Radius)
				out.Rings[k][phase] = mgl32.Vec2{float32(out.At[0]) + at[0], float32(out.At[1]) - at[1]}
			}
		}
	}
	if i := p.Bone(); i >= 0 {
		_, out.NoLimb = p.Limb(i)
	}
	out.Told = strings.Clone(a.skeleton.Told.View())
	if i := p.Under(); i >= 0 {
		out.Under = bones[i].Name
	}
	return out
}

// clearCards closes all messages and questions.
func clearCards(a *app) {
	for a.saver.Asked() != "" {
		a.saver.Key(glfw.KeyN, false)
	}
	a.notes.Messages = nil
}

// HelperSnapshot is what the window shows of helper bones.
type HelperSnapshot struct {
	Chosen, Moving int
	Undo, Redo     int              // steps
	Bones          []rig.HelperBone // of the rig that an export writes; nil without helper bones
	At             [][3]float64     // where the vertex is that each moves most, world space
	Painted        int              // the bone whose weights are painted, −1 for none
	Note           string           // on the weights of the level of detail
	Points         int              // of examples in the plot
	RMS            float64          // of the points, in the shown unit
	Tip            bool             // a tip is shown
}

func (a *app) helperSnapshot() HelperSnapshot {
	s := HelperSnapshot{Chosen: a.helpers.Chosen, Moving: a.helpers.Moving, Painted: -1}
	s.Undo, s.Redo = a.past.UndoSteps()
	s.Points, s.RMS = a.helpers.Points()
	if a.models.Fitted() == nil {
		return s
	}
	s.Painted = a.models.Fitted().Chosen
	if a.helpers.Offered() && a.state.Tab == state.TabHelpers {
		s.Note = a.helpers.LevelNote()
	}
	if r := skinning.RigOf[*rig.HelperBones](a.models.Fitted().Written); r != nil {
		s.Bones = r.Bones
		for k := range r.Bones {
			s.At = append(s.At, mostMoved(a.models.Fitted().Frame, r.Bones[k].Joint))
		}
	}
	for _, p := range a.ui.Placed() {
		s.Tip = s.Tip || p.Panel == desk.PanelTip && p.Rect.W > 1
	}
	return s
}

// mostMoved returns where the vertex is that a joint moves most.
func mostMoved(f *skinning.Frame, joint int) (at mgl64.Vec3) {
	best, most := -1, float32(0)
	m := f.Model
	for v := range m.Skin.Bindings {
		for _, i := range m.Skin.Of(nil, v) {
			if int(i.Joint) == joint && i.Weight > most {
				best, most = v, i.Weight
			}
		}
	}
	for _, i := range m.Skin.Of(nil, best) {
		at = at.Add(f.Matrices[i.Joint].Apply(geom.Vec64(m.Skin.Positions[best])).Mul(float64(i.Weight)))
	}
	return at
}
