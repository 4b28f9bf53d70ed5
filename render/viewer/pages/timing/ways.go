package timing

import (
	"strings"

	"skinlab/render/skin"
	"skinlab/render/ui"
	"skinlab/render/viewer/desk"
)

// ways are the ways of skinning that the page offers.
var ways = [...]struct {
	way         skin.Way
	label, note string
}{
	{skin.InShader, "In shader",
		"In the vertex stage of every pass that draws the model. The skin pass is part of shadow and shade then."},
	{skin.InBufferCompute, "Compute", "Once a frame by a compute stage, into a buffer that all passes read."},
	{skin.InBufferFeedback, "Feedback", "Once a frame by transform feedback, into a buffer that all passes read."},
}

// probe finds out which ways this context has. It restores the way that the renderer has chosen.
func (p *Page) probe() {
	chosen := p.GPU.Way()
	for k, w := range ways {
		p.ways[k] = ui.Segment{Label: w.label, Tip: w.note + "\tY"}
		if err := p.GPU.SetWay(w.way); err != nil {
			p.missing[k], p.ways[k].Off = strings.TrimPrefix(err.Error(), "render: "), true
		}
	}
	p.SetWay(chosen)
}

// SetWay sets the way of skinning from the next frame on.
func (p *Page) SetWay(way skin.Way) {
	if way == p.GPU.Way() {
		return
	}
	if err := p.GPU.SetWay(way); err != nil {
		p.Complain("Could not change where vertices are posed", err)
		return
	}
	p.clear()
	p.Wake()
}

// NextWay goes to the next way that the context has.
func (p *Page) NextWay() {
	at := p.way()
	for by := 1; by < len(ways); by++ {
		if k := (at + by) % len(ways); p.missing[k] == "" {
			p.SetWay(ways[k].way)
			p.Notify("Vertices are posed", ways[k].note, desk.NoticeTime)
			return
		}
	}
}

// way returns the index of the current way.
func (p *Page) way() int {
	for k := range ways {
		if ways[k].way == p.GPU.Way() {
			return k
		}
	}
	return 0
}

func (p *Page) waySwitch(in *ui.Rect) {
	u, px := p.UI, p.UI.Px
	p.Section(in, "VERTICES ARE POSED")
	at := p.way()
	if k := u.Segments(ItemWays, in.CutTop(px(26)), p.ways[:], at); k != at {
		p.SetWay(ways[k].way)
		at = k
	}
	in.CutTop(px(6))
	p.Paragraph(in, ways[at].note)
	for _, why := range p.missing {
		if why != "" {
			p.Paragraph(in, why)
		}
	}
}
