package timing

import (
	"strings"

	"skinlab/render/skin"
	"skinlab/render/ui"
	"skinlab/render/viewer/desk"
)

// ways are where vertices can be posed, as the page Time offers them.
var ways = [...]skin.Way{skin.InShader, skin.InBufferCompute, skin.InBufferFeedback}

var wayLabels = []string{"In shader", "Compute", "Feedback"}

// wayNotes say what each does.
var wayNotes = [...]string{
	"In the vertex stage of every pass that draws the model. The skin pass is part of shadow and shade then.",
	"Once a frame by a compute stage, into a buffer that all passes read.",
	"Once a frame by transform feedback, into a buffer that all passes read.",
}

// probe finds out which ways this context has: why each is not there, "" where it is. What the renderer chose
// stays.
func (p *Page) probe() (missing [len(ways)]string) {
	chosen := p.gpu.Way()
	for k, way := range ways {
		if err := p.gpu.SetWay(way); err != nil {
			missing[k] = strings.TrimPrefix(err.Error(), "render: ")
		}
	}
	p.SetWay(chosen)
	return missing
}

// SetWay poses vertices elsewhere from the next frame on.
func (p *Page) SetWay(way skin.Way) {
	if way == p.gpu.Way() {
		return
	}
	if err := p.gpu.SetWay(way); err != nil {
		p.Complain("Could not change where vertices are posed", err)
		return
	}
	p.clear()
	p.Wake()
}

// NextWay goes through the ways that there are.
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

// way returns the index of the way that is in use.
func (p *Page) way() int {
	for k, way := range ways {
		if way == p.gpu.Way() {
			return k
		}
	}
	return 0
}

// waySwitch chooses where vertices are posed.
func (p *Page) waySwitch(in *ui.Rect) {
	u, px := p.UI, p.UI.Px
	p.Section(in, "VERTICES ARE POSED")
	var off uint
	for k, why := range p.missing {
		if why != "" {
			off |= 1 << k
		}
	}
	at := p.way()
	if k := u.SegmentsOff(ItemWays, in.CutTop(px(26)), wayLabels, at, off); k != at {
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
