package timing

import (
	"math"
	"time"

	"skinlab/render/passes"
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
	ItemExpert
)

func (p *Page) Draw(r ui.Rect) {
	u, px := p.UI, p.UI.Px
	in := u.BeginScroll(itemScroll, ui.Rect{X: r.X, Y: r.Y, W: r.W + px(desk.Inset), H: r.H})
	in.W, in.H = r.W, px(2000)
	p.passTable(&in)
	u.Stack(itemHistory, in.CutTop(px(historyHeight)), &p.history,
		"The time of each pass in the last frames, in ms, one above the other.")
	u.Text(in.CutTop(px(headHeight)), ui.Small, ui.ColorFaint, ui.Left, "ms a frame, the newest at the right")
	p.methodTable(&in)
	p.buttons(&in)
	in.CutTop(px(14))
	if u.Disclosure(ItemExpert, in.CutTop(px(desk.RowHeight)), "For experts: shader paths and crowds", ui.ColorDim, p.Expert,
		"Where the GPU poses vertices, and what many copies of the model cost.") {
		p.Expert = !p.Expert
	}
	if p.Expert {
		p.waySwitch(&in)
		p.crowdPart(&in)
	}
	u.EndScroll(in, in.Y+px(desk.Inset))
}

func (p *Page) device(r ui.Rect) {
	ink := ui.ColorText
	if p.info.Software {
		ink = ui.ColorWarning
	}
	p.UI.Text(r, ui.Small, ink, ui.Right, p.GPU.Timer().Label())
}

// fields cuts fields of the same width for numbers off the right end of a row.
func (p *Page) fields(row *ui.Rect, out []ui.Rect, width float32) {
	for k := len(out) - 1; k >= 0; k-- {
		out[k] = row.CutRight(p.UI.Px(width))
	}
}

// Widths of the tables' columns in design pixels.
const (
	passColumn   = 48
	spreadColumn = 72
	vertexColumn = 56 // holds its heading
	methodColumn = 58
)

// passFields cuts the fields for a pass's numbers off the right end of a row: median, quartiles and a vertex's.
func (p *Page) passFields(row *ui.Rect) (fields [3]ui.Rect) {
	fields[2] = row.CutRight(p.UI.Px(vertexColumn))
	fields[1] = row.CutRight(p.UI.Px(spreadColumn))
	fields[0] = row.CutRight(p.UI.Px(passColumn))
	return fields
}

// posesVertices reports whether a pass works on vertices, so that its time over their number says something.
func posesVertices(x passes.Pass) bool { return x == passes.Skin || x == passes.Normals }

// milliseconds reports whether the passes are listed in milliseconds: where one takes ten or more.
func (p *Page) milliseconds() bool {
	most := p.Picture.Upper
	for i := range p.Times {
		most = max(most, p.Times[i].Upper)
	}
	return most >= 10e-3
}

