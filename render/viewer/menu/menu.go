// Package menu draws the menu under the model's name: actions that concern the whole program, recent files, built-in
// models and the settings.
package menu

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"skinlab/render/ui"
	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/files"
)

type Menu struct {
	Desk    *desk.Desk
	Lines   []Line
	BuiltIn []string          // models
	Open    func(path string) // opens a file or a built-in model
	Missing func(path string) // is told of a recent file that was chosen and is not there any more
	Reset   func()            // resets the settings

	shown  bool
	sure   bool // the next click on it resets the settings
	recent []recentFile
}

type Line struct {
	Label, Tip string      // the tip ends with the key
	There      func() bool // whether the line is there; nil: always
	Run        func()
}

type recentFile struct {
	path, name, folder string
	missing            bool
}

func (m *Menu) Shown() bool { return m.shown }

func (m *Menu) Close() { m.shown = false }

// Toggle opens or closes the menu. A goroutine checks the recent files: a sleeping network drive may be slow.
func (m *Menu) Toggle(recent []string) {
	m.shown, m.sure = !m.shown, false
	if !m.shown {
		return
	}
	m.recent = m.recent[:0]
	home, _ := os.UserHomeDir()
	for _, path := range recent {
		folder := filepath.Dir(path)
		if rest, ok := strings.CutPrefix(folder, home); ok && home != "" && (rest == "" || os.IsPathSeparator(rest[0])) {
			folder = "~" + rest
		}
		m.recent = append(m.recent, recentFile{path: path, name: filepath.Base(path), folder: folder})
	}
	paths := slices.Clone(recent)
	go func() {
		var missing []string
		for _, path := range paths {
			if !files.Exists(path) {
				missing = append(missing, path)
			}
		}
		m.Desk.Later(func() {
			for i := range m.recent {
				m.recent[i].missing = slices.Contains(missing, m.recent[i].path)
			}
		})
	}()
}

// Numbers of the menu's items. Those of built-in models and recent files count up.
const (
	itemOutside = 1 + iota
	itemScroll
	ItemReset
	ItemLine    = 20
	ItemBuiltIn = 40
	ItemRecent  = 80
)

// width and the heights of its parts, design pixels.
const (
	width         = 340
	rowHeight     = 26
	headingHeight = 34
)

// Draw draws the menu over everything else. A click outside closes it.
func (m *Menu) Draw(all ui.Rect) {
	if !m.shown {
		return
	}
	u, px := m.Desk.UI, m.Desk.UI.Px
	rows, headings := 1, 1
	for i := range m.Lines {
		if l := &m.Lines[i]; l.There == nil || l.There() {
			rows++
		}
	}
	if n := len(m.recent); n > 0 {
		rows, headings = rows+n, headings+1
	}
	if n := len(m.BuiltIn); n > 0 {
		rows, headings = rows+n, headings+1
	}
	need := px(rowHeight)*float32(rows) + px(headingHeight)*float32(headings) + px(12)
	card := ui.Rect{X: px(8), Y: px(desk.Inset + 28), W: min(px(width), all.W-px(16))}
	card.H = min(need, all.H-card.Y-px(8))
	u.BeginPanel(desk.PanelMenu, all, true)
	defer u.EndPanel()
	u.MenuCard(card)
	content := card
	scrolls := card.H < need
	if scrolls {
		content = u.BeginScroll(itemScroll, card)
		content.W -= px(10)
	}
	in := ui.Rect{X: content.X + px(6), Y: content.Y + px(6), W: content.W - px(12), H: need - px(12)}
	m.rows(&in)
	if scrolls {
		u.EndScroll(content, content.Y+need)
	}
	if u.Outside(itemOutside, all, card) {
		m.shown = false
	}
}

func (m *Menu) rows(in *ui.Rect) {
	u, px := m.Desk.UI, m.Desk.UI.Px
	close := func() { m.shown = false }
	row := func() ui.Rect { return in.CutTop(px(rowHeight)) }
	heading := func(title string) {
		r := in.CutTop(px(headingHeight))
		r.CutLeft(px(8))
		r.CutTop(px(10))
		u.Text(r, ui.Label, ui.ColorFaint, ui.Left, title)
	}
	for i := range m.Lines {
		l := &m.Lines[i]
		if l.There != nil && !l.There() {
			continue
		}
		if u.MenuRow(ItemLine+i, row(), l.Label, "", false, l.Tip) {
			close()
			l.Run()
		}
	}
	if len(m.recent) > 0 {
		heading("RECENT FILES")
	}
	for i := range m.recent {
		r := &m.recent[i]
		if u.MenuRow(ItemRecent+i, row(), r.name, r.folder, r.missing, r.path) {
			close()
			if r.missing {
				m.Missing(r.path)
			} else {
				m.Open(r.path)
			}
			break // the list may have changed
		}
	}
	if len(m.BuiltIn) > 0 {
		heading("BUILT-IN MODELS")
	}
	for i, name := range m.BuiltIn {
		if u.MenuRow(ItemBuiltIn+i, row(), name, "", false, "Opens this built-in model.") {
			close()
			m.Open(name)
		}
	}
	heading("SETTINGS")
	label := "Reset all settings"
	if m.sure {
		label = "Click again to reset, recent files too"
	}
	if u.MenuRow(ItemReset, row(), label, "", false,
		"Forgets sizes, layout, units and recent files; asks once more.") {
		if m.sure {
			close()
			m.Reset()
		}
		m.sure = !m.sure
	}
}
