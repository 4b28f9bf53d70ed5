// Package errorpage is the page that compares all methods with the reference: at the current pose, over the clip, at
// the picked vertex, and by the volume of the skin.
package errorpage

import (
	"slices"

	"skinlab/render/ui"
	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/measure"
	"skinlab/render/viewer/pages"
	"skinlab/render/viewer/state"
	"skinlab/render/viewer/terms"
	"skinlab/skinning"
	"skinlab/skinning/metrics"
)

type Page struct {
	pages.Room
	pages.Still
	choices []ui.Segment         // reused: of the references
	buf     []skinning.Influence // reused: influences of the picked vertex
}

func New(room pages.Room) *Page {
	return &Page{Room: room}
}

const (
	itemScroll = 500 + iota*20
	ItemReference
	ItemBeside
	itemHeat
	itemUnit
	ItemHeatTop
	ItemScale // and up: the choices of the scale
	ItemWorst
	itemVertex
	itemShare      // and up: the joints of the picked vertex
	itemInputShare // and up: those of its other weight sets
)

// Numbers of the items of its tables. The rows count up.
const (
	ItemRow = 2000 + iota*measure.MostRows
	itemVolumeRow
	itemVertexRow
)

// Sizes of the page in design pixels.
const (
	rowHeight  = 20
	headHeight = 16
	plateWidth = 46 // of a method's name
	columnGap  = 6  // between the names of two columns
)

func (p *Page) Draw(r ui.Rect) {
	in := p.BeginScroll(itemScroll, r)
	p.referenceControls(&in)
	if len(p.Models.File.Model.Skin.Positions) == 0 {
		p.Section(&in, "ERRORS")
		p.Paragraph(&in, "This model has no skin to compare.")
	} else {
		p.vertexSection(&in)
		p.errorTable(&in)
		p.volumeTable(&in)
	}
	p.UI.EndScroll(in, in.Y)
}

// referenceControls choose the reference, the unit of errors, and whether they colour the skin.
func (p *Page) referenceControls(in *ui.Rect) {
	u, px, s := p.UI, p.UI.Px, p.State
	p.Section(in, "REFERENCE")
	p.choices = p.choices[:0]
	choose := p.Models.References()
	for _, m := range choose {
		c := ui.Segment{Label: p.Models.Short(m), Tip: "The method that all others are compared with.\tR"}
		switch m {
		case state.DeltaMush:
			c = mushChoice
		case state.Examples:
			c = exampleChoice
		}
		p.choices = append(p.choices, c)
	}
	chosen := slices.Index(choose, s.Reference)
	if k := u.SegmentRows(ItemReference, in, px(26), p.choices, chosen); k != chosen {
		s.ChooseReference(choose[k])
	}
	in.CutTop(px(6))
	if s.Reference != state.Examples && p.Models.CanReferBeside() && u.Switch(ItemBeside, in.CutTop(px(desk.RowHeight)),
		"Of the second file", s.ReferenceBeside, "Compares with the method on the second file, such as the one from which a fit came.") {
		s.ReferenceBeside = !s.ReferenceBeside
	}
	if note := p.Models.ReferenceNote(); note != "" {
		p.Paragraph(in, note)
	}
	if u.Switch(itemHeat, in.CutTop(px(desk.RowHeight)), "Heat map of the distance", s.Heat, heatTip) {
		s.SetHeat(!s.Heat)
	}
	in.CutTop(px(2))
	row := in.CutTop(px(24))
	u.Text(row.CutLeft(px(64)), ui.Body, ui.ColorDim, ui.Left, "Unit")
	s.Unit = state.Unit(u.Segments(itemUnit, row, unitChoices, int(s.Unit)))
	in.CutTop(px(4))
	row = in.CutTop(px(24))
	u.Text(row.CutLeft(px(64)), ui.Body, ui.ColorDim, ui.Left, "Scale")
	of := -1
	if s.HeatTop == 0 {
		of = 0
	}
	switch u.Segments(ItemScale, row, scaleChoices, of) {
	case 0:
		s.SetHeatTop(0)
	case 1:
		p.Distances.ScaleToPose()
	}
	in.CutTop(px(4))
	row = in.CutTop(px(24))
	u.Text(row.CutLeft(px(64)), ui.Body, ui.ColorDim, ui.Left, "up to")
	value := row.CutRight(px(78))
	row.CutRight(px(6))
	auto, top := p.Distances.HeatScale()
	home := min(max(auto/max(p.Size, 1e-12), state.LeastHeatTop), state.MostHeatTop)
	share, ink := home, ui.ColorDim
	if s.HeatTop > 0 {
		share, ink = s.HeatTop, ui.ColorText
	}
	if v := u.Slider(ItemHeatTop, row, share,
		ui.Track{Least: state.LeastHeatTop, Most: state.MostHeatTop, Home: home, Unit: s.Unit.Of(p.Size, p.Size)},
		"The distance that has the last colour of the heat map."); v != share {
		s.SetHeatTop(v)
	}
	end := "–" // nothing is measured, or nothing is off
	if top > 0 {
		end = p.Distance(top).S(" ").S(s.Unit.Mark()).View()
	}
	u.Text(value, ui.Body, ink, ui.Right, end)
}

