package helperpage

import (
	"skinlab/render/ui"
	"skinlab/render/viewer/desk"
)

// Numbers of the page's items. Those of rows count up.
const (
	itemScroll = 3000 + iota*20
	ItemMoving
	itemGroup
	ItemReset // and up: of the picked coefficient, of the bone, of all
	itemUndo  // and up: undo, redo
	ItemPlot
	ItemFilter
)

// Numbers of the items of its lists.
const (
	ItemBone      = 4000
	ItemSuggested = 5000
	itemNumber    = 6000 // and up: 8 a line of the table
)

// ItemNumber returns the number of the item of a coefficient: by line of the table, headings counted, and column.
func ItemNumber(line, column int) int { return itemNumber + 8*line + column }

// fewBones is the number of bones that need no filter.
const fewBones = 6

// Sizes of the list in design pixels.
const (
	boneHeight = 22

	beadWidth, countWidth, verticesWidth = 24, 46, 50
)

// leastPinned is the least height of the page, in design pixels, at which the plot stays in sight below what scrolls.
const leastPinned = 460

func (p *Page) Draw(r ui.Rect) {
	u, px := p.UI, p.UI.Px
	p.follow()
	if p.edits == nil {
		return
	}
	pinned := r.H >= px(leastPinned)
	if pinned {
		bottom := r
		r.H -= px(plotHeight + 8 + 2*16 + 8)
		bottom.CutTop(r.H)
		u.Fill(ui.Rect{X: bottom.X, Y: bottom.Y, W: bottom.W, H: 1}, ui.ColorEdge, 0)
		p.drawPlot(&bottom)
	}
	in := p.BeginScroll(itemScroll, r)
	p.Section(&in, p.Models.Fitted().Names.Heading)
	p.boneList(&in)
	p.levelSlider(&in)
	p.CloseSection(&in, 10, p.Line.Start().S("WHAT MOVES ").S(p.bones[p.Chosen].name).View())
	u.Text(in.CutTop(px(16)), ui.Small, ui.ColorFaint, ui.Left, "Drag, or click and type. Ctrl Z undoes.")
	in.CutTop(px(4))
	p.table(&in)
	p.resets(&in)
	if !pinned {
		p.drawPlot(&in)
	}
	p.suggested(&in)
	p.fits.ExportRow(&in)
	u.EndScroll(in, in.Y+px(desk.Inset))
}

// boneList lists the bones, in rows of two lines where names and parents have no room side by side.
func (p *Page) boneList(in *ui.Rect) {
	u, px := p.UI, p.UI.Px
	if len(p.bones) > fewBones {
		u.Filter(ItemFilter, in.CutTop(px(desk.RowHeight)), p.filter, "Filter bones and their parents",
			"Lists the helper bones whose names, with those of their parents, have all of these words.")
		in.CutTop(px(4))
	}
	names, parents := p.nameWidths()
	height, stacked := px(boneHeight), names+parents > in.W-px(beadWidth+countWidth+verticesWidth)
	head := in.CutTop(px(16))
	u.Tip(head, "Of each bone: its parent joint, how many of its numbers below are not 0, how many vertices it moves.")
	u.Text(head.CutRight(px(verticesWidth)), ui.Small, ui.ColorFaint, ui.Right, "vertices")
	u.Text(head.CutRight(px(countWidth)), ui.Small, ui.ColorFaint, ui.Right, "numbers")
	if stacked {
		height = px(1.6 * boneHeight)
	} else {
		head.CutLeft(px(beadWidth) + names)
		u.Text(head, ui.Small, ui.ColorFaint, ui.Left, "parent")
	}
	f := p.Models.Fitted()
	if len(p.filter.Rows) == 0 {
		u.Text(in.CutTop(height), ui.Body, ui.ColorFaint, ui.Left, "No bone of that name")
	}
	for _, row := range p.filter.Rows {
		k := int(row)
		b := &p.bones[k]
		r := in.CutTop(height)
		tip := u.Words().S(b.name).S(" moves with ").S(b.parent).S(", and besides as ").
			Count(b.nonZero, "coefficient says", "coefficients say").S(". It moves ").
			Count(b.vertices, "vertex", "vertices").S(": click to see them, the darker the more.").View()
		if u.ListRow(ItemBone+k, r, "", "", k == p.Chosen, tip) {
			p.Choose(k)
		}
		ink := ui.ColorText
		if k >= p.Moving {
			ink = ui.ColorFaint
		}
		u.Text(r.CutRight(px(verticesWidth)).Inset(px(4), 0), ui.Small, ink, ui.Right, p.Line.Start().I(b.vertices).View())
		u.Text(r.CutRight(px(countWidth)), ui.Small, ink, ui.Right, p.Line.Start().I(b.nonZero).View())
		if slot := r.CutLeft(px(beadWidth)); k < p.Moving {
			u.Bead(slot.X+px(12), slot.Y+height/2, px(5), f.Colors[f.BoneOf(p.edits.now.Bones[k].Joint)], false)
		}
		var name ui.Rect
		if stacked {
			name = r.CutTop(height / 2)
		} else {
			name = r.CutLeft(names)
		}
		u.Text(name, ui.Small, ink, ui.Left, b.name)
		u.Text(r, ui.Small, ui.ColorDim, ui.Left, b.parent)
	}
}

