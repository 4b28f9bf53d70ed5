// Package modelpage is the page about the model: facts and warnings, its nodes and meshes with an eye each, its morph
// targets as sliders, its materials, and facts about the picture.
package modelpage

import (
	"fmt"

	"skinlab/render/ui"
	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/pages"
	"skinlab/skinning"
	"skinlab/skinning/messages"
)

type Host interface {
	ViewPixels() (width, height int)
	PickNode(node int) // picks the joint of a node
}

// The groups of the page, in their order.
const (
	groupModel = iota
	groupWarnings
	groupNodes
	groupMorphs
	groupMaterials
	groupPicture
	groups
)

type Page struct {
	pages.Room
	pages.Still
	host      Host
	group     [groups]group
	seen      ui.Rect // the part of the page on the screen
	at        ui.Rect // the rest of the page; kept here, or every frame would allocate it
	outline   outline
	morphs    []morphRow // sliders hold the weights of targets; the others are the clip's
	materials []material
}

type group struct {
	title, note string
	tip         string
	closed      bool
	there       bool
}

func New(room pages.Room, host Host) *Page {
	return &Page{Room: room, host: host, outline: outline{filter: ui.NewFilter()}}
}

func (p *Page) Close() { p.outline.filter.Delete() }

// Forget lists what another model holds. All of it is seen, and the list of warnings is closed.
func (p *Page) Forget() {
	m := p.Models.File.Model
	p.outline.set(m)
	p.morphs = morphRows(m)
	p.materials = materialRows(m)
	fold := "Shows or hides the rows below."
	p.group = [groups]group{
		groupModel:    {title: "Model", tip: fold, there: true},
		groupWarnings: {title: "Warnings", closed: true, tip: "What was unusual in the file, and how it was read."},
		groupNodes: {title: "Nodes and meshes", tip: fold, there: len(p.outline.entries) > 0,
			note: messages.Count(len(m.Skeleton.Nodes), "node", "nodes") + ", " + messages.Count(p.outline.parts, "mesh", "meshes")},
		groupMorphs:    {title: "Morph targets", tip: fold, note: fmt.Sprint(len(m.MorphSlots)), there: len(m.MorphSlots) > 0},
		groupMaterials: {title: "Materials", tip: fold, note: fmt.Sprint(len(m.Materials)), there: len(m.Materials) > 0},
		groupPicture:   {title: "Picture", tip: fold, there: true},
	}
	if n := len(m.Warnings); n > 0 {
		p.group[groupWarnings].there, p.group[groupWarnings].note = true, fmt.Sprint(n)
	}
	p.Models.Hide(nil)
}

// Kept is what stays when a newer version of the model is shown.
type Kept struct {
	closed [groups]bool
	hidden map[partName]bool
}

type partName struct {
	mesh, node string
	primitive  int
}

func (p *Page) Keep() Kept {
	k := Kept{hidden: map[partName]bool{}}
	for i := range p.group {
		k.closed[i] = p.group[i].closed
	}
	p.eachPart(func(i int, name partName) { k.hidden[name] = p.outline.hidden != nil && p.outline.hidden[i] })
	return k
}

// Restore is called after Forget with what was kept of the older version.
func (p *Page) Restore(k Kept) {
	for i := range p.group {
		p.group[i].closed = k.closed[i]
	}
	hidden := make([]bool, p.outline.parts)
	p.eachPart(func(i int, name partName) { hidden[i] = k.hidden[name] })
	p.outline.hide(hidden)
	p.Models.Hide(p.outline.hidden)
}

func (p *Page) eachPart(f func(i int, name partName)) {
	m := p.Models.File.Model
	i := 0
	m.EachPart(func(part *skinning.Part, _ int) {
		f(i, partName{part.Name, m.Skeleton.Nodes[part.Node].Name, part.Primitive})
		i++
	})
}

