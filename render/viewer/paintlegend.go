package viewer

import (
	"skinlab/render/ui"
	"skinlab/render/viewer/state"
)

// The turns at the two ends of the colour map: a part of the skin with u = 0 does not turn with the joint that drives
// it, one with u = 1 turns all the way (RTER figure 6).
const leastTurn, mostTurn = 0.0, 1.0

// paintNames are what can be painted on an enveloped skin, in the order of state.PaintView.
var paintNames = []string{"Proxy groups", "Key gradients", "Turning"}

// paintWords explain them.
var paintWords = [...]string{
	"Each colour is the part of the skin that one proxy bone moves. Where there is none, joints move it.",
	"Each colour is where one learnt turn and stretch moves the skin most. Point at a bead to see one alone.",
	"u, how far the skin turns with the joint that drives it: 0 not at all, 1 as far.",
}

// painted reports whether paint is seen in some picture.
func (a *app) painted() bool {
	return a.state.Paint && a.fitted != nil && a.state.Shows(blendBones)
}

// nextPaint paints the next view, where there is more than one.
func (a *app) nextPaint() {
	if a.fitted != nil && a.fitted.linear != nil {
		a.state.NextPaint()
	}
}

// paintChoice chooses what is painted.
func (a *app) paintChoice(r ui.Rect) {
	s := &a.state
	chosen := -1 // nothing is painted
	if s.Paint {
		chosen = int(s.PaintView)
	}
	if k := a.ui.Segments(itemFitPaint, r, paintNames, chosen); k != chosen {
		s.Paint, s.PaintView = true, state.PaintView(k)
	}
}

// Sizes of the legend of the paint, design pixels.
const (
	paintLegendWidth = 196
	paintRamp        = 10
)

// paintLegend says what the paint on an enveloped skin means, over the lower left of the view.
func (a *app) paintLegend() {
	s := &a.state
	if !a.painted() || a.fitted.linear == nil || s.Skin != state.SkinPlain || s.Heat {
		return
	}
	u, px := a.ui, a.ui.Px
	words, width := paintWords[s.PaintView], px(paintLegendWidth)
	h := px(8+14+6+8) + u.TextHeight(ui.Small, words, width-px(20))
	if s.PaintView == state.PaintTurns {
		h += px(paintRamp + 3 + 14 + 6)
	}
	if a.layout.view.W < width+px(40) || a.layout.view.H < h+px(captionHeight+40) {
		return
	}
	r := ui.Rect{X: a.layout.view.X + px(20), Y: a.layout.view.Bottom() - px(20) - h, W: width, H: h}
	u.BeginLayer(panelLegend, r)
	defer u.EndPanel()
	u.Fill(r, ui.ColorPanel.Alpha(0.8), px(6))
	in := r.Inset(px(10), px(8))
	u.Text(in.CutTop(px(14)), ui.Small, ui.ColorText, ui.Left, paintNames[s.PaintView])
	in.CutTop(px(6))
	if s.PaintView == state.PaintTurns {
		bar := in.CutTop(px(paintRamp))
		in.CutTop(px(3))
		a.ramp(bar, in.CutTop(px(14)))
		in.CutTop(px(6))
	}
	u.TextWrapped(in, ui.Small, ui.ColorDim, words)
}

// ramp draws the colour map from left to right, and below it the numbers from 0 to 1.
func (a *app) ramp(bar, numbers ui.Rect) {
	for k := range legendRamp {
		x0, x1 := bar.X+bar.W*float32(k)/legendRamp, bar.X+bar.W*float32(k+1)/legendRamp
		a.ui.FillAcross(ui.Rect{X: x0, Y: bar.Y, W: x1 - x0, H: bar.H}, mapColor(float32(k)/legendRamp),
			mapColor(float32(k+1)/legendRamp))
	}
	for at, number := range [...]string{ui.Left: "0", ui.Center: "0.5", ui.Right: "1"} {
		a.ui.Text(numbers, ui.Small, ui.ColorDim, ui.Align(at), number)
	}
}
