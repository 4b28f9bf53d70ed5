package viewer

import (
	"math"
	"time"

	"skinlab/render/ui"
	"skinlab/render/viewer/state"
	"skinlab/skinning"
)

// fitting is a fit, under way or done, and what the panel would ask of the next.
type fitting struct {
	request FitRequest
	job     *fitJob // nil where none is under way
	started time.Time

	nextSwap time.Time // when the next model of a running fit may go on the screen
	now      FitStep
	history  []FitStep
	picked   int // the step of the history on the screen, −1 for none
	reason   string
	seen     bool // its model has been put on the screen

	bones, ee []float64 // the history as the plot wants it
	mostEE    float64

	at fitPlaces
}

// fitPlaces is where the panel's controls are.
type fitPlaces struct{ start, slider, field, export ui.Rect }

func newFitting() fitting {
	return fitting{picked: -1, request: FitRequest{Operator: skinning.DQS, Bones: 10, Clip: -1, Frames: 12}}
}

// plot takes over what the history has gained.
func (f *fitting) plot(history []FitStep) {
	f.bones, f.ee, f.mostEE = f.bones[:0], f.ee[:0], 0
	for _, s := range history {
		f.bones = append(f.bones, float64(s.Bones))
		f.ee = append(f.ee, s.EE)
		if !math.IsInf(s.EE, 0) {
			f.mostEE = max(f.mostEE, s.EE)
		}
	}
}

// progress guesses how much of the fit is done: the share of its bones, or of the way to its target on a logarithmic scale, along
// which errors fall evenly.
func (f *fitting) progress() float64 {
	p := float64(f.now.Bones) / float64(max(f.request.Bones, 1))
	if first := f.mostEE; f.request.Target > 0 && f.now.EE > 0 && first > f.request.Target {
		p = max(p, math.Log(first/f.now.EE)/math.Log(first/f.request.Target))
	}
	return min(max(p, 0.01), 1)
}

// Ranges of what the panel asks.
const (
	mostFitBones = 40
	leastFrames  = 2
	mostFrames   = 60
	mostTargetEE = 20
	targetEEStep = 0.5
	fitRow       = 24
	leastFitPlot = 112
	mostFitPlot  = 240
)

// Heights of the panel's parts in design pixels: the plot takes what the others leave.
const (
	fitControlsHeight = 34 + 26 + 6 + 4*fitRow + 8 + 30 + 4
	fitStatusHeight   = 22
	fitLegendHeight   = 16
	belowFitPlot      = fitLegendHeight + fitRow + 34 + 2*fitRow + 34 + 28 + inset
	leastFitPanel     = fitControlsHeight + fitStatusHeight + leastFitPlot + belowFitPlot
)

// Items of the fit panel.
const (
	itemFitScroll = 100 + iota*10
	itemOperator
	itemFitSlider
	itemFitClip
	itemFitStart
	itemFitPlot
	itemFitPick
	itemFitSwitch
	itemFitPaint
	itemFitExport
)

// fitOperators are the methods that blend bones can imitate.
var fitOperators = []skinning.Method{skinning.DQS, skinning.SDQS, skinning.DIB, skinning.SBS}

var fitOperatorNames = []string{"DQS", "SDQS", "DIB", "SBS"}

// fitPanel makes blend bones for the model, or shows those that it came with.
func (a *app) fitPanel(r ui.Rect) {
	u, px, f := a.ui, a.ui.Px, &a.fit
	in := r
	scrolls := r.H < px(leastFitPanel)
	if scrolls {
		in = u.BeginScroll(itemFitScroll, ui.Rect{X: r.X, Y: r.Y, W: r.W + px(inset), H: r.H})
		in.W, in.H = r.W, px(leastFitPanel)
	}
	content := in
	switch {
	case a.shown.fitted != nil:
		a.section(&in, "BLEND BONES")
		a.paragraph(&in, "This file came with blend bones. Methods 1 to 5 show its other joints, with weights that the blend bones "+
			"stand for; open the model it was made from to fit anew.")
	case len(a.shown.model.Skin.Positions) == 0:
		a.section(&in, "BLEND BONES")
		a.paragraph(&in, "This model has no skin to fit.")
	case a.opt.Fit != nil:
		a.fitControls(&in)
	}
	if len(f.history) > 0 {
		plot := min(max(in.H-px(fitStatusHeight+belowFitPlot), px(leastFitPlot)), px(mostFitPlot))
		a.fitHistory(&in, plot)
	}
	if a.fitted != nil {
		a.fittedSwitches(&in)
		if a.opt.Export != nil && a.shown.fitted == nil {
			a.exportRow(&in)
		}
	}
	if scrolls {
		u.EndScroll(content, in.Y+px(inset))
	}
}