// Tips of the columns of both tables.
var (
	passTips   = [...]string{terms.Median.Tip(), terms.Median.Tip(), terms.SkinPass.Tip()}
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
	for k, name := range [...]string{"median", "quartiles", "ns/vertex"} {
		u.Term(fields[k], ui.Small, ui.ColorFaint, ui.Right, name, passTips[k])
	}
	unit, perSecond := "µs", 1e6
	if p.milliseconds() {
		unit, perSecond = "ms", 1e3
	}
	line := p.Line.Start().S(unit)
	if n := p.Picture.Frames; n > 0 {
		line.S(", ").Count(n, "frame", "frames")
	}
	u.Text(head, ui.Small, ui.ColorFaint, ui.Left, line.View())
	for i, pass := range p.passes {
		if ofPicture(pass) {
			p.figureRow(in, p.history.Color[i+1], pass.String(), p.Times[i], perSecond, posesVertices(pass))
		}
	}
	u.Fill(ui.Rect{X: in.X, Y: in.Y, W: in.W, H: 1}, ui.ColorEdge, 0)
	p.figureRow(in, 0, "picture", p.Picture, perSecond, false)
	for i, pass := range p.passes {
		if !ofPicture(pass) {
			p.figureRow(in, p.history.Color[i+1], pass.String(), p.Times[i], perSecond, posesVertices(pass))
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

func (p *Page) figureRow(in *ui.Rect, swatch ui.Color, name string, f Figures, perSecond float64, ofVertices bool) {
	u, px := p.UI, p.UI.Px
	row := in.CutTop(px(rowHeight))
	fields := p.passFields(&row)
	mark := row.CutLeft(px(swatchSize + 4))
	if swatch != 0 {
		u.Fill(ui.Rect{X: mark.X, Y: mark.Y + px(5), W: px(swatchSize), H: px(swatchSize)}, swatch, px(2))
	}
	if !f.There {
		u.Text(row, ui.Small, ui.ColorFaint, ui.Left, name)
		u.Text(fields[0], ui.Small, ui.ColorFaint, ui.Right, "–")
		return
	}
	u.Text(row, ui.Small, ui.ColorDim, ui.Left, name)
	u.Text(fields[0], ui.Small, ui.ColorText, ui.Right, figure(p.Line.Start(), f.Median*perSecond).View())
	u.Text(fields[1], ui.Small, ui.ColorDim, ui.Right, f.quartiles(p.Line.Start(), perSecond).View())
	if ofVertices {
		u.Text(fields[2], ui.Small, ui.ColorDim, ui.Right, p.figure(f.Median*1e9/float64(max(p.vertices, 1))))
	}
}

// quartiles writes the quartiles, or nothing where they are from too few frames.
func (f *Figures) quartiles(l *ui.Line, perSecond float64) *ui.Line {
	if f.Frames < leastSamples {
		return l
	}
	return figure(figure(l, f.Lower*perSecond).S("–"), f.Upper*perSecond)
}

// Write writes the nanoseconds that a vertex takes.
func (c Cost) Write(l *ui.Line) *ui.Line { return figure(l, c.PerVertex*1e9) }

// figure formats a number with two digits: the times of frames differ by more than the third.
func (p *Page) figure(x float64) string { return figure(p.Line.Start(), x).View() }

func figure(l *ui.Line, x float64) *ui.Line {
	unit := ""
	switch {
	case x >= 99.5e6:
		x, unit = x/1e9, "G"
	case x >= 99500:
		x, unit = x/1e6, "M"
	}
	decimals := 0
	switch {
	case x < 0.995:
		decimals = 2
	case x < 9.95:
		decimals = 1
	case x >= 99.5:
		step := math.Pow(10, math.Floor(math.Log10(x))-1)
		x = math.Round(x/step) * step
	}
	return l.F(x, decimals).S(unit)
}

// methodTable lists the times that methods took in the current setting, each shown alone.
func (p *Page) methodTable(in *ui.Rect) {
	u, px := p.UI, p.UI.Px
	p.Section(in, "METHODS")
	now := &p.subject.setting
	clip := "static pose"
	if now.clip >= 0 {
		clip = p.Models.File.ClipNames[now.clip]
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
	for _, m := range p.Models.Offered() {
		row := in.CutTop(px(rowHeight))
		p.fields(&row, fields[:], methodColumn)
		c, name := p.CostOf(m), ui.ColorDim
		if p.State.Layout == state.One && p.State.Method() == m {
			name = ui.ColorText
		}
		u.Text(row, ui.Strong, name, ui.Left, p.Models.Short(m))
		if !c.There {
			u.Text(fields[0], ui.Small, ui.ColorFaint, ui.Right, "–")
			continue
		}
		u.Text(fields[0], ui.Small, ui.ColorText, ui.Right, c.Write(p.Line.Start()).View())
		if linear.There && linear.PerVertex > 0 {
			u.Text(fields[1], ui.Small, ui.ColorText, ui.Right, p.figure(c.PerVertex/linear.PerVertex))
		}
		u.Text(fields[2], ui.Small, ui.ColorDim, ui.Right, p.figure(c.Palette*1e6))
	}
	in.CutTop(px(4))
	p.Paragraph(in, "ns/vertex: the time in which the skin is bent, over the number of its vertices. A fit by enveloping "+
		"also moves its proxy bones and normals in it. Palette: the time in which the CPU prepares the bones. A method is "+
		"measured while it is shown alone and moves.")
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
	if u.Button(ItemMeasure, in.CutTop(px(buttonHeight)), label, ui.Primary, m.progress(now, len(p.Models.Offered())),
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