func (p *Page) nameWidths() (names, parents float32) {
	for k := range p.bones {
		names = max(names, p.UI.TextWidth(ui.Small, p.bones[k].name))
		parents = max(parents, p.UI.TextWidth(ui.Small, p.bones[k].parent))
	}
	return names + p.UI.Px(8), parents
}

// resets draws the buttons that give back fitted coefficients, and those that undo.
func (p *Page) resets(in *ui.Rect) {
	u, px, e := p.UI, p.UI.Px, p.edits
	in.CutTop(px(6))
	row := in.CutTop(px(26))
	u.Text(row.CutLeft(px(labelWidth)), ui.Body, ui.ColorDim, ui.Left, "Reset")
	for k, b := range [...]struct {
		label, tip string
		on         bool
		do         func(p *Page)
	}{
		{"value", "Returns the framed number to what was fitted.", e.edited(p.picked), (*Page).resetValue},
		{"bone", "Returns all numbers of this bone to what was fitted.", e.now != e.fitted, (*Page).resetBone},
		{"all", "Returns all bones to what was fitted.", e.now != e.fitted, (*Page).resetAll},
	} {
		if u.Button(ItemReset+k, row.Third(k, px(cellGap)), b.label, ui.PlainIf(b.on), 0, b.tip) {
			b.do(p)
		}
	}
	in.CutTop(px(5))
	row = in.CutTop(px(26))
	row.CutLeft(px(labelWidth))
	back, forth := p.host.UndoSteps()
	for k, b := range [...]struct {
		label, tip string
		steps      int
	}{{"undo", "Takes back the last change of a number or its reset.\tCtrl Z", back},
		{"redo", "Does again what was undone.\tCtrl Shift Z", forth}} {
		if u.Button(itemUndo+k, row.Third(k, px(cellGap)), b.label, ui.PlainIf(b.steps > 0), 0, b.tip) {
			p.host.Undo(k == 0)
		}
	}
}

func (p *Page) resetValue() {
	p.edits.set(p.picked, *p.picked.of(p.edits.fitted))
	p.install()
}

func (p *Page) resetBone() {
	p.edits.resetBone(p.Chosen)
	p.install()
}

func (p *Page) resetAll() {
	p.edits.now = p.edits.fitted
	p.install()
}

// suggestedClip is the name of the clip whose keys are the poses that a fit would like to have sculpted next.
const suggestedClip = "suggested"

// suggested lists the poses that the fit suggests to sculpt. A click poses the model.
func (p *Page) suggested(in *ui.Rect) {
	m := p.Models.File.Model
	for i := range m.Clips {
		if m.Clips[i].Name != suggestedClip {
			continue
		}
		u, px, s := p.UI, p.UI.Px, p.State
		p.CloseSection(in, 10, "SUGGESTED POSES")
		p.Paragraph(in, "The poses to sculpt next: the controllers are least sure there.")
		for k, at := range p.suggestedTimes(i) {
			r := in.CutTop(px(boneHeight))
			here := s.Clip == i && s.Time == at
			if u.ListRow(ItemSuggested+k, r, p.Line.Start().S("Pose ").I(k+1).View(), "", here,
				"Poses the model so.") {
				if s.Clip != i {
					p.Models.SetClip(i)
				}
				s.Playing = false
				s.Seek(at)
				p.Wake()
			}
		}
		return
	}
}

// suggestedTimes returns the times of a clip's keys, which it keeps as long as the model stays.
func (p *Page) suggestedTimes(clip int) []float64 {
	m := p.Models.File.Model
	if p.timesOf != &m.Clips[clip] {
		p.times, p.timesOf = m.Clips[clip].KeyTimes(), &m.Clips[clip]
	}
	return p.times
}
