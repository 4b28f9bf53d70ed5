package files

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-gl/glfw/v3.3/glfw"

	"skinlab/render/ui"
	"skinlab/render/viewer/desk"
)

// PathField is the window's own file dialog: a field for a path, and a list of completions below it. It serves where
// the system has no dialog. Where a folder is asked for, its files are listed too, so that the user sees what is in it.
type PathField struct {
	*desk.Desk
	text *ui.TextField // nil until the first dialog

	dialog Dialog
	base   string // full path of the folder of paths that are not full
	done   func(path string)

	typed   string // what the lines below the field are for
	name    string // its part behind the last separator
	folder  string // whose entries these are
	entries []Entry
	found   []Entry    // those that match name
	chosen  int        // of found, −1 for none
	scroll  bool       // the chosen one has to be brought into sight
	changed bool       // the text is to be shown anew
	problem string     // why nothing is chosen so far
	missing string     // why the folder has no entries
	keys    []glfw.Key // pressed since the last frame: what was typed before them is in the text when that is drawn
	look    desk.Job[look]
}

// look is a result of the goroutine that looks at files.
type look struct {
	folder  string // that was listed
	entries []Entry
	path    string // that the user has chosen, "" for none
	info    os.FileInfo
}

// Ask shows the field, with a problem of which the user should know, and passes the chosen path to done, "" for none.
func (f *PathField) Ask(d Dialog, problem string, done func(path string)) {
	f.dialog, f.done = d, done
	f.base, _ = os.Getwd()
	if filepath.IsAbs(d.Propose) {
		f.base = filepath.Dir(d.Propose)
	}
	if f.text == nil {
		f.text = ui.NewTextField("")
	}
	f.typed, f.folder, f.missing, f.keys = "", "", "", f.keys[:0]
	f.set(whole(f.base, d.Propose))
	f.problem = problem
	f.UI.AwaitField()
	f.Wake()
}

// Delete is nil-safe and may be called again.
func (f *PathField) Delete() {
	f.look.Stop()
	f.text.Delete()
}

func (f *PathField) Shown() bool { return f.done != nil }

// Text returns the text of the field, and Problem what is wrong with it.
func (f *PathField) Text() string    { return f.text.Text() }
func (f *PathField) Problem() string { return f.problem }

// Found returns the entries that are listed below the field, and the index of the chosen one, −1 for none.
func (f *PathField) Found() ([]Entry, int) { return f.found, f.chosen }

// close hides the field and passes on the path, "" for none.
func (f *PathField) close(path string) {
	done := f.done
	f.done = nil
	f.look.Stop()
	f.UI.StopTyping()
	f.Wake()
	done(path)
}

func (f *PathField) set(text string) {
	f.text.SetText(text)
	f.changed = true
	f.follow()
}

// follow finds what matches the text. It lists the folder on a goroutine if that is another one.
func (f *PathField) follow() {
	if f.text.View() == f.typed {
		return
	}
	f.typed = f.text.Text()
	if at := strings.LastIndex(f.typed, twice); at > 0 && f.typed[:at] == f.folder { // a whole path behind the listed folder
		f.set(f.typed[at+1:])
		return
	}
	folder, name := split(f.typed, f.base)
	f.name = name
	if folder != f.folder {
		f.folder, f.entries, f.missing = folder, nil, ""
		f.list()
	}
	f.problem = f.missing
	f.match()
}

const twice = string(filepath.Separator) + string(filepath.Separator)

func (f *PathField) list() {
	d, folder := f.dialog, f.folder
	f.look.Start(f.Context, f.WakeLater, func(context.Context) (look, error) {
		entries, err := d.list(folder)
		return look{folder: folder, entries: entries}, err
	})
}

func (f *PathField) match() { f.found, f.chosen = matching(f.entries, f.name), -1 }

