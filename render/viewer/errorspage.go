package viewer

import (
	"math"

	"skinlab/render/ui"
	"skinlab/render/viewer/measure"
	"skinlab/render/viewer/state"
	"skinlab/skinning"
)

// Items of the error page.
const (
	itemErrorScroll = 500 + iota*20
	itemReference
	itemHeat
	itemUnit
	itemHeatTop
	itemVertex
	itemShare
)

// Items of its tables: rows count up from these, so many apart.
const (
	itemErrorRow = 2000 + iota*measure.MostRows
	itemVolumeRow
	itemVertexRow
)

// Sizes of the error page in design pixels.
const (
	errorRow   = 22
	errorHead  = 16
	errorPlate = 46 // the name of a method
)

// errorsPage compares all methods with the reference.
func (a *app) errorsPage(r ui.Rect) {
	u, px := a.ui, a.ui.Px
	a.distances.places.firstRow = ui.Rect{}
	in := u.BeginScroll(itemErrorScroll, ui.Rect{X: r.X, Y: r.Y, W: r.W + px(inset), H: r.H})
	content := in
	in.W = r.W - px(4) // beside the scroll bar
	a.referenceControls(&in)
	if len(a.shown.model.Skin.Positions) == 0 {
		a.desk.Section(&in, "ERRORS")
		a.desk.Paragraph(&in, "This model has no skin to compare.")
		u.EndScroll(content, in.Y)
		return
	}
	a.vertexSection(&in)
	a.errorTable(&in)
	a.volumeTable(&in)
	u.EndScroll(content, in.Y+px(inset))
}

// referenceControls choose what errors are measured from, in what unit, and how they are coloured.
func (a *app) referenceControls(in *ui.Rect) {
	u, px, s := a.ui, a.ui.Px, &a.state
	a.desk.Section(in, "REFERENCE")
	a.distances.names = a.distances.names[:0]
	for _, m := range a.lists.methods[:len(a.lists.methods)-1] {
		a.distances.names = append(a.distances.names, a.card(m).short)
	}
	s.Reference = skinning.Method(u.Segments(itemReference, in.CutTop(px(26)), a.distances.names, int(s.Reference)))
	in.CutTop(px(6))
	if u.Switch(itemHeat, in.CutTop(px(rowHeight)), "Heat map of the distance", "E", s.Heat) {
		s.Heat = !s.Heat
	}
	in.CutTop(px(2))
	row := in.CutTop(px(24))
	u.Text(row.CutLeft(px(64)), ui.Body, ui.ColorDim, ui.Left, "Unit")
	s.Unit = state.Unit(u.Segments(itemUnit, row, unitLabels, int(s.Unit)))
	in.CutTop(px(4))
	row = in.CutTop(px(24))
	u.Text(row.CutLeft(px(64)), ui.Body, ui.ColorDim, ui.Left, "Scale to")
	value := row.CutRight(px(78))
	row.CutRight(px(6))
	size := a.size()
	home := min(max(a.distances.auto/max(size, 1e-12), state.LeastHeatTop), state.MostHeatTop)
	share, ink := home, ui.ColorDim
	if s.HeatTop > 0 {
		share, ink = s.HeatTop, ui.ColorText
	}
	if v := u.LogSlider(itemHeatTop, row, share, state.LeastHeatTop, state.MostHeatTop, home); v == home {
		s.SetHeatTop(0)
	} else {
		s.SetHeatTop(v)
	}
	u.Text(value, ui.Body, ink, ui.Right, a.distance(a.distances.top).S(" ").S(s.Unit.String()).View())
}

var unitLabels = []string{"mm", "% of size"}

// distance starts the line with a distance in the person's unit, with as many decimals as tell a ten-thousandth of the
// model's size.
func (a *app) distance(metres float64) *ui.Line {
	l := a.line.Start()
	if math.IsNaN(metres) || math.IsInf(metres, 0) {
		return l.S("–")
	}
	u, size := a.state.Unit, a.size()
	decimals := 2
	if full := u.Of(size, size); full > 0 {
		decimals = min(max(5-int(math.Floor(math.Log10(full))), 0), 5)
	}
	value := u.Of(metres, size)
	if decimals == 0 {
		return l.I(int(math.Round(min(value, 1e12))))
	}
	return l.F(min(value, 1e12), decimals)
}

// errorColumns cuts so many fields for numbers, four at most, off the right of a row.
func (a *app) errorColumns(row *ui.Rect, count int) (fields [4]ui.Rect) {
	w := (row.W - a.ui.Px(errorPlate)) / float32(count)
	for k := count - 1; k >= 0; k-- {
		fields[k] = row.CutRight(w)
	}
	return fields
}

// tableHead draws the unit of a table's distances, "" for none, and the names of its columns.
func (a *app) tableHead(in *ui.Rect, unit string, names ...string) {
	head := in.CutTop(a.ui.Px(errorHead))
	head.W -= a.ui.Px(6)
	fields := a.errorColumns(&head, len(names))
	for k, name := range names {
		a.ui.Text(fields[k], ui.Small, ui.ColorFaint, ui.Right, name)
	}
	head.CutLeft(a.ui.Px(8))
	a.ui.Text(head, ui.Small, ui.ColorFaint, ui.Left, unit)
	in.CutTop(a.ui.Px(2))
}

