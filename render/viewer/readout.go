package viewer

import (
	"skinlab/render/ui"
	"skinlab/render/viewer/state"
)

// Sizes of the numbers over a picture in design pixels.
const (
	readoutWidth    = 150
	lowReadoutWidth = 112
	readoutRow      = 18
	readoutLabel    = 56
	readoutUnit     = 24
	leastReadout    = 300 // a narrower picture has room for the EE alone
	leastReadout1   = 130 // and one still narrower for none
)

// readout draws how far a picture is from the reference, as a column of numbers in its upper right corner, and takes
// that off in.
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
	r := in.CutRight(width)
	in.CutRight(px(8))
	r.Y += px(4)
	if a.IsReference(p) {
		u.Text(r.CutTop(px(readoutRow)), ui.Small, ui.ColorDim, ui.Right, "reference")
	} else if row.Compared {
		if !wide {
			u.Text(r.CutTop(px(readoutRow)), ui.Small, ui.ColorDim, ui.Right, "EE, %")
			u.Text(r.CutTop(px(readoutRow)), ui.Strong, ui.ColorText, ui.Right, a.desk.Percent(row.EE, 2).View())
			return
		}
		a.readoutRow(&r, "EE", a.desk.Percent(row.EE, 2).View(), "%")
		a.readoutRow(&r, "RMS", a.desk.Distance(row.RMS).View(), a.state.Unit.String())
		a.readoutRow(&r, "Largest", a.desk.Distance(row.Max).View(), a.state.Unit.String())
	}
	if !wide {
		return
	}
	name := "Volume"
	if a.openSkin(p) {
		name = "Vol., open"
	}
	a.readoutRow(&r, name, a.desk.Ratio(row.Volume).View(), "%")
	if a.state.Joint >= 0 && row.Local != 0 {
		a.readoutRow(&r, "At joint", a.desk.Ratio(row.Local).View(), "%")
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
	in.CutRight(px(8))
	first, second := r.CutTop(px(24)), r.CutTop(px(18))
	switch {
	case a.IsReference(p):
		u.Text(first, ui.Small, ui.ColorDim, ui.Right, "reference")
	case row.Compared:
		line := func(r ui.Rect, name, value, unit string) {
			u.Text(r.CutRight(px(readoutUnit)), ui.Small, ui.ColorDim, ui.Right, unit)
			u.Text(r.CutLeft(px(28)), ui.Small, ui.ColorDim, ui.Left, name)
			u.Text(r, ui.Body, ui.ColorText, ui.Right, value)
		}
		line(first, "EE", a.desk.Percent(row.EE, 2).View(), "%")
		line(second, "RMS", a.desk.Distance(row.RMS).View(), a.state.Unit.String())
	}
}

// readoutRow draws a name, a number at the right edge of its field, and a unit.
func (a *app) readoutRow(r *ui.Rect, name, value, unit string) {
	u, px := a.ui, a.ui.Px
	row := r.CutTop(px(readoutRow))
	u.Text(row.CutRight(px(readoutUnit)), ui.Small, ui.ColorDim, ui.Right, unit)
	u.Text(row.CutLeft(px(readoutLabel)), ui.Small, ui.ColorDim, ui.Left, name)
	u.Text(row, ui.Body, ui.ColorText, ui.Right, value)
}

// openSkin reports whether the skin that a pane shows is open, so that it has no volume in the strict sense.
func (a *app) openSkin(p state.Pane) bool {
	if p.Beside {
		return a.distances.reading.OpenEdges[1] > 0
	}
	return a.distances.reading.OpenEdges[0] > 0
}
