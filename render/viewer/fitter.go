package viewer

import (
	"context"
	"time"

	"skinlab/skinning"
)

// Fitter fits models. BlendBones and Envelope run on goroutines of their own, call update from there several times a
// second and once with Done, and end soon after ctx is done, with the best they have.
type Fitter interface {
	// BlendBones adds bones to a model by which linear blending imitates another method.
	BlendBones(ctx context.Context, m *skinning.Model, req BlendRequest, update func(FitUpdate))
	// Envelope adds bones to a model that follow what examples have taught.
	Envelope(ctx context.Context, m *skinning.Model, req EnvelopeRequest, update func(FitUpdate))
	// Examples returns the clip in which a model shows example shapes of its own, and how many; −1 and 0 where it has
	// none.
	Examples(m *skinning.Model) (clip, count int)
	// Operator returns the method that a fit to a model should look like, and what methods without scale would lose on it,
	// in a sentence; "" for nothing.
	Operator(m *skinning.Model) (method skinning.Method, lost string)
}

// What a request's clip may be in place of a clip's index.
const (
	RangeOfMotion = -1 // poses made from the skeleton
	AllClips      = -2 // poses that stand for all clips of the file
)

// BlendRequest is what the fit panel asks for blend bones.
type BlendRequest struct {
	Operator skinning.Method // of skinning.Operators
	Bones    int             // blend bones at most
	Clip     int             // of the training poses; or RangeOfMotion, AllClips
	Frames   int             // training poses
	Target   float64         // the EE in percent that is good enough; 0 for none
}

// EnvelopeRequest is what the fit panel asks for enveloping.
type EnvelopeRequest struct {
	Own     bool            // learn the model's own examples; nothing else below but Proxies counts then
	Teacher skinning.Method // whose shapes are learnt, of skinning.Operators
	Clip    int             // in whose poses; or RangeOfMotion, AllClips
	Frames  int             // poses
	Proxies int             // proxy bones at most
}

// FitStep is one state of a fit.
type FitStep struct {
	Bones   int     // added
	EE      float64 // percent
	Elapsed time.Duration
	Model   *skinning.Model // a fitted one; its joints are the first model's own with the added bones behind them
}

// FitMark is the error of something that a fit is compared with.
type FitMark struct {
	Name string
	EE   float64 // percent
}

// FitUpdate is how far a fit has come. Its receiver keeps it: neither the history nor the models may change later.
type FitUpdate struct {
	Now     FitStep
	History []FitStep // the states that can be chosen, with more and more bones; all have a model
	Marks   []FitMark
	Stage   string  // what is being done; "" where the numbers tell
	Share   float64 // of the whole that is done; 0 where it is not known
	Done    bool
	Reason  string // why it ended
	Verdict string // how it does in all clips beside linear blending, in a sentence; "" before that is known
	Worse   bool   // in one of them at least
	Err     error
}

// FitStart is a fit that a window opens with.
type FitStart uint8

// The fits, in the order of the choice in the panel behind the first.
const (
	NoFit FitStart = iota
	FitBlendBones
	FitEnveloping
)