func (f *PathField) receive() {
	r, err, ok := f.look.Take()
	switch {
	case !ok:
		return
	case r.path == "" && err != nil:
		f.missing = "There is no folder " + f.folder
		if !errors.Is(err, os.ErrNotExist) {
			f.missing = err.Error()
		}
		f.problem = f.missing
	case r.path == "":
		f.entries = r.entries
		f.match()
	case err == nil && f.dialog.Folder && !r.info.IsDir():
		f.close(filepath.Dir(r.path))
	case err == nil && r.info.IsDir() && !f.dialog.Folder:
		f.enter(r.path)
	case err == nil || f.dialog.Save && errors.Is(err, os.ErrNotExist):
		f.close(r.path)
	case errors.Is(err, os.ErrNotExist) && len(f.found) == 1 && r.path != filepath.Join(f.folder, f.found[0].Name):
		f.chosen = 0 // the only one that begins so
		f.take()
	default:
		f.problem = err.Error()
		if errors.Is(err, os.ErrNotExist) {
			f.problem = "There is no " + f.dialog.noun() + " " + r.path
		}
		if f.entries == nil { // choosing it has ended the look at the folder
			f.list()
		}
	}
	f.Wake()
}

func (f *PathField) enter(folder string) {
	if !os.IsPathSeparator(folder[len(folder)-1]) {
		folder += string(filepath.Separator)
	}
	f.set(folder)
}

// goTo shows another folder. A name that is to be saved stays.
func (f *PathField) goTo(folder string) {
	name := ""
	if f.dialog.Save {
		name = f.name
	}
	f.enter(fullPath(folder, f.base))
	if name != "" {
		f.set(f.typed + name)
	}
}

// take opens the chosen entry, or the typed path if none is chosen.
func (f *PathField) take() {
	path := fullPath(f.typed, f.base)
	if f.chosen >= 0 {
		e := f.found[f.chosen]
		path = filepath.Join(f.folder, e.Name)
		if e.Folder {
			f.enter(path)
			return
		}
	}
	f.look.Start(f.Context, f.WakeLater, func(context.Context) (look, error) {
		info, err := os.Stat(path)
		return look{path: path, info: info}, err
	})
}

// complete puts what all entries have in common into the field, or the chosen one, or chooses the next.
func (f *PathField) complete() {
	found := f.found
	if f.chosen >= 0 {
		found = found[f.chosen : f.chosen+1]
	}
	name := complete(f.name, found)
	if name == f.name && f.chosen < 0 {
		f.choose(1)
		return
	}
	f.set(f.typed[:len(f.typed)-len(f.name)] + name)
}

func (f *PathField) choose(by int) {
	n := len(f.found)
	if n == 0 {
		return
	}
	if f.chosen < 0 && by < 0 {
		f.chosen = n
	}
	f.chosen = (f.chosen + by + n) % n
	f.scroll = true
}

// Key takes a key, and reports whether it means anything but editing the text. The next frame does what it asks.
func (f *PathField) Key(k glfw.Key) bool {
	switch k {
	case glfw.KeyTab, glfw.KeyDown, glfw.KeyUp, glfw.KeyEnter, glfw.KeyKPEnter:
		f.keys = append(f.keys, k)
	case glfw.KeyEscape:
		f.close("")
	default:
		return false
	}
	return true
}

func (f *PathField) obey() {
	for _, k := range f.keys {
		switch k {
		case glfw.KeyTab:
			f.complete()
		case glfw.KeyDown:
			f.choose(1)
		case glfw.KeyUp:
			f.choose(-1)
		default:
			f.take()
		}
	}
	f.keys = f.keys[:0]
}

// Numbers of the field's items. Those of the entries count up.
const (
	itemPath = 1 + iota
	ItemPathTake
	itemPathCancel
	itemPathScroll
	ItemPathParent
	ItemPathHome
	ItemPathEntry = 10
)

// pathRows is the number of rows of the list, and pathRow the height of one in design pixels.
const pathRows, pathRow = 10, 24

