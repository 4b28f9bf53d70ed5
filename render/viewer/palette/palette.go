// Package palette is a list in which the user finds an entry by typing: of all that the window can do and has, and of
// clips and joints where one is chosen.
package palette

import (
	"slices"
	"strconv"
	"strings"

	"github.com/go-gl/glfw/v3.3/glfw"

	"skinlab/render/ui"
	"skinlab/render/viewer/desk"
)

// Entry is a command, a setting, a fit, a clip, a model, a file or a joint.
type Entry struct {
	Name, Group string
	Does        string // what Enter does, a sentence; "" for the list's own words about its entries
	Keys        string // that do the same, as the help writes them; "" for none
	Run         func()
	// With returns the entry for a number that the user types among the words; nil where a number means nothing.
	With func(number float64) Entry
}

// Palette is the list. It is made when it is opened and matched when the text changes, not in every frame.
type Palette struct {
	*desk.Desk
	text    *ui.TextField // nil until it is opened for the first time
	entries []Entry
	typed   string  // text for which found was made
	found   []Entry // that match, the best first
	chosen  int     // index into found
	scroll  bool    // the chosen one has to be brought into sight
	changed bool    // the text is to be shown anew
	shown   bool
	noun    string // what an entry is
	does    string // what a click on one does; the entry's group follows
}

// Open shows the palette with commands, which say themselves what they do.
func (p *Palette) Open(entries []Entry) { p.OpenFor("command", "", entries) }

// OpenFor shows the palette with other entries: clips or joints. Noun is the kind of an entry. Does describes a click
// on one; the entry's group follows it.
func (p *Palette) OpenFor(noun, does string, entries []Entry) {
	p.noun, p.does = noun, does
	if p.text == nil {
		p.text = ui.NewTextField("")
	}
	p.text.SetText("")
	p.entries, p.shown, p.changed = entries, true, true
	p.match("")
	p.UI.AwaitField()
	p.Wake()
}

func (p *Palette) Close() {
	p.shown, p.entries = false, nil
	p.UI.StopTyping()
	p.Wake()
}

func (p *Palette) Shown() bool { return p.shown }

// Found returns the names of the entries that match, the best first, and the index of the chosen one.
func (p *Palette) Found() (names []string, chosen int) {
	for i := range p.found {
		names = append(names, p.found[i].Name)
	}
	return names, p.chosen
}

// Delete is nil-safe and may be called again.
func (p *Palette) Delete() { p.text.Delete() }

// match finds the entries for a text. Equally good ones stay in their order.
func (p *Palette) match(typed string) {
	p.typed, p.found, p.chosen, p.scroll = typed, p.found[:0], 0, true
	words := strings.Fields(strings.ToLower(typed))
	others, number, numbered := cutNumber(words)
	var ranks []int
	for _, e := range p.entries {
		words := words
		if numbered && e.With != nil {
			e, words = e.With(number), others
		}
		rank := e.rank(words)
		if rank >= noMatch {
			continue
		}
		at, _ := slices.BinarySearch(ranks, rank+1) // behind those that are as good
		ranks, p.found = slices.Insert(ranks, at, rank), slices.Insert(p.found, at, e)
	}
}

// cutNumber takes the first number off words.
func cutNumber(words []string) (others []string, number float64, ok bool) {
	for i, w := range words {
		if x, err := strconv.ParseFloat(strings.TrimRight(w, "×%"), 64); err == nil && x-x == 0 {
			return slices.Delete(slices.Clone(words), i, i+1), x, true
		}
	}
	return words, 0, false
}

// Ranks of a word, the best first. A name that is all that was typed is before all others.
const (
	wholeName  = iota - 1
	firstWord  // the name's first word is this one
	wholeWord  // another word of the name is
	beginsName // the name begins so
	beginsWord // another word of the name or its group begins so
	inName
	noMatch = 1000
)

// rank says how well an entry matches words in lower case, the less the better. All words must match.
func (e *Entry) rank(words []string) (rank int) {
	name := " " + separated(e.Name) + " "
	all := name + separated(e.Group) + " "
	if strings.TrimSpace(name) == strings.Join(words, " ") {
		return wholeName
	}
	for _, w := range words {
		switch {
		case strings.HasPrefix(name, " "+w+" "):
			rank += firstWord
		case strings.Contains(name, " "+w+" "):
			rank += wholeWord
		case strings.HasPrefix(name, " "+w):
			rank += beginsName
		case strings.Contains(all, " "+w):
			rank += beginsWord
		case strings.Contains(strings.ToLower(e.Name), w):
			rank += inName
		default:
			return noMatch
		}
	}
	return rank
}

// separated returns a text in lower case with spaces between its words: names have _ and : there too.
func separated(text string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("_:,;.-/\\", r) {
			return ' '
		}
		return r
	}, strings.ToLower(text))
}

