package timing

import (
	"slices"
	"strings"

	"skinlab/render/skin"
	"skinlab/render/ui"
	"skinlab/render/viewer/desk"
)

var ways = [...]skin.Way{skin.InShader, skin.InBufferCompute, skin.InBufferFeedback}

var wayLabels = [...]string{"In shader", "Compute", "Feedback"}

// wayNotes explain the ways.
var wayNotes = [...]string{
	"In the vertex stage of every pass that draws the model. The skin pass is part of shadow and shade then.",
	"Once a frame by a compute stage, into a buffer that all passes read.",
	"Once a frame by transform feedback, into a buffer that all passes read.",
}

// wayTips are the notes with the key.
var wayTips = func() (tips [len(ways)]string) {
	for k, note := range wayNotes {
		tips[k] = note + "\tY"
	}
	return tips
}()

// probe returns why this context lacks each way, "" if it has it, and restores the way that was chosen.
func (p *Page) probe() (missing [len(ways)]string) {
	chosen := p.GPU.Way()
	for k, way := range ways {
		if err := p.GPU.SetWay(way); err != nil {
			missing[k] = strings.TrimPrefix(err.Error(), "render: ")
		}
	}
	p.SetWay(chosen)
	return missing
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
			p.SetWay(ways[k])
			p.Notify("Vertices are posed", wayNotes[k], desk.NoticeTime)
			return
		}
	}
}

// way returns the index of the current way.
func (p *Page) way() int { return max(slices.Index(ways[:], p.GPU.Way()), 0) }

func (p *Page) waySwitch(in *ui.Rect) {
	u, px := p.UI, p.UI.Px
	p.Section(in, "VERTICES ARE POSED")
	for k, why := range p.missing {
		p.ways[k] = ui.Segment{Label: wayLabels[k], Tip: wayTips[k], Off: why != ""}
	}
	at := p.way()
	if k := u.Segments(ItemWays, in.CutTop(px(26)), p.ways[:], at); k != at {
		p.SetWay(ways[k])
		at = k
	}
	in.CutTop(px(6))
	p.Paragraph(in, wayNotes[at])
	for _, why := range p.missing {
		if why != "" {
			p.Paragraph(in, why)
		}
	}
}
