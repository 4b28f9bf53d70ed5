package viewer

import (
	"skinlab/render/picture"
	"skinlab/render/ui"
	"skinlab/render/viewer/measure"
	"skinlab/render/viewer/state"
)

// heated lets a scene show the distance of a pane to the reference, where there is a reference for it.
func (a *app) heated(s *picture.Scene, p state.Pane) bool {
	if !a.state.Heat {
		return false
	}
	h := &a.distances.heat
	*h = picture.Heat{Frame: a.shown.frame, Method: a.state.Reference, Full: float32(a.distances.top)}
	if p.Beside && !a.SharesSkin() {
		if a.beside == nil || a.beside.fitted {
			return false
		}
		h.Frame = a.beside.frame
	}
	if len(h.Frame.Model.Skin.Positions) == 0 {
		return false
	}
	s.Surface, s.Heat = picture.SurfaceHeat, h
	return true
}

// More than the clip's largest error, by this factor, and the scale grows: a pose that is not of the clip. Poses of the
// clip between those that are measured come close to it only.
const outgrown = 1.25

// leastTop is the least scale as a share of the size: below it a picture would show rounding.
const leastTop = 1e-4

// scaleHeat finds what stands at the top of the colour map: what the person set, or a round number not below the
// largest error over the clip of what is seen, which does not change while it plays.
func (a *app) scaleHeat() {
	d, s := &a.distances, &a.state
	size := a.size()
	most, live := 0.0, 0.0
	for _, p := range s.Seen() {
		if d.clip != nil {
			if c := &d.clip.Rows[measure.OfPane(p)]; c.There {
				most = max(most, c.Max)
			}
		}
		if r := a.Row(p); r != nil && r.Compared {
			live = max(live, r.Max)
		}
	}
	if d.clip == nil {
		most = max(d.most, live) // until the clip's is there it only grows
	} else if live > most*outgrown {
		most = live
	}
	d.most = max(most, leastTop*size)
	d.auto = s.Unit.Metres(state.RoundTop(s.Unit.Of(d.most, size)), size)
	if d.top = d.auto; s.HeatTop > 0 {
		d.top = s.HeatTop * size
	}
}

// size is the diagonal of the first file at rest, metres.
func (a *app) size() float64 { return a.shown.diagonal }

// Sizes of the legend in design pixels.
const (
	legendHeight = 168
	legendBar    = 12
	legendWidth  = 108
	leastLegend  = 84 // lower, and there is none
	legendMargin = 14
	captionWords = 104 // what the name of a picture and its cost take of it
	tickSpace    = 15  // between two numbers of the scale, at least
	legendSteps  = 32
)

// legend draws the scale of the heat map over the lower left of the pictures.
func (a *app) legend() {
	u, px := a.ui, a.ui.Px
	lowest := a.pane(a.state.Layout.Panes() / 2).seen // the one at the lower left
	if a.state.Layout != state.Four {
		lowest = a.pane(0).whole
	}
	h := min(px(legendHeight), lowest.H-px(captionWords)-px(2*legendMargin))
	if !a.state.Heat || a.crowded() || a.distances.top <= 0 || h < px(leastLegend) ||
		lowest.W < px(legendWidth+2*legendMargin) {
		return
	}
	r := ui.Rect{X: lowest.X + px(legendMargin), Y: lowest.Bottom() - px(legendMargin) - h, W: px(legendWidth), H: h}
	u.BeginLayer(panelLegend, r)
	defer u.EndPanel()
	u.Fill(r, ui.ColorPanel.Alpha(0.8), px(6))
	in := r.Inset(px(10), px(9))
	unit := a.state.Unit
	u.Text(in.CutTop(px(14)), ui.Small, ui.ColorText, ui.Left,
		a.line.Start().S(unit.String()).S(" off ").S(a.referenceName()).View())
	in.CutTop(px(11))
	bar := in.CutLeft(px(legendBar))
	bar.H -= px(6)
	for k := range legendSteps { // from the top down
		y0, y1 := bar.Y+bar.H*float32(k)/legendSteps, bar.Y+bar.H*float32(k+1)/legendSteps
		u.FillDown(ui.Rect{X: bar.X, Y: y0, W: bar.W, H: y1 - y0}, mapColor(1-float32(k)/legendSteps),
			mapColor(1-float32(k+1)/legendSteps))
	}
	top := unit.Of(a.distances.top, a.size())
	ticks := state.HeatTicks(top)
	decimals := tickDecimals(top / float64(ticks))
	if bar.H < float32(ticks)*px(tickSpace) {
		ticks = 1
	}
	for k := range ticks + 1 {
		y := bar.Bottom() - bar.H*float32(k)/float32(ticks)
		u.Fill(ui.Rect{X: bar.Right() + px(2), Y: float32(int(y)), W: px(4), H: 1}, ui.ColorDim, 0)
		u.Text(ui.Rect{X: bar.Right() + px(8), Y: y - px(8), W: in.Right() - bar.Right() - px(8), H: px(16)}, ui.Small,
			ui.ColorText, ui.Right,
			a.line.Start().F(top*float64(k)/float64(ticks), decimals).View())
	}
}

// mapColor returns the colour map's colour of a share of its top.
func mapColor(t float32) ui.Color {
	c := picture.Colormap(t)
	return ui.RGB(c[0], c[1], c[2])
}

// tickDecimals returns how many decimals tell steps of a scale apart.
func tickDecimals(step float64) (decimals int) {
	for at := step; decimals < 6 && at < 0.9999; at *= 10 {
		decimals++
	}
	return decimals
}
