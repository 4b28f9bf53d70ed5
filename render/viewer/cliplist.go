package viewer

import (
	"strings"

	"skinlab/render/ui"
	"skinlab/skinning/stress"
)

// clipRows returns how many rows the list of clips has: the file's, a heading and the stress clips.
func (a *app) clipRows() int {
	n := len(a.shown.model.Clips)
	if n > a.shown.own {
		n++
	}
	return max(n, 1)
}

// clipList lists the file's clips, and under a heading of their own those that test any skeleton.
func (a *app) clipList(r ui.Rect) {
	u, px := a.ui, a.ui.Px
	m, own := a.shown.model, a.shown.own
	if len(m.Clips) == 0 {
		u.Text(r.CutTop(px(rowHeight)), ui.Body, ui.ColorFaint, ui.Left, "No clips: the static pose")
		return
	}
	overflow := float32(a.clipRows())*px(rowHeight) > r.H+1
	content := r
	if overflow {
		content = u.BeginScroll(itemScroll+1, r)
		content.W -= px(12) // the scroll bar's
	}
	row := ui.Rect{X: content.X, Y: content.Y, W: content.W, H: px(rowHeight)}
	for i := range m.Clips {
		// Only rows in sight cost anything: a file may hold thousands of clips.
		if i == own {
			if row.Bottom() >= r.Y && row.Y <= r.Bottom() {
				u.Text(row.Inset(px(8), 0), ui.Small, ui.ColorFaint, ui.Left, "Stress tests for any skeleton")
			}
			row.Y += row.H
		}
		if row.Bottom() >= r.Y && row.Y <= r.Bottom() {
			if u.ListRow(itemClip+i, row, a.shown.clipNames[i], a.shown.seconds[i], i == a.state.Clip) {
				a.setClip(i)
			}
		}
		row.Y += row.H
	}
	if overflow {
		u.EndScroll(content, row.Y)
	}
}

// clipName returns the name of a clip as lists show it.
func (p *prepared) clipName(i int) string {
	name := p.model.Clips[i].Name
	if _, made := stress.Name(name); made && i >= p.own {
		_, name, _ = strings.Cut(name, ": ") // the heading says it
	}
	if name == "" {
		return "Unnamed clip"
	}
	return name
}
