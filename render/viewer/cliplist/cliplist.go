// Package cliplist draws the list of clips in the panel at the left.
package cliplist

import (
	"skinlab/render/ui"
	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/terms"
)

// StressHeading is the heading of the clips that test any skeleton.
const StressHeading = "Stress clips"

// List is the list of a file's clips: the stress clips in a group at the top, which folds, and its own below.
type List struct {
	desk *desk.Desk
	play func(clip int)

	names, seconds []string // of the clips
	own            int      // the number of the file's; stress clips are behind them

	filter  *ui.Filter
	version uint64  // of the filter's rows
	rows    []int32 // clips in the order of the list; stressRow for the heading of the stress clips
	most    int     // rows without a filter
	folded  bool    // the stress clips
	listed  bool
	scroll  bool // to the chosen clip
}

// New makes an empty list. Play is called for a clip that is chosen.
func New(d *desk.Desk, play func(clip int)) *List {
	return &List{desk: d, play: play, filter: ui.NewFilter()}
}

// Delete is nil-safe.
func (l *List) Delete() {
	if l != nil {
		l.filter.Delete()
	}
}

// Numbers of the list's items in its panel. Those of the clips count up.
const (
	itemScroll = 900 + iota
	ItemStress
	ItemFilter
	ItemClip = 1000
)

const stressRow = -1

// fewClips is the number of clips that need no filter.
const fewClips = 6

// Set lists the clips of a model by their names and lengths. The first own ones are the file's; the others are stress
// clips, which are folded where there are any of the file's.
func (l *List) Set(names, seconds []string, own int) {
	l.names, l.seconds, l.own = names, seconds, own
	l.filter.SetNames(len(names), func(i int) string {
		if i >= own {
			return StressHeading + " " + names[i]
		}
		return names[i]
	})
	l.folded, l.listed = own > 0, false
}

// Rows returns the number of rows without a filter.
func (l *List) Rows() int {
	l.list()
	return l.most
}

// list makes the rows anew if something has changed. It allocates nothing otherwise.
func (l *List) list() {
	if l.listed && l.version == l.filter.Version {
		return
	}
	l.listed, l.version = true, l.filter.Version
	n, own := len(l.names), l.own
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

func (l *List) Reveal(clip int) {
	l.scroll = true
	if clip >= l.own && l.folded {
		l.folded, l.listed = false, false
	}
}

func (l *List) Heading(r ui.Rect) {
	u, px := l.desk.UI, l.desk.UI.Px
	r.CutTop(px(9))
	r.H = px(22)
	u.Text(r.CutLeft(px(58)), ui.Label, ui.ColorFaint, ui.Left, "CLIPS")
	if len(l.names) > fewClips {
		u.Filter(ItemFilter, r, l.filter, "Filter clips", "Lists the clips whose names have all of these words.")
	}
}

// Draw draws the list. Only rows in sight cost anything: a file may hold thousands of clips.
func (l *List) Draw(r ui.Rect) {
	u, px := l.desk.UI, l.desk.UI.Px
	l.list()
	h := px(desk.RowHeight)
	if len(l.rows) == 0 {
		text := "No clip of that name"
		if len(l.names) == 0 {
			text = "No clips: the static pose"
		}
		u.Text(r.CutTop(h), ui.Body, ui.ColorFaint, ui.Left, text)
		return
	}
	overflow := float32(len(l.rows))*h > r.H+1
	content := r
	if overflow {
		content = u.BeginScroll(itemScroll, r)
		content.W -= px(12) // the scroll bar's
	}
	for k, i := range l.rows {
		if l.scroll && int(i) == l.desk.State.Clip && overflow {
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
			if u.Disclosure(ItemStress, row, StressHeading, ui.ColorDim, open, terms.Stress.Tip()) {
				l.folded, l.listed = !l.folded, false
			}
			continue
		}
		if u.ListRow(ItemClip+i, row, l.names[i], l.seconds[i], i == l.desk.State.Clip,
			"Plays this clip from its start; its length is in seconds.\tPgUp PgDn") {
			l.play(i)
		}
	}
	if overflow {
		u.EndScroll(content, content.Y+h*float32(len(l.rows)))
	}
}