// methodRow draws the row of a method in a table, which shows it on a click, and returns the fields for its numbers.
func (a *app) methodRow(in *ui.Rect, id, row, count int) (fields [4]ui.Rect) {
	u, px := a.ui, a.ui.Px
	p := paneOf(row)
	r := in.CutTop(px(errorRow))
	chosen := false
	for i, seen := range a.state.Seen() {
		chosen = chosen || seen == p && i == a.state.Active
	}
	if u.ListRow(id+row, r, a.paneCard(p).short, "", chosen) {
		a.showPane(p)
	}
	r.W -= px(6)
	return a.errorColumns(&r, count)
}

// showPane shows a method of a file: in the active picture where that shows this file, else in the first that does.
func (a *app) showPane(p state.Pane) {
	if a.state.Panes[a.state.Active].Beside != p.Beside {
		for i, seen := range a.state.Seen() {
			if seen.Beside == p.Beside {
				a.state.Activate(i)
				break
			}
		}
	}
	if a.state.Panes[a.state.Active].Beside == p.Beside {
		a.setMethod(p.Method)
	}
}

// listed reports whether a row of the tables has something to say, and draws the name of the second file above the
// first of its rows.
func (a *app) listed(in *ui.Rect, row int, named *bool) bool {
	p := paneOf(row)
	if p.Beside {
		if a.beside == nil || a.beside.fitted != (p.Method == blendBones) {
			return false
		}
		if !*named {
			*named = true
			a.ui.Text(in.CutTop(a.ui.Px(errorRow)), ui.Small, ui.ColorDim, ui.Left, a.beside.name)
		}
		return true
	}
	return p.Method != blendBones || a.fitted != nil
}

func (a *app) errorTable(in *ui.Rect) {
	u, d := a.ui, &a.distances
	a.desk.Section(in, "ERROR AT THIS POSE, AND OVER THE CLIP")
	a.tableHead(in, a.state.Unit.String(), "RMS", "Largest", "EE, %", "Clip EE")
	named := false
	for i := range measure.Rows() {
		if !a.listed(in, i, &named) {
			continue
		}
		if i == 0 {
			d.places.firstRow = ui.Rect{X: in.X, Y: in.Y, W: in.W, H: u.Px(errorRow)}
		}
		fields := a.methodRow(in, itemErrorRow, i, 4)
		p := paneOf(i)
		if a.isReference(p) {
			f := fields[0]
			f.W = fields[3].Right() - f.X
			u.Text(f, ui.Small, ui.ColorFaint, ui.Right, "the reference")
			continue
		}
		if row := a.row(p); row != nil && row.Compared {
			u.Text(fields[0], ui.Body, ui.ColorText, ui.Right, a.distance(row.RMS).View())
			u.Text(fields[1], ui.Body, ui.ColorText, ui.Right, a.distance(row.Max).View())
			u.Text(fields[2], ui.Body, ui.ColorText, ui.Right, a.desk.Percent(row.EE, 2).View())
		}
		if c := d.clip; c != nil && c.Rows[i].There {
			u.Text(fields[3], ui.Body, ui.ColorDim, ui.Right, a.desk.Percent(c.Rows[i].EE, 2).View())
		} else {
			u.Text(fields[3], ui.Body, ui.ColorFaint, ui.Right, "…")
		}
	}
	if c := d.clip; c != nil {
		in.CutTop(u.Px(4))
		u.Text(in.CutTop(u.Px(16)), ui.Small, ui.ColorFaint, ui.Left,
			a.line.Start().S("The clip is measured at ").I(c.Frames).S(" poses.").View())
	}
}

func (a *app) volumeTable(in *ui.Rect) {
	u, d := a.ui, &a.distances
	a.desk.Section(in, "VOLUME, PERCENT OF REST")
	joint := a.state.Joint >= 0
	if joint {
		a.tableHead(in, "%", "whole", "at the joint")
	} else {
		a.tableHead(in, "%", "whole")
	}
	named := false
	for i := range measure.Rows() {
		if !a.listed(in, i, &named) {
			continue
		}
		count := 1
		if joint {
			count = 2
		}
		fields := a.methodRow(in, itemVolumeRow, i, count)
		row := a.row(paneOf(i))
		if row == nil {
			continue
		}
		u.Text(fields[0], ui.Body, ui.ColorText, ui.Right, a.ratio(row.Volume).View())
		if joint {
			u.Text(fields[1], ui.Body, ui.ColorText, ui.Right, a.ratio(row.Local).View())
		}
	}
	in.CutTop(u.Px(4))
	if !joint {
		a.desk.Paragraph(in, "Pick a joint, or a vertex that it moves, for the volume round it.")
	}
	if n := d.reading.OpenEdges[0]; n > 0 {
		a.desk.Paragraph(in, a.line.Start().S("The skin is open at ").I(n).
			S(" edges: its volume is what its triangles would enclose, good for comparing.").View())
	}
}

// ratio starts the line with a ratio in percent, a dash where there is none.
func (a *app) ratio(x float64) *ui.Line {
	if x == 0 {
		return a.line.Start().S("–")
	}
	return a.desk.Percent(100*x, 1)
}
