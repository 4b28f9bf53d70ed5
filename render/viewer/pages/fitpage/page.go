// Package fitpage is the page that fits the first file's model, shows the progress and exports the result. For a file
// with added bones it describes their fit.
package fitpage

import (
	"cmp"
	"time"

	"skinlab/render/ui"
	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/legend"
	"skinlab/render/viewer/pages"
	"skinlab/render/viewer/saver"
	"skinlab/render/viewer/state"
	"skinlab/render/viewer/terms"
	"skinlab/skinning/rig"
)

type Host interface {
	ChooseClip(others []string, run func(i int))          // lists the clips behind others: −1, −2 and so on are those
	AskShapes(endings []string, read func(folder string)) // asks for a folder of shapes
	Amends()                                              // what this frame changes belongs to the step before
	MethodKeys() string                                   // keys of the direct methods
}

// Page holds a fit, under way or done, and the request for the next one.
type Page struct {
	pages.Room
	pages.Still
	host      Host
	fits      Fitter // nil without fits
	export    Export // nil without export
	all       []*form
	forms     []*form      // those that fit the model
	titles    []ui.Segment // of forms
	refusal   string       // why none does
	more      bool         // the form shows all its options
	Chosen    int          // index into forms
	operators operators
	teachers  operators

	targets      targetChoice
	exampleCount int    // number of the model's own examples
	lost         string // what methods without scale lose on the model

	*Fit                 // that the page shows, under way or done
	list     *List       // of all
	waiting  *List       // fits of an older version of the file with another shape, nil for none
	named    *Fit        // whose name is in the field
	shown    *form       // form of the fit that the window shows; nil for none
	job      *job        // nil if no fit is under way
	compared *comparison // nil for none
	started  time.Time
	nextSwap time.Time // earliest time to show the next model of a running fit
	curve    ui.Plot   // history as a curve
	phases   ui.Plot   // RMS by phase
	rows     ui.Rect   // kept between calls of controls: passed to an interface, it would be allocated

	name    *ui.TextField // of the shown fit
	path    *ui.TextField
	writing desk.Job[string]
	written *saver.File // file being written
	at      string      // its path
	source  *Fit        // that it holds
	saving  saving
	edited  func() *rig.HelperBones // the shown rig as a person has changed it, nil if it is as it was

	editsWriting, editsSaved *rig.HelperBones // as edited returned them: those that are being written, and the last that were

	clips  clipMenu // of the next fit
	advice advice
	again  []*Fit // that are to be fitted once more
	past   past
}

func New(room pages.Room, host Host, fits Fitter, export Export) *Page {
	p := &Page{Room: room, host: host, fits: fits, export: export, Fit: &Fit{Picked: -1},
		all: newForms(fits), operators: newOperators(), targets: targetChoice{times: ui.NewTextField("")},
		name: ui.NewTextField(""), path: ui.NewTextField(""), edited: func() *rig.HelperBones { return nil }}
	p.teachers = p.operators.teachers()
	p.Models.Fitting, p.Models.Examples = p.Running, -1
	return p
}

// Sizes of the page in design pixels. The plot takes the remaining height.
const (
	labelWidth     = 72
	timeWidth      = 48
	rowHeight      = 24
	leastPlot      = 80
	mostPlot       = 240
	controlsHeight = 10 + 28 + introHeight + 8 + 30 + 4 // without the rows of the form
	statusHeight   = 22
	legendHeight   = 16
	noteHeight     = 2 * 16 // two lines
	exportHeight   = 10 + 14 + 6 + 28 + 8
	belowPlot      = legendHeight + rowHeight + 30 + 3*rowHeight + 8 + listHeight
	leastPage      = controlsHeight + noteHeight + statusHeight + leastPlot + belowPlot
)

const (
	itemScroll = 100 + iota*10
	ItemKind
	ItemSource
	ItemSlider
	ItemClip
	ItemStart
	itemPlot
	ItemPick
	ItemSwitch
	ItemPaint
	ItemExport
	ItemTargets
	ItemAdd  // adds the clip on the screen to those of the next fit
	ItemMore = 595
)

