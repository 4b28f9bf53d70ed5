package viewer

import (
	"math"

	"skinlab/render/ui"
	"skinlab/skinning/sweep"
)

// Items of the sweep page.
const (
	itemSweepScroll = 800 + iota*20
	itemSweepJoint
	itemSweepAxis
	itemSweepError
	itemSweepVolume
	itemSweepRow
)

// Sizes of the sweep page in design pixels.
const (
	sweepRow       = 20
	sweepCaption   = 18
	leastSweepPlot = 104
	mostSweepPlot  = 260
	sweepFixed     = 34 + 26 + 6 + 26 + 8 + 2*sweepCaption + 6 + sweepRow + 8 // all but the plots and the rows of methods
)

// axisNames name the axes.
var axisNames = []string{sweep.Twist: "Twist", sweep.Bend: "Bend", sweep.Side: "Side"}

// sweepPage turns a joint from −180 to 180 degrees, and shows what every method makes of it.
func (a *app) sweepPage(r ui.Rect) {
	u, px, w, s := a.ui, a.ui.Px, &a.sweeping, &a.state
	w.places = sweepPlaces{}
	rows := float32(len(a.offered()))
	plot := (r.H - px(sweepFixed) - rows*px(sweepRow)) / 2
	in, content, scrolls := r, r, plot < px(leastSweepPlot)
	if scrolls {
		in = u.BeginScroll(itemSweepScroll, ui.Rect{X: r.X, Y: r.Y, W: r.W + px(inset), H: r.H})
		content = in
		in.W = r.W
	}
	plot = min(max(plot, px(leastSweepPlot)), px(mostSweepPlot))
	a.section(&in, "SWEEP A JOINT FROM ITS REST")
	joint := a.sweptJoint()
	if joint < 0 {
		a.paragraph(&in, "This model has no skin that a joint could bend.")
	} else {
		if by := u.Stepper(itemSweepJoint, in.CutTop(px(26)), a.jointName(joint)); by != 0 {
			n := len(a.shown.bones.bones)
			a.pickBone((max(a.shown.bones.of(joint), 0) + by + n) % max(n, 1))
		}
		in.CutTop(px(6))
		w.places.axis = in.CutTop(px(26))
		s.Sweep.Axis = u.Segments(itemSweepAxis, w.places.axis, axisNames, s.Sweep.Axis)
		in.CutTop(px(8))
		a.sweepPlots(&in, plot)
	}
	if scrolls {
		u.EndScroll(content, in.Y+px(inset))
	}
}

// sweepPlots draws the two plots and the table of their curves.
func (a *app) sweepPlots(in *ui.Rect, height float32) {
	u, px, w, s := a.ui, a.ui.Px, &a.sweeping, &a.state
	if !w.there {
		text := "Measuring …"
		if w.err != "" {
			text = w.err
		}
		a.paragraph(in, text)
		return
	}
	w.scale(&s.Sweep)
	caption := a.line.Start().S("RMS off ").S(a.card(w.asked.reference).short).S(", % of size").View()
	u.Text(in.CutTop(px(sweepCaption)), ui.Small, ui.ColorDim, ui.Left, caption)
	w.places.rms = in.CutTop(height)
	w.places.rms.W -= px(6) // the last label stands out
	x1, in1, held1 := u.Curves(itemSweepError, w.places.rms, &w.rms)
	in.CutTop(px(6))
	u.Text(in.CutTop(px(sweepCaption)), ui.Small, ui.ColorDim, ui.Left, "Volume round the joint, % of rest")
	w.places.volume = in.CutTop(height)
	w.places.volume.W -= px(6)
	x2, in2, held2 := u.Curves(itemSweepVolume, w.places.volume, &w.vol)
	if in2 {
		x1 = x2
	}
	switch held := held1 || held2; {
	case held:
		degrees := math.Round(x1)
		if !w.held || degrees != w.at {
			a.poseSweep(degrees, !w.held)
		}
		w.at, w.held = degrees, true
	case in1 || in2:
		w.at, w.held = math.Round(x1), false
	default:
		w.held = false
		if !a.posing.active() { // else the line stays where the picture is
			w.at = math.NaN()
		}
	}
	a.sweepTable(in)
}

// sweepTable names the curves with their values at the upright line. A click hides a curve.
func (a *app) sweepTable(in *ui.Rect) {
	u, px, w, s := a.ui, a.ui.Px, &a.sweeping, &a.state
	i := w.index(w.at)
	head := in.CutTop(px(sweepRow))
	head.W -= px(6)
	u.Text(head.CutRight(px(64)), ui.Small, ui.ColorFaint, ui.Right, "Volume")
	u.Text(head.CutRight(px(64)), ui.Small, ui.ColorFaint, ui.Right, "RMS")
	if i >= 0 {
		u.Text(head, ui.Small, ui.ColorText, ui.Left, a.line.Start().S("At ").F(w.at, 0).S("°").View())
	} else {
		u.Text(head, ui.Small, ui.ColorFaint, ui.Left, "Drag a plot to pose")
	}
	lit := -1
	for k, m := range w.methods {
		r := in.CutTop(px(sweepRow))
		if k == 0 {
			w.places.row = r
		}
		click, hover := u.SwatchRow(itemSweepRow+k, r, a.card(m).short, methodColor(m), !s.Sweep.Hides(m))
		if click {
			s.Sweep.Toggle(m)
		}
		if hover && !s.Sweep.Hides(m) {
			lit = k
		}
		if i < 0 || s.Sweep.Hides(m) {
			continue
		}
		r.W -= px(6)
		at := len(w.rms.X)*k + i
		u.Text(r.CutRight(px(64)), ui.Body, ui.ColorText, ui.Right, a.percent(w.vol.Y[at], 1).View())
		u.Text(r.CutRight(px(64)), ui.Body, ui.ColorText, ui.Right, a.percent(w.rms.Y[at], 3).View())
	}
	w.rms.Lit, w.vol.Lit = lit, lit
}
