package fitpage

import (
	"context"
	"time"

	"skinlab/skinning"
)

// Fitter fits models. The window knows its fits by their rows alone.
type Fitter interface {
	// Fits returns the rows, in the order of the choice in the panel; always the same ones.
	Fits() []Row
	// Fit runs on a goroutine of its own, calls update from there several times a second and once with Done, and ends soon
	// after ctx is done, with the best it has.
	Fit(ctx context.Context, m *skinning.Model, req Request, update func(Update))
	// Examples returns the clip in which a model shows example shapes of its own, and how many; −1 and 0 where it has
	// none.
	Examples(m *skinning.Model) (clip, count int)
	// Operator returns the method that a fit to a model should look like, and what methods without scale would lose on it,
	// in a sentence; "" for nothing.
	Operator(m *skinning.Model) (method skinning.Method, lost string)
}

// Row is a way to fit.
type Row struct {
	Name   string // by which the command line names it
	Title  string // in the choice at the top of the panel
	Nouns  string // what it adds, in the plural
	Suffix string // of the proposed name of an exported file
	Shapes bool   // it learns shapes: the model's own, where it has them; else it imitates a method
	Count  int    // which of the options is how many it adds at most; −1 for none
	// Options are the numbers that it asks for, each by a slider.
	Options []Option
}

// Option is a number that a fit asks for.
type Option struct {
	Title                      string // a word or two
	Least, Most, Step, Default float64
	Unit, Nothing              string // Nothing is what 0 is called; "" for the number
}

// What a request's clip may be in place of a clip's index.
const (
	RangeOfMotion = -1 // poses made from the skeleton
	AllClips      = -2 // poses that stand for all clips of the file
)

// Request is what the panel asks for.
type Request struct {
	Row    int             // of the fits
	Own    bool            // learn the model's own examples: nothing else below but Values counts then
	By     skinning.Method // of skinning.Operators: what is imitated, or teaches
	Clip   int             // of the training poses; or RangeOfMotion, AllClips
	Frames int             // training poses
	Values []float64       // of the row's options; not to be changed
}

// Step is one state of a fit.
type Step struct {
	Bones   int     // added
	EE      float64 // percent
	Elapsed time.Duration
	Model   *skinning.Model // a fitted one; its joints are the first model's own with the added bones behind them
}

// Mark is the error of something that a fit is compared with.
type Mark struct {
	Name string
	EE   float64 // percent
}

// Update is how far a fit has come. Its receiver keeps it: neither the history nor the models may change later.
type Update struct {
	Now     Step
	History []Step // the states that can be chosen, with more and more bones; all have a model
	Marks   []Mark
	Stage   string  // what is being done; "" where the numbers tell
	Share   float64 // of the whole that is done; 0 where it is not known
	Done    bool
	Reason  string // why it ended
	Verdict string // how it does in all clips beside linear blending, in a sentence; "" before that is known
	Worse   bool   // in one of them at least
	Err     error
}
