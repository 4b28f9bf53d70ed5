// Package fit defines a fit, as the command line and the window see it: a row with a name, the kind of joints that it
// adds, its options, the data that it learns from, and a function that runs it. The solvers are in folders of their
// own, a paper each; their rows are listed in package methods.
//
// A run goes in this order. The options' [Values] and a [training.Set] make a [Job]. While it works, Run reports
// [Progress], whose steps carry models. It returns a [Result]: the fitted model and a [Report], which is printed or
// written by `--json`. The model goes to the window, to a comparison or to an export; none of them knows which fit it
// came from.
package fit

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/training"
	"skinlab/skinning"
	"skinlab/skinning/remodel"
)

// Method is a way to fit: a row of the table.
type Method struct {
	Name    string // on the command line: "blend-bones"
	Title   string // in the window: "Blend bones"
	Noun    string // the name of an added joint, in the singular: "blend bone"
	Suffix  string // behind the name that is proposed for an exported file: "-blend"
	Help    string // a line
	Gives   string // in the window: what the user gets, a plain sentence; "" for Help
	Sketch  Sketch // beside it
	Example string // of the flags behind its name and a model on the command line
	Learns  Source // the data that it learns from
	Options []Option
	// Run fits and leaves the job as it is. A cancelled fit returns the best result so far. Where there is none yet, it
	// returns an error that wraps [ErrNoModel].
	Run func(ctx context.Context, job *Job) (*Result, error)
	// OnShapes fits the same added joints to example shapes where Run fits them to a method, for comparisons with fits
	// to examples; nil where that cannot be.
	OnShapes func(ctx context.Context, m *skinning.Model, set *training.Set) (*skinning.Model, error)
	// Others are further ways of posing that a comparison and the window can show beside the fitted model.
	Others []Other
	// Level returns a level of detail: the fitted model with only the first of its added joints (all, if it has fewer)
	// and weights that are solved for these, with its errors over the examples. It is nil for a fit whose joints have
	// no such order.
	Level func(ctx context.Context, r *Result, added int) (*skinning.Model, Measured, error)
	// Suggest returns poses of the job's model for which example shapes should be made next: the poses in which the fit
	// is least certain, the least certain first. It is nil for a fit that cannot estimate that.
	Suggest func(ctx context.Context, r *Result, poses int) ([]*skinning.Pose, error)
	// Differs lists every step of the fit's paper that [AsPublished] still takes in another way, a sentence each with
	// the paper's section.
	Differs []string
	// Baseline marks a fit that others are compared with. The window does not offer it.
	Baseline bool
}

// Nouns returns the name of the added joints, in the plural.
func (m *Method) Nouns() string { return m.Noun + "s" }

// Count returns the option for the number of added joints; nil if there is none.
func (m *Method) Count() *Option {
	for i := range m.Options {
		if m.Options[i].Kind == Count {
			return &m.Options[i]
		}
	}
	return nil
}

// Sliders returns the options that the window asks for.
func (m *Method) Sliders() []Option {
	return slices.DeleteFunc(slices.Clone(m.Options), func(o Option) bool { return o.Slider == nil })
}

// index returns the index of an option, −1 for none.
func (m *Method) index(name string) int {
	return slices.IndexFunc(m.Options, func(o Option) bool { return o.Name == name })
}

// Source is what a fit learns from.
type Source uint8

const (
	// Operator is a method whose poses linear blending is to imitate.
	Operator Source = iota
	// Shapes are poses with the skin of each: the model's own, files', or a method's.
	Shapes
	// Sequence is the frames of a mesh, with or without a skeleton. They are those of a clip, as morph targets, or
	// those of files.
	Sequence
	// Scans are shapes of a mesh, with or without a skeleton, whose poses need not be known: the model's own example
	// set or another clip's morph targets, files', or a method's.
	Scans
)

// Kind says what the number of an option is.
type Kind uint8

const (
	Number Kind = iota
	Count       // a whole number: the number of added joints
	Whole       // another whole number
	Switch      // 0 or 1
	Choice      // one of Words, by its index
)

// Sketch is the small picture of what a fit gives.
type Sketch uint8

// The sketches.
const (
	SketchBetween Sketch = iota // bones where a limb bends
	SketchOver                  // bones all over a limb
	SketchMuscle                // a bone that swells a limb
	SketchMoving                // bones in a mesh that moves
	SketchBody                  // a skeleton in a body
)

