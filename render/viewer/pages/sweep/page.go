package sweep

import (
	"math"

	"skinlab/render/ui"
	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/state"
	"skinlab/render/viewer/terms"
	"skinlab/skinning/sweep"
)

const (
	itemScroll = 800 + iota*20
	ItemJoint
	ItemAxis  // and up: the three axes
	ItemError // plot of distances
	itemVolume
	ItemRow // and up: the names of the curves
)

// Sizes of the page in design pixels.
const (
	row       = 20
	caption   = 18
	leastPlot = 104
	mostPlot  = 260
	fixed     = 34 + 26 + 6 + 26 + 8 + 2*caption + 6 + row + 8 // without the plots and the rows of methods
)

var axisChoices = []ui.Segment{
	sweep.Twist: {Label: "Twist", Tip: "Turns the joint about its bone."},
	sweep.Bend:  {Label: "Bend", Tip: "Bends the joint about the axis across its bone."},
	sweep.Side:  {Label: "Side", Tip: "Bends the joint sideways, about the third axis."},
}

func (w *Page) Draw(r ui.Rect) {
	u, px, s := w.UI, w.UI.Px, w.State
	rows := float32(len(w.Models.Offered()))
	plot := (r.H - px(fixed) - rows*px(row)) / 2
	in, scrolls := r, plot < px(leastPlot)
	if scrolls {
		in = u.BeginScroll(itemScroll, ui.Rect{X: r.X, Y: r.Y, W: r.W + px(desk.Inset), H: r.H})
		in.W = r.W
	}
	plot = min(max(plot, px(leastPlot)), px(mostPlot))
	w.Section(&in, "SWEEP A JOINT FROM ITS REST")
	joint := w.Models.SweptJoint()
	if joint < 0 {
		w.Paragraph(&in, "This model has no skin that a joint could bend.")
	} else {
		by, open := u.Picker(ItemJoint, in.CutTop(px(26)), w.Models.JointName(joint),
			"The joint that is turned: the previous or the next one, or by a click one of a list.")
		if by != 0 {
			w.host.StepBone(by)
		}
		if open {
			w.host.ChooseJoint()
		}
		in.CutTop(px(6))
		s.Sweep.Axis = u.Segments(ItemAxis, in.CutTop(px(26)), axisChoices, s.Sweep.Axis)
		in.CutTop(px(8))
		w.plots(&in, plot)
	}
	if scrolls {
		u.EndScroll(in, in.Y+px(desk.Inset))
	}
}

// plots draws the two plots and the table of their curves.
func (w *Page) plots(in *ui.Rect, height float32) {
	u, px, s := w.UI, w.UI.Px, w.State
	if !w.there {
		text := "Measuring …"
		if w.err != "" {
			text = w.err
		}
		w.Paragraph(in, text)
		return
	}
	w.scale(&s.Sweep)
	text := w.Line.Start().S("RMS from ").S(w.Models.Short(w.asked.reference)).S(", ").S(state.UnitLabels[w.unit]).View()
	u.Term(in.CutTop(px(caption)), ui.Small, ui.ColorDim, ui.Left, text, terms.RMS.Tip())
	plot := in.CutTop(height)
	plot.W -= px(6) // the last label of the axis reaches past the plot
	x1, in1, held1 := u.Curves(ItemError, plot, &w.rms, "Distance of each method from the reference "+
		"over the angle of the joint, in the unit of the error page. Drag to pose the joint.")
	in.CutTop(px(6))
	u.Term(in.CutTop(px(caption)), ui.Small, ui.ColorDim, ui.Left, "Volume at the joint, % of rest", terms.JointVolume.Tip())
	plot = in.CutTop(height)
	plot.W -= px(6)
	x2, in2, held2 := u.Curves(itemVolume, plot, &w.vol,
		"Volume at the joint over its angle, in % of that at rest. Drag to pose the joint. Curves have gaps "+
			"where two joints are half a turn apart. From a yellow line on, methods that blend rotations turn the other way round.")
	if in2 {
		x1 = x2
	}
	switch held := held1 || held2; {
	case held:
		degrees := math.Round(x1)
		if !w.held || degrees != w.at {
			w.turn(degrees, !w.held)
		}
		w.at, w.held = degrees, true
	case in1 || in2:
		w.at, w.held = math.Round(x1), false
	default:
		w.held = false
		if !w.Models.Edits.Active() { // else the line stays at the angle in the picture
			w.at = math.NaN()
		}
	}
	w.table(in)
}

// table lists the curves with their values at the vertical line. A click hides a curve.
func (w *Page) table(in *ui.Rect) {
	u, px, s := w.UI, w.UI.Px, w.State
	i := w.index(w.at)
	head := in.CutTop(px(row))
	head.W -= px(6)
	u.Term(head.CutRight(px(64)), ui.Small, ui.ColorFaint, ui.Right, "Volume", terms.JointVolume.Tip())
	u.Term(head.CutRight(px(64)), ui.Small, ui.ColorFaint, ui.Right, "RMS", terms.RMS.Tip())
	if i >= 0 {
		u.Text(head, ui.Small, ui.ColorText, ui.Left, w.Line.Start().S("Measured at ").F(w.rms.X[i], 0).S("°").View())
	} else {
		u.Text(head, ui.Small, ui.ColorFaint, ui.Left, "Drag a plot to pose")
	}
	lit := -1
	for k, m := range w.methods {
		r := in.CutTop(px(row))
		click, hover := u.SwatchRow(ItemRow+k, r, w.Models.Short(m), methodColor(m), !s.Sweep.Hides(m),
			"Shows or hides the curve of this method.")
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
		if math.IsNaN(w.shares[at]) {
			u.Text(r.CutRight(px(128)), ui.Body, ui.ColorDim, ui.Right, "half a turn")
			continue
		}
		u.Text(r.CutRight(px(64)), ui.Body, ui.ColorText, ui.Right, w.Percent(w.vol.Y[at], 1).View())
		u.Text(r.CutRight(px(64)), ui.Body, ui.ColorText, ui.Right, w.Distance(w.shares[at]*w.Size).View())
	}
	w.rms.Lit, w.vol.Lit = lit, lit
}
