package viewer

import (
	"strings"

	"skinlab/render/ui"
	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/state"
	"skinlab/render/viewer/terms"
	"skinlab/render/viewer/view"
)

// captions draws the captions of the panes and the lines between the panes.
func (a *app) captions() {
	u, px := a.ui, a.ui.Px
	if a.view.Rect.W < px(120) || a.view.Rect.H < px(120) || a.bare() {
		return
	}
	u.BeginLayer(desk.PanelCaption, a.view.Rect)
	defer u.EndPanel()
	seen := a.state.Seen()
	for i := range seen {
		r := a.view.Pane(i).Seen
		if r.W < px(80) {
			continue
		}
		a.caption(r, seen[i])
		if len(seen) > 1 && i == a.state.Active {
			u.Fill(ui.Rect{X: r.X, Y: r.Y, W: r.W, H: px(2)}, ui.ColorAccent, 0)
		}
	}
	if l := a.state.Layout; l == state.Two || l == state.Four {
		r := a.view.Pane(1).Seen
		u.Fill(ui.Rect{X: r.X - px(1), Y: a.view.Rect.Y, W: px(2), H: a.view.Rect.H}, ui.ColorEdge, 0)
		if l == state.Four {
			u.Fill(ui.Rect{X: a.view.Rect.X, Y: r.Bottom() - px(1), W: a.view.Rect.W, H: px(2)}, ui.ColorEdge, 0)
		}
	}
}

// Numbers of the plates behind words, for tests.
const (
	itemCaptionPlate = 1 + iota
	itemReadoutPlate
)

// plate draws what keeps words legible in front of a head or a raised hand: a dark, translucent plate behind r.
func (a *app) plate(item int, r ui.Rect) {
	px := a.ui.Px
	r = r.Inset(-px(9), -px(5))
	a.ui.Fill(r, ui.ColorInset.Alpha(0.78), px(5))
	a.ui.Place(item, r)
}

// lowCaption is the caption of a low picture: the method and its cost at the left, its distance to the reference at the
// right.
func (a *app) lowCaption(picture ui.Rect, p state.Pane) {
	u, px := a.ui, a.ui.Px
	c := a.paneCard(p)
	in := picture.Inset(px(14), px(9))
	a.lowReadout(&in, p)
	short := u.TextWidth(ui.Title, c.short)
	wide := max(short+px(8)+u.TextWidth(ui.Small, a.paneTitle(p, c)),
		px(ui.CostMeterWidth+6)+u.TextWidth(ui.Small, a.costText(p, in.W-px(ui.CostMeterWidth+6))))
	a.plate(itemCaptionPlate, ui.Rect{X: in.X, Y: in.Y, W: min(wide, in.W), H: px(24 + 18)})
	head := in.CutTop(px(24))
	u.Text(head.CutLeft(min(short, head.W)), ui.Title, ui.ColorText, ui.Left, c.short)
	head.CutLeft(px(8))
	u.Text(head, ui.Small, ui.ColorDim, ui.Left, a.paneTitle(p, c))
	cost := in.CutTop(px(18))
	u.CostMeter(cost.CutLeft(px(ui.CostMeterWidth+6)), c.Bars)
	u.Text(cost, ui.Small, ui.ColorDim, ui.Left, a.costText(p, cost.W))
}

// costText describes the cost of a pane's method: the measured time and where it was measured, in fewer words if the
// place is narrow. Before a measurement it is the cost class. It is valid until the line is used again.
func (a *app) costText(p state.Pane, width float32) string {
	cost := a.times.CostOf(p.Method)
	if !cost.There || p.Beside {
		class := a.paneCard(p).Class
		if a.ui.TextWidth(ui.Body, class) > width {
			class, _, _ = strings.Cut(class, ",") // the rest says where
		}
		return class
	}
	decimals := 0
	if cost.PerVertex < 99.95e-9 {
		decimals = 1
	}
	text := a.desk.Line.Start().F(cost.PerVertex*1e9, decimals).S(" ns a vertex, ").S(a.gpu.Timer().Label()).View()
	if a.ui.TextWidth(ui.Body, text) <= width {
		return text
	}
	device := " ns, wall time"
	switch label := a.gpu.Timer().Label(); {
	case a.gpu.Info().Software:
		device = " ns, CPU"
	case label == "GPU":
		device = " ns, GPU"
	}
	return a.desk.Line.Start().F(cost.PerVertex*1e9, decimals).S(device).View()
}