// Option is a number that a fit takes. It becomes a flag of the fit's command and, if it has a slider, a row of its
// panel.
type Option struct {
	Name        string // of the flag
	Kind        Kind
	Default     float64
	Words       []string // of a choice
	Chosen      string   // how the fit chooses where Default is NaN: "by cross validation"
	Least, Most float64  // bound it, both included
	Help        string
	Slider      *Slider // the window's slider; nil for none. A switch needs only a title
}

// Slider is how the window asks for an option.
type Slider struct {
	Title         string // a word or two
	Most, Step    float64
	Default       float64
	Unit, Nothing string // Nothing is what 0 is called; "" for the number
	More          bool   // it asks for words of the paper: shown on demand
}

// Check returns an error that says what is wrong with a value, nil for a good one.
func (o *Option) Check(x float64) error {
	if o.Kind == Choice && !(x >= 0) {
		return fmt.Errorf("--%s is one of %s", o.Name, strings.Join(o.Words, ", "))
	}
	if (o.Kind == Count || o.Kind == Whole) && x != math.Trunc(x) {
		return fmt.Errorf("--%s is a whole number, not %g", o.Name, x)
	}
	if x >= o.Least && x <= o.Most {
		return nil
	}
	least, most := strconv.FormatFloat(o.Least, 'f', -1, 64), strconv.FormatFloat(o.Most, 'f', -1, 64)
	if math.IsInf(o.Most, 1) {
		return fmt.Errorf("--%s is not negative", o.Name)
	}
	return fmt.Errorf("--%s is from %s to %s", o.Name, least, most)
}

// Values are the values of options by name. One that is not there has its default.
type Values map[string]float64

// Job is one run of a fit.
type Job struct {
	Method   *Method
	Model    *skinning.Model
	Training *training.Set
	Tests    training.Tests
	Values   Values
	// Steps asks for models of fewer added joints too, for a history whose steps can be shown. It does not change the
	// last model by a bit.
	Steps   bool
	Workers int // 0 means all cores; the result does not depend on it
	// Progress receives the stage of the work and the best step so far, at least five times a second; it may be nil.
	// Calls come from several goroutines, one call at a time.
	Progress func(Progress)
	// Measured receives the errors in all clips of the fit that is kept, before it is tested further; it may be nil.
	Measured func(ClipTable)
}

// TellClips calls Measured, if there is one.
func (j *Job) TellClips(t ClipTable) {
	if j.Measured != nil {
		j.Measured(t)
	}
}

// Value returns the value of an option, or its default if the job has none. It panics if the job's method has no such
// option, which is a caller's bug.
func (j *Job) Value(name string) float64 {
	if x, ok := j.Values[name]; ok {
		return x
	}
	k := j.Method.index(name)
	if k < 0 {
		panic(fmt.Sprintf("fit: %s has no option %q", j.Method.Name, name))
	}
	return j.Method.Options[k].Default
}

// Int is Value of a whole number.
func (j *Job) Int(name string) int { return int(j.Value(name)) }

// On is Value of a switch.
func (j *Job) On(name string) bool { return j.Value(name) != 0 }

// ShortestPath is an option of fits to an operator: whether rotations in its poses go the shorter way round, see
// [training.Set.LongWay]. For fits to shapes it is a flag beside the one that names the teacher.
var ShortestPath = Option{Name: "shortest-path", Kind: Switch, Default: 1, Most: 1,
	Help:   "turn each joint the shorter way round; off follows its rotation through the clips, past 180 degrees",
	Slider: &Slider{Title: "Shortest path", Default: 1, More: true}}

// AsPublished is the option of fits that run as their paper says.
const AsPublished = "as-published"