// Draw draws the field over everything else, which does not react to clicks meanwhile.
func (f *PathField) Draw(all ui.Rect) {
	if !f.Shown() {
		return
	}
	f.receive()
	if !f.Shown() {
		return
	}
	u, px := f.UI, f.UI.Px
	u.BeginPanel(desk.PanelPath, all, true)
	defer u.EndPanel()
	u.Fill(all, ui.ColorInset.Alpha(0.72), 0)
	pad, list := px(18), px(pathRow)*pathRows
	card := ui.Rect{W: min(px(680), all.W-px(32)), H: min(2*pad+px(22+10+30+8+16+8+14+28)+list, all.H-px(16))}
	card.X, card.Y = all.X+float32(int((all.W-card.W)/2)), all.Y+float32(int((all.H-card.H)/2))
	u.MenuCard(card)
	in := card.Inset(pad, pad)
	u.Text(in.CutTop(px(22)), ui.Title, ui.ColorText, ui.Left, f.dialog.Title)
	in.CutTop(px(10))
	head := in.CutTop(px(30))
	if u.Button(ItemPathParent, head.CutRight(px(72)), "Parent", ui.Plain, 0, "Shows the folder that this one is in.") {
		f.goTo(filepath.Dir(f.folder))
	}
	head.CutRight(px(6))
	if u.Button(ItemPathHome, head.CutRight(px(72)), "Home", ui.Plain, 0, "Shows your own folder.") {
		f.goTo("~")
	}
	head.CutRight(px(6))
	tip := "The path of the file; ~ is your own folder."
	if f.dialog.Folder {
		tip = "The path of the folder; ~ is your own."
	}
	u.HeldField(itemPath, head, f.text, tip, f.changed)
	f.changed = false
	f.follow()
	f.obey()
	in.CutTop(px(8))
	note, ink := "Tab completes, arrows choose, Enter opens, Esc closes", ui.ColorFaint
	switch {
	case f.problem != "":
		note, ink = f.problem, ui.ColorError
	case f.dialog.Save:
		note = "Tab completes, arrows choose, Enter saves, Esc closes"
	case f.dialog.Folder:
		note = "Tab completes, arrows choose, Enter takes the folder that is typed, Esc closes"
	}
	u.Text(in.CutTop(px(16)), ui.Small, ink, ui.Left, note)
	in.CutTop(px(8))
	f.drawEntries(in.CutTop(in.H - px(14+28)))
	in.CutTop(px(14))
	label, tip := "Open", "Opens the chosen file, or the one whose path is typed.\tEnter"
	switch {
	case f.dialog.Save:
		label, tip = "Save", "Writes the file; asks before it replaces one.\tEnter"
	case f.dialog.Folder:
		label, tip = "Take folder", "Takes the folder whose path is typed.\tEnter"
	}
	take := u.Button(ItemPathTake, in.CutRight(px(110)), label, ui.Primary, 0, tip)
	in.CutRight(px(8))
	cancel := u.Button(itemPathCancel, in.CutRight(px(110)), "Cancel", ui.Plain, 0, "Opens and writes nothing.\tEsc")
	switch {
	case take:
		f.take()
	case cancel:
		f.close("")
	}
}

// drawEntries lists what matches. A click on an entry opens it; to save, one on a file puts its name into the field.
func (f *PathField) drawEntries(r ui.Rect) {
	u, h := f.UI, f.UI.Px(pathRow)
	u.Fill(r, ui.ColorInset, u.Px(4))
	if len(f.found) == 0 {
		u.Text(r, ui.Small, ui.ColorFaint, ui.Center, "Nothing here begins so")
		return
	}
	content := u.BeginScroll(itemPathScroll, r)
	if f.scroll {
		u.ScrollTo(float32(f.chosen)*h, float32(f.chosen+1)*h, r.H)
		f.scroll = false
	}
	row := ui.Rect{X: content.X, Y: content.Y, W: content.W - u.Px(12), H: h}
	clicked := -1
	for i := range f.found {
		if row.Bottom() >= r.Y && row.Y <= r.Bottom() { // a folder may hold thousands of files
			note, tip := f.found[i].Note, "A click opens this file."
			switch {
			case f.dialog.Folder && !f.found[i].Folder:
				tip = "A click takes the folder that holds this file."
			case f.found[i].Folder:
				tip = "A click shows what is in this folder."
			case f.dialog.Save:
				tip = "A click takes the name of this file."
			}
			name := f.found[i].Name
			if f.found[i].Folder {
				name = f.Line.Start().S(name).S(string(filepath.Separator)).View()
			}
			if u.ListRow(ItemPathEntry+i, row, name, note, i == f.chosen, tip) {
				clicked = i
			}
		}
		row.Y += h
	}
	u.EndScroll(content, row.Y)
	switch {
	case clicked < 0:
	case f.dialog.Save && !f.found[clicked].Folder:
		f.set(f.typed[:len(f.typed)-len(f.name)] + f.found[clicked].Name)
	default:
		f.chosen = clicked
		f.take()
	}
}
