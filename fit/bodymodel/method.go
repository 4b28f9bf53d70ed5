package bodymodel

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit"
	"skinlab/fit/training"
	"skinlab/skinning"
	"skinlab/skinning/messages"
	"skinlab/skinning/remodel"
)

// Method is the body model as a row of the table of fits.
var Method = &fit.Method{
	Name: "body-model", Title: "Body model", Noun: "limb", Suffix: "-body", Learns: fit.Scans,
	Gives:  "A mesh, a skeleton and weights, made from scans of one body in many poses.",
	Sketch: fit.SketchBody,
	Help:   "Make a mesh, a skeleton and weights for twist-swing skinning of scans: meshes of one topology in many poses",
	// The model may be a folder of scans.
	Example: "--targets scans/ -o body.glb",
	Options: []fit.Option{
		{Name: "limbs", Kind: fit.Count, Least: 0, Most: mostLimbs,
			Help:   "find so many limbs in the scans; 0 means the model's skeleton, or without one as many as the scans show",
			Slider: &fit.Slider{Title: "Limbs", More: true, Most: 40, Step: 1, Nothing: "its own"}},
		{Name: "no-skeleton", Kind: fit.Switch, Most: 1, Help: "find limbs in the scans, though the model has a skeleton"},
		{Name: "root", Kind: fit.Whole, Most: math.MaxInt32, Help: "the limb that is found at this vertex of the mesh, " +
			"counted from 1, is the root; 0 means the one in the middle of the tree"},
		{Name: "alpha", Default: defaultAlpha, Most: math.Inf(1),
			Help: "weight of the Laplacian in Q: lower is nearer to the scans, and rougher"},
		{Name: "rounds", Kind: fit.Whole, Default: defaultRounds, Least: 1, Most: 100_000,
			Help: "rounds of joints, weights and vertices at most, at each weight of the Laplacian"},
		{Name: "fixed-joints", Kind: fit.Switch, Most: 1, Help: "joints stay where limbs meet: what moving them is worth"},
		{Name: "linear", Kind: fit.Switch, Most: 1, Help: "fit a body for linear blending in place of twist-swing"},
		{Name: fit.AsPublished, Kind: fit.Switch, Most: 1, Help: "as the paper has it: limbs found in the scans, one " +
			"weight of the Laplacian, and skinning weights by small steps",
			Slider: &fit.Slider{Title: "As published", More: true}},
		{Name: "scan", Kind: fit.Whole, Default: 1, Most: math.MaxInt32,
			Help: "the scan whose shape and pose a body with limbs that are found starts from; 0 means the one in the " +
				"middle of all"},
	},
	Run:     runMethod,
	Differs: differs,
}

// The paper's weight of the Laplacian (section 5), and rounds that are enough until Q stalls, as published too.
const (
	defaultAlpha  = 100
	defaultRounds = 300
)

// WithRecipe returns the method with a recipe of one's own, which the option to fit as published does not change.
func WithRecipe(r *Recipe) *fit.Method {
	m := *Method
	m.Run = func(ctx context.Context, job *fit.Job) (*fit.Result, error) {
		return (&fitting{job: job, recipe: r, start: time.Now()}).run(ctx)
	}
	return &m
}

// fitting is one run of the method.
type fitting struct {
	job    *fit.Job
	recipe *Recipe
	u      *subject
	start  time.Time
	last   fit.Progress
}

func runMethod(ctx context.Context, job *fit.Job) (*fit.Result, error) {
	r := Ours()
	if job.On(fit.AsPublished) {
		r = Published()
	}
	return (&fitting{job: job, recipe: r, start: time.Now()}).run(ctx)
}

