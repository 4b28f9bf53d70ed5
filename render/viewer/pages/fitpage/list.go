package fitpage

import (
	"slices"
	"strconv"
	"strings"

	"skinlab/render/ui"
	"skinlab/render/viewer/fitted"
	"skinlab/skinning"
)

// Fit is a fit of the first file's model, under way or done.
type Fit struct {
	ran    *form           // nil for no fit
	asked  Request         // of the fit
	Last   Update          // last update; Now is the shown step
	Picked int             // index of the shown step of the history, −1 for none
	seen   bool            // its model has been shown
	model  *fitted.Model   // that is shown of it, nil before there is one
	of     *skinning.Model // that was fitted
	on     *skinning.Model // the version of it that model is over
	saved  bool            // a file holds it
	clip   int             // that the fit has brought
	before int             // the clip in whose place it came, and its time
	time   float64
	undone bool // the clip, with the fit
}

// Model returns the shown model of the fit, nil before there is one.
func (f *Fit) Model() *fitted.Model { return f.model }

// steps returns the models of the fit's steps.
func (f *Fit) steps() (models []*skinning.Model) {
	for _, s := range append(slices.Clip(f.Last.History), f.Last.Now) {
		if s.Model != nil {
			models = append(models, s.Model())
		}
	}
	return models
}

// List is the list of the fits of a model. It never changes: another list takes its place. A nil list has no fits.
type List struct {
	fits  []namedFit
	shown int
}

type namedFit struct {
	*Fit
	name string
}

// named returns the fits with their names; a nil list has none.
func (l *List) named() []namedFit {
	if l == nil {
		return nil
	}
	return l.fits
}

func (l *List) Fits() (fits []*Fit) {
	if l != nil {
		for _, f := range l.fits {
			fits = append(fits, f.Fit)
		}
	}
	return fits
}

// NameOf returns the name of a choice, "" if its fit is not in the list.
func (l *List) NameOf(c Choice) string {
	if l != nil {
		for _, n := range l.fits {
			switch {
			case n.Fit != c.Fit:
			case c.Other >= 0:
				return c.Fit.others()[c.Other].Title
			default:
				return n.name
			}
		}
	}
	return ""
}

// with returns a list with one fit more, which is shown. Its name is its title, with a number where there are others.
func (l *List) with(f *Fit) *List {
	out := &List{}
	if l != nil {
		out.fits = slices.Clone(l.fits)
	}
	name := f.ran.row.Title
	for n := 2; slices.ContainsFunc(out.fits, func(other namedFit) bool { return other.name == name }); n++ {
		name = f.ran.row.Title + " " + strconv.Itoa(n)
	}
	out.fits = append(out.fits, namedFit{f, name})
	out.shown = len(out.fits) - 1
	return out
}

// without returns a list without a fit; the one before it is shown. It is nil if there is no other.
func (l *List) without(k int) *List {
	if len(l.fits) == 1 {
		return nil
	}
	out := &List{slices.Delete(slices.Clone(l.fits), k, k+1), l.shown}
	if l.shown >= k {
		out.shown = max(l.shown-1, 0)
	}
	return out
}

// keep returns a list of those fits alone that may stay, nil for none.
func (l *List) keep(stays func(*Fit) bool) *List {
	for k := len(l.Fits()) - 1; k >= 0; k-- {
		if !stays(l.fits[k].Fit) {
			l = l.without(k)
		}
	}
	return l
}

func (p *Page) List() *List { return p.list }

func (p *Page) Names() (names []string, shown int) {
	if p.list == nil {
		return nil, -1
	}
	for _, f := range p.list.fits {
		names = append(names, f.name)
	}
	return names, p.list.shown
}

// Restore makes a list that List has returned the list. A fit under way that is not in it ends; its best model stays.
// Fits that had no model yet when another file was opened, and those of another shape of the file, do not come back.
func (p *Page) Restore(l *List) {
	if l == p.list {
		return
	}
	l = l.keep(func(f *Fit) bool {
		return (p.job != nil || f.model != nil) && fitted.SameShape(f.of, p.Models.File.Model)
	})
	if p.job != nil {
		p.job.cancel()
		p.job = nil
	}
	if p.list == nil && l != nil { // the file is open again, and its forms are new
		if f := l.fits[l.shown]; !f.asked.Files { // whose shapes are forgotten
			f.askAgain()
		}
	}
	p.list = l
	p.open()
}

func (p *Page) open() {
	p.named = nil
	if p.list == nil {
		p.Models.Teach("")
		p.drop()
		p.shown = nil
		p.Models.DropFitted()
		return
	}
	p.Models.Teach(p.list.fits[p.list.shown].asked.teacher())
	if f := p.list.fits[p.list.shown].Fit; f != p.Fit {
		p.Fit, p.shown = f, f.ran
		p.Chosen = max(slices.Index(p.forms, f.ran), 0)
		p.plot()
		if f.model != nil {
			f.renew(p.Models.File.Model)
			p.Models.PutFitted(f.model)
		}
	}
	p.propose()
	p.Wake()
}

func (p *Page) choose(k int) {
	p.list = &List{p.list.fits, k}
	p.open()
}

