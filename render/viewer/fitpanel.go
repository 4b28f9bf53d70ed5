package viewer

import (
	"time"

	"skinlab/render/ui"
)

// Sizes of the fit panel in design pixels. The plot takes what the other parts leave.
const (
	fitLabel          = 72
	fitRow            = 24
	leastFitPlot      = 104
	mostFitPlot       = 240
	fitControlsHeight = 10 + 28 + 8 + 8 + 30 + 4 // and the rows that ask
	fitStatusHeight   = 22
	fitLegendHeight   = 16
	fitNoteHeight     = 2 * 16 // of two lines, where there is something to say
	notedFitPlot      = 80     // the least plot beside them
	belowFitPlot      = fitLegendHeight + fitRow + 30 + 3*fitRow + 30 + 28 + 8
	leastFitPanel     = fitControlsHeight + fitStatusHeight + leastFitPlot + belowFitPlot
)

// Items of the fit panel.
const (
	itemFitScroll = 100 + iota*10
	itemFitKind
	itemFitSource
	itemFitSlider
	itemFitClip
	itemFitStart
	itemFitPlot
	itemFitPick
	itemFitSwitch
	itemFitPaint
	itemFitExport
)

// fitPanel fits the model, or shows what it came with.
func (a *app) fitPanel(r ui.Rect) {
	u, px, f := a.ui, a.ui.Px, &a.fit
	in, least, leastPlot := r, px(leastFitPanel+float32(f.askRows())*fitRow), px(leastFitPlot)
	note, warning := f.note()
	if note != "" {
		least += px(fitNoteHeight+notedFitPlot) - leastPlot
		leastPlot = px(notedFitPlot)
	}
	scrolls := r.H < least
	if scrolls {
		in = u.BeginScroll(itemFitScroll, ui.Rect{X: r.X, Y: r.Y, W: r.W + px(inset), H: r.H})
		in.W, in.H = r.W-px(4), least // beside the scroll bar
	}
	content := in
	switch {
	case a.shown.fitted != nil:
		a.cameFitted(&in)
	case len(a.shown.model.Skin.Positions) == 0:
		a.desk.Section(&in, "FIT")
		a.desk.Paragraph(&in, "This model has no skin to fit.")
	case len(f.forms) > 0:
		a.fitControls(&in)
		if note != "" {
			color := ui.ColorDim
			if warning {
				color = ui.ColorWarning
			}
			u.TextWrapped(in.CutTop(px(fitNoteHeight)), ui.Small, color, note)
		}
	}
	plot := min(max(in.H-px(fitStatusHeight+belowFitPlot), leastPlot), px(mostFitPlot))
	switch {
	case len(f.history)+len(f.marks) > 0:
		a.fitHistory(&in, plot)
	case f.job != nil:
		a.preparing(&in, plot)
	}
	if a.fitted != nil {
		a.fittedSwitches(&in)
		if a.opt.Export != nil && a.shown.fitted == nil {
			a.exportRow(&in)
		}
	}
	if scrolls {
		u.EndScroll(content, in.Y+px(4))
	}
}

// cameFitted tells of a file that a fit has written.
func (a *app) cameFitted(in *ui.Rect) {
	names := &a.shown.fitted.names
	a.desk.Section(in, names.heading)
	a.desk.Paragraph(in, names.came)
}

// fitControls ask for a fit and start and cancel it. While it runs they show what was asked.
func (a *app) fitControls(in *ui.Rect) {
	u, px, f := a.ui, a.ui.Px, &a.fit
	running := f.job != nil
	in.CutTop(px(10))
	if k := u.Segments(itemFitKind, in.CutTop(px(28)), f.titles, f.chosen); !running {
		f.chosen = k
	}
	in.CutTop(px(8))
	f.rows = in.CutTop(px(float32(f.askRows()) * fitRow))
	a.askFit(f.form(), &f.rows, !running)
	in.CutTop(px(8))
	start := in.CutTop(px(30))
	switch {
	case running:
		if u.Button(itemFitStart, start, "Cancel", ui.Plain, f.progress()) {
			a.stopFit()
		}
	case u.Button(itemFitStart, start, "Fit", ui.Primary, 0):
		a.startFit(time.Now())
	}
	in.CutTop(px(4))
}

// preparing stands for the plot until there is something to plot. Where an older fit is shown, what is below stays
// where it was.
func (a *app) preparing(in *ui.Rect, plotHeight float32) {
	u, px := a.ui, a.ui.Px
	u.Text(in.CutTop(px(fitStatusHeight)), ui.Small, ui.ColorFaint, ui.Left,
		a.line.Start().S("Preparing, ").F(time.Since(a.fit.started).Seconds(), 1).S(" s").View())
	if a.fitted != nil {
		in.CutTop(plotHeight + px(fitLegendHeight) + px(fitRow))
	}
}

// fitRow takes a row off in and draws its label.
func (a *app) fitRow(in *ui.Rect, label string) ui.Rect {
	r := in.CutTop(a.ui.Px(fitRow))
	a.ui.Text(r.CutLeft(a.ui.Px(fitLabel)), ui.Body, ui.ColorDim, ui.Left, label)
	return r
}

