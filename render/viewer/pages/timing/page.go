package timing

import (
	"time"

	"skinlab/render/ui"
	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/state"
)

// Sizes of the page in design pixels.
const (
	rowHeight     = 19
	headHeight    = 16
	swatchSize    = 8
	historyHeight = 116
	buttonHeight  = 28
)

// Numbers of the page's items.
const (
	itemScroll = 400 + iota*10
	itemHistory
	ItemMeasure
	ItemCopy
	ItemReset
	ItemWays // and up: the ways of skinning
	ItemCrowd
	ItemGrow
	itemGrowth
)

// Draw draws the page.
func (p *Page) Draw(r ui.Rect) {
	u, px := p.UI, p.UI.Px
	in := u.BeginScroll(itemScroll, ui.Rect{X: r.X, Y: r.Y, W: r.W + px(desk.Inset), H: r.H})
	in.W, in.H = r.W, px(2000)
	content := in
	p.passTable(&in)
	u.Stack(itemHistory, in.CutTop(px(historyHeight)), &p.history,
		"The time of each pass in the last frames, in ms, one above the other.")
	u.Text(in.CutTop(px(headHeight)), ui.Small, ui.ColorFaint, ui.Left, "ms a frame, the newest at the right")
	p.methodTable(&in)
	p.buttons(&in)
	p.waySwitch(&in)
	p.crowdPart(&in)
	u.EndScroll(content, in.Y+px(desk.Inset))
}

// device names the clock of the times at the right of a heading.
func (p *Page) device(r ui.Rect) {
	ink := ui.ColorText
	if p.info.Software {
		ink = ui.ColorWarning
	}
	p.UI.Text(r, ui.Small, ink, ui.Right, p.gpu.Timer().Label())
}

// passColumns cuts the fields for a pass's numbers off the right end of a row. unit is a design pixel. If the names
// would not fit, the newest time gets no field, because it changes too fast to be read.
func passColumns(row *ui.Rect, unit float32) (fields [4]ui.Rect) {
	last := 0
	if row.W < 232*unit {
		last = 1
	}
	fields[3] = row.CutRight(54 * unit)
	for k := 2; k >= last; k-- {
		fields[k] = row.CutRight(42 * unit)
	}
	return fields
}

// methodColumns cuts the fields for a method's numbers off the right end of a row.
func methodColumns(row *ui.Rect, unit float32) (fields [3]ui.Rect) {
	for k := 2; k >= 0; k-- {
		fields[k] = row.CutRight(60 * unit)
	}
	return fields
}

func (p *Page) passTable(in *ui.Rect) {
	u, px := p.UI, p.UI.Px
	p.Section(in, "PASSES")
	p.device(ui.Rect{X: in.X + px(60), Y: in.Y - px(20), W: in.W - px(60), H: px(14)})
	if p.info.Software {
		p.Paragraph(in, "Wall time to glFinish: no GPU draws here.")
	}
	head := in.CutTop(px(headHeight))
	unit := head.CutLeft(px(swatchSize + 4))
	unit.W *= 2
	fields := passColumns(&head, p.UI.Scale())
	for k, name := range [...]string{"last", "median", "p95", "ns/vertex"} {
		u.Text(fields[k], ui.Small, ui.ColorFaint, ui.Right, name)
	}
	u.Text(unit, ui.Small, ui.ColorFaint, ui.Left, "µs")
	for i, pass := range p.passes {
		p.figureRow(in, p.history.Color[i+1], pass.String(), p.Times[i], ui.ColorText)
	}
	u.Fill(ui.Rect{X: in.X, Y: in.Y, W: in.W, H: 1}, ui.ColorEdge, 0)
	p.figureRow(in, 0, "picture", p.Picture, ui.ColorText)
	in.CutTop(px(6))
}