// Run runs a job. It checks that the model can be fitted, and calls the method. Errors name the model.
func Run(ctx context.Context, job Job) (*Result, error) {
	if err := job.Method.Suits(job.Model); err != nil {
		return nil, fmt.Errorf("%s: %w", job.Model.Name, err)
	}
	set := *job.Training
	set.LongWay = set.LongWay || job.Method.index(ShortestPath.Name) >= 0 && !job.On(ShortestPath.Name)
	set.LeftOut = []int{job.Tests.Clip}
	job.Training = &set
	if m := job.Model; job.Method.Learns == Operator && set.Taught() && len(m.Skin.Morphs) > 0 && !training.KeepsMorphs(m) {
		job.Model = m.WithoutMorphs() // no method poses the example shapes
	}
	report, stop := steady(job.Progress)
	defer stop()
	job.Progress = report
	if report != nil {
		report(Progress{Stage: "preparing"})
	}
	out, err := job.Method.Run(ctx, &job)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", job.Model.Name, err)
	}
	if job.Method.index(AsPublished) >= 0 && job.On(AsPublished) {
		out.Report.Differs = job.Method.Differs
	}
	return out, nil
}

// Suits returns why a model cannot be fitted, whatever it learns from; nil if it can.
func (m *Method) Suits(model *skinning.Model) error {
	switch bare := m.Learns == Sequence || m.Learns == Scans; {
	case bare && len(remodel.BindRigid(model).Skin.Positions) == 0:
		return errors.New("no mesh to fit")
	case !bare && len(model.Skin.Positions) == 0:
		return errors.New("no skinned mesh to fit")
	case len(model.Rigs) > 0:
		return errors.New("the model has been fitted already: fit the one that it was made from")
	}
	return nil
}

// Reason is why a fit ended.
type Reason string

// The reasons.
const (
	BoneLimit   Reason = "bone limit"                    // as many joints are added as were asked for
	TargetMet   Reason = "target met"                    // the error is below the target
	NoGain      Reason = "no further gain"               // no further joint lowers the error
	NothingToDo Reason = "nothing to do: already linear" // the operator and linear blending agree on all poses
	Converged   Reason = "converged"                     // a round hardly lowered the error
	RoundLimit  Reason = "round limit"                   // as many rounds are done as were asked for
	Cancelled   Reason = "cancelled"                     // the result is the best so far
)

// Step is one state of a fit.
type Step struct {
	Added   int // joints
	EE      float64
	Elapsed time.Duration
	Model   func() *skinning.Model // the fitted model, made when it is first asked for; nil where there is none to show
}

// LazyModel returns a step's model function, which makes the model when it is first called. It panics if the model
// cannot be made, which is a bug: a solver's states are valid.
func LazyModel(model func() (*skinning.Model, error)) func() *skinning.Model {
	return sync.OnceValue(func() *skinning.Model {
		m, err := model()
		if err != nil {
			panic(err)
		}
		return m
	})
}

// Mark is the error of something that a fit is compared with.
type Mark struct {
	Name string
	EE   float64 // percent
}

// Phase is what such a fit has reached after one of its phases.
type Phase struct {
	Objective float64 // Q of EBM section 4, m²
	RMS       float64 // over vertices and shapes, metres
}

// Progress is the progress of a fit. Its receiver may keep it, but must not change it.
type Progress struct {
	Now     Step   // the best so far; without a model before there is one
	History []Step // with more and more added joints, so far; all have a model; may be empty without [Job.Steps]
	Marks   []Mark
	Phases  []Phase // of a fit that minimises one objective in turns, so far; nil of others
	Stage   string  // the stage of the work; "" while joints are added, which Now counts
	Share   float64 // of the work that is done, up to 1; 0 where that is not known
}

// Result is a finished or cancelled fit.
type Result struct {
	Model   *skinning.Model // the fitted one
	Report  *Report
	Last    Progress // its end
	Learned any      // data that the fit keeps for its [Method.Others]
	// Whole is set where Model is a new model with a skeleton of its own. It has the vertices and triangles of the
	// job's model in their order, but not its joints, and only those clips whose nodes it has. It is written as it is,
	// and not into the file that was fitted.
	Whole bool
}

// Other is a way to pose the skin that a fit learns beside its model, and that is not linear blending of a palette.
type Other struct {
	Name, Title string
	Help        string // a line
	Deform      func(ctx context.Context, r *Result) (*Deformation, error)
}

// Deformation poses a skin without a palette.
type Deformation struct {
	Pose func(f *skinning.Frame) []mgl64.Vec3 // its positions in a frame of the fitted model, metres, one per vertex
}

// ErrNoModel is wrapped, together with the context's error, if a fit was cancelled before it had a model.
var ErrNoModel = errors.New("cancelled before there was a model")