func (p *Page) Draw(r ui.Rect) {
	u, px := p.UI, p.UI.Px
	asks := 0 // largest number of rows of a form, so that the layout does not change with the choice
	for _, f := range p.forms {
		asks = max(asks, f.rows(p.more))
	}
	in, least := r, px(leastPage+float32(asks)*rowHeight+p.heightOfOthers())+p.heightOfAdvice(r.W-px(4))
	exports := p.Models.Fitted() != nil && p.shown == p.form()
	// The export has its place before there is a fit too, so that nothing moves, where the page has room for that.
	if p.Models.File.Fitted == nil && len(p.forms) > 0 && p.export != nil && (exports || r.H >= least+px(exportHeight)) {
		export := r
		r.H -= px(exportHeight)
		in.H = r.H
		export.CutTop(r.H)
		if exports {
			u.Fill(ui.Rect{X: export.X, Y: export.Y, W: export.W, H: 1}, ui.ColorEdge, 0)
			p.ExportRow(&export)
		}
	}
	scrolls := r.H < least
	if scrolls {
		in = p.BeginScroll(itemScroll, r)
		in.H = least
	}
	switch {
	case p.Models.File.Fitted != nil:
		p.tellOrigin(&in)
	case len(p.forms) == 0:
		p.Section(&in, "FIT")
		p.Paragraph(&in, p.refusal)
	default:
		p.controls(&in, asks)
		if !p.advice.passed {
			p.listAdvice(&in)
		}
		// The note has its place before there is one, so that nothing moves when a fit starts or ends.
		at := in.CutTop(px(noteHeight))
		p.offerClip(&at)
		note, warning := p.note()
		color := ui.ColorDim
		if warning {
			color = ui.ColorWarning
		}
		u.TextWrapped(at, ui.Small, color, note)
	}
	below := px(statusHeight + belowPlot + p.heightOfOthers())
	if p.advice.passed {
		below += p.heightOfAdvice(in.W)
	}
	plotHeight := min(max(in.H-below, px(leastPlot)), px(mostPlot))
	switch {
	case p.ran != p.form():
	case len(p.Last.Phases) > 0:
		p.drawPhases(&in, plotHeight)
	case len(p.Last.History)+len(p.Last.Marks) > 0:
		p.drawHistory(&in, plotHeight)
	case p.job != nil:
		p.preparing(&in, plotHeight)
	}
	if f := p.Models.Fitted(); f != nil && f.Adds() && (p.Models.File.Fitted != nil || p.shown == p.form()) {
		p.switches(&in)
	}
	if p.Models.File.Fitted == nil {
		p.listFits(&in)
		if p.ran == p.form() {
			p.listOthers(&in)
		}
		if p.advice.passed && len(p.forms) > 0 {
			p.listAdvice(&in)
		}
	}
	if scrolls {
		u.EndScroll(in, in.Y+px(4))
	}
}

func (p *Page) tellOrigin(in *ui.Rect) {
	names := &p.Models.Fitted().Names
	p.Section(in, names.Heading)
	p.Paragraph(in, p.Line.Start().S("This file came with ").S(names.Nouns).S(". Methods ").S(p.host.MethodKeys()).
		S(" show its other joints, with weights that the ").S(names.Nouns).
		S(" stand for; open the model it was made from to fit anew.").View())
}

// controls draws the form and the button that starts and cancels a fit. While a fit runs, the form shows its request.
func (p *Page) controls(in *ui.Rect, asks int) {
	u, px := p.UI, p.UI.Px
	running := p.job != nil
	in.CutTop(px(10))
	if k := u.Segments(ItemKind, in.CutTop(px(28)), p.titles, p.Chosen); !running {
		p.Chosen = k
	}
	p.intro(in)
	p.rows = in.CutTop(px(float32(asks) * rowHeight))
	p.ask(p.form(), &p.rows, !running)
	in.CutTop(px(8))
	start := in.CutTop(px(30))
	p.adviceButton(&start)
	switch {
	case running:
		if u.Button(ItemStart, start, "Cancel", ui.Plain, min(max(p.Last.Share, 0.01), 1),
			"Stops the fit; the best model so far stays.") {
			p.stop()
		}
	case p.form().ask.Files && (p.targets.of == nil || p.targets.reading.Running()):
		u.Button(ItemStart, start, "Fit", ui.Off, 0, "Choose a folder of shapes first.")
	case u.Button(ItemStart, start, "Fit", ui.Primary, 0, "Starts the fit, which runs while you go on working."):
		p.start(time.Now())
	}
	in.CutTop(px(4))
}

