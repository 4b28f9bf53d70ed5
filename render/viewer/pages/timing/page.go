package timing

import (
	"time"

	"skinlab/render/ui"
	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/state"
	"skinlab/render/viewer/terms"
	"skinlab/skinning"
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

// fields cuts fields of the same width for numbers off the right end of a row.
func (p *Page) fields(row *ui.Rect, out []ui.Rect, width float32) {
	for k := len(out) - 1; k >= 0; k-- {
		out[k] = row.CutRight(p.UI.Px(width))
	}
}

// Widths of the tables' columns in design pixels.
const (
	passColumn   = 44
	vertexColumn = 56 // holds its heading
	methodColumn = 58
	nameColumn   = 52 // the least of a pass's name
)

// passFields cuts the fields for a pass's numbers off the right end of a row: last, median, p95 and a vertex's. Where
// the names would not fit, the newest time gets no field, because it changes too fast to be read.
func (p *Page) passFields(row *ui.Rect) (fields [4]ui.Rect) {
	fields[3] = row.CutRight(p.UI.Px(vertexColumn))
	first := 0
	if row.W < p.UI.Px(nameColumn+3*passColumn) {
		first = 1
	}
	p.fields(row, fields[first:3], passColumn)
	return fields
}

// milliseconds reports whether the passes are listed in milliseconds: where one takes ten or more.
func (p *Page) milliseconds() bool {
	most := p.Picture.P95
	for i := range p.Times {
		most = max(most, p.Times[i].P95, p.Times[i].Last)
	}
	return most >= 10e-3
}

// Tips of the columns of both tables.
var (
	passTips = [...]string{"The time of the last frame, in µs.", terms.Median.Tip(), terms.Median.Tip(),
		"The median over the number of posed vertices, in ns."}
	methodTips = [...]string{terms.SkinPass.Tip(), "That time over the time of linear blending.", terms.PaletteTime.Tip()}
)

func (p *Page) passTable(in *ui.Rect) {
	u, px := p.UI, p.UI.Px
	p.Section(in, "PASSES")
	p.device(ui.Rect{X: in.X + px(60), Y: in.Y - px(20), W: in.W - px(60), H: px(14)})
	if p.info.Software {
		p.Paragraph(in, "Wall time to glFinish: no GPU draws here.")
	}
	head := in.CutTop(px(headHeight))
	fields := p.passFields(&head)
	for k, name := range [...]string{"last", "median", "p95", "ns/vertex"} {
		if fields[k].W > 0 {
			u.Term(fields[k], ui.Small, ui.ColorFaint, ui.Right, name, passTips[k])
		}
	}
	unit, perSecond := "µs", 1e6
	if p.milliseconds() {
		unit, perSecond = "ms", 1e3
	}
	u.Text(head, ui.Small, ui.ColorFaint, ui.Left, unit)
	for i, pass := range p.passes {
		if ofPicture(pass) {
			p.figureRow(in, p.history.Color[i+1], pass.String(), p.Times[i], perSecond)
		}
	}
	u.Fill(ui.Rect{X: in.X, Y: in.Y, W: in.W, H: 1}, ui.ColorEdge, 0)
	p.figureRow(in, 0, "picture", p.Picture, perSecond)
	for i, pass := range p.passes {
		if !ofPicture(pass) {
			p.figureRow(in, p.history.Color[i+1], pass.String(), p.Times[i], perSecond)
		}
	}
	row := in.CutTop(px(rowHeight))
	rate := "–" // nothing moves
	if p.rate.perSecond > 0 {
		rate = p.Line.Start().F(p.rate.perSecond, 1).View()
	}
	u.Text(row.CutRight(px(vertexColumn)), ui.Small, ui.ColorText, ui.Right, rate)
	u.Text(row, ui.Small, ui.ColorDim, ui.Left, "Frames a second, while it plays")
	in.CutTop(px(6))
}

// figureRow draws the times of a pass.
func (p *Page) figureRow(in *ui.Rect, swatch ui.Color, name string, f Figures, perSecond float64) {
	u, px := p.UI, p.UI.Px
	row := in.CutTop(px(rowHeight))
	fields := p.passFields(&row)
	mark := row.CutLeft(px(swatchSize + 4))
	if swatch != 0 {
		u.Fill(ui.Rect{X: mark.X, Y: mark.Y + px(5), W: px(swatchSize), H: px(swatchSize)}, swatch, px(2))
	}
	if !f.There {
		u.Text(row, ui.Small, ui.ColorFaint, ui.Left, name)
		u.Text(fields[1], ui.Small, ui.ColorFaint, ui.Right, "–")
		return
	}
	u.Text(row, ui.Small, ui.ColorDim, ui.Left, name)
	perVertex := f.Median * 1e9 / float64(max(p.vertices, 1))
	for k, x := range [...]float64{f.Last * perSecond, f.Median * perSecond, f.P95 * perSecond, perVertex} {
		ink := ui.ColorDim
		if k == 1 {
			ink = ui.ColorText
		}
		if fields[k].W > 0 {
			u.Text(fields[k], ui.Small, ink, ui.Right, p.figure(x))
		}
	}
}

// figure formats a number to fit its field, in five characters: with three digits below 100, and in thousands and
// millions.
func (p *Page) figure(x float64) string {
	unit := ""
	switch {
	case x >= 99.95e6:
		x, unit = x/1e9, "G"
	case x >= 99950:
		x, unit = x/1e6, "M"
	}
	decimals := 0
	switch {
	case x < 9.995:
		decimals = 2
	case x < 99.95:
		decimals = 1
	}
	return p.Line.Start().F(x, decimals).S(unit).View()
}

// methodTable lists the times that methods took in the current setting, each shown alone.
func (p *Page) methodTable(in *ui.Rect) {
	u, px := p.UI, p.UI.Px
	p.Section(in, "METHODS")
	now := &p.subject.setting
	clip := "static pose"
	if now.clip >= 0 {
		clip = p.models.File.ClipNames[now.clip]
	}
	u.Text(in.CutTop(px(headHeight)), ui.Small, ui.ColorDim, ui.Left, clip)
	u.Text(in.CutTop(px(headHeight)), ui.Small, ui.ColorDim, ui.Left, now.write(p.Line.Start()).View())
	head := in.CutTop(px(headHeight))
	var fields [3]ui.Rect
	p.fields(&head, fields[:], methodColumn)
	for k, name := range [...]string{"ns/vertex", "× LBS", "palette µs"} {
		u.Term(fields[k], ui.Small, ui.ColorFaint, ui.Right, name, methodTips[k])
	}
	linear := p.CostOf(skinning.LBS)
	for _, m := range p.models.Offered() {
		row := in.CutTop(px(rowHeight))
		p.fields(&row, fields[:], methodColumn)
		c, name := p.CostOf(m), ui.ColorDim
		if p.State.Layout == state.One && p.State.Method() == m {
			name = ui.ColorText
		}
		u.Text(row, ui.Strong, name, ui.Left, p.models.Short(m))
		if !c.There {
			u.Text(fields[0], ui.Small, ui.ColorFaint, ui.Right, "–")
			continue
		}
		u.Text(fields[0], ui.Small, ui.ColorText, ui.Right, p.figure(c.PerVertex*1e9))
		if linear.There && linear.PerVertex > 0 {
			u.Text(fields[1], ui.Small, ui.ColorText, ui.Right, p.figure(c.PerVertex/linear.PerVertex))
		}
		u.Text(fields[2], ui.Small, ui.ColorDim, ui.Right, p.figure(c.Palette*1e6))
	}
	in.CutTop(px(4))
	p.Paragraph(in, "The skin pass, for ENV with proxy bones and normals; the palette on the CPU. "+
		"A method is measured while it is shown alone.")
	other := in.CutTop(px(headHeight)) // reserved, so that nothing below moves
	if n := p.costs.others(*now); n > 0 {
		u.Text(other, ui.Small, ui.ColorDim, ui.Left,
			p.Line.Start().S("The CSV also has ").I(n).S(" of other settings.").View())
	}
}

func (p *Page) buttons(in *ui.Rect) {
	u, px, now := p.UI, p.UI.Px, time.Now()
	m := &p.measure
	in.CutTop(px(4))
	label := "Measure all"
	if m.on {
		label = "Stop"
	}
	if u.Button(ItemMeasure, in.CutTop(px(buttonHeight)), label, ui.Primary, m.progress(now, len(p.models.Offered())),
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
