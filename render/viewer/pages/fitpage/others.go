package fitpage

import (
	"time"

	"skinlab/fit"
	"skinlab/render/ui"
)

// Choice is what can be shown beside the shown fit: another fit, or what a fit learns beside its models.
type Choice struct {
	Fit   *Fit // nil for nothing
	Other int  // index into the Others of the fit's row; −1 for its model
}

// Beside is how far a [fit.Other] that is chosen is.
type Beside struct {
	Ready bool          // it has been posed
	Late  bool          // the pose has changed since: it is posed when the time stands still
	Took  time.Duration // of the last pose
}

// others returns what the fit's row has beside its models.
func (f *Fit) others() []fit.Other {
	if f.ran == nil {
		return nil
	}
	return f.ran.row.Others
}

// Sizes of the section, and the numbers of its items.
const (
	othersHeight = 30 + 2*16 + 8
	ItemOther    = 580
)

// heightOfOthers is the height of the section in design pixels.
func (p *Page) heightOfOthers() float32 {
	if n := len(p.others()); n > 0 && p.job == nil {
		return othersHeight + float32(n)*rowHeight
	}
	return 0
}

// listOthers draws what the fit learns beside its models. A click shows a row beside the fit, or no more.
func (p *Page) listOthers(in *ui.Rect) {
	if p.heightOfOthers() == 0 || p.model == nil {
		return
	}
	u, px := p.UI, p.UI.Px
	p.CloseSection(in, 10, "BESIDE THE FIT")
	now, at := p.Compared()
	for k, o := range p.others() {
		c := Choice{p.Fit, k}
		note := ""
		switch {
		case now != c:
		case !at.Ready:
			note = "preparing"
		default:
			note = p.Line.Start().I(int(at.Took.Milliseconds())).S(" ms a pose").View()
		}
		if u.ListRow(ItemOther+k, in.CutTop(px(rowHeight)), o.Title, note, now == c, o.Help+".") {
			p.Compare(c, o.Title)
		}
	}
	text := "Each is posed on the processor, which is slow: whenever the time stands still."
	if now.Fit == p.Fit && now.Other >= 0 && at.Late {
		text = "The picture beside the fit is of an earlier pose: it is posed again when the time stands still."
	}
	in.CutTop(px(4))
	u.TextWrapped(in.CutTop(px(2*16)), ui.Small, ui.ColorDim, text)
}