// fitSlider is a row with a slider and its value.
func (a *app) fitSlider(id int, in *ui.Rect, label, value string, x, lo, hi, step float64) float64 {
	u, px := a.ui, a.ui.Px
	r := a.fitRow(in, label)
	u.Text(r.CutRight(px(44)), ui.Body, ui.ColorText, ui.Right, value)
	r.CutRight(px(8))
	return u.Slider(id, r, x, lo, hi, step)
}

// askPoses asks for training poses: how many, and of which clip, or RangeOfMotion or AllClips.
func (a *app) askPoses(in *ui.Rect, frames, clip int) (int, int) {
	frames = int(a.fitSlider(itemFitClip+1, in, "Frames", a.line.Start().I(frames).View(), float64(frames), leastFrames,
		mostFrames, 1))
	clips := a.shown.model.Clips
	name, first := "Range of motion", RangeOfMotion
	if a.shown.own > 0 {
		first = AllClips
	}
	if clip == AllClips {
		name = "All clips"
	} else if clip >= 0 && clip < len(clips) {
		if name = clips[clip].Name; name == "" {
			name = "Unnamed clip"
		}
	}
	if by := a.ui.Stepper(itemFitClip, a.fitRow(in, "Train on"), name); by != 0 {
		n := len(clips) - first
		clip = (clip-first+by+n)%n + first
	}
	return frames, clip
}

// fitHistory plots EE against the number of added bones (ALNS figure 8), and chooses which of them are shown.
func (a *app) fitHistory(in *ui.Rect, plotHeight float32) {
	u, px, f := a.ui, a.ui.Px, &a.fit
	status := in.CutTop(px(fitStatusHeight))
	word := " bones"
	if f.now.Bones == 1 {
		word = " bone"
	}
	u.Text(status, ui.Strong, ui.ColorText, ui.Left, a.line.Start().I(f.now.Bones).S(word).View())
	elapsed := f.now.Elapsed
	if f.job != nil {
		elapsed = time.Since(f.started)
	}
	u.Text(status, ui.Body, ui.ColorDim, ui.Right, a.line.Start().F(elapsed.Seconds(), 1).S(" s").View())
	if status.CutLeft(px(fitLabel)); f.now.Model != nil {
		u.Text(status, ui.Strong, ui.ColorText, ui.Left, a.line.Start().S("EE ").F(f.now.EE, 2).S(" %").View())
	}
	f.curve.Mark = f.picked
	held := u.Plot(itemFitPlot, in.CutTop(plotHeight), &f.curve)
	legend := in.CutTop(px(fitLegendHeight))
	note := f.reason
	if f.job != nil {
		note = f.stage
	}
	u.Text(legend, ui.Small, ui.ColorFaint, ui.Right, note)
	legend.CutRight(u.TextWidth(ui.Small, note) + px(8))
	u.Text(legend, ui.Small, ui.ColorFaint, ui.Left, a.line.Start().S("EE in % by ").S(f.ran.row.Nouns).View())
	r := in.CutTop(px(fitRow))
	if f.job != nil || len(f.history) == 0 {
		return // the newest step is shown
	}
	u.Text(r.CutLeft(px(fitLabel)), ui.Body, ui.ColorDim, ui.Left, "Show")
	u.Text(r.CutRight(px(44)), ui.Body, ui.ColorText, ui.Right, a.line.Start().I(f.now.Bones).View())
	r.CutRight(px(8))
	pick := int(u.Slider(itemFitPick, r, float64(f.picked), 0, float64(len(f.history)-1), 1))
	if held >= 0 {
		pick = held
	}
	a.pickStep(pick)
}

// fitSection is a heading of the panel.
func (a *app) fitSection(in *ui.Rect, title string) {
	px := a.ui.Px
	in.CutTop(px(10))
	a.ui.Text(in.CutTop(px(14)), ui.Label, ui.ColorFaint, ui.Left, title)
	in.CutTop(px(6))
}

// fittedSwitches choose how added bones are shown.
func (a *app) fittedSwitches(in *ui.Rect) {
	u, px, s := a.ui, a.ui.Px, &a.state
	a.fitSection(in, "SHOW")
	for k, row := range [...]struct {
		label, key string
		on         *bool
	}{{a.fitted.names.all, "J", &s.Bones}, {"Paint influence", "P", &s.Paint}, {"Baked motion", "", &s.Baked}} {
		if row.on == &s.Baked && !a.fitted.baked {
			continue // there is nothing baked to compare with
		}
		if u.Switch(itemFitSwitch+k, in.CutTop(px(fitRow)), row.label, row.key, *row.on) {
			*row.on = !*row.on
		}
		if row.on == &s.Paint && a.fitted.linear != nil {
			a.paintChoice(in.CutTop(px(fitRow)))
		}
	}
}

func (a *app) exportRow(in *ui.Rect) {
	u, px, f := a.ui, a.ui.Px, &a.fit
	a.fitSection(in, "EXPORT AS GLTF")
	row := in.CutTop(px(28))
	button := row.CutRight(px(70))
	row.CutRight(px(6))
	entered := u.TextField(itemFitExport, row, a.export.path)
	look, label := ui.Primary, "Export"
	if a.export.running || f.job != nil {
		look = ui.Off
	}
	if a.export.running {
		label = "Writing"
	}
	if u.Button(itemFitExport+1, button, label, look, 0) || entered && look != ui.Off {
		a.startExport()
	}
}