// Key does what a key asks of the palette, and reports whether it means anything but editing the text.
func (p *Palette) Key(k glfw.Key) bool {
	n := len(p.found)
	switch k {
	case glfw.KeyDown, glfw.KeyTab:
		p.choose(1)
	case glfw.KeyUp:
		p.choose(-1)
	case glfw.KeyEnter, glfw.KeyKPEnter:
		if n > 0 {
			p.run(p.chosen)
		}
	case glfw.KeyEscape:
		p.Close()
	default:
		return false
	}
	return true
}

func (p *Palette) choose(by int) {
	if n := len(p.found); n > 0 {
		p.chosen, p.scroll = (p.chosen+by+n)%n, true
	}
}

// run runs an entry of found, after the palette is closed: it may open it again.
func (p *Palette) run(at int) {
	run := p.found[at].Run
	p.Close()
	run()
}

// Numbers of the palette's items. Those of the entries count up.
const (
	itemText = 1 + iota
	itemScroll
	itemOutside
	itemEntry = 10
)

// Sizes in design pixels, and the most rows that are seen at once.
const (
	width    = 460
	rowH     = 26
	footH    = 26 // of what Enter does
	mostRows = 14
)

// Draw draws the palette over everything else. A click beside it closes it.
func (p *Palette) Draw(all ui.Rect) {
	if !p.shown {
		return
	}
	u, px := p.UI, p.UI.Px
	if text := p.text.View(); text != p.typed {
		p.match(strings.Clone(text))
	}
	u.BeginPanel(desk.PanelPalette, all, true)
	defer u.EndPanel()
	pad := px(10)
	top := px(64)
	rows := float32(min(max(len(p.found), 1), mostRows))
	card := ui.Rect{W: min(px(width), all.W-px(16)), Y: all.Y + min(top, all.H/8)}
	card.X = all.X + float32(int((all.W-card.W)/2))
	card.H = min(2*pad+px(30+8)+rows*px(rowH)+px(footH), all.Bottom()-card.Y-px(8))
	u.MenuCard(card)
	in := card.Inset(pad, pad)
	field := in.CutTop(px(30))
	u.HeldField(itemText, field, p.text,
		"Type a part of a name; arrows choose, Enter takes it, Esc closes.", p.changed)
	p.changed = false
	if p.text.View() == "" {
		u.Text(field.Inset(px(9), 0), ui.Body, ui.ColorFaint, ui.Left, p.UI.Words().S("Type to find a ").S(p.noun).View())
	}
	in.CutTop(px(8))
	in.H -= px(footH)
	p.foot(ui.Rect{X: in.X, Y: in.Bottom(), W: in.W, H: px(footH)})
	run := p.rows(in)
	outside := u.Outside(itemOutside, all, card)
	switch {
	case run >= 0:
		p.run(run)
	case outside:
		p.Close()
	}
}

// foot says what Enter does.
func (p *Palette) foot(r ui.Rect) {
	if len(p.found) > 0 {
		r.CutTop(p.UI.Px(6))
		text := p.UI.Words().S("Enter: ").S(p.doing(&p.found[p.chosen])).View()
		p.UI.Text(r.Inset(p.UI.Px(8), 0), ui.Small, ui.ColorDim, ui.Left, text)
	}
}

// doing returns what an entry does. It is valid until the line is used again.
func (p *Palette) doing(e *Entry) string {
	if e.Does != "" {
		return e.Does
	}
	return p.Line.Start().S(p.does).S(e.Group).S(".").View()
}

// rows lists what matches, and returns the index of the entry that is clicked, −1 for none.
func (p *Palette) rows(r ui.Rect) (clicked int) {
	clicked = -1
	u, h := p.UI, p.UI.Px(rowH)
	if len(p.found) == 0 {
		u.Text(r, ui.Small, ui.ColorFaint, ui.Center, p.UI.Words().S("No ").S(p.noun).S(" of that name").View())
		return clicked
	}
	content := u.BeginScroll(itemScroll, r)
	if p.scroll {
		u.ScrollTo(float32(p.chosen)*h, float32(p.chosen+1)*h, r.H)
		p.scroll = false
	}
	row := ui.Rect{X: content.X, Y: content.Y, W: r.W, H: h}
	if float32(len(p.found))*h > r.H+1 {
		row.W -= u.Px(12) // the scroll bar's
	}
	for k := range p.found {
		if row.Bottom() >= r.Y && row.Y <= r.Bottom() {
			e := &p.found[k]
			if k == p.chosen {
				u.Fill(row, ui.ColorDeep, u.Px(4))
			}
			tip := u.Words().S(p.doing(e))
			if e.Keys != "" {
				tip.S("\t").S(e.Keys)
			}
			if u.MenuRow(itemEntry+k, row, e.Name, e.Group, false, tip.View()) {
				clicked = k
			}
		}
		row.Y += h
	}
	u.EndScroll(content, row.Y)
	return clicked
}