// caption names the method in large letters, and the file if there are two.
func (a *app) caption(picture ui.Rect, p state.Pane) {
	u, px := a.ui, a.ui.Px
	if picture.H < px(view.LowHeight) {
		a.lowCaption(picture, p)
		return
	}
	c := a.paneCard(p)
	in := picture.Inset(px(20), px(14))
	a.readout(&in, p)
	style := ui.Display
	if u.TextWidth(style, c.short) > in.W {
		style = ui.Title
	}
	// A narrow picture has no room for a sentence.
	note, noteWidth := c.note, min(in.W, px(view.CaptionWidth-20))
	if picture.W < px(view.WordyWidth) {
		note, noteWidth = "", 0
	}
	wide := max(u.TextWidth(style, c.short), u.TextWidth(ui.Title, a.paneTitle(p, c)),
		px(ui.CostMeterWidth+6)+u.TextWidth(ui.Body, a.costText(p, in.W-px(ui.CostMeterWidth+6))), noteWidth)
	a.plate(itemCaptionPlate, ui.Rect{X: in.X, Y: in.Y, W: min(wide, in.W),
		H: px(40+20+4+18+4) + u.TextHeight(ui.Small, note, noteWidth)})
	head := in.CutTop(px(40))
	u.Text(head, style, ui.ColorText, ui.Left, c.short)
	u.Text(in.CutTop(px(20)), ui.Title, ui.ColorText, ui.Left, a.paneTitle(p, c))
	in.CutTop(px(4))
	cost := in.CutTop(px(18))
	u.CostMeter(cost.CutLeft(px(ui.CostMeterWidth+6)), c.Bars)
	u.Text(cost, ui.Body, ui.ColorDim, ui.Left, a.costText(p, cost.W))
	in.CutTop(px(4))
	in.W = noteWidth
	u.TextWrapped(in, ui.Small, ui.ColorDim, note)
}

// paneTitle completes the method's short name: with the file if there are two, else with the method's full name.
func (a *app) paneTitle(p state.Pane, c *methodCard) string {
	switch {
	case a.beside == nil:
		return c.title
	case p.Beside:
		return a.beside.name
	}
	return a.ModelName()
}

// divider lets the mouse move the line between two pictures.
func (a *app) divider() {
	if a.state.Layout != state.Split || a.view.Empty() {
		return
	}
	u, px := a.ui, a.ui.Px
	at := a.view.Pane(0).Seen.Right()
	r := ui.Rect{X: at - px(8), Y: a.view.Rect.Y, W: px(16), H: a.view.Rect.H}
	u.BeginPanel(desk.PanelDivider, r, false)
	x, held := u.Grip(1, r, px(2), "Drag to move the line between the two pictures.\tX")
	u.EndPanel()
	u.BeginLayer(desk.PanelKnob, ui.Rect{X: at - px(16), Y: a.view.Rect.Y, W: px(32), H: a.view.Rect.H})
	u.Knob(at, a.view.Rect.Y+float32(int(a.view.Rect.H*0.62)))
	u.EndPanel()
	if held {
		a.state.SetDivider(float64((x - a.view.Rect.X) / a.view.Rect.W))
	}
}

// Sizes of the numbers over a picture in design pixels.
const (
	readoutWidth    = 150
	lowReadoutWidth = 112
	readoutRow      = 18
	readoutUnit     = 24
	leastReadout    = 300 // below this width only the EE is shown
	leastReadout1   = 130 // below this width nothing is shown
)

