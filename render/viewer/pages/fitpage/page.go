// Package fitpage is the page that fits the first file's model, shows how far that is, and exports what it has made; or
// tells of what a file came with.
package fitpage

import (
	"time"

	"skinlab/render/ui"
	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/fitted"
	"skinlab/render/viewer/legend"
	"skinlab/render/viewer/pages"
	"skinlab/render/viewer/saver"
	"skinlab/render/viewer/state"
	"skinlab/skinning"
)

// Host is what the page sees of the window.
type Host interface {
	Model() *skinning.Model  // of the first file
	Source() *skinning.Model // as the file has it: Model has more clips
	OwnClips() int           // how many of Model's clips are the file's
	ClipName(clip int) string
	SetClip(clip int)
	CameFitted() bool              // the file came with added bones
	Fitted() *fitted.Model         // what is shown of a fit, nil for none
	PutFitted(f *fitted.Model)     // shows it
	MethodKeys() string            // the keys of the direct methods
	InFolder(path string) string   // a bare name as one in the folder of the first file
	ProposeName(end string) string // a file name for the first file's model, with an end
}

// Page is the page: a fit, under way or done, and what it would ask of the next.
type Page struct {
	*desk.Desk
	pages.Still
	host      Host
	fits      Fitter // nil: there is none
	export    Export // nil: there is none
	saver     *saver.Saver
	forms     []*form
	titles    []string // of these
	Chosen    int      // of forms
	operators operators

	examples, exampleCount int    // the clip of the model's own examples, −1 for none, and how many they are
	lost                   string // what methods without scale lose on the model

	ran      *form   // what is below is of it; nil where nothing has run
	asked    Request // of what ran
	job      *job    // nil where none is under way
	started  time.Time
	nextSwap time.Time // when the next model of a running fit may go on the screen
	Last     Update    // with the step on the screen for Now
	Picked   int       // the step of the history on the screen, −1 for none
	seen     bool      // its model has been put on the screen
	curve    ui.Plot   // the history as the plot wants it
	rows     ui.Rect   // scratch of controls: what an interface is handed would be allocated

	path    *ui.TextField
	writing desk.Job[string]
	written *saver.File // that is being written
	at      string      // where
}

// Info lists the page.
func Info() pages.Info { return pages.Info{Tab: state.TabFit, Title: "Fit"} }

// New makes the page.
func New(d *desk.Desk, host Host, fits Fitter, export Export, s *saver.Saver) *Page {
	p := &Page{Desk: d, host: host, fits: fits, export: export, saver: s, Picked: -1, examples: -1,
		operators: newOperators(), path: ui.NewTextField("")}
	p.forms, p.titles = newForms(fits)
	return p
}

// Sizes of the page in design pixels. The plot takes what the other parts leave.
const (
	labelWidth     = 72
	rowHeight      = 24
	leastPlot      = 104
	mostPlot       = 240
	controlsHeight = 10 + 28 + 8 + 8 + 30 + 4 // and the rows that ask
	statusHeight   = 22
	legendHeight   = 16
	noteHeight     = 2 * 16 // of two lines, where there is something to say
	notedPlot      = 80     // the least plot beside them
	belowPlot      = legendHeight + rowHeight + 30 + 3*rowHeight + 30 + 28 + 8
	leastPage      = controlsHeight + statusHeight + leastPlot + belowPlot
)

// Items of the page.
const (
	itemScroll = 100 + iota*10
	ItemKind
	ItemSource
	ItemSlider
	ItemClip
	ItemStart
	itemPlot
	ItemPick
	itemSwitch
	ItemPaint
	ItemExport
)

