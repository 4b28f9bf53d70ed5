package viewer

import (
	"time"

	"skinlab/render/ui"
	"skinlab/render/viewer/state"
)

// Sizes of the timing page in design pixels.
const (
	timingRow     = 19
	timingHead    = 16
	timingSwatch  = 8
	timingHistory = 116
	timingButton  = 28
)

// Items of the timing page.
const (
	itemTimingScroll = 400 + iota*10
	itemTimingHistory
	itemMeasure
	itemTimingCopy
	itemSkinning
	itemCrowd
)

// timingPage shows what each pass and each method takes.
func (a *app) timingPage(r ui.Rect) {
	u, px := a.ui, a.ui.Px
	a.timing.at = timingPlaces{}
	in := u.BeginScroll(itemTimingScroll, ui.Rect{X: r.X, Y: r.Y, W: r.W + px(inset), H: r.H})
	in.W, in.H = r.W, px(2000)
	content := in
	a.passTable(&in)
	u.Stack(itemTimingHistory, in.CutTop(px(timingHistory)), &a.timing.history)
	u.Text(in.CutTop(px(timingHead)), ui.Small, ui.ColorFaint, ui.Left, "ms a frame, the newest at the right")
	a.methodTable(&in)
	a.timingButtons(&in)
	a.skinningSwitch(&in)
	a.crowdPart(&in)
	u.EndScroll(content, in.Y+px(inset))
}

// device says whose time it is, at the right of a heading.
func (a *app) device(r ui.Rect) {
	ink := ui.ColorText
	if a.info.Software {
		ink = ui.ColorWarning
	}
	a.ui.Text(r, ui.Small, ink, ui.Right, a.gpu.Timer().Label())
}

// passColumns cuts the fields of the passes' numbers off the right end of a row; unit is a design pixel. Where names
// would be cut, the newest time has no field: it is the one that cannot be read anyway.
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

// methodColumns does so for those of the methods.
func methodColumns(row *ui.Rect, unit float32) (fields [3]ui.Rect) {
	for k := 2; k >= 0; k-- {
		fields[k] = row.CutRight(60 * unit)
	}
	return fields
}

func (a *app) passTable(in *ui.Rect) {
	u, px, t := a.ui, a.ui.Px, &a.timing
	a.desk.Section(in, "PASSES")
	a.device(ui.Rect{X: in.X + px(60), Y: in.Y - px(20), W: in.W - px(60), H: px(14)})
	if a.info.Software {
		a.desk.Paragraph(in, "Wall time to glFinish: no GPU draws here.")
	}
	head := in.CutTop(px(timingHead))
	unit := head.CutLeft(px(timingSwatch + 4))
	unit.W *= 2
	fields := passColumns(&head, a.layout.scale)
	for k, name := range [...]string{"last", "median", "p95", "ns/vertex"} {
		u.Text(fields[k], ui.Small, ui.ColorFaint, ui.Right, name)
	}
	u.Text(unit, ui.Small, ui.ColorFaint, ui.Left, "µs")
	for i, p := range t.passes {
		a.figureRow(in, t.history.Color[i+1], p.String(), t.figures[i], ui.ColorText)
	}
	u.Fill(ui.Rect{X: in.X, Y: in.Y, W: in.W, H: 1}, ui.ColorEdge, 0)
	a.figureRow(in, 0, "picture", t.picture, ui.ColorText)
	in.CutTop(px(6))
}

// figureRow shows the times of a pass.
func (a *app) figureRow(in *ui.Rect, swatch ui.Color, name string, f figures, ink ui.Color) {
	u, px := a.ui, a.ui.Px
	row := in.CutTop(px(timingRow))
	mark := row.CutLeft(px(timingSwatch + 4))
	if swatch != 0 {
		u.Fill(ui.Rect{X: mark.X, Y: mark.Y + px(5), W: px(timingSwatch), H: px(timingSwatch)}, swatch, px(2))
	}
	fields := passColumns(&row, a.layout.scale)
	if !f.there {
		u.Text(row, ui.Small, ui.ColorFaint, ui.Left, name)
		u.Text(fields[1], ui.Small, ui.ColorFaint, ui.Right, "–")
		return
	}
	u.Text(row, ui.Small, ui.ColorDim, ui.Left, name)
	perVertex := f.median * 1e9 / float64(max(a.timing.vertices, 1))
	for k, x := range [...]float64{f.last * 1e6, f.median * 1e6, f.p95 * 1e6, perVertex} {
		at := ink
		if k != 1 {
			at = ui.ColorDim
		}
		u.Text(fields[k], ui.Small, at, ui.Right, a.figure(x))
	}
}

// figure writes a number so that it fits its field: with a decimal below 100.
func (a *app) figure(x float64) string {
	decimals := 0
	if x < 99.95 {
		decimals = 1
	}
	return a.line.Start().F(x, decimals).View()
}

// methodTable compares the methods that have been shown alone.
func (a *app) methodTable(in *ui.Rect) {
	u, px := a.ui, a.ui.Px
	a.desk.Section(in, "METHODS")
	head := in.CutTop(px(timingHead))
	fields := methodColumns(&head, a.layout.scale)
	for k, name := range [...]string{"ns/vertex", "× LBS", "palette µs"} {
		u.Text(fields[k], ui.Small, ui.ColorFaint, ui.Right, name)
	}
	costs := a.costs()
	linear := costs[0]
	for i, m := range a.Offered() {
		row := in.CutTop(px(timingRow))
		fields := methodColumns(&row, a.layout.scale)
		c, name := &costs[i], ui.ColorDim
		if a.state.Layout == state.One && a.state.Method() == m {
			name = ui.ColorText
		}
		u.Text(row, ui.Strong, name, ui.Left, a.card(m).short)
		if !c.there {
			u.Text(fields[0], ui.Small, ui.ColorFaint, ui.Right, "–")
			continue
		}
		u.Text(fields[0], ui.Small, ui.ColorText, ui.Right, a.figure(c.perVertex*1e9))
		if linear.there && linear.perVertex > 0 {
			u.Text(fields[1], ui.Small, ui.ColorText, ui.Right, a.line.Start().F(c.perVertex/linear.perVertex, 2).View())
		}
		u.Text(fields[2], ui.Small, ui.ColorDim, ui.Right, a.figure(c.palette*1e6))
	}
	in.CutTop(px(4))
	a.desk.Paragraph(in, "The skin pass, for ENV with proxies and normals; the palette on the CPU. "+
		"A method is measured while it is shown alone.")
}

func (a *app) timingButtons(in *ui.Rect) {
	u, px, now := a.ui, a.ui.Px, time.Now()
	m := &a.timing.measure
	in.CutTop(px(4))
	label := "Measure all"
	if m.on {
		label = "Stop"
	}
	a.timing.at.measure = in.CutTop(px(timingButton))
	if u.Button(itemMeasure, a.timing.at.measure, label, ui.Primary, m.progress(now, len(a.Offered()))) {
		if m.on {
			a.stopMeasure()
		} else {
			a.startMeasure(now)
		}
	}
	in.CutTop(px(6))
	row := in.CutTop(px(timingButton))
	a.timing.at.copy = row.CutLeft(float32(int((row.W - px(6)) / 2)))
	row.CutLeft(px(6))
	a.timing.at.reset = row
	if u.Button(itemTimingCopy, a.timing.at.copy, "Copy as CSV", ui.Plain, 0) {
		a.copyTimes()
	}
	if u.Button(itemTimingCopy+1, a.timing.at.reset, "Reset", ui.Plain, 0) {
		a.resetTimes()
	}
}