func (a *app) paragraph(r *ui.Rect, text string) {
	h := a.ui.TextHeight(ui.Small, text, r.W)
	a.ui.TextWrapped(r.CutTop(h+a.ui.Px(8)), ui.Small, ui.ColorDim, text)
}

// fitControls ask for a fit and start and cancel it. While it runs they show what was asked.
func (a *app) fitControls(in *ui.Rect) {
	u, px, f := a.ui, a.ui.Px, &a.fit
	running := f.job != nil
	ask := f.request // a running fit's request stays as it is
	a.section(in, "BLEND BONES TO LOOK LIKE")
	chosen := 0
	for k, m := range fitOperators {
		if m == ask.Operator {
			chosen = k
		}
	}
	ask.Operator = fitOperators[u.Segments(itemOperator, in.CutTop(px(26)), fitOperatorNames, chosen)]
	in.CutTop(px(6))
	row := func(label string) ui.Rect {
		r := in.CutTop(px(fitRow))
		u.Text(r.CutLeft(px(66)), ui.Body, ui.ColorDim, ui.Left, label)
		return r
	}
	slider := func(id int, label, value string, x, lo, hi, step float64) float64 {
		r := row(label)
		u.Text(r.CutRight(px(44)), ui.Body, ui.ColorText, ui.Right, value)
		r.CutRight(px(8))
		return u.Slider(id, r, x, lo, hi, step)
	}
	ask.Bones = int(slider(itemFitSlider, "At most", a.line.Start().I(ask.Bones).View(), float64(ask.Bones), 1, mostFitBones, 1))
	target := "none"
	if ask.Target > 0 {
		target = a.line.Start().F(ask.Target, 1).S(" %").View()
	}
	ask.Target = slider(itemFitSlider+1, "Target EE", target, ask.Target, 0, mostTargetEE, targetEEStep)
	ask.Frames = int(slider(itemFitSlider+2, "Frames", a.line.Start().I(ask.Frames).View(), float64(ask.Frames), leastFrames, mostFrames, 1))
	clips := a.shown.model.Clips
	name := "Range of motion"
	if ask.Clip >= 0 && ask.Clip < len(clips) {
		if name = clips[ask.Clip].Name; name == "" {
			name = "Unnamed clip"
		}
	}
	if by := u.Stepper(itemFitClip, row("Train on"), name); by != 0 {
		n := len(clips) + 1 // −1 counts as one
		ask.Clip = (ask.Clip+1+by+n)%n - 1
	}
	if !running {
		f.request = ask
	}
	in.CutTop(px(8))
	f.at.start = in.CutTop(px(30))
	switch {
	case running:
		if u.Button(itemFitStart, f.at.start, "Cancel", ui.Plain, f.progress()) {
			a.stopFit()
		}
	case u.Button(itemFitStart, f.at.start, "Fit", ui.Primary, 0):
		a.startFit(time.Now())
	}
	in.CutTop(px(4))
	if running && len(f.history) == 0 {
		u.Text(in.CutTop(px(22)), ui.Small, ui.ColorFaint, ui.Left,
			a.line.Start().S("Preparing, ").F(time.Since(f.started).Seconds(), 1).S(" s").View())
	}
}