// readout draws a picture's distances to the reference as a column of numbers in its upper right corner. It removes the
// column from in.
func (a *app) readout(in *ui.Rect, p state.Pane) {
	row := a.Row(p)
	if row == nil {
		return
	}
	u, px := a.ui, a.ui.Px
	if in.W < px(leastReadout1) {
		return
	}
	wide := in.W+px(40) >= px(leastReadout)
	width := px(readoutWidth)
	if !wide {
		width = px(70)
	}
	rows := 0
	switch {
	case a.IsReference(p):
		rows = 1
	case row.Compared && wide:
		rows = 3
	case row.Compared:
		rows = 2
	}
	local := a.state.Joint >= 0 && row.Local != 0
	if wide {
		rows++
		if local {
			rows++
		}
	}
	r := in.CutRight(width)
	in.CutRight(px(8 + 18)) // and what the plates reach over
	r.Y += px(4)
	if rows > 0 {
		a.plate(itemReadoutPlate, ui.Rect{X: r.X, Y: r.Y, W: r.W, H: px(float32(rows) * readoutRow)})
	}
	line := func() ui.Rect { return r.CutTop(px(readoutRow)) }
	if a.IsReference(p) {
		u.Text(line(), ui.Small, ui.ColorDim, ui.Right, "reference")
	} else if row.Compared {
		if !wide {
			u.Term(line(), ui.Small, ui.ColorDim, ui.Right, "EE, %", terms.EE.Tip())
			u.Text(line(), ui.Strong, ui.ColorText, ui.Right, a.desk.Percent(row.EE, 2).View())
			return
		}
		a.readoutRow(line(), "EE", terms.EE, a.desk.Percent(row.EE, 2).View(), "%")
		a.readoutRow(line(), "RMS", terms.RMS, a.desk.Distance(row.RMS).View(), a.state.Unit.String())
		a.readoutRow(line(), "Largest", terms.Largest, a.desk.Distance(row.Max).View(), a.state.Unit.String())
	}
	if !wide {
		return
	}
	name, term, file := "Volume", terms.Volume, 0
	if p.Beside {
		file = 1
	}
	if a.distances.reading.OpenEdges[file] > 0 { // an open surface encloses no volume in the strict sense
		name, term = "Vol., open", terms.OpenSkin
	}
	a.readoutRow(line(), name, term, a.desk.Ratio(row.Volume).View(), "%")
	if local {
		a.readoutRow(line(), "At joint", terms.JointVolume, a.desk.Ratio(row.Local).View(), "%")
	}
}

// lowReadout is the readout of a low picture, two rows at its right.
func (a *app) lowReadout(in *ui.Rect, p state.Pane) {
	u, px := a.ui, a.ui.Px
	row := a.Row(p)
	if row == nil || in.W < px(leastReadout1) {
		return
	}
	r := in.CutRight(px(lowReadoutWidth))
	in.CutRight(px(8 + 18))
	switch {
	case a.IsReference(p):
		a.plate(itemReadoutPlate, ui.Rect{X: r.X, Y: r.Y, W: r.W, H: px(24)})
	case row.Compared:
		a.plate(itemReadoutPlate, ui.Rect{X: r.X, Y: r.Y, W: r.W, H: px(24 + 18)})
	}
	first, second := r.CutTop(px(24)), r.CutTop(px(18))
	switch {
	case a.IsReference(p):
		u.Text(first, ui.Small, ui.ColorDim, ui.Right, "reference")
	case row.Compared:
		a.readoutRow(first, "EE", terms.EE, a.desk.Percent(row.EE, 2).View(), "%")
		a.readoutRow(second, "RMS", terms.RMS, a.desk.Distance(row.RMS).View(), a.state.Unit.String())
	}
}

// readoutRow draws a name, a number at the right edge of its field, and a unit.
func (a *app) readoutRow(row ui.Rect, name string, term terms.Term, value, unit string) {
	u, px := a.ui, a.ui.Px
	u.Tip(row, term.Tip())
	u.Text(row.CutRight(px(readoutUnit)), ui.Small, ui.ColorDim, ui.Right, unit)
	u.Text(row, ui.Small, ui.ColorDim, ui.Left, name)
	u.Text(row, ui.Body, ui.ColorText, ui.Right, value)
}