// References that are no methods, with labels for a narrow place.
var (
	mushChoice    = ui.Segment{Label: "Mush", Tip: "Delta Mush, which all methods are compared with.\tR"}
	exampleChoice = ui.Segment{Label: "Examples", Tip: "The shapes of this clip, which all methods are compared with.\tR"}
)

// scaleChoices are what the scale is made for. While neither is chosen, it is where the user has put it.
var scaleChoices = []ui.Segment{
	{Label: "Whole clip", Tip: "One scale for all poses and methods: it ends where all but one in 1000 vertices lie in the " +
		"worst frame, rounded up to a round number."},
	{Label: "This pose", Tip: "Ends the scale where all but one in 1000 vertices of the pictures lie in this pose, rounded up, " +
		"and leaves it there."},
}

var unitChoices = []ui.Segment{
	{Label: "mm", Tip: "Shows distances in millimetres."},
	{Label: state.UnitLabels[state.OfSize], Tip: terms.Size.Tip()},
}

// columns cuts up to four fields for numbers off the right of a row.
func (p *Page) columns(row *ui.Rect, count int) (fields [4]ui.Rect) {
	w := (row.W - p.UI.Px(plateWidth)) / float32(count)
	for k := count - 1; k >= 0; k-- {
		fields[k] = row.CutRight(w)
	}
	return fields
}

type column struct{ name, tip string }

// tableHead draws the names of a table's columns and the unit of its distances, "" for none.
func (p *Page) tableHead(in *ui.Rect, unit string, names ...column) {
	head := in.CutTop(p.UI.Px(headHeight))
	head.W -= p.UI.Px(6)
	fields := p.columns(&head, len(names))
	for k, c := range names {
		fields[k].CutLeft(p.UI.Px(columnGap))
		p.UI.Term(fields[k], ui.Small, ui.ColorFaint, ui.Right, c.name, c.tip)
	}
	head.CutLeft(p.UI.Px(8))
	p.UI.Text(head, ui.Small, ui.ColorFaint, ui.Left, unit)
	in.CutTop(p.UI.Px(2))
}

const rowTip = "Shows this method in the active picture."

// methodRow draws the row of a method and returns the fields for its numbers. A click on the row shows the method.
func (p *Page) methodRow(in *ui.Rect, id, row, count int) (fields [4]ui.Rect) {
	u, px := p.UI, p.UI.Px
	pane := measure.PaneOf(row)
	r := in.CutTop(px(rowHeight))
	chosen := false
	for i, seen := range p.State.Seen() {
		chosen = chosen || seen == pane && i == p.State.Active
	}
	if u.ListRow(id+row, r, p.Models.PaneName(pane), "", chosen, rowTip) {
		p.Models.ShowPane(pane)
	}
	r.W -= px(6)
	return p.columns(&r, count)
}

