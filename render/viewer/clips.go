package viewer

import (
	"strings"

	"skinlab/render/ui"
	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/terms"
	"skinlab/skinning"
	"skinlab/skinning/stress"
)

// stressClips is the heading of the clips that test any skeleton.
const stressClips = "Stress clips"

// clipList is the list of clips in the left panel: the stress clips in a group of their own at the top, which can be
// folded, and the file's below.
type clipList struct {
	filter  *ui.Filter
	version uint64  // of the filter's rows
	rows    []int32 // clips in the order of the list; stressRow for the heading of the stress clips
	most    int     // rows without a filter
	folded  bool    // the stress clips
	listed  bool
	scroll  bool // to the chosen clip
}

// stressRow is the row with the heading of the stress clips.
const stressRow = -1

// fewClips is the number of clips that need no filter.
const fewClips = 6

// set lists the clips of a model. The stress clips of a file with clips of its own are folded.
func (l *clipList) set(p *prepared) {
	l.filter.SetNames(len(p.clipNames), func(i int) string {
		if i >= p.own {
			return stressClips + " " + p.clipNames[i]
		}
		return p.clipNames[i]
	})
	l.folded, l.listed = p.own > 0, false
}

// list makes the rows anew if something has changed. It allocates nothing otherwise.
func (l *clipList) list(p *prepared) {
	if l.listed && l.version == l.filter.Version {
		return
	}
	l.listed, l.version = true, l.filter.Version
	n, own := len(p.clipNames), p.own
	stress := n - own
	if l.folded {
		stress = 0
	}
	l.most = max(own+stress, 1)
	if n > own {
		l.most++
	}
	l.rows = l.rows[:0]
	narrows := l.filter.Narrows()
	for _, i := range l.filter.Rows {
		if int(i) < own {
			continue
		}
		if len(l.rows) == 0 {
			l.rows = append(l.rows, stressRow)
		}
		if narrows || !l.folded {
			l.rows = append(l.rows, i)
		}
	}
	for _, i := range l.filter.Rows {
		if int(i) < own {
			l.rows = append(l.rows, i)
		}
	}
}

// reveal brings a clip into sight.
func (l *clipList) reveal(p *prepared, clip int) {
	l.scroll = true
	if clip >= p.own && l.folded {
		l.folded, l.listed = false, false
	}
}

// clipHeading draws the heading of the clips, with a filter beside it if there are many.
func (a *app) clipHeading(r ui.Rect) {
	px := a.ui.Px
	r.CutTop(px(9))
	r.H = px(22)
	a.ui.Text(r.CutLeft(px(58)), ui.Label, ui.ColorFaint, ui.Left, "CLIPS")
	if len(a.shown.clipNames) > fewClips {
		a.ui.Filter(itemClipFilter, r, a.clips.filter, "Filter clips", "Lists the clips whose names have all of these words.")
	}
}

// clipList draws the list. Only rows in sight cost anything: a file may hold thousands of clips.
func (a *app) clipList(r ui.Rect) {
	u, px, l := a.ui, a.ui.Px, &a.clips
	l.list(a.shown)
	h := px(desk.RowHeight)
	if len(l.rows) == 0 {
		text := "No clip of that name"
		if len(a.shown.clipNames) == 0 {
			text = "No clips: the static pose"
		}
		u.Text(r.CutTop(h), ui.Body, ui.ColorFaint, ui.Left, text)
		return
	}
	overflow := float32(len(l.rows))*h > r.H+1
	content := r
	if overflow {
		content = u.BeginScroll(itemScroll+1, r)
		content.W -= px(12) // the scroll bar's
	}
	for k, i := range l.rows {
		if l.scroll && int(i) == a.state.Clip && overflow {
			u.ScrollTo(h*float32(k), h*float32(k+1), r.H)
		}
	}
	l.scroll = false
	first := max(int((r.Y-content.Y)/h), 0)
	last := min(int((r.Bottom()-content.Y)/h)+1, len(l.rows))
	for k := first; k < last; k++ {
		row := ui.Rect{X: content.X, Y: content.Y + h*float32(k), W: content.W, H: h}
		i := int(l.rows[k])
		if i == stressRow {
			open := !l.folded || l.filter.Narrows()
			if u.Disclosure(itemStress, row, stressClips, ui.ColorDim, open, terms.Stress.Tip()) {
				l.folded, l.listed = !l.folded, false
			}
			continue
		}
		if u.ListRow(itemClip+i, row, a.shown.clipNames[i], a.shown.seconds[i], i == a.state.Clip,
			"Plays this clip from its start; its length is in seconds.\tPgUp PgDn") {
			a.SetClip(i)
		}
	}
	if overflow {
		u.EndScroll(content, content.Y+h*float32(len(l.rows)))
	}
}

// clipName returns the name of a clip as lists show it.
func (p *prepared) clipName(i int) string {
	name := p.Model.Clips[i].Name
	if _, made := stress.Name(name); made && i >= p.own {
		_, name, _ = strings.Cut(name, ": ") // the heading says it
	}
	return skinning.Named(name, "Clip", i)
}
