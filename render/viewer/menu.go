package viewer

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"skinlab/render/ui"
	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/files"
	"skinlab/render/viewer/pages/posepage"
)

// menu is the menu under the model's name: models and files to open, and actions that concern the whole program.
type menu struct {
	open   bool
	lines  []menuLine
	sure   bool // the next click on it resets the settings
	recent []recentFile
}

// menuLine is a line of the menu that does not depend on recent files.
type menuLine struct {
	label, tip string            // the tip ends with the key
	there      func(a *app) bool // whether the line is there; nil: always
	run        func(a *app)
}

func menuLines() []menuLine {
	return []menuLine{
		{"Open…", "Opens a model in place of this one.\tCtrl O", nil, (*app).askOpen},
		{"Open beside…", "Opens a model in the next picture, with the same motion.", nil, (*app).askOpenBeside},
		{"Reload", "Reads the files anew and keeps camera, clip and pose.\tF5", nil, (*app).reload},
		{"Close second file", "Closes the file that stands beside the first.",
			func(a *app) bool { return a.beside != nil }, (*app).dropBeside},
		{"Save picture as…", "Writes a PNG picture of the window to a file of your choice.", nil, (*app).askShot},
		{"Save pose as…", "Writes the pose of this moment to a JSON file.",
			func(a *app) bool { return a.opt.SavePose != nil }, (*app).askSavePose},
		{"Load pose…", "Shows the pose of a JSON file.",
			func(a *app) bool { return a.opt.LoadPose != nil }, (*app).askLoadPose},
		{"Export glTF as…", "Writes the fitted model to a file that any engine plays.",
			func(a *app) bool { return a.opt.Export != nil && a.fitted != nil }, (*app).askExport},
	}
}

// recentFile is a line of the menu that opens a recent file.
type recentFile struct {
	path, name, folder string
	missing            bool
}

// builtIn reports whether a name names a built-in model.
func (a *app) builtIn(name string) bool { return slices.Contains(a.opt.BuiltIn, name) }

// toggleMenu opens or closes the menu. A goroutine checks whether the recent files still exist, because a sleeping
// network drive may be slow.
func (a *app) toggleMenu() {
	m := &a.menu
	m.open, m.sure = !m.open, false
	if !m.open {
		return
	}
	m.recent = m.recent[:0]
	home, _ := os.UserHomeDir()
	for _, path := range a.prefs.all.Recent {
		folder := filepath.Dir(path)
		if rest, ok := strings.CutPrefix(folder, home); ok && home != "" && (rest == "" || os.IsPathSeparator(rest[0])) {
			folder = "~" + rest
		}
		m.recent = append(m.recent, recentFile{path: path, name: filepath.Base(path), folder: folder})
	}
	paths := slices.Clone(a.prefs.all.Recent)
	go func() {
		var missing []string
		for _, path := range paths {
			if !files.Exists(path) {
				missing = append(missing, path)
			}
		}
		a.desk.Later(func() {
			for i := range a.menu.recent {
				a.menu.recent[i].missing = slices.Contains(missing, a.menu.recent[i].path)
			}
		})
	}()
}

// Numbers of the menu's items. Those of built-in models and recent files count up.
const (
	itemMenuOutside = 1 + iota
	itemMenuScroll
	itemMenuReset
	itemMenuLine    = 20
	itemMenuBuiltIn = 40
	itemMenuRecent  = 80
)

// menuWidth and the heights of its parts, design pixels.
const (
	menuWidth   = 340
	menuRow     = 26
	menuHeading = 34
)

// drawMenu draws the menu over everything else. A click outside closes it.
func (a *app) drawMenu(all ui.Rect) {
	m := &a.menu
	if !m.open {
		return
	}
	u, px := a.ui, a.ui.Px
	rows, headings := 1, 1
	for i := range m.lines {
		if l := &m.lines[i]; l.there == nil || l.there(a) {
			rows++
		}
	}
	if n := len(m.recent); n > 0 {
		rows, headings = rows+n, headings+1
	}
	if n := len(a.opt.BuiltIn); n > 0 {
		rows, headings = rows+n, headings+1
	}
	need := px(menuRow)*float32(rows) + px(menuHeading)*float32(headings) + px(12)
	card := ui.Rect{X: px(8), Y: px(desk.Inset + 28), W: min(px(menuWidth), all.W-px(16))}
	card.H = min(need, all.H-card.Y-px(8))
	u.BeginPanel(desk.PanelMenu, all, true)
	defer u.EndPanel()
	u.MenuCard(card)
	content := card
	scrolls := card.H < need
	if scrolls {
		content = u.BeginScroll(itemMenuScroll, card)
		content.W -= px(10)
	}
	in := ui.Rect{X: content.X + px(6), Y: content.Y + px(6), W: content.W - px(12), H: need - px(12)}
	a.menuRows(&in)
	if scrolls {
		u.EndScroll(content, content.Y+need)
	}
	if u.Outside(itemMenuOutside, all, card) {
		m.open = false
	}
}