// listed reports whether a row has something to list. Above the first row of the second file it draws that file's name.
func (p *Page) listed(in *ui.Rect, row int, named *bool) bool {
	pane := measure.PaneOf(row)
	if pane.Beside {
		if p.Models.Beside() == nil || p.Models.Second.Fitted != (pane.Method == state.Fitted) {
			return false
		}
		if !*named {
			*named = true
			p.UI.Text(in.CutTop(p.UI.Px(rowHeight)), ui.Small, ui.ColorDim, ui.Left, p.Models.Second.Name)
		}
		return true
	}
	switch pane.Method {
	case state.Examples:
		return p.Models.ExampleFrame() != nil
	case state.Fitted:
		return p.Models.ComparesFitted()
	}
	return true
}

// Tips that a term begins.
var (
	clipTip = terms.EE.Tip() + " Over all measured poses of the clip."
	heatTip = terms.HeatMap.Tip() + "\tE"
)

// spanHead says over the columns of the errors from what they are, and when.
func (p *Page) spanHead(in *ui.Rect) {
	head := in.CutTop(p.UI.Px(headHeight))
	head.W -= p.UI.Px(6)
	fields := p.columns(&head, 4)
	pose := fields[0]
	pose.W = fields[2].Right() - pose.X
	p.UI.Text(pose, ui.Small, ui.ColorFaint, ui.Right,
		p.Line.Start().S("at this pose, from ").S(p.Models.ReferenceName()).View())
	p.UI.Text(fields[3], ui.Small, ui.ColorFaint, ui.Right, "in the clip")
}

func (p *Page) errorTable(in *ui.Rect) {
	u := p.UI
	p.CloseSection(in, 10, "ERRORS")
	p.spanHead(in)
	p.tableHead(in, p.State.Unit.Mark(), column{"RMS", terms.RMS.Tip()}, column{"Largest", terms.Largest.Tip()},
		column{"EE, %", terms.EE.Tip()}, column{"EE, %", clipTip})
	named, unseen := false, false
	for i := range measure.Rows() {
		if !p.listed(in, i, &named) {
			continue
		}
		fields := p.methodRow(in, ItemRow, i, 4)
		pane := measure.PaneOf(i)
		size := p.Models.Size(pane)
		if p.Models.IsReference(pane) {
			f := fields[0]
			f.W = fields[3].Right() - f.X
			u.Text(f, ui.Small, ui.ColorFaint, ui.Right, "the reference")
			continue
		}
		if row := p.Distances.Row(pane); row != nil && row.Compared {
			u.Text(fields[0], ui.Body, ui.ColorText, ui.Right, p.DistanceOf(row.RMS, size).View())
			u.Text(fields[1], ui.Body, ui.ColorText, ui.Right, p.DistanceOf(row.Max, size).View())
			u.Text(fields[2], ui.Body, ui.ColorText, ui.Right, p.Percent(row.EE, 2).View())
			unseen = unseen || !pane.Beside && row.EE == 0 && row.Max > metrics.KernelRounding*size
		}
		if c := p.Distances.Clip(); c != nil && c.Rows[i].There {
			u.Text(fields[3], ui.Body, ui.ColorDim, ui.Right, p.Percent(c.Rows[i].EE, 2).View())
			if seconds, metres, ok := p.Distances.Worst(pane); ok {
				u.Tip(fields[3], u.Words().S("Worst at ").F(seconds, 2).S(" s: ").S(p.DistanceOf(metres, size).View()).S(" ").
					S(p.State.Unit.Mark()).S(".").View())
			}
		} else {
			u.Text(fields[3], ui.Body, ui.ColorFaint, ui.Right, "…")
		}
	}
	p.worstButton(in)
	if c := p.Distances.Clip(); c != nil {
		in.CutTop(u.Px(4))
		line := p.Line.Start().S("The clip is measured at ").Count(c.Frames, "pose", "poses")
		if turns := c.Rows[0].HalfTurns; turns != nil {
			line.S(", less ").Count(turns.Poses, "half turn", "half turns")
		}
		u.Text(in.CutTop(u.Px(16)), ui.Small, ui.ColorFaint, ui.Left, line.S(".").View())
	}
	if unseen {
		in.CutTop(u.Px(4))
		at := *in
		p.Paragraph(in, u.Words().S("RMS errors up to ").S(p.Distance(metrics.LeastVisible*p.Size).View()).S(" ").
			S(p.State.Unit.Mark()).S(" cannot be seen: their EE is 0.").View())
		at.H = in.Y - at.Y
		u.Tip(at, terms.EE.Tip())
	}
	if turn := p.Distances.HalfTurn(); turn != "" {
		p.Paragraph(in, turn)
	}
	if p.Models.Hidden != nil {
		p.Paragraph(in, "Hidden meshes count too, here and in the volumes.")
	}
}