func (f *fitting) run(ctx context.Context) (*fit.Result, error) {
	job := f.job
	bound := remodel.BindRigid(job.Model)
	unseen, heldOut, err := job.Tests.Of(bound, job.Training)
	if err != nil {
		return nil, err
	}
	poses, err := job.Training.Choose(bound, nil)
	if err != nil {
		return nil, err
	}
	rig := f.recipe.Skeleton && !job.On("no-skeleton") && job.Int("limbs") == 0
	if f.u, err = newSubject(poses, job.Training, rig && bound == job.Model); err != nil {
		return nil, err
	}
	if f.u.skeleton != nil {
		f.stage("joints that the scans turn")
		if err := f.u.mergeStill(ctx, job.Workers); err != nil {
			return nil, err
		}
	}
	if scan := job.Int("scan"); scan > len(f.u.scans.Shapes) {
		return nil, fmt.Errorf("--scan: %d of %d scans", scan, len(f.u.scans.Shapes))
	}
	if root := job.Int("root"); root > len(f.u.point) {
		return nil, fmt.Errorf("--root: vertex %d of %d", root, len(f.u.point))
	} else if root > 0 && f.u.skeleton != nil {
		return nil, errors.New("--root is for limbs that are found in the scans: give --limbs or --no-skeleton")
	}
	s, err := solve(ctx, f.u.scans, f.options())
	if err != nil {
		if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
			err = fmt.Errorf("%w: %w", fit.ErrNoModel, err)
		}
		return nil, err
	}
	fitted, err := f.u.model(s.Body)
	if err != nil {
		return nil, err
	}
	if f.u.limbs != nil && !s.Body.Linear {
		f.u.takeAxes(s.Body, fitted)
		last := newSolver(f.u.scans, s.Body, job.Value("alpha"), job.Workers)
		last.settle(ctx)
		s.Errors, s.Largest = last.errors(), last.largest()
		if fitted, err = f.u.model(s.Body); err != nil {
			return nil, err
		}
	}
	elapsed := time.Since(f.start)
	file, largest := f.u.errorsIn(fitted, f.u.scanTimes(fitted))
	now := fit.Step{Added: f.added(s.Body), EE: f.ee(s, file), Elapsed: elapsed,
		Model: func() *skinning.Model { return fitted }}
	phases := f.last.Phases
	if len(phases) > 0 {
		phases = append(phases, fit.Phase{Objective: s.Q, RMS: file}) // as the file plays it
	}
	f.last = fit.Progress{Now: now, History: []fit.Step{now}, Phases: phases, Share: 1}
	report := f.report(s, fitted, poses, file, largest)
	job.TellClips(report.Clips)
	for _, t := range []struct {
		test *training.Test
		to   **UnseenScans
	}{{unseen, &report.Details.(*Details).Unseen}, {heldOut, &report.Details.(*Details).HeldOut}} {
		if t.test == nil || ctx.Err() != nil {
			continue
		}
		f.stage(t.test.Stage)
		if *t.to, err = f.measure(ctx, s, t.test); err != nil {
			return nil, err
		}
		(*t.to).Learnt = t.test == unseen && t.test.Learnt(poses)
	}
	return &fit.Result{Model: fitted, Report: report, Last: f.last, Whole: true, Learned: &Learned{f.u, s}}, nil
}

// options returns those of the solver.
func (f *fitting) options() options {
	job := f.job
	opt := options{Recipe: f.recipe, Skeleton: f.u.skeleton, Alpha: job.Value("alpha"), Rounds: job.Int("rounds"),
		FixedJoints: job.On("fixed-joints"), Linear: job.On("linear"), Workers: job.Workers}
	opt.Start = startOptions{Limbs: job.Int("limbs"), Bind: job.Int("scan"), Workers: job.Workers}
	if root := job.Int("root"); root > 0 {
		opt.Start.Root = f.u.point[root-1] + 1
	}
	if job.Progress != nil {
		opt.Progress = f.tell
	}
	return opt
}

// added is how many joints a body adds to the model's own.
func (f *fitting) added(b *Body) int {
	if f.u.limbs != nil {
		return 0
	}
	return len(b.Joints)
}

// ee converts an RMS error to EE, a percentage of the RMS error of the best rigid predictions: of the model's joints in
// the poses that its clips have for the scans, or without such poses of the limbs at the start.
func (f *fitting) ee(s *solution, rms float64) float64 {
	rigid := cmp.Or(f.u.rigid, s.Rigid)
	if !(rigid > 0) {
		return 0
	}
	return 100 * rms / rigid
}

// stage reports the work after the fit.
func (f *fitting) stage(what string) {
	f.last.Stage = what
	f.last.Now.Elapsed = time.Since(f.start)
	if f.job.Progress != nil {
		f.job.Progress(f.last)
	}
}

// tell passes the solver's progress on. The model of a state is made when it is first asked for.
func (f *fitting) tell(p Phase, s *solution) {
	b := s.Body.Clone()
	f.last.Now = fit.Step{Added: f.added(b), EE: f.ee(s, p.RMS), Elapsed: time.Since(f.start),
		Model: fit.LazyModel(func() (*skinning.Model, error) { return f.u.model(b) })}
	f.last.Share = p.Share
	f.last.Phases = append(f.last.Phases, fit.Phase{Objective: p.Q, RMS: p.RMS})
	size := f.u.m.Diagonal()
	f.last.Stage = fmt.Sprintf("α = %g, round %d, %s: Q %.4g m², RMS %s", p.Alpha, p.Round, p.Name, p.Q,
		messages.ReportLength(p.RMS/size, size))
	f.job.Progress(f.last)
}

// Learned is what a fit's result keeps beside its model: [fit.Result.Learned].
type Learned struct {
	u *subject
	s *solution
}

// Scans returns the scans that the body was fitted to. Each has the vertices of the skin in its order, in world space,
// in metres.
func (l *Learned) Scans() [][]mgl64.Vec3 { return l.u.targets }

// Times returns when the clip [ScansClip] shows each scan, seconds.
func (l *Learned) Times() []float64 { return l.u.times }

// StartJoints returns the positions of the limbs' joints at the start of the fit, in rest space, in metres.
func (l *Learned) StartJoints() []mgl64.Vec3 { return l.s.First.Joints }

// EndJoints returns the positions of the limbs' joints at the end of the fit, in rest space, in metres.
func (l *Learned) EndJoints() []mgl64.Vec3 { return l.s.Joints }

// Phases returns the history of the fit.
func (l *Learned) Phases() []Phase { return l.s.History }
