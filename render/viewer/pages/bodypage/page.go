// Package bodypage is the page of a body model (EBM): its scans, the scan and the model alone and laid over each other
// (figure 3), the distance between them, the joints before and after the fit (figure 2), and Q and RMS error after each
// phase of the fit, while it runs too.
package bodypage

import (
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit"
	"skinlab/render/ui"
	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/fitted"
	"skinlab/render/viewer/pages"
	"skinlab/render/viewer/pages/fitpage"
	"skinlab/render/viewer/state"
	"skinlab/render/viewer/terms"
	"skinlab/render/viewer/view"
	"skinlab/skinning"
)

type Page struct {
	pages.Room
	pages.Still
	fits   *fitpage.Page
	Joints bool // are drawn where they were and where they are

	times     []float64 // of the scans, seconds in their clip
	timesOf   *skinning.Clip
	objective ui.Plot // Q by phase
	errors    ui.Plot // RMS by phase, mm
	plotted   int     // phases in the plots
}

func New(room pages.Room, fits *fitpage.Page) *Page {
	none := ui.Plot{Mark: -1}
	return &Page{Room: room, fits: fits, Joints: true, objective: none, errors: none}
}

func (p *Page) Offered() bool {
	f := p.Models.Fitted()
	return f != nil && f.Whole && len(p.fits.Last.Phases) > 0
}

func (p *Page) Forget() {
	p.times, p.timesOf, p.plotted, p.State.Over = nil, nil, -1, false
}

const (
	itemScroll = 7000 + iota*10
	ItemView
	ItemScan
	ItemHeat
	ItemJoints
	itemObjective
	itemErrors
	ItemScans
)

// Sizes in design pixels.
const (
	labelWidth = 56
	rowHeight  = 24
	plotHeight = 96
)

// views are the choices of meshes to show; their indices are the constants below.
var views = []ui.Segment{
	{Label: "Scan", Tip: "Shows the scan alone."},
	{Label: "Model", Tip: "Shows the fitted body model alone."},
	{Label: "Both", Tip: "Lays the model in orange and the scan in white over each other."},
}

const (
	ViewScan = iota
	ViewModel
	ViewBoth
)

func (p *Page) View() int {
	switch s := p.State; {
	case s.Method() != state.Fitted:
		return ViewScan
	case s.Over && !s.Heat:
		return ViewBoth
	}
	return ViewModel
}

// show shows the scan, which the file's morph targets are, the model or both.
func (p *Page) show(view int) {
	method := state.Fitted
	if view == ViewScan {
		method = p.Models.Scan()
	}
	p.State.SetMethod(method)
	p.State.Over = view == ViewBoth
	if p.State.Over {
		p.State.Heat = false
	}
	p.Wake()
}

func (p *Page) Draw(r ui.Rect) {
	f := p.Models.Fitted()
	if f == nil {
		return
	}
	u, px, s := p.UI, p.UI.Px, p.State
	in := p.BeginScroll(itemScroll, r)
	p.Section(&in, "BODY MODEL")
	if k := u.Segments(ItemView, in.CutTop(px(28)), views, p.View()); k != p.View() {
		p.show(k)
	}
	in.CutTop(px(6))
	shows := p.Models.Examples < 0 || s.Clip == p.Models.Examples
	if shows {
		p.scans(&in, f)
	} else {
		p.Paragraph(&in, "This clip shows none of the scans.")
		if u.Button(ItemScans, in.CutTop(px(rowHeight)), "Show the scans", ui.Plain, 0, "Shows the clip that has the scans.") {
			p.pick(0)
		}
	}
	if on := s.Heat && s.Reference == p.Models.Scan(); shows && u.Switch(ItemHeat, in.CutTop(px(rowHeight)),
		"Distance to the scan", on, "Colours the model by the distance of each vertex from the scan.\tE") {
		s.SetHeat(!on)
		if s.Heat {
			s.Reference = p.Models.Scan()
			p.show(ViewModel)
		}
	}
	joints := in.CutTop(px(rowHeight))
	if u.Switch(ItemJoints, joints, "Joints before and after", p.Joints,
		"Rings are joints where the fit found them, dots where it has put them.") {
		p.Joints = !p.Joints
	}
	p.distance(&in)
	p.plots(&in)
	p.fits.ExportRow(&in)
	u.EndScroll(in, in.Y+px(desk.Inset))
}

func (p *Page) scans(in *ui.Rect, f *fitted.Model) {
	u, px, s := p.UI, p.UI.Px, p.State
	clip := p.Models.FittedClip()
	if clip < 0 || clip >= len(f.Model.Clips) {
		p.Paragraph(in, "This clip shows none of the scans.")
		return
	}
	if p.timesOf != &f.Model.Clips[clip] {
		p.times, p.timesOf = f.Model.Clips[clip].KeyTimes(), &f.Model.Clips[clip]
	}
	n := len(p.times)
	if n == 0 {
		return
	}
	at := 0 // the scan that is nearest in time
	for k, t := range p.times {
		if abs(t-s.Time) < abs(p.times[at]-s.Time) {
			at = k
		}
	}
	r := in.CutTop(px(rowHeight))
	u.Text(r.CutLeft(px(labelWidth)), ui.Body, ui.ColorDim, ui.Left, "Scan")
	u.Text(r.CutRight(px(64)), ui.Body, ui.ColorText, ui.Right, p.Line.Start().I(at+1).S(" of ").I(n).View())
	r.CutRight(px(8))
	if k := int(u.Slider(ItemScan, r, float64(at+1), ui.Track{Least: 1, Most: float64(n), Step: 1},
		"Shows this scan and the model in its pose.")) - 1; k != at {
		p.pick(p.times[k])
	}
}

