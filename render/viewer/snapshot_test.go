package viewer

import (
	"math"

	"skinlab/render/picture"
	"skinlab/render/ui"
	"skinlab/render/viewer/measure"
	"skinlab/render/viewer/pages/sweep"
	"skinlab/render/viewer/pages/timing"
	"skinlab/render/viewer/state"
	"skinlab/skinning/geom"
)

// Snapshot is what the window shows: what tests wait for and judge.
type Snapshot struct {
	State        state.State
	Model        string
	Loading      bool
	Idle         bool   // nothing moves and nothing is left to draw
	Failure      string // the newest
	Drawn        uint64 // frames drawn so far
	Width        int    // of the framebuffer, pixels
	Height       int
	Camera       picture.Camera
	View         ui.Rect     // the picture, logical pixels
	Timeline     ui.Rect     // zero while the panels are hidden
	Tabs         []state.Tab // the pages that there are, in the order of their headings
	Placed       []ui.Placed // where the panels and their items are
	FrameSeconds float64
	Fit          FitSnapshot
	Pose         PoseSnapshot
	Timing       timing.Snapshot
	Errors       ErrorSnapshot
	Files        FilesSnapshot
	Saving       SavingSnapshot
}

// SavingSnapshot is what the window shows of what it has written and is to replace.
type SavingSnapshot struct {
	Titles [mostMessages]string // of the messages, the newest first; empty for none
	Asked  string               // the file that a question is about; empty while there is none
}

// FilesSnapshot is what the window shows of files.
type FilesSnapshot struct {
	Path, Beside string // of the models that are shown
	Step         string // of what is being loaded, and how far that is
	Share        float64
	Menu, Asking bool // the menu, a dialog is open
	Notice       string
}

// FitSnapshot is what the window shows of fits.
type FitSnapshot struct {
	Kind      string // that the panel asks for
	Running   bool
	Stage     string
	Bones     int // added bones on the screen; 0 where there are none
	Fitted    bool
	Enveloped bool // the bones are proxy bones
	EE        float64
	Steps     int // of the history
	Marks     []FitMark
	Picked    int // the step on the screen, −1 for none
	Reason    string
	Verdict   string // how the fit does in all clips
	Worse     bool   // in one of them at least
	Hovered   int    // the added bone under the mouse, −1 for none
	Bead      [2]int // the pixel of the first added bone, logical
	Notice    string
	Typing    bool // a text field is edited
}

// observing hands see a snapshot after every turn of the loop. It allocates nothing then. See must not keep the pointer,
// or what the snapshot points to.
func observing(see func(*Snapshot)) func(*app) {
	var snap Snapshot
	return func(a *app) {
		snap = a.snapshot()
		see(&snap)
	}
}

func (a *app) snapshot() Snapshot {
	return Snapshot{
		State: a.state, Model: a.shown.model.Name, Loading: a.files.path != "", Idle: a.loop.settle <= 0 && !a.animated(),
		Failure: a.notes.newest(ui.Failure), Drawn: a.loop.drawn,
		Width: a.win.pixelsX, Height: a.win.pixelsY, Camera: a.camera, View: a.layout.view, Timeline: a.layout.timeline,
		FrameSeconds: a.gpu.Timer().Picture().Smoothed(), Fit: a.fitSnapshot(), Pose: a.poseSnapshot(),
		Timing: pageOf[*timing.Page](a).Snapshot(),
		Files:  a.filesSnapshot(), Errors: a.errorSnapshot(), Saving: a.savingSnapshot(),
		Tabs: a.lists.tabIDs, Placed: a.ui.Placed(),
	}
}

// title is the name of the way to fit.
func (f *fitting) title() string {
	if k := f.form(); k != nil {
		return k.row.Title
	}
	return ""
}

// newest returns the text of the newest message of a tone, "" where there is none.
func (n *notes) newest(tone ui.Tone) string {
	for i := range n.count {
		if n.messages[i].tone == tone {
			return n.messages[i].text
		}
	}
	return ""
}

