package modelpage

import (
	"skinlab/render/ui"
	"skinlab/render/viewer/desk"
	"skinlab/skinning"
)

// morphRow is a row of the list of morph targets: the heading of a node, or a target.
type morphRow struct {
	node        string  // its name
	slot        int32   // −1 for a heading
	least, most float64 // of the slider
}

// morphRows lists the targets by their nodes. A slider reaches from 0 to 1, and farther where the file or a clip does.
func morphRows(m *skinning.Model) (rows []morphRow) {
	least, most := make([]float64, len(m.MorphSlots)), make([]float64, len(m.MorphSlots))
	node, headed := -1, false
	for i := range m.MorphSlots {
		x := m.MorphSlots[i].Default
		least[i], most[i] = min(x, 0), max(x, 1)
		headed = headed || m.MorphSlots[i].Node != m.MorphSlots[0].Node
	}
	for c := range m.Clips {
		for k := range m.Clips[c].Channels {
			if ch := &m.Clips[c].Channels[k]; ch.Path == skinning.PathWeights {
				reach(ch, least, most)
			}
		}
	}
	for i := range m.MorphSlots {
		n := m.MorphSlots[i].Node
		name := skinning.Named(m.Skeleton.Nodes[n].Name, "Node", n)
		if headed && n != node {
			node = n
			rows = append(rows, morphRow{node: name, slot: -1})
		}
		rows = append(rows, morphRow{node: name, slot: int32(i), least: least[i], most: most[i]})
	}
	return rows
}

// reach widens the ranges of the slots of a channel to its keys.
func reach(ch *skinning.Channel, least, most []float64) {
	step, first := ch.Width, 0
	if ch.Interpolation == skinning.CubicSpline { // the tangents before and behind a value are no weights
		step, first = 3*ch.Width, ch.Width
	}
	for at := first; at+ch.Width <= len(ch.Values); at += step {
		for k := range ch.Width {
			x, slot := float64(ch.Values[at+k]), ch.FirstSlot+k
			least[slot], most[slot] = min(least[slot], x), max(most[slot], x)
		}
	}
}

// Places in a row, design pixels.
const (
	morphReset  = 24
	morphNumber = 48
)

// drawMorphs draws the targets, with a button that gives all of them back to the clip.
func (p *Page) drawMorphs(in *ui.Rect) {
	u, px := p.UI, p.UI.Px
	first := &p.Models.File.Subject
	edits := p.Models.Edits
	from, to, all := p.inSight(in, len(p.morphs))
	for k := from; k < to; k++ {
		row := &p.morphs[k]
		at := all
		at.Y, at.H = all.Y+float32(k)*px(desk.RowHeight), px(desk.RowHeight)
		at = at.Inset(px(8), 0)
		if row.slot < 0 {
			u.Text(at, ui.Small, ui.ColorFaint, ui.Left, row.node)
			continue
		}
		slot := int(row.slot)
		target := &first.Model.MorphSlots[slot]
		weight, item := first.Pose.Morphs[slot], ItemMorph+4*slot
		reset := at.CutRight(px(morphReset))
		number := at.CutRight(px(morphNumber)).Inset(0, px(2))
		at.CutRight(px(6))
		name := at.CutLeft(float32(int(at.W * 0.62)))
		at.CutLeft(px(6))
		ink := ui.ColorDim
		if edits.HoldsMorph(slot) {
			ink = ui.ColorText
			if u.IconButton(item+2, reset.Inset(px(3), px(3)), ui.IconToStart, false, "Gives this weight back to the clip.") {
				edits.ReleaseMorph(slot)
				p.Wake()
			}
		}
		u.Text(name, ui.Small, ink, ui.Left, target.Name)
		u.Tip(name, u.Words().S("Morph target ").S(target.Name).S(" of ").S(row.node).S(".").View())
		const tip = "The weight of this morph target, 0 for none, 1 for all of it. It stays while the clip plays."
		if x := u.Slider(item, at, weight, ui.Track{Least: row.least, Most: row.most, Step: 0.01}, tip); x != weight {
			edits.HoldMorph(slot, x)
		}
		n := u.Number(item+1, number, ui.NumberField{Value: weight, PerPixel: 0.005, Decimals: 2, Ink: ink, Tip: tip})
		if n.Changed {
			edits.HoldMorph(slot, n.Value)
		}
	}
	if edits.HoldsMorph(-1) {
		in.CutTop(px(4))
		if u.Button(itemMorphs, in.CutTop(px(26)), "All back to the clip", ui.Plain, 0,
			"Gives all weights back to the clip, or to the file where no clip moves them.") {
			edits.ReleaseMorph(-1)
			p.Wake()
		}
	}
}