func (a *app) menuRows(in *ui.Rect) {
	u, px, m := a.ui, a.ui.Px, &a.menu
	close := func() { m.open = false }
	row := func() ui.Rect { return in.CutTop(px(menuRow)) }
	heading := func(title string) {
		r := in.CutTop(px(menuHeading))
		r.CutLeft(px(8))
		r.CutTop(px(10))
		u.Text(r, ui.Label, ui.ColorFaint, ui.Left, title)
	}
	for i := range m.lines {
		l := &m.lines[i]
		if l.there != nil && !l.there(a) {
			continue
		}
		if u.MenuRow(itemMenuLine+i, row(), l.label, "", false, l.tip) {
			close()
			l.run(a)
		}
	}
	if len(m.recent) > 0 {
		heading("RECENT FILES")
	}
	for i := range m.recent {
		r := &m.recent[i]
		if u.MenuRow(itemMenuRecent+i, row(), r.name, r.folder, r.missing, r.path) {
			close()
			a.openRecent(r)
			break // the list may have changed
		}
	}
	if len(a.opt.BuiltIn) > 0 {
		heading("BUILT-IN MODELS")
	}
	for i, name := range a.opt.BuiltIn {
		if u.MenuRow(itemMenuBuiltIn+i, row(), name, "", false, "Opens this built-in model.") {
			close()
			a.load(request{path: name})
		}
	}
	heading("SETTINGS")
	label := "Reset all settings"
	if m.sure {
		label = "Click again to reset, recent files too"
	}
	if u.MenuRow(itemMenuReset, row(), label, "", false,
		"Forgets sizes, layout, units and recent files; asks once more.") {
		if m.sure {
			close()
			a.resetSettings()
		}
		m.sure = !m.sure
	}
}

// openRecent opens a recent file. If the file does not exist any more, it removes the file from the list.
func (a *app) openRecent(r *recentFile) {
	if r.missing {
		a.notes.Notify("Recent files", r.path+" is not there any more", desk.NoticeTime)
		a.prefs.all.DropRecent(r.path)
		a.prefs.recent = true
		return
	}
	a.load(request{path: r.path})
}

// askOpen asks the user for a model to show.
func (a *app) askOpen() {
	a.askModel("Open a model", func(path string) request { return request{path: path} })
}

// askOpenBeside asks the user for a model to show beside the first one.
func (a *app) askOpenBeside() {
	a.askModel("Open a model beside this one",
		func(path string) request { return request{path: path, pane: a.besidePane()} })
}

// askModel asks the user for a model and loads it.
func (a *app) askModel(title string, how func(path string) request) {
	if a.opt.Load == nil {
		a.NotLoaded("a file", errNoLoading)
		return
	}
	d := files.Dialog{Title: title, Kind: "Models", Ends: a.opt.Endings}
	if path := a.files.source.Path; path != "" && !a.builtIn(path) {
		d.Propose = filepath.Dir(path) + string(filepath.Separator)
	}
	a.files.dialogs.Ask(d, func(path string) { a.load(how(path)) })
}

// AskShapes asks the user for a folder of shapes.
func (a *app) AskShapes(endings []string, read func(folder string)) {
	d := files.Dialog{Title: "Choose a folder of shapes", Kind: "Shapes", Ends: endings, Folder: true}
	if path := a.files.source.Path; path != "" && !a.builtIn(path) {
		d.Propose = filepath.Dir(path) + string(filepath.Separator)
	}
	a.files.dialogs.Ask(d, read)
}

// askSavePose asks the user for the file in which to save the seen pose.
func (a *app) askSavePose() {
	a.files.dialogs.Ask(files.Dialog{Title: "Save the pose", Kind: "Poses", Ends: []string{".json"},
		Propose: posepage.FileName, Save: true}, a.pose.SaveTo)
}

// askLoadPose asks the user for a pose to show.
func (a *app) askLoadPose() {
	a.files.dialogs.Ask(files.Dialog{Title: "Load a pose", Kind: "Poses", Ends: []string{".json"}}, a.pose.Choose)
}

// askExport asks the user for the file of the fitted model.
func (a *app) askExport() {
	a.files.dialogs.Ask(files.Dialog{Title: "Export as glTF", Kind: "glTF models", Ends: []string{".glb"}, Save: true,
		Propose: a.InFolder(a.fit.ProposedName())}, a.fit.ExportTo)
}
