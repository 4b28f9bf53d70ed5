package errorpage

import (
	"skinlab/render/ui"
	"skinlab/render/viewer/measure"
	"skinlab/skinning"
	"skinlab/skinning/metrics"
)

// mostShares is the largest number of joints listed for a vertex.
const mostShares = 8

// vertexSection describes the picked vertex: its place, its joints, and its distance by each method.
func (p *Page) vertexSection(in *ui.Rect) {
	v := p.State.Vertex
	if v < 0 {
		return
	}
	u, px := p.UI, p.UI.Px
	p.Section(in, "VERTEX")
	head := in.CutTop(px(rowHeight))
	if u.TextButton(itemVertex, head.CutRight(px(52)), "Clear", "Lets the picked vertex go.\tEsc") {
		p.Distances.ClearVertex()
		return
	}
	u.Text(head, ui.Strong, ui.ColorText, ui.Left, p.Line.Start().S("Number ").I(v).View())
	if row := p.Distances.Row(p.State.Panes[p.State.Active]); row != nil && row.HasVertex {
		u.Value(in.CutTop(px(rowHeight)), "At, m", p.Line.Start().F(float64(row.Vertex[0]),
			3).S(", ").F(float64(row.Vertex[1]), 3).S(", ").
			F(float64(row.Vertex[2]), 3).View())
	}
	p.shares(in, v)
	in.CutTop(px(6))
	p.tableHead(in, p.State.Unit.Mark(), column{"now", "The vertex's distance from the reference at this moment."},
		column{"largest", "The vertex's largest distance from the reference over the clip."},
		column{"at, s", "When in the clip that is, in seconds."})
	named := false
	for i := range measure.Rows() {
		pane := measure.PaneOf(i)
		if pane.Beside && !p.Models.SharesSkin() || !p.listed(in, i, &named) {
			continue
		}
		fields := p.methodRow(in, itemVertexRow, i, 3)
		if row := p.Distances.Row(pane); row != nil && row.HasVertex && row.Compared {
			u.Text(fields[0], ui.Body, ui.ColorText, ui.Right, p.Distance(row.Off).View())
		}
		if c := p.Distances.VertexClip(); c != nil && c.Rows[i].There {
			u.Text(fields[1], ui.Body, ui.ColorDim, ui.Right, p.Distance(c.Rows[i].Max).View())
			if c.Rows[i].Max > metrics.KernelRounding*p.Size { // otherwise the error is the same rounding at any time
				u.Text(fields[2], ui.Body, ui.ColorFaint, ui.Right, p.Line.Start().F(c.Rows[i].WorstTime, 2).View())
			}
		}
	}
}

// shares lists the joints of a vertex with bars for their weights, and then the model's inputs of methods: the joints
// of other weight sets, and numbers. A click picks the joint.
func (p *Page) shares(in *ui.Rect, v int) {
	skin := &p.Models.File.Model.Skin
	p.buf = skin.Of(p.buf[:0], v)
	p.listShares(in, itemShare)
	for i := range skin.Inputs {
		input := &skin.Inputs[i]
		line := p.Line.Start().S(input.Title).S(", ").S(input.Reader()).S(":")
		for _, x := range input.ValuesOf(&skinning.Part{FirstVertex: v, VertexCount: 1}) {
			line = line.S(" ").F(float64(x), 3)
		}
		p.UI.Text(in.CutTop(p.UI.Px(rowHeight)), ui.Small, ui.ColorDim, ui.Left, line.View())
		if input.Components == 0 {
			p.buf = input.Weights.Of(p.buf[:0], v)
			p.listShares(in, itemInputShare+i*mostShares)
		}
	}
}

// listShares lists the joints in buf. The item numbers of the rows count up from first.
func (p *Page) listShares(in *ui.Rect, first int) {
	u, px := p.UI, p.UI.Px
	for k, share := range p.buf[:min(len(p.buf), mostShares)] {
		r := in.CutTop(px(rowHeight))
		if u.ListRow(first+k, r, "", "", int(share.Joint) == p.State.Joint,
			"Picks this joint; the bar is its weight of the vertex.") {
			p.State.Joint = int(share.Joint)
		}
		r = r.Inset(px(6), 0)
		u.Text(r.CutRight(px(56)), ui.Body, ui.ColorText, ui.Right, p.Percent(100*float64(share.Weight), 1).S(" %").View())
		r.CutRight(px(6))
		u.Bar(r.CutRight(px(56)), share.Weight, ui.ColorAccent)
		r.CutRight(px(6))
		u.Text(r, ui.Body, ui.ColorDim, ui.Left, p.Models.JointName(int(share.Joint)))
	}
}
