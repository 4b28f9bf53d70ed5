package viewer

import (
	"skinlab/render/ui"
	"skinlab/render/viewer/pages/timing"
	"skinlab/render/viewer/state"
)

// captions says what each pane shows, and draws the lines between them.
func (a *app) captions() {
	u, px := a.ui, a.ui.Px
	if a.layout.view.W < px(120) || a.layout.view.H < px(120) {
		return
	}
	u.BeginLayer(panelCaption, a.layout.view)
	defer u.EndPanel()
	seen := a.state.Seen()
	for i := range seen {
		r := a.pane(i).seen
		if r.W < px(80) {
			continue
		}
		// A shade keeps the words legible where a head or a raised hand is behind them.
		shade := min(px(captionHeightOf(r, px(1))), r.H/2)
		u.FillDown(ui.Rect{X: r.X, Y: r.Y, W: r.W, H: shade}, ui.ColorInset.Alpha(0.6), ui.ColorInset.Alpha(0))
		a.caption(r, seen[i])
		if len(seen) > 1 && i == a.state.Active {
			u.Fill(ui.Rect{X: r.X, Y: r.Y, W: r.W, H: px(2)}, ui.ColorAccent, 0)
		}
	}
	if l := a.state.Layout; l == state.Two || l == state.Four {
		r := a.pane(1).seen
		u.Fill(ui.Rect{X: r.X - px(1), Y: a.layout.view.Y, W: px(2), H: a.layout.view.H}, ui.ColorEdge, 0)
		if l == state.Four {
			u.Fill(ui.Rect{X: a.layout.view.X, Y: r.Bottom() - px(1), W: a.layout.view.W, H: px(2)}, ui.ColorEdge, 0)
		}
	}
}

// The least size of a picture that has room for more than names over it, design pixels.
const (
	wordyWidth, wordyHeight = 360, 420
)

// captionHeightOf returns how much of a picture its words take at the top, in design pixels of the given size: in a low
// picture two lines, so that they do not lie on a head.
func captionHeightOf(view ui.Rect, pixel float32) float32 {
	if view.H < wordyHeight*pixel {
		return lowCaptionHeight
	}
	return captionHeight
}

// lowCaption is the caption of a low picture: the method and its cost, and at the right its distance to the reference.
func (a *app) lowCaption(view ui.Rect, p state.Pane) {
	u, px := a.ui, a.ui.Px
	c := a.paneCard(p)
	in := view.Inset(px(14), px(9))
	a.lowReadout(&in, p)
	head := in.CutTop(px(24))
	short := u.TextWidth(ui.Title, c.short)
	u.Text(head.CutLeft(min(short, head.W)), ui.Title, ui.ColorText, ui.Left, c.short)
	head.CutLeft(px(8))
	u.Text(head, ui.Small, ui.ColorDim, ui.Left, a.paneTitle(p, c))
	cost := in.CutTop(px(18))
	u.CostMeter(cost.CutLeft(px(ui.CostMeterWidth+6)), c.Bars)
	u.Text(cost, ui.Small, ui.ColorDim, ui.Left, a.costText(p, cost.W))
}

// costText says what a pane's method costs: what it was measured to take and where, in fewer words where it has to fit
// a narrow place, and before that its class. It holds until the line is used again.
func (a *app) costText(p state.Pane, width float32) string {
	seconds, measured := pageOf[*timing.Page](a).Cost(p.Method)
	if !measured || p.Beside {
		return a.paneCard(p).Class
	}
	decimals := 0
	if seconds < 99.95e-9 {
		decimals = 1
	}
	text := a.line.Start().F(seconds*1e9, decimals).S(" ns a vertex, ").S(a.gpu.Timer().Label()).View()
	if a.ui.TextWidth(ui.Body, text) <= width {
		return text
	}
	device := " ns, wall time"
	switch label := a.gpu.Timer().Label(); {
	case a.info.Software:
		device = " ns, CPU"
	case label == "GPU":
		device = " ns, GPU"
	}
	return a.line.Start().F(seconds*1e9, decimals).S(device).View()
}

// caption names the method, big, and the file where there are two.
func (a *app) caption(view ui.Rect, p state.Pane) {
	u, px := a.ui, a.ui.Px
	if view.H < px(wordyHeight) {
		a.lowCaption(view, p)
		return
	}
	c := a.paneCard(p)
	in := view.Inset(px(20), px(14))
	a.readout(&in, p)
	head := in.CutTop(px(40))
	style := ui.Display
	if u.TextWidth(style, c.short) > head.W {
		style = ui.Title
	}
	u.Text(head, style, ui.ColorText, ui.Left, c.short)
	u.Text(in.CutTop(px(20)), ui.Title, ui.ColorText, ui.Left, a.paneTitle(p, c))
	in.CutTop(px(4))
	cost := in.CutTop(px(18))
	u.CostMeter(cost.CutLeft(px(ui.CostMeterWidth+6)), c.Bars)
	u.Text(cost, ui.Body, ui.ColorDim, ui.Left, a.costText(p, cost.W))
	in.CutTop(px(4))
	if in.W = min(in.W, px(captionWidth-20)); view.W < px(wordyWidth) {
		return // a narrow picture has no room for a sentence
	}
	u.TextWrapped(in, ui.Small, ui.ColorDim, c.note)
}

// paneTitle says what a pane shows besides its method's short name: the file where there are two, else the method in
// full.
func (a *app) paneTitle(p state.Pane, c *methodCard) string {
	switch {
	case a.beside == nil:
		return c.title
	case p.Beside:
		return a.beside.name
	}
	return a.ModelName()
}

// divider lets the mouse move the line under which two pictures meet.
func (a *app) divider() {
	if a.state.Layout != state.Split || a.layout.view.W <= 0 || a.layout.view.H <= 0 {
		return
	}
	u, px := a.ui, a.ui.Px
	at := a.pane(0).seen.Right()
	r := ui.Rect{X: at - px(8), Y: a.layout.view.Y, W: px(16), H: a.layout.view.H}
	u.BeginPanel(panelDivider, r, false)
	x, held := u.Grip(1, r, px(2))
	u.EndPanel()
	u.BeginLayer(panelKnob, ui.Rect{X: at - px(16), Y: a.layout.view.Y, W: px(32), H: a.layout.view.H})
	u.Knob(at, a.layout.view.Y+float32(int(a.layout.view.H*0.62)))
	u.EndPanel()
	if held {
		a.state.SetDivider(float64((x - a.layout.view.X) / a.layout.view.W))
	}
}
