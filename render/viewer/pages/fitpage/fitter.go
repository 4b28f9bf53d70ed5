package fitpage

import (
	"context"

	"skinlab/fit"
	"skinlab/fit/advise"
	"skinlab/render/viewer/fitted"
	"skinlab/skinning"
)

// Fitter fits models. The window knows its methods only as rows.
type Fitter interface {
	// Fits returns the rows in the order of the panel. They never change.
	Fits() []Row
	// Fit runs on its own goroutine. It calls update from there several times a second, and at the end once with Done
	// set. When ctx is done it soon ends with its best result.
	Fit(ctx context.Context, m *skinning.Model, req Request, update func(Update))
	// Examples returns the index of the clip that contains a model's own example shapes, and their number; −1 and 0 if
	// it has none.
	Examples(m *skinning.Model) (clip, count int)
	// Operator returns the method that a fit should imitate on a model. lost is a sentence about what methods without
	// scale lose on the model, "" if nothing.
	Operator(m *skinning.Model) (method skinning.Method, lost string)
	// Other makes what the fit of a fitted model learns beside its models: an index of its row's Others.
	Other(ctx context.Context, fitted *skinning.Model, other int) (*fit.Deformation, error)
	// Advise tries the methods and the fits, and says which one suits a model. Doing is told what is done.
	Advise(ctx context.Context, q Question, doing func(what string)) (*advise.Advice, error)
	// Keep frees the data that are kept for all fitted models but these.
	Keep(models []*skinning.Model)
}

type Row struct {
	*fit.Method
	Targets *TargetReader // nil where it learns nothing from files
	// Refuses returns why it does not fit a model, "" where it does. Nil: it fits every model with a skin.
	Refuses func(m *skinning.Model) string
}

// shapes reports whether the method learns shapes, the model's own if it has some.
func (r *Row) shapes() bool { return r.Learns == fit.Shapes || r.Learns == fit.Scans }

// sequence reports whether the method learns the frames that morph targets show: nothing is asked about poses.
func (r *Row) sequence() bool { return r.Learns == fit.Sequence }

// Values of Request.Clip that are not an index of a clip.
const (
	rangeOfMotion = -1 // poses made from the skeleton
	AllClips      = -2 // poses that stand for all clips of the file
)

// Request is what the panel asks of a fit.
type Request struct {
	Row    int             // index of a row
	Own    bool            // learn the model's own examples; then only Row and Values count
	By     skinning.Method // one of skinning.Operators that is imitated, or that makes the shapes, as state.DeltaMush may
	Files  bool            // learn Targets; then By and Frames do not count
	Clip   int             // clip of the training poses, or RangeOfMotion or AllClips
	Also   []int           // clips beside the file's own that AllClips learns from too; must not be changed
	Frames int             // number of training poses
	Values fit.Values      // of the method's options; must not be changed

	Targets *Targets // of Files, nil without; must not be changed
	Times   string   // where in Clip they belong: seconds, comma-separated, "even", or "" for one for each key
}

// Update is the progress of a fit, whose models can be asked for on any goroutine. Its receiver keeps it.
type Update struct {
	fit.Progress
	Done    bool
	Reason  string              // why it ended
	Moved   []fitted.MovedJoint // by a fit that moves joints, once it is done
	Verdict string              // a sentence that compares it with linear blending in all clips; "" if not known yet
	Worse   bool                // it is worse in at least one clip
	Err     error
}
