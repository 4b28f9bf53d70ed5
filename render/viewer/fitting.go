package viewer

import (
	"math"
	"slices"
	"time"

	"skinlab/render/ui"
	"skinlab/skinning"
)

// fitting is a fit, under way or done, and what the panel would ask of the next.
type fitting struct {
	forms  []*fitForm // of the fitter's rows
	titles []string   // of these
	chosen int        // of forms
	ran    *fitForm   // what is below is of it; nil where nothing has run
	asked  FitRequest // of what ran
	job    *fitJob    // nil where none is under way

	started  time.Time
	nextSwap time.Time // when the next model of a running fit may go on the screen
	now      FitStep
	history  []FitStep
	marks    []FitMark
	picked   int // the step of the history on the screen, −1 for none
	stage    string
	share    float64
	reason   string
	verdict  string // see FitUpdate
	worse    bool
	lost     string // what methods without scale lose on the model
	seen     bool   // its model has been put on the screen
	examples int    // the clip of the model's own examples; −1 for none
	count    int    // of them

	curve ui.Plot // the history as the plot wants it
	rows  ui.Rect // scratch of fitControls: what an interface is handed would be allocated
}

// newFitting asks for the fits of a fitter; nil where the window has none.
func newFitting(fits Fitter) fitting {
	f := fitting{picked: -1, examples: -1}
	if fits == nil {
		return f
	}
	for i, row := range fits.Fits() {
		form := &fitForm{row: row, ask: FitRequest{Row: i, By: skinning.DQS, Clip: RangeOfMotion, Frames: usualFrames}}
		for _, o := range row.Options {
			form.ask.Values = append(form.ask.Values, o.Default)
		}
		f.forms, f.titles = append(f.forms, form), append(f.titles, row.Title)
	}
	return f
}

// form is the way to fit that the panel asks for; nil where there is none.
func (f *fitting) form() *fitForm {
	if f.chosen >= len(f.forms) {
		return nil
	}
	return f.forms[f.chosen]
}

// askRows is how many rows the form with the most has: the panel keeps its places as another is chosen.
func (f *fitting) askRows() (n int) {
	for _, k := range f.forms {
		n = max(n, k.row.askRows())
	}
	return n
}

// suffix is that of the proposed name of an exported file.
func (f *fitting) suffix() string {
	if k := f.form(); k != nil {
		return k.row.Suffix
	}
	return ""
}

// setModel tells which model is shown, which clip requests begin with, its own examples and the method that a fit should
// look like. Whoever opens a file with examples wants them learnt.
func (f *fitting) setModel(clip, examples, count int, operator skinning.Method) {
	f.examples, f.count, f.chosen = examples, count, 0
	for i, k := range slices.Backward(f.forms) {
		k.ask.Clip, k.ask.By, k.ask.Own = clip, operator, k.row.Shapes && count > 0
		if k.ask.Own {
			f.chosen = i
		}
	}
}

// forget drops what is known of the last fit. What the panel asks for stays.
func (f *fitting) forget() {
	f.ran, f.job, f.nextSwap, f.now = nil, nil, time.Time{}, FitStep{}
	f.history, f.marks, f.picked, f.stage, f.share, f.reason, f.seen = nil, nil, -1, "", 0, "", false
	f.verdict, f.worse = "", false
	f.curve = ui.Plot{X: f.curve.X[:0], Y: f.curve.Y[:0], Levels: f.curve.Levels[:0], LevelNames: f.curve.LevelNames[:0]}
}

// plot takes over what the history has gained.
func (f *fitting) plot() {
	c, most := &f.curve, 0.0
	add := func(to *[]float64, ee float64) {
		if *to = append(*to, ee); !math.IsInf(ee, 0) && !math.IsNaN(ee) {
			most = max(most, ee)
		}
	}
	c.X, c.Y, c.Levels, c.LevelNames = c.X[:0], c.Y[:0], c.Levels[:0], c.LevelNames[:0]
	for _, s := range f.history {
		c.X = append(c.X, float64(s.Bones))
		add(&c.Y, s.EE)
	}
	for _, m := range f.marks {
		c.LevelNames = append(c.LevelNames, m.Name)
		add(&c.Levels, m.EE)
	}
	bones, room := max(f.ran.row.most(&f.asked), f.now.Bones, 1), 1.08
	if len(f.marks) > 0 {
		room = 1.25 // a name stands over the highest
	}
	c.MostX, c.MostY = float64(bones)*1.04, max(most*room, 0.1)
}

// note is what the panel says of the fit, and whether that is a warning: what the chosen method would lose on the
// model, else how the last fit does in all clips.
func (f *fitting) note() (text string, warning bool) {
	if k := f.form(); k != nil && f.lost != "" {
		if by := k.ask.shows(); by.LosesScale() {
			return f.lost, true
		}
	}
	return f.verdict, f.worse
}

// progress returns how much of the fit is done.
func (f *fitting) progress() float64 { return min(max(f.share, 0.01), 1) }