// figureRow draws the times of a pass.
func (p *Page) figureRow(in *ui.Rect, swatch ui.Color, name string, f Figures, ink ui.Color) {
	u, px := p.UI, p.UI.Px
	row := in.CutTop(px(rowHeight))
	mark := row.CutLeft(px(swatchSize + 4))
	if swatch != 0 {
		u.Fill(ui.Rect{X: mark.X, Y: mark.Y + px(5), W: px(swatchSize), H: px(swatchSize)}, swatch, px(2))
	}
	fields := passColumns(&row, p.UI.Scale())
	if !f.There {
		u.Text(row, ui.Small, ui.ColorFaint, ui.Left, name)
		u.Text(fields[1], ui.Small, ui.ColorFaint, ui.Right, "–")
		return
	}
	u.Text(row, ui.Small, ui.ColorDim, ui.Left, name)
	perVertex := f.Median * 1e9 / float64(max(p.vertices, 1))
	for k, x := range [...]float64{f.Last * 1e6, f.Median * 1e6, f.P95 * 1e6, perVertex} {
		at := ink
		if k != 1 {
			at = ui.ColorDim
		}
		u.Text(fields[k], ui.Small, at, ui.Right, p.figure(x))
	}
}

// figure formats a number to fit its field: with one decimal below 100.
func (p *Page) figure(x float64) string {
	decimals := 0
	if x < 99.95 {
		decimals = 1
	}
	return p.Line.Start().F(x, decimals).View()
}

// methodTable lists the times of the methods that have been shown alone.
func (p *Page) methodTable(in *ui.Rect) {
	u, px := p.UI, p.UI.Px
	p.Section(in, "METHODS")
	head := in.CutTop(px(headHeight))
	fields := methodColumns(&head, p.UI.Scale())
	for k, name := range [...]string{"ns/vertex", "× LBS", "palette µs"} {
		u.Text(fields[k], ui.Small, ui.ColorFaint, ui.Right, name)
	}
	costs := p.costsHere()
	linear := costs[0]
	for i, m := range p.host.Offered() {
		row := in.CutTop(px(rowHeight))
		fields := methodColumns(&row, p.UI.Scale())
		c, name := &costs[i], ui.ColorDim
		if p.State.Layout == state.One && p.State.Method() == m {
			name = ui.ColorText
		}
		u.Text(row, ui.Strong, name, ui.Left, p.host.Short(m))
		if !c.There {
			u.Text(fields[0], ui.Small, ui.ColorFaint, ui.Right, "–")
			continue
		}
		u.Text(fields[0], ui.Small, ui.ColorText, ui.Right, p.figure(c.PerVertex*1e9))
		if linear.There && linear.PerVertex > 0 {
			u.Text(fields[1], ui.Small, ui.ColorText, ui.Right, p.Line.Start().F(c.PerVertex/linear.PerVertex, 2).View())
		}
		u.Text(fields[2], ui.Small, ui.ColorDim, ui.Right, p.figure(c.Palette*1e6))
	}
	in.CutTop(px(4))
	p.Paragraph(in, "The skin pass, for ENV with proxy bones and normals; the palette on the CPU. "+
		"A method is measured while it is shown alone.")
}

func (p *Page) buttons(in *ui.Rect) {
	u, px, now := p.UI, p.UI.Px, time.Now()
	m := &p.measure
	in.CutTop(px(4))
	label := "Measure all"
	if m.on {
		label = "Stop"
	}
	if u.Button(ItemMeasure, in.CutTop(px(buttonHeight)), label, ui.Primary, m.progress(now, len(p.host.Offered())),
		"Shows every method alone for a moment and measures its passes.") {
		if m.on {
			p.stopMeasure()
		} else {
			p.Measure(now)
		}
	}
	in.CutTop(px(6))
	row := in.CutTop(px(buttonHeight))
	left := row.CutLeft(float32(int((row.W - px(6)) / 2)))
	row.CutLeft(px(6))
	if u.Button(ItemCopy, left, "Copy as CSV", ui.Plain, 0, "Copies both tables to the clipboard as comma-separated values.") {
		p.copyTable()
	}
	if u.Button(ItemReset, row, "Reset", ui.Plain, 0, "Forgets what has been measured.") {
		p.reset()
	}
}