// fitHistory plots EE against the number of blend bones (ALNS figure 8), and chooses which of them are shown.
func (a *app) fitHistory(in *ui.Rect, plotHeight float32) {
	u, px, f := a.ui, a.ui.Px, &a.fit
	status := in.CutTop(px(fitStatusHeight))
	word := " bones"
	if f.now.Bones == 1 {
		word = " bone"
	}
	u.Text(status, ui.Strong, ui.ColorText, ui.Left, a.line.Start().I(f.now.Bones).S(word).View())
	u.Text(status, ui.Body, ui.ColorDim, ui.Right, a.line.Start().F(f.now.Elapsed.Seconds(), 1).S(" s").View())
	status.CutLeft(px(72))
	u.Text(status, ui.Strong, ui.ColorText, ui.Left, a.line.Start().S("EE ").F(f.now.EE, 2).S(" %").View())

	most := float64(max(f.request.Bones, f.history[len(f.history)-1].Bones, 1))
	held := u.Plot(itemFitPlot, in.CutTop(plotHeight), &ui.Plot{
		X: f.bones, Y: f.ee, MostX: most * 1.04, MostY: max(f.mostEE*1.08, 0.1), Mark: f.picked,
	})
	legend := in.CutTop(px(fitLegendHeight))
	note := f.reason
	if f.job != nil && f.now.Bones >= f.request.Bones {
		note = "refining"
	}
	u.Text(legend, ui.Small, ui.ColorFaint, ui.Right, note)
	legend.CutRight(u.TextWidth(ui.Small, note) + px(8))
	u.Text(legend, ui.Small, ui.ColorFaint, ui.Left, "EE in % by blend bones")
	last := len(f.history) - 1
	r := in.CutTop(px(fitRow))
	if f.job != nil {
		return // the newest step is shown
	}
	u.Text(r.CutLeft(px(66)), ui.Body, ui.ColorDim, ui.Left, "Show")
	u.Text(r.CutRight(px(44)), ui.Body, ui.ColorText, ui.Right, a.line.Start().I(f.now.Bones).View())
	r.CutRight(px(8))
	f.at.slider = r
	pick := int(u.Slider(itemFitPick, r, float64(f.picked), 0, float64(last), 1))
	if held >= 0 {
		pick = held
	}
	a.pickStep(pick)
}

// fittedSwitches choose how blend bones are shown.
func (a *app) fittedSwitches(in *ui.Rect) {
	u, px, s := a.ui, a.ui.Px, &a.state
	a.section(in, "SHOW")
	for k, row := range [...]struct {
		label, key string
		on         *bool
	}{{a.fitted.bones(), "J", &s.Bones}, {"Paint influence", "P", &s.Paint}, {"Baked motion", "", &s.Baked}} {
		if row.on == &s.Baked && !a.fitted.baked {
			continue // there is nothing baked to compare with
		}
		if u.Switch(itemFitSwitch+k, in.CutTop(px(fitRow)), row.label, row.key, *row.on) {
			*row.on = !*row.on
		}
		if row.on == &s.Paint && a.fitted.model.Envelope != nil {
			a.paintChoice(in.CutTop(px(fitRow)))
		}
	}
}

func (a *app) exportRow(in *ui.Rect) {
	u, px, f := a.ui, a.ui.Px, &a.fit
	a.section(in, "EXPORT AS GLTF")
	row := in.CutTop(px(28))
	f.at.export = row.CutRight(px(70))
	row.CutRight(px(6))
	f.at.field = row
	entered := u.TextField(itemFitExport, row, a.exportPath)
	look, label := ui.Primary, "Export"
	if a.exporting || f.job != nil {
		look = ui.Off
	}
	if a.exporting {
		label = "Writing"
	}
	if u.Button(itemFitExport+1, f.at.export, label, look, 0) || entered && look != ui.Off {
		a.startExport()
	}
}

func (a *app) fitSnapshot() FitSnapshot {
	f := &a.fit
	s := FitSnapshot{
		Running: f.job != nil, EE: f.now.EE, Steps: len(f.history), Picked: f.picked, Reason: f.reason, Hovered: a.hovered,
		Tab: a.tabPlace(state.TabFit), Start: f.at.start, Slider: f.at.slider, Field: f.at.field, Export: f.at.export,
		Notice: a.notice, Bead: a.firstBead,
	}
	if a.fitted != nil {
		s.Fitted, s.Bones = true, len(a.fitted.joints)
	}
	return s
}