func (a *app) fitSnapshot() FitSnapshot {
	f := &a.fit
	s := FitSnapshot{
		Kind: f.title(), Running: f.job != nil, Stage: f.stage, EE: f.now.EE, Steps: len(f.history), Marks: f.marks,
		Picked: f.picked,
		Reason: f.reason, Hovered: a.mouse.bone,
		Verdict: f.verdict, Worse: f.worse,
		Notice: a.notes.newest(ui.Neutral), Bead: a.firstBead, Typing: a.ui.Typing(),
	}
	if a.fitted != nil {
		s.Fitted, s.Enveloped, s.Bones = true, a.fitted.linear != nil, len(a.fitted.joints)
	}
	return s
}

func (a *app) filesSnapshot() FilesSnapshot {
	step, share := "", 0.0
	if a.files.loading != nil {
		step, share = a.files.loading.progress()
	}
	return FilesSnapshot{
		Path: a.files.source.path, Beside: a.files.besideSource.path, Step: step, Share: share, Menu: a.menu.open,
		Notice: a.notes.newest(ui.Neutral), Asking: a.files.asking,
	}
}

func (a *app) savingSnapshot() SavingSnapshot {
	s := SavingSnapshot{}
	for i, m := range a.notes.messages[:a.notes.count] {
		s.Titles[i] = m.title
	}
	if len(a.asking.open) > 0 {
		s.Asked = a.asking.open[0].path
	}
	return s
}

// ErrorSnapshot is what the window shows of distances to the reference.
type ErrorSnapshot struct {
	Measured  bool                     // nothing that is shown is still to come
	EE        [state.MostPanes]float64 // of every picture that is seen at this pose, percent; −1 where there is none
	Worst     int                      // the vertex of the largest error in the active picture
	HeatTop   float64                  // metres
	Surveyed  bool                     // the errors over the clip are there
	VertexMax float64                  // of the picked vertex over the clip in the active picture, metres

	Swept   bool    // the page's curves are there
	SweptAt float64 // degrees, 0 where no angle is chosen
	Chosen  bool    // one is
}

func (a *app) errorSnapshot() ErrorSnapshot {
	d, s := &a.distances, &a.state
	out := ErrorSnapshot{
		Measured: !a.measuring(), HeatTop: d.top, Surveyed: d.clip != nil, Worst: -1,
	}
	for i, p := range s.Seen() {
		ee := -1.0
		if row := a.Row(p); row != nil && row.Compared {
			ee = row.EE
			if i == s.Active {
				out.Worst = row.Worst
			}
		}
		out.EE[i] = ee
	}
	if c := d.vertex; c != nil {
		out.VertexMax = c.Rows[measure.OfPane(s.Panes[s.Active])].Max
	}
	if out.Swept, out.SweptAt = pageOf[*sweep.Page](a).Swept(); math.IsNaN(out.SweptAt) {
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
	At     [2]int  // where the picked joint is, logical pixels
	Radius float32 // of the gizmo's rings, 0 where there is none
	Held   bool    // the gizmo is
}

func (a *app) poseSnapshot() PoseSnapshot {
	t, s := &a.tools, a.shown.bones
	out := PoseSnapshot{
		Joints: len(s.bones), Rows: len(t.rows), Edited: a.posing.count, Undo: len(a.posing.undo), Redo: len(a.posing.redo),
		At: t.first, Radius: t.radius, Held: t.gizmo.Held,
	}
	if i := a.bone(); i >= 0 {
		out.Picked, out.Local = s.bones[i].name, a.shown.pose.Local[s.bones[i].node]
		for k, e := range t.euler {
			out.Euler[k] = e * 180 / math.Pi
		}
	}
	if i := t.under(); i >= 0 {
		out.Under = s.bones[i].name
	}
	return out
}
