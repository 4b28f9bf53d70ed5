package fitpage

import (
	"cmp"
	"slices"

	"skinlab/render/ui"
	"skinlab/render/viewer/desk"
)

type clipMenu struct {
	open bool
	at   ui.Rect // of the field that it hangs from
}

// Numbers of the menu's items. Rows count up from ItemTrain: choices of several, then all clips.
const (
	itemTrainOutside = 1 + iota
	itemTrainScroll
	ItemTrain = 20
)

func (p *Page) trainsOn(q *Request) string {
	file := p.Models.File
	switch {
	case q.Clip == AllClips && len(q.Also) > 0:
		return p.Line.Start().S("All clips and ").S(file.ClipNames[q.Also[0]]).View()
	case q.Clip == AllClips:
		return "All clips"
	case q.Clip == rangeOfMotion || q.Clip >= len(file.Model.Clips):
		return "Range of motion"
	}
	return cmp.Or(file.Model.Clips[q.Clip].Name, file.ClipNames[q.Clip])
}

func (m *clipMenu) draw(p *Page, r ui.Rect, q *Request) {
	m.at = r
	if p.UI.MenuTitle(ItemClip, r, p.trainsOn(q), m.open,
		"Where the poses come from: all clips, one of them, or every joint turned through its range.") && p.job == nil {
		m.open = !m.open
		if _, keys := p.UI.Focused(); keys && m.open {
			p.UI.FocusPanel(desk.PanelMenu)
		}
	}
}

// MenuOpen reports whether the menu is open.
func (p *Page) MenuOpen() bool { return p.clips.open }

// CloseMenu closes the menu and reports whether it was open.
func (p *Page) CloseMenu() bool {
	was := p.clips.open
	p.clips.open = false
	return was
}

// DrawMenu draws the menu over everything else. A click outside closes it.
func (p *Page) DrawMenu(all ui.Rect) {
	m, form := &p.clips, p.form()
	if !m.open || form == nil || p.job != nil {
		m.open = false
		return
	}
	u, px, file := p.UI, p.UI.Px, p.Models.File
	shown := p.State.Clip
	also := file.Own > 0 && shown >= file.Own // a stress clip
	rows := 1 + len(file.Model.Clips)
	if file.Own > 0 {
		rows++
	}
	if also {
		rows++
	}
	need := px(desk.RowHeight)*float32(rows) + px(12)
	card := ui.Rect{X: m.at.X, Y: m.at.Bottom(), W: m.at.W, H: min(need, all.H-px(16))}
	card.Y = min(card.Y, all.Bottom()-card.H-px(8))
	u.BeginPanel(desk.PanelMenu, all, true)
	defer u.EndPanel()
	u.MenuCard(card)
	content := card
	scrolls := card.H < need
	if scrolls {
		content = u.BeginScroll(itemTrainScroll, card)
		content.W -= px(10)
	}
	in := ui.Rect{X: content.X + px(6), Y: content.Y + px(6), W: content.W - px(12), H: need - px(12)}
	item := ItemTrain
	row := func(label, note string, clip int, also []int) {
		if u.MenuRow(item, in.CutTop(px(desk.RowHeight)), label, note, false, "The next fit learns from this.") {
			form.ask.Clip, form.ask.Also, m.open = clip, also, false
		}
		item++
	}
	if file.Own > 0 {
		row("All clips", p.Line.Start().I(file.Own).View(), AllClips, nil)
	}
	if also {
		row(p.Line.Start().S("All clips and ").S(file.ClipNames[shown]).View(), "shown", AllClips, []int{shown})
	}
	row("Range of motion", "", rangeOfMotion, nil)
	for i := range file.Model.Clips {
		note := ""
		if i >= file.Own {
			note = "stress"
		}
		row(file.ClipNames[i], note, i, nil)
	}
	if scrolls {
		u.EndScroll(content, content.Y+need)
	}
	if u.Outside(itemTrainOutside, all, card) {
		m.open = false
	}
}

// request returns the request that the page speaks of: that of the shown fit, or of the next one.
func (p *Page) request() *Request {
	if p.ran != nil && p.ran == p.form() && p.model != nil {
		return &p.asked
	}
	return &p.form().ask
}

// misses reports whether a request learns from clips, and not from the one on the screen.
func (p *Page) misses(q *Request) bool {
	clip := p.State.Clip
	switch {
	case clip < 0 || q.Own || q.Files || p.form().row.sequence() || q.Clip == rangeOfMotion:
		return false
	case q.Clip == AllClips:
		return clip >= p.Models.File.Own && !slices.Contains(q.Also, clip)
	}
	return clip != q.Clip
}

// missed says that the clip on the screen is not learnt from; "" if it is.
func (p *Page) missed() string {
	q := p.request()
	if !p.misses(q) {
		return ""
	}
	l := p.Line.Start().S("Trains on ")
	if q == &p.asked {
		l = p.Line.Start().S("Trained on ")
	}
	n := 1
	if q.Clip == AllClips {
		n = p.Models.File.Own + len(q.Also)
	}
	if n == 1 {
		return l.S("1 clip; you look at another one.").View()
	}
	return l.I(n).S(" clips; the one you look at is not among them.").View()
}

// offerClip draws a button that adds the clip on the screen to those of the next fit, which starts, and takes it off r.
func (p *Page) offerClip(r *ui.Rect) {
	if !p.misses(p.request()) || !p.misses(&p.form().ask) || p.job != nil {
		return
	}
	button := r.CutRight(p.UI.Px(64))
	r.CutRight(p.UI.Px(8))
	button.H = p.UI.Px(rowHeight)
	if p.UI.Button(ItemAdd, button, "Add it", ui.Plain, 0, "The next fit learns from the clip on the screen too.") {
		p.addClip(p.State.Clip)
	}
}

func (p *Page) addClip(clip int) {
	q := &p.form().ask
	switch own := p.Models.File.Own; {
	case own == 0:
		q.Clip = clip
	case clip < own:
		q.Clip = AllClips
	default:
		q.Clip, q.Also = AllClips, []int{clip}
	}
}
