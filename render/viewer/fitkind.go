package viewer

import (
	"context"
	"math"
	"time"

	"skinlab/render/ui"
	"skinlab/skinning"
)

// fitKind is a way to fit: what the panel asks of it, and how it says what came of that.
type fitKind interface {
	name() string  // in the choice at the top of the panel
	nouns() string // what it adds
	suffix() string
	// ask draws the rows that ask for a fit. They change the next one's request, where changes is true.
	ask(a *app, in *ui.Rect, changes bool)
	// model tells it which model is shown, the clip that its request begins with, or RangeOfMotion or AllClips, and the
	// method that a fit should look like.
	model(m *skinning.Model, clip, examples, count int, operator skinning.Method)
	// run returns the fit that is asked for.
	run(fit Fitter) func(ctx context.Context, m *skinning.Model, update func(FitUpdate))
	shows() skinning.Method     // the method that shows what it imitates
	clip() int                  // the clip alone in which it does; −1 for any
	most() int                  // bones that are added at most
	done(f *fitting) float64    // the share of it that is done, as the numbers tell
	refining(f *fitting) string // what is done after the last bone; "" for nothing in particular
}

// fitting is a fit, under way or done, and what the panel would ask of the next.
type fitting struct {
	blend    blendFit
	envelope envelopeFit
	chosen   int     // of kinds
	ran      fitKind // what is below is of it; nil where nothing has run
	job      *fitJob // nil where none is under way
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

	curve ui.Plot // the history as the plot wants it
	rows  ui.Rect // scratch of fitControls: what an interface is handed would be allocated

	at fitPlaces
}

// fitPlaces is where the panel's controls are.
type fitPlaces struct{ kinds, source, start, slider, paint, field, export ui.Rect }

func newFitting() fitting {
	return fitting{
		picked: -1,
		blend:  blendFit{BlendRequest{Operator: skinning.DQS, Bones: 10, Clip: RangeOfMotion, Frames: usualFrames}},
		envelope: envelopeFit{EnvelopeRequest: EnvelopeRequest{Teacher: skinning.DQS, Clip: RangeOfMotion,
			Frames: usualFrames, Proxies: 40}, examples: -1},
	}
}

// kinds are the ways to fit, in the order of the choice.
func (f *fitting) kinds() [2]fitKind { return [...]fitKind{&f.blend, &f.envelope} }

// kind is the way that the panel asks for.
func (f *fitting) kind() fitKind { return f.kinds()[f.chosen] }

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
	bones, room := max(f.ran.most(), f.now.Bones, 1), 1.08
	if len(f.marks) > 0 {
		room = 1.25 // a name stands over the highest
	}
	c.MostX, c.MostY = float64(bones)*1.04, max(most*room, 0.1)
}

// note is what the panel says of the fit, and whether that is a warning: what the chosen method would lose on the
// model, else how the last fit does in all clips.
func (f *fitting) note() (text string, warning bool) {
	if by := f.kind().shows(); f.lost != "" && by.LosesScale() {
		return f.lost, true
	}
	return f.verdict, f.worse
}

// progress returns how much of the fit is done.
func (f *fitting) progress() float64 { return min(max(f.share, f.ran.done(f), 0.01), 1) }