// Draw draws the page.
func (p *Page) Draw(r ui.Rect) {
	u, px := p.UI, p.UI.Px
	asks := 0 // rows of the form with the most: the page keeps its places as another is chosen
	for _, f := range p.forms {
		asks = max(asks, f.rows())
	}
	in, least, plotHeight := r, px(leastPage+float32(asks)*rowHeight), px(leastPlot)
	note, warning := p.note()
	if note != "" {
		least += px(noteHeight+notedPlot) - plotHeight
		plotHeight = px(notedPlot)
	}
	scrolls := r.H < least
	if scrolls {
		in = u.BeginScroll(itemScroll, ui.Rect{X: r.X, Y: r.Y, W: r.W + px(desk.Inset), H: r.H})
		in.W, in.H = r.W-px(4), least // beside the scroll bar
	}
	content := in
	switch {
	case p.host.CameFitted():
		p.tellOrigin(&in)
	case len(p.host.Model().Skin.Positions) == 0:
		p.Section(&in, "FIT")
		p.Paragraph(&in, "This model has no skin to fit.")
	case len(p.forms) > 0:
		p.controls(&in, asks)
		if note != "" {
			color := ui.ColorDim
			if warning {
				color = ui.ColorWarning
			}
			u.TextWrapped(in.CutTop(px(noteHeight)), ui.Small, color, note)
		}
	}
	plotHeight = min(max(in.H-px(statusHeight+belowPlot), plotHeight), px(mostPlot))
	switch {
	case len(p.Last.History)+len(p.Last.Marks) > 0:
		p.drawHistory(&in, plotHeight)
	case p.job != nil:
		p.preparing(&in, plotHeight)
	}
	if p.host.Fitted() != nil {
		p.switches(&in)
		if p.export != nil && !p.host.CameFitted() {
			p.exportRow(&in)
		}
	}
	if scrolls {
		u.EndScroll(content, in.Y+px(4))
	}
}

// tellOrigin tells of a file that a fit has written.
func (p *Page) tellOrigin(in *ui.Rect) {
	names := &p.host.Fitted().Names
	p.Section(in, names.Heading)
	p.Paragraph(in, p.Line.Start().S("This file came with ").S(names.Nouns).S(". Methods ").S(p.host.MethodKeys()).
		S(" show its other joints, with weights that the ").S(names.Nouns).
		S(" stand for; open the model it was made from to fit anew.").View())
}

// controls ask for a fit and start and cancel it. While it runs they show what was asked.
func (p *Page) controls(in *ui.Rect, asks int) {
	u, px := p.UI, p.UI.Px
	running := p.job != nil
	in.CutTop(px(10))
	if k := u.Segments(ItemKind, in.CutTop(px(28)), p.titles, p.Chosen); !running {
		p.Chosen = k
	}
	in.CutTop(px(8))
	p.rows = in.CutTop(px(float32(asks) * rowHeight))
	p.ask(p.form(), &p.rows, !running)
	in.CutTop(px(8))
	start := in.CutTop(px(30))
	switch {
	case running:
		if u.Button(ItemStart, start, "Cancel", ui.Plain, min(max(p.Last.Share, 0.01), 1)) {
			p.Stop()
		}
	case u.Button(ItemStart, start, "Fit", ui.Primary, 0):
		p.start(time.Now())
	}
	in.CutTop(px(4))
}

// preparing stands for the plot until there is something to plot. Where an older fit is shown, what is below stays
// where it was.
func (p *Page) preparing(in *ui.Rect, plotHeight float32) {
	u, px := p.UI, p.UI.Px
	u.Text(in.CutTop(px(statusHeight)), ui.Small, ui.ColorFaint, ui.Left,
		p.Line.Start().S("Preparing, ").F(time.Since(p.started).Seconds(), 1).S(" s").View())
	if p.host.Fitted() != nil {
		in.CutTop(plotHeight + px(legendHeight) + px(rowHeight))
	}
}

// row takes a row off in and draws its label.
func (p *Page) row(in *ui.Rect, label string) ui.Rect {
	r := in.CutTop(p.UI.Px(rowHeight))
	p.UI.Text(r.CutLeft(p.UI.Px(labelWidth)), ui.Body, ui.ColorDim, ui.Left, label)
	return r
}

// slider is a row with a slider and its value.
type slider struct {
	item              int
	label, value      string
	x                 float64
	least, most, step float64
}

// slider draws a slider and returns where it stands now.
func (p *Page) slider(in *ui.Rect, s slider) float64 {
	u, px := p.UI, p.UI.Px
	r := p.row(in, s.label)
	u.Text(r.CutRight(px(44)), ui.Body, ui.ColorText, ui.Right, s.value)
	r.CutRight(px(8))
	return u.Slider(s.item, r, s.x, s.least, s.most, s.step)
}