// preparing fills the place of the plot until there is a curve. The parts below keep their places.
func (p *Page) preparing(in *ui.Rect, plotHeight float32) {
	u, px := p.UI, p.UI.Px
	u.Text(in.CutTop(px(statusHeight)), ui.Small, ui.ColorFaint, ui.Left,
		p.Line.Start().S(cmp.Or(p.Last.Stage, "Preparing")).S(", ").F(time.Since(p.started).Seconds(), 1).S(" s").View())
	in.CutTop(plotHeight + px(legendHeight) + px(rowHeight))
}

func (p *Page) row(in *ui.Rect, label string) ui.Rect {
	r := in.CutTop(p.UI.Px(rowHeight))
	p.UI.Text(r.CutLeft(p.UI.Px(labelWidth)), ui.Body, ui.ColorDim, ui.Left, label)
	return r
}

type slider struct {
	item              int
	label, value, tip string
	x                 float64
	ui.Track
}

func (p *Page) slider(in *ui.Rect, s slider) float64 {
	u, px := p.UI, p.UI.Px
	r := p.row(in, s.label)
	u.Text(r.CutRight(px(44)), ui.Body, ui.ColorText, ui.Right, s.value)
	r.CutRight(px(8))
	return u.Slider(s.item, r, s.x, s.Track, s.tip)
}

// trainingTip explains the error that a fit reports of its training poses.
var trainingTip = "Over the poses that the fit learns from, of all its clips: other poses and single clips have other errors. " +
	terms.EE.Tip()

// drawHistory plots EE against the number of added bones (ALNS figure 8). The mouse chooses the step that is shown.
func (p *Page) drawHistory(in *ui.Rect, plotHeight float32) {
	u, px := p.UI, p.UI.Px
	status, edited := in.CutTop(px(statusHeight)), p.wasEdited()
	if !edited {
		elapsed := p.Last.Now.Elapsed
		if p.job != nil {
			elapsed = time.Since(p.started)
		}
		u.Text(status, ui.Body, ui.ColorDim, ui.Right, p.Line.Start().F(elapsed.Seconds(), 1).S(" s").View())
		status.CutRight(px(timeWidth))
		if added := p.Last.Now.Added; added > 0 {
			u.Text(status.CutLeft(px(labelWidth)), ui.Strong, ui.ColorText, ui.Left,
				p.Line.Start().Count(added, "bone", "bones").View())
		}
	}
	if p.Last.Now.Model != nil {
		line := p.Error(p.Last.Now.EE).S(" from ").S(p.learns())
		switch {
		case edited:
			line.S(" before it was edited")
		case p.job != nil: // a later stage of the fit may make it more
			line.S(" so far")
		}
		u.Term(status, ui.Strong, ui.ColorText, ui.Left, line.View(), trainingTip)
	}
	p.curve.Mark = p.Picked
	held := u.Plot(itemPlot, in.CutTop(plotHeight), &p.curve,
		"The error, EE, in % after each step of the fit; the fewer, the closer. Level lines: the same without added "+
			"bones. Drag to show the model of a step.")
	legend := in.CutTop(px(legendHeight))
	note := p.Last.Reason
	if p.job != nil {
		note = p.Last.Stage
	}
	u.Text(legend, ui.Small, ui.ColorFaint, ui.Right, note)
	legend.CutRight(u.TextWidth(ui.Small, note) + px(8))
	what := p.Line.Start()
	if edited {
		what.S(beforeEdit)
	}
	u.Term(legend, ui.Small, ui.ColorFaint, ui.Left, what.S("EE in training, %, by ").S(p.ran.row.Nouns()).View(),
		trainingTip)
	if p.job != nil || len(p.Last.History) == 0 { // the newest step is shown
		in.CutTop(px(rowHeight))
		return
	}
	pick := int(p.slider(in, slider{ItemPick, "Show", p.Line.Start().I(p.Last.Now.Added).View(),
		"How many of the added bones the shown model has.", float64(p.Picked),
		ui.Track{Most: float64(len(p.Last.History) - 1), Step: 1, Shown: p.curve.X}}))
	if held >= 0 {
		pick = held
	}
	p.pick(pick)
}

