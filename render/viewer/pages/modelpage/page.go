// Package modelpage is the page with facts about the model and the picture.
package modelpage

import (
	"skinlab/render"
	"skinlab/render/ui"
	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/pages"
	"skinlab/render/viewer/state"
	"skinlab/skinning"
)

// Host are the methods of the window that the page calls.
type Host interface {
	Renderer() *render.Renderer
	Model() *skinning.Model // of the first file
	Facts() []Fact          // facts about the first file
	ViewPixels() (width, height int)
}

// Fact is a line of the page.
type Fact struct{ Name, Value string }

// Page is the page.
type Page struct {
	*desk.Desk
	pages.Still
	host Host
	gpu  *render.Renderer
	Open bool // the list of warnings
}

// Info lists the page.
func Info() pages.Info {
	return pages.Info{Tab: state.TabModel, Title: "Model", Tip: "What the file holds, its size, and warnings about it.",
		Does: "Facts about the model"}
}

// New makes the page.
func New(d *desk.Desk, host Host) *Page {
	return &Page{Desk: d, host: host, gpu: host.Renderer()}
}

// Forget closes the list of warnings.
func (p *Page) Forget() { p.Open = false }

// Numbers of the page's items.
const (
	itemWarnings = 1 + iota
	itemScroll
)

// Draw draws the page.
func (p *Page) Draw(in ui.Rect) {
	u, px := p.UI, p.UI.Px
	in.H -= px(28)
	u.Text(ui.Rect{X: in.X, Y: in.Bottom(), W: in.W, H: px(20)}, ui.Small, ui.ColorFaint, ui.Left, "H shows all keys")

	p.Section(&in, "MODEL")
	for _, f := range p.host.Facts() {
		u.Value(in.CutTop(px(22)), f.Name, f.Value)
	}
	p.Section(&in, "PICTURE")
	u.Value(in.CutTop(px(22)), p.gpu.Timer().Label(), p.Line.Start().F(p.gpu.Timer().Picture().Smoothed()*1e3,
		2).S(" ms").View())
	width, height := p.host.ViewPixels()
	u.Value(in.CutTop(px(22)), "Pixels",
		p.Line.Start().I(width).S(" × ").I(height).View())
	h := min(u.TextHeight(ui.Small, p.gpu.Info().Renderer, in.W), px(48))
	u.TextWrapped(in.CutTop(h+px(4)), ui.Small, ui.ColorFaint, p.gpu.Info().Renderer)

	if w := p.host.Model().Warnings; len(w) > 0 {
		in.CutTop(px(14))
		label := p.Line.Start().I(len(w)).S(" warnings").View()
		if len(w) == 1 {
			label = "1 warning"
		}
		if u.Disclosure(itemWarnings, in.CutTop(px(desk.RowHeight)), label, ui.ColorWarning, p.Open,
			"Lists what was found to be wrong in the file, and what was done about it.") {
			p.Open = !p.Open
		}
		if p.Open && in.H > px(24) {
			p.warnings(ui.Rect{X: in.X, Y: in.Y + px(4), W: in.W, H: in.H - px(4+desk.Inset)}, w)
		}
	}
}

// mostWarnings limits the list. A broken file may have a warning per vertex.
const mostWarnings = 200

// warnings lists the warnings about the file.
func (p *Page) warnings(r ui.Rect, all []string) {
	u, px := p.UI, p.UI.Px
	content := u.BeginScroll(itemScroll, r)
	in := ui.Rect{X: content.X + px(8), Y: content.Y, W: content.W - px(8+14)}
	for _, w := range all[:min(len(all), mostWarnings)] {
		h := u.TextHeight(ui.Small, w, in.W)
		if in.Y+h >= r.Y && in.Y <= r.Bottom() {
			u.TextWrapped(in, ui.Small, ui.ColorDim, w)
		}
		in.Y += h + px(8)
	}
	u.EndScroll(content, in.Y)
}