func (p *Page) remove(k int) {
	p.list = p.list.without(k)
	p.open()
}

// dropFailed takes a fit that has ended without a model out of the list. The one that the window still shows is chosen.
func (p *Page) dropFailed() {
	if p.model != nil || p.list == nil {
		return
	}
	p.list = p.list.without(p.list.shown)
	if p.list == nil {
		p.Models.Teach("")
		return
	}
	on := func(f namedFit) bool { return f.model == p.Models.Fitted() }
	p.list.shown = max(slices.IndexFunc(p.list.fits, on), 0)
	p.open()
}

func (p *Page) rename(name string) {
	fits, k := slices.Clone(p.list.fits), p.list.shown
	fits[k].name = name
	p.list = &List{fits, k}
	p.propose()
}

// suffixOf returns the ending of an exported file's name for the shown fit.
func (p *Page) suffixOf() string {
	f := &p.list.fits[p.list.shown]
	if n, ok := strings.CutPrefix(f.name, f.ran.row.Title); ok { // and a number
		return f.ran.row.Suffix + strings.ReplaceAll(n, " ", "-")
	}
	return "-" + strings.ReplaceAll(strings.ToLower(f.name), " ", "-")
}

// Numbers of the list's items. A fit has three: its row, and buttons that put it beside the shown one or drop it.
const (
	ItemFit     = 600
	ItemBeside  = 1
	ItemDrop    = 2
	FitItems    = 3
	ItemFitName = 590
	itemFits    = 591
)

// Sizes of the list in design pixels.
const (
	listRows    = 3
	listHeight  = 30 + listRows*rowHeight + 6 + 26
	besideWidth = 58
	dropWidth   = 24
)

// listFits draws the list, whose rows show a fit, put it beside or drop it, and the shown one's name as a field.
func (p *Page) listFits(in *ui.Rect) {
	if p.list == nil {
		return
	}
	u, px := p.UI, p.UI.Px
	p.CloseSection(in, 10, "FITS")
	area := in.CutTop(px(listRows * rowHeight))
	content := area
	scrolls := len(p.list.fits) > listRows
	if scrolls {
		content = u.BeginScroll(itemFits, area)
		content.W -= px(12)
	}
	l, chosen, dropped := p.list, -1, -1
	for k := range l.fits {
		f := &l.fits[k]
		row := ui.Rect{X: content.X, Y: content.Y + px(rowHeight)*float32(k), W: content.W, H: px(rowHeight)}
		item := ItemFit + FitItems*k
		drop := row.CutRight(px(dropWidth)).Inset(px(1), px(1))
		row.CutRight(px(2))
		beside := row.CutRight(px(besideWidth)).Inset(px(1), px(1))
		row.CutRight(px(4))
		note := ""
		if phases := f.Last.Phases; len(phases) > 0 { // of scans: EE is of the poses of a clip
			note = p.Line.Start().F(phases[len(phases)-1].RMS*1e3, 2).S(" mm").View()
		} else if n := f.Last.Now.Added; n > 0 {
			note = p.Error(f.Last.Now.EE).S(", ").I(n).View()
		} else if f.model != nil {
			note = p.Error(f.Last.Now.EE).View()
		}
		if k == l.shown && p.wasEdited() {
			note = "edited since"
		}
		if u.ListRow(item, row, f.name, note, k == l.shown,
			"Shows this fit: its error (EE) in percent over the poses that it learnt from, or its RMS distance from scans, "+
				"and the number of its bones.") {
			chosen = k
		}
		if k != l.shown && f.model != nil {
			look := ui.Plain
			if now, _ := p.Compared(); now == (Choice{f.Fit, -1}) {
				look = ui.Primary
			}
			if u.Button(item+ItemBeside, beside, "Beside", look, 0, "Shows this fit in a picture beside the chosen one.") {
				p.Compare(Choice{f.Fit, -1}, f.name)
			}
		}
		if u.Button(item+ItemDrop, drop, "×", ui.Plain, 0, "Drops this fit; Ctrl Z brings it back.") {
			dropped = k
		}
	}
	if scrolls {
		u.EndScroll(content, content.Y+px(rowHeight)*float32(len(l.fits)))
	}
	in.CutTop(px(6))
	p.nameField(in.CutTop(px(26)))
	switch {
	case p.job != nil: // the fit under way is the one that is shown
	case dropped >= 0:
		p.remove(dropped)
	case chosen >= 0 && chosen != l.shown:
		p.choose(chosen)
	}
}

func (p *Page) nameField(row ui.Rect) {
	u, px := p.UI, p.UI.Px
	u.Text(row.CutLeft(px(labelWidth)), ui.Body, ui.ColorDim, ui.Left, "Name")
	if shown := p.list.fits[p.list.shown]; p.named != shown.Fit {
		p.named = shown.Fit
		p.name.SetText(shown.name)
	}
	u.TextField(ItemFitName, row, p.name, "The name of the chosen fit, here and of the file that is exported.")
	if name := p.name.View(); p.job == nil && name != "" && name != p.list.fits[p.list.shown].name {
		p.rename(strings.Clone(name))
	}
}