// drawPhases plots the RMS error of a fit that minimises one objective, over all shapes, after each phase.
func (p *Page) drawPhases(in *ui.Rect, plotHeight float32) {
	u, px, phases, c := p.UI, p.UI.Px, p.Last.Phases, &p.phases
	if len(c.Y) != len(phases) {
		*c = ui.Plot{X: c.X[:0], Y: c.Y[:0], Mark: -1, MostX: float64(len(phases) + 1), MostY: 1e-9}
		for k, f := range phases {
			c.X, c.Y = append(c.X, float64(k+1)), append(c.Y, f.RMS*1e3)
			c.MostY = max(c.MostY, f.RMS*1e3*1.08)
		}
	}
	elapsed, note := p.Last.Now.Elapsed, p.Last.Reason
	if p.job != nil {
		elapsed, note = time.Since(p.started), "under way"
	}
	status := in.CutTop(px(statusHeight))
	u.Text(status, ui.Body, ui.ColorDim, ui.Right, p.Line.Start().F(elapsed.Seconds(), 1).S(" s").View())
	u.Term(status, ui.Strong, ui.ColorText, ui.Left,
		p.Line.Start().S("RMS ").F(phases[len(phases)-1].RMS*1e3, 2).S(" mm from all shapes").View(), terms.RMS.Tip())
	u.Plot(itemPlot, in.CutTop(plotHeight), c,
		"RMS distance of the model from the shapes after each phase of the fit, in mm. The last is that of its file.")
	legend := in.CutTop(px(legendHeight))
	u.Text(legend, ui.Small, ui.ColorFaint, ui.Right, note)
	u.Term(legend, ui.Small, ui.ColorFaint, ui.Left, p.Line.Start().S("RMS in mm, by phases: ").I(len(phases)).View(),
		terms.RMS.Tip())
	in.CutTop(px(rowHeight))
}

func (p *Page) switches(in *ui.Rect) {
	u, px, s := p.UI, p.UI.Px, p.State
	p.CloseSection(in, 10, "SHOW")
	for k, row := range [...]struct {
		label, tip string
		on         *bool
	}{{p.Models.Fitted().Names.All, "Draws the added bones as beads.\tJ", &s.Bones},
		{"Paint influence", "Paints on the skin what the added bones move.\tP", &s.Paint},
		{"Baked motion", terms.Baked.Tip(), &s.Baked}} {
		if row.on == &s.Baked && !p.Models.Fitted().Baked {
			continue // no baked clips to compare with
		}
		if u.Switch(ItemSwitch+k, in.CutTop(px(rowHeight)), row.label, *row.on, row.tip) {
			if row.on == &s.Paint {
				s.SetPaint(!s.Paint)
			} else {
				*row.on = !*row.on
			}
		}
		if row.on == &s.Paint && p.Models.Fitted().Linear != nil {
			p.paintChoice(in.CutTop(px(rowHeight)))
		}
	}
}

// ExportRow draws the controls that write the shown fit to a file, if the window can.
func (p *Page) ExportRow(in *ui.Rect) {
	if p.export == nil {
		return
	}
	u, px := p.UI, p.UI.Px
	heading := *in
	p.CloseSection(in, 10, "EXPORT AS GLTF")
	heading.CutTop(px(10))
	heading.CutLeft(px(110))
	u.Text(heading.CutTop(px(14)), ui.Small, ui.ColorDim, ui.Right, p.Saver.Where(p.path.View()))
	row := in.CutTop(px(28))
	button := row.CutRight(px(70))
	row.CutRight(px(6))
	entered := u.TextField(ItemExport, row, p.path,
		"The file that is written: a name in the folder above, or a whole path.")
	look, label := ui.Primary, "Export"
	if p.writing.Running() || p.job != nil {
		look = ui.Off
	}
	if p.writing.Running() {
		label = "Writing"
	}
	if u.Button(ItemExport+1, button, label, look, 0,
		"Writes a glTF that plays in any engine: the added bones as joints, with every clip baked.") || entered && look != ui.Off {
		p.startExport()
	}
}

func (p *Page) paintChoice(r ui.Rect) {
	s := p.State
	chosen := -1 // no paint
	if s.Paint {
		chosen = int(s.PaintView)
	}
	if k := p.UI.Segments(ItemPaint, r, legend.PaintChoices, chosen); k != chosen {
		s.SetPaint(true)
		s.PaintView = state.PaintView(k)
	}
}