// drawHistory plots EE against the number of added bones (ALNS figure 8), and chooses which of them are shown.
func (p *Page) drawHistory(in *ui.Rect, plotHeight float32) {
	u, px := p.UI, p.UI.Px
	status := in.CutTop(px(statusHeight))
	word := " bones"
	if p.Last.Now.Bones == 1 {
		word = " bone"
	}
	u.Text(status, ui.Strong, ui.ColorText, ui.Left, p.Line.Start().I(p.Last.Now.Bones).S(word).View())
	elapsed := p.Last.Now.Elapsed
	if p.job != nil {
		elapsed = time.Since(p.started)
	}
	u.Text(status, ui.Body, ui.ColorDim, ui.Right, p.Line.Start().F(elapsed.Seconds(), 1).S(" s").View())
	if status.CutLeft(px(labelWidth)); p.Last.Now.Model != nil {
		u.Text(status, ui.Strong, ui.ColorText, ui.Left, p.Line.Start().S("EE ").F(p.Last.Now.EE, 2).S(" %").View())
	}
	p.curve.Mark = p.Picked
	held := u.Plot(itemPlot, in.CutTop(plotHeight), &p.curve)
	legend := in.CutTop(px(legendHeight))
	note := p.Last.Reason
	if p.job != nil {
		note = p.Last.Stage
	}
	u.Text(legend, ui.Small, ui.ColorFaint, ui.Right, note)
	legend.CutRight(u.TextWidth(ui.Small, note) + px(8))
	u.Text(legend, ui.Small, ui.ColorFaint, ui.Left, p.Line.Start().S("EE in % by ").S(p.ran.row.Nouns).View())
	if p.job != nil || len(p.Last.History) == 0 { // the newest step is shown
		in.CutTop(px(rowHeight))
		return
	}
	pick := int(p.slider(in, slider{ItemPick, "Show", p.Line.Start().I(p.Last.Now.Bones).View(), float64(p.Picked), 0,
		float64(len(p.Last.History) - 1), 1}))
	if held >= 0 {
		pick = held
	}
	p.pick(pick)
}

// switches choose how added bones are shown.
func (p *Page) switches(in *ui.Rect) {
	u, px, s := p.UI, p.UI.Px, p.State
	p.CloseSection(in, 10, "SHOW")
	for k, row := range [...]struct {
		label, key string
		on         *bool
	}{{p.host.Fitted().Names.All, "J", &s.Bones}, {"Paint influence", "P", &s.Paint}, {"Baked motion", "", &s.Baked}} {
		if row.on == &s.Baked && !p.host.Fitted().Baked {
			continue // there is nothing baked to compare with
		}
		if u.Switch(itemSwitch+k, in.CutTop(px(rowHeight)), row.label, row.key, *row.on) {
			*row.on = !*row.on
		}
		if row.on == &s.Paint && p.host.Fitted().Linear != nil {
			p.paintChoice(in.CutTop(px(rowHeight)))
		}
	}
}

func (p *Page) exportRow(in *ui.Rect) {
	u, px := p.UI, p.UI.Px
	p.CloseSection(in, 10, "EXPORT AS GLTF")
	row := in.CutTop(px(28))
	button := row.CutRight(px(70))
	row.CutRight(px(6))
	entered := u.TextField(ItemExport, row, p.path)
	look, label := ui.Primary, "Export"
	if p.writing.Running() || p.job != nil {
		look = ui.Off
	}
	if p.writing.Running() {
		label = "Writing"
	}
	if u.Button(ItemExport+1, button, label, look, 0) || entered && look != ui.Off {
		p.startExport()
	}
}

// paintChoice chooses what is painted.
func (p *Page) paintChoice(r ui.Rect) {
	s := p.State
	chosen := -1 // nothing is painted
	if s.Paint {
		chosen = int(s.PaintView)
	}
	if k := p.UI.Segments(ItemPaint, r, legend.PaintNames(), chosen); k != chosen {
		s.Paint, s.PaintView = true, state.PaintView(k)
	}
}