func (p *Page) pick(seconds float64) {
	if clip := p.Models.Examples; clip >= 0 && clip != p.State.Clip {
		p.Models.SetClip(clip)
	}
	p.State.Playing = false
	p.State.Seek(seconds)
	p.Wake()
}

func abs(x float64) float64 { return max(x, -x) }

func (p *Page) distance(in *ui.Rect) {
	u, px := p.UI, p.UI.Px
	row := p.Distances.Row(state.Pane{Method: state.Fitted})
	r := in.CutTop(px(rowHeight))
	if row == nil || !row.Compared {
		return
	}
	u.Term(r, ui.Small, ui.ColorDim, ui.Left, p.Line.Start().S("From ").S(p.Models.ReferenceName()).S(" now: RMS ").
		F(row.RMS*1e3, 2).S(", largest ").F(row.Max*1e3, 1).S(" mm").View(), terms.RMS.Tip())
}

func (p *Page) plots(in *ui.Rect) {
	phases := p.fits.Last.Phases
	if len(phases) != p.plotted {
		p.plot(phases)
	}
	if len(phases) < 2 {
		return
	}
	u, px := p.UI, p.UI.Px
	last := phases[len(phases)-1]
	p.CloseSection(in, 10, "FIT, PHASE BY PHASE")
	u.Term(in.CutTop(px(16)), ui.Small, ui.ColorDim, ui.Left,
		p.Line.Start().S("From all scans, as the file plays them: RMS ").F(last.RMS*1e3, 2).S(" mm").View(),
		terms.RMS.Tip())
	u.Plot(itemErrors, in.CutTop(px(plotHeight)), &p.errors,
		"RMS distance of the model from the scans after each phase of the fit, in mm. The last is that of its file.")
	in.CutTop(px(8))
	q := in.CutTop(px(16))
	tip := terms.Objective.Tip()
	u.Term(q, ui.Small, ui.ColorDim, ui.Left,
		p.Line.Start().S("What the fit minimises, Q: ").F(last.Objective, 4).S(" m²").View(), tip)
	u.Plot(itemObjective, in.CutTop(px(plotHeight)), &p.objective, tip)
}

func (p *Page) plot(phases []fit.Phase) {
	p.plotted = len(phases)
	for k, c := range [...]*ui.Plot{&p.objective, &p.errors} {
		c.X, c.Y, c.MostX, c.MostY = c.X[:0], c.Y[:0], float64(len(phases)+1), 1e-9
		for i, x := range phases {
			y := x.Objective
			if k == 1 {
				y = x.RMS * 1e3
			}
			c.X, c.Y, c.MostY = append(c.X, float64(i+1)), append(c.Y, y), max(c.MostY, y*1.08)
		}
	}
}

// Sizes of the joints on the screen, design pixels.
const (
	jointRadius = 4
	lineWidth   = 2
)

// DrawJoints draws where the fit found the joints, and where it put them, in the panes that show the model.
func (p *Page) DrawJoints(v *view.View) {
	f, moved := p.Models.Fitted(), p.fits.Last.Moved
	if f == nil || !f.Whole || !p.Joints || len(moved) == 0 {
		return
	}
	for i, pane := range v.State.Seen() {
		at := v.Pane(i)
		if pane.Method != state.Fitted || pane.Beside || at.Seen.W <= 0 || at.Seen.H <= 0 {
			continue
		}
		p.drawJoints(v, at, f, moved)
	}
}

func (p *Page) drawJoints(v *view.View, at view.Pane, f *fitted.Model, moved []fitted.MovedJoint) {
	u := v.UI
	u.BeginLayer(desk.PanelBones, at.Seen)
	defer u.EndPanel()
	proj := v.Projector(at)
	for i := range moved {
		m := &moved[i]
		place := func(rest mgl64.Vec3) (x, y float32, ok bool) { return proj.At(f.Frame.Matrices[m.Joint].Apply(rest)) }
		x0, y0, before := place(m.Before)
		x1, y1, after := place(m.After)
		if before && after {
			u.Line(x0, y0, x1, y1, ui.ColorWhite, u.Px(lineWidth))
		}
		if before {
			u.Ring(x0, y0, u.Px(jointRadius), ui.ColorWhite, u.Px(lineWidth))
		}
		if after {
			u.Disc(x1, y1, u.Px(jointRadius), ui.ColorPicked)
		}
	}
}