// worstButton goes to the worst pose of the method that is shown.
func (p *Page) worstButton(in *ui.Rect) {
	line := p.Line.Start().S("Worst pose")
	seconds, _, ok := p.Distances.Worst(p.State.Panes[p.State.Active])
	if ok {
		line.S(", ").F(seconds, 2).S(" s")
	}
	in.CutTop(p.UI.Px(4))
	if p.UI.Button(ItemWorst, in.CutTop(p.UI.Px(desk.RowHeight)), line.View(), ui.PlainIf(ok), 0,
		"Pauses where the shown method is farthest from the reference.\tShift V") {
		p.Distances.ToWorst()
	}
}

func (p *Page) volumeTable(in *ui.Rect) {
	u := p.UI
	p.CloseSection(in, 10, "VOLUME, PERCENT OF REST")
	columns := [...]column{{"whole", terms.Volume.Tip()}, {"least region", terms.LeastVolume.Tip()},
		{"picked", terms.JointVolume.Tip()}}
	joint, count := p.State.Joint >= 0, 2
	if joint {
		count = 3
		head := in.CutTop(u.Px(headHeight))
		head.W -= u.Px(6)
		u.Text(head, ui.Small, ui.ColorFaint, ui.Right,
			p.Line.Start().S("picked: ").S(p.Models.JointName(p.State.Joint)).View())
	}
	p.tableHead(in, "%", columns[:count]...)
	named := false
	for i := range measure.Rows() {
		if !p.listed(in, i, &named) {
			continue
		}
		all := ui.Rect{X: in.X, Y: in.Y, W: in.W, H: u.Px(rowHeight)}
		fields := p.methodRow(in, itemVolumeRow, i, count)
		row := p.Distances.Row(measure.PaneOf(i))
		if row == nil {
			continue
		}
		u.Text(fields[0], ui.Body, ui.ColorText, ui.Right, p.Ratio(row.Volume).View())
		u.Text(fields[1], ui.Body, ui.ColorText, ui.Right, p.Ratio(row.Least).View())
		if joint {
			u.Text(fields[2], ui.Body, ui.ColorText, ui.Right, p.Ratio(row.Local).View())
		}
		if row.Least != 0 {
			u.Tip(all, u.Words().S("Loses most round ").S(p.Models.JointName(row.LeastAt)).S(". ").S(rowTip).View())
		}
	}
	in.CutTop(u.Px(4))
	if !joint {
		p.Paragraph(in, "Pick a joint or a vertex for the volume at it.")
	}
	if n := p.Distances.OpenEdges(state.Pane{}); n > 0 {
		p.Paragraph(in, p.Line.Start().S("Open at ").Count(n, "edge", "edges").S(": measured with holes closed.").View())
	}
	if n := p.Distances.EdgesAgainst(); n > 0 {
		p.Paragraph(in, p.Line.Start().S("Triangles wind against each other at ").Count(n, "edge", "edges").
			S(": measured as if cut there.").View())
	}
}