// Numbers of the page's items. Entries of the tree count up by three: row, arrow, eye. Morph targets count up by four:
// slider, number, reset.
const (
	itemScroll = 1 + iota
	ItemFilter
	itemMorphs   = 5
	ItemGroup    = 10
	ItemTree     = 10_000
	ItemMorph    = 10_000_000
	itemMaterial = 20_000_000
)

func (p *Page) Draw(in ui.Rect) {
	u, px := p.UI, p.UI.Px
	in.H -= px(28)
	u.Text(ui.Rect{X: in.X, Y: in.Bottom(), W: in.W, H: px(20)}, ui.Small, ui.ColorFaint, ui.Left, "H shows all keys")
	in.CutTop(px(8))
	p.seen = in
	p.at = p.BeginScroll(itemScroll, in)
	for i, draw := range [groups]func(*Page, *ui.Rect){groupModel: (*Page).drawFacts, groupWarnings: (*Page).drawWarnings,
		groupNodes: (*Page).drawOutline, groupMorphs: (*Page).drawMorphs, groupMaterials: (*Page).drawMaterials,
		groupPicture: (*Page).drawPicture} {
		g := &p.group[i]
		if !g.there {
			continue
		}
		row := p.at.CutTop(px(desk.RowHeight))
		ink := ui.ColorText
		if i == int(groupWarnings) {
			ink = ui.ColorWarning
		}
		if u.Disclosure(ItemGroup+i, row, g.title, ink, !g.closed, g.tip) {
			g.closed = !g.closed
		}
		u.Text(row.Inset(px(8), 0), ui.Small, ui.ColorFaint, ui.Right, g.note)
		if !g.closed {
			draw(p, &p.at)
			p.at.CutTop(px(6))
		}
	}
	u.EndScroll(p.at, p.at.Y)
}

func (p *Page) drawFacts(in *ui.Rect) {
	for _, f := range p.Models.File.Facts {
		p.UI.Value(in.CutTop(p.UI.Px(22)).Inset(p.UI.Px(8), 0), f.Name, f.Value)
	}
}

func (p *Page) drawPicture(in *ui.Rect) {
	u, px := p.UI, p.UI.Px
	u.Value(in.CutTop(px(22)).Inset(px(8), 0), p.GPU.Timer().Label(),
		p.Line.Start().F(p.GPU.Timer().Picture().Smoothed()*1e3, 2).S(" ms").View())
	width, height := p.host.ViewPixels()
	u.Value(in.CutTop(px(22)).Inset(px(8), 0), "Pixels", p.Line.Start().I(width).S(" × ").I(height).View())
	edges := "4 samples"
	if p.GPU.Info().Software {
		edges = "4 samples, 1 in motion"
	}
	row := in.CutTop(px(22)).Inset(px(8), 0)
	u.Tip(row, "Anti-aliasing: samples a pixel. Where the processor draws, four samples take twice the time of one, so a "+
		"picture that moves has one, and has four where it stands still. A saved picture has sixteen.")
	u.Value(row, "Edges", edges)
	h := u.TextHeight(ui.Small, p.GPU.Info().Renderer, in.W-2*px(8))
	u.TextWrapped(in.CutTop(h).Inset(px(8), 0), ui.Small, ui.ColorFaint, p.GPU.Info().Renderer)
	in.CutTop(px(4))
}

// mostWarnings limits the list. A broken file may have a warning per vertex.
const mostWarnings = 200

func (p *Page) drawWarnings(in *ui.Rect) {
	u, px := p.UI, p.UI.Px
	all := p.Models.File.Model.Warnings
	for _, w := range all[:min(len(all), mostWarnings)] {
		r := in.CutTop(u.TextHeight(ui.Small, w, in.W-2*px(8)))
		if r.Bottom() >= p.seen.Y && r.Y <= p.seen.Bottom() {
			u.TextWrapped(r.Inset(px(8), 0), ui.Small, ui.ColorDim, w)
		}
		in.CutTop(px(8))
	}
}
