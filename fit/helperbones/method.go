package helperbones

import (
	"context"
	"fmt"
	"math"
	"time"

	"skinlab/fit"
	"skinlab/fit/ssdr"
	"skinlab/fit/training"
	"skinlab/skinning"
	"skinlab/skinning/remodel"
	"skinlab/skinning/rig"
)

// Method is helper bones as a row of the table of fits.
var Method = &fit.Method{
	Name: "helper-bones", Title: "Helper bones", Noun: "helper bone", Suffix: "-helpers", Learns: fit.Shapes,
	Gives:   "A few bones that swell and slide with the joints, as muscles do. How they move can be edited.",
	Sketch:  fit.SketchMuscle,
	Help:    "Add helper bones that learn from example shapes, and polynomials of joint angles that move them",
	Example: "--targets shapes/ --clip exercise --bones 4 -o fitted.glb",
	Options: []fit.Option{
		{Name: "bones", Kind: fit.Count, Default: 4, Least: 1, Most: 1000, Help: "helper bones to add at most",
			Slider: &fit.Slider{Title: "Max bones", Most: 16, Step: 1, Default: 4}},
		{Name: "degree", Kind: fit.Whole, Default: 2, Least: 1, Most: rig.MostDegree,
			Help:   "of the polynomials that move a bone, in the angles of each joint",
			Slider: &fit.Slider{Title: "Degree", More: true, Most: rig.MostDegree, Step: 1, Default: 2}},
		{Name: "lambda", Default: math.NaN(), Chosen: "by cross validation", Most: 1,
			Help: "how sparse the polynomials are: the Lasso's weight, as a share of that at which nothing is left of them"},
		{Name: "scale", Kind: fit.Switch, Most: 1, Help: "helper bones also grow and shrink, as muscles do"},
		{Name: fit.AsPublished, Kind: fit.Switch, Most: 1,
			Help:   "take the paper's steps, without the hold to the file's weights and without solving both again at the end",
			Slider: &fit.Slider{Title: "As published", More: true}},
		{Name: "no-prior", Kind: fit.Switch, Most: 1, Help: "start without the file's own weights"},
	},
	Differs: differs,
	Run:     runMethod,
	Level:   level,
	Suggest: suggest,
}

// fitting is one run of the method.
type fitting struct {
	job     *fit.Job
	m       *skinning.Model
	recipe  *Recipe
	start   time.Time
	elapsed time.Duration // of all fits
	rigid   float64       // RMS error of the best single joints over the examples, metres
	last    fit.Progress
	shown   time.Time // when the model of the last progress was made
}

// learned is one fit and its measurements.
type learned struct {
	run           *fitting
	x             *training.Examples  // with prior ones
	errors        *fit.ShapeErrors    // on the others
	before        *ssdr.Decomposition // without controllers
	after         *Controlled         // nil where there is no helper bone
	weighted      *skinning.Model     // with trained weights and no helper bones
	fitted        *skinning.Model
	plain         fit.Measured // errors over the examples of linear blending with the file's weights,
	trained, with fit.Measured // with trained weights, and of the fitted model
	reason        fit.Reason
	elapsed       time.Duration
}

// runMethod fits by the recipe of the job's options.
func runMethod(ctx context.Context, job *fit.Job) (*fit.Result, error) {
	recipe := Ours()
	if job.On(fit.AsPublished) {
		recipe = Published()
	}
	return run(ctx, job, recipe)
}

// WithRecipe returns the method with a recipe of one's own, which the option to fit as published does not change.
func WithRecipe(r *Recipe) *fit.Method {
	m := *Method
	m.Run = func(ctx context.Context, job *fit.Job) (*fit.Result, error) { return run(ctx, job, r) }
	return &m
}

// run fits by a recipe, and measures what the job asks for.
func run(ctx context.Context, job *fit.Job, recipe *Recipe) (*fit.Result, error) {
	if d := job.Model.Diagonal(); d > rig.MostFar {
		return nil, fmt.Errorf("the skin is %.2g m large at rest, expected at most %.0g m for helper bones", d, rig.MostFar)
	}
	if job.On("no-prior") {
		decompose := *recipe.Decompose
		decompose.Hold = 0
		own := *recipe
		own.Decompose, recipe = &decompose, &own
	}
	merged := *job
	merged.Model = remodel.MergeEqualJoints(job.Model) // so that the skins of a body and of its clothes have one skeleton
	f := &fitting{job: &merged, m: merged.Model, recipe: recipe, start: time.Now()}
	best, report, err := fit.RunOnShapes(ctx, fit.ShapeFit[*learned]{Job: f.job, Stage: f.stage, Learn: f.learn,
		Report: f.report})
	if err != nil {
		return nil, err
	}
	return &fit.Result{Model: best.fitted, Report: report, Last: f.last, Learned: best}, nil
}

// learn learns from the examples of poses.
func (f *fitting) learn(ctx context.Context, p *training.Poses,
	x *training.Examples) (*learned, *skinning.Model, error) {
	start := time.Now()
	f.last = fit.Progress{}
	a := &learned{run: f, x: withPriorPoses(x.Balanced(), p, f.recipe), errors: fit.NewShapeErrors(x)}
	f.stage("joint weights")
	a.plain = a.errors.Plain
	f.rigid = 0
	if a.plain.EE > 0 {
		f.rigid = a.plain.RMSmm / 1e3 * 100 / float64(a.plain.EE)
	}
	if err := a.fit(ctx); err != nil {
		return nil, nil, err
	}
	a.elapsed = time.Since(start)
	f.elapsed += a.elapsed
	return a, a.fitted, nil
}

// fit solves the weights alone, then helper bones and their controllers, see keepBest.
func (a *learned) fit(ctx context.Context) error {
	f := a.run
	opt := f.options()
	weights, err := ssdr.Decompose(ctx, a.x, opt)
	if err != nil {
		return err
	}
	if weights.Reason == fit.Cancelled {
		return fmt.Errorf("%w: %w", fit.ErrNoModel, ctx.Err())
	}
	if a.weighted, err = f.model(nil, weights.Weights); err != nil {
		return err
	}
	weighted := a.weighted
	f.last.Marks = []fit.Mark{{Name: "trained weights", EE: f.ee(weights.RMS)}}
	f.last.Now = fit.Step{EE: f.ee(weights.RMS), Model: func() *skinning.Model { return weighted }}
	opt.Bones, opt.Progress = f.job.Int("bones"), func(step ssdr.Step, s *ssdr.Solver) { f.tell(a.x, step, s) }
	if a.before, err = ssdr.Decompose(ctx, a.x, opt); err != nil {
		return err
	}
	a.reason, a.fitted = a.before.Reason, a.weighted
	if len(a.before.Motions) > 0 {
		f.last.Now = f.step(a.x, a.before) // in place of one that holds weights of its own
		f.stage("controllers")
		c := f.controls()
		c.Progress = f.tellControls
		if ctx.Err() != nil { // the bones so far are worth a model
			ctx, c = context.WithoutCancel(ctx), quickControls(c)
			a.reason = fit.Cancelled
		}
		if a.after, err = Control(ctx, a.x, a.before, c); err != nil {
			return err
		}
		if a.after.Reason == fit.Cancelled {
			a.reason = fit.Cancelled
		}
		if a.fitted, err = f.model(a.after.Rig, a.after.Weights); err != nil {
			return err
		}
	}
	a.trained, a.with = a.errors.Of(a.weighted), a.errors.Of(a.fitted)
	a.keepBest()
	return nil
}

// keepBest replaces trained weights that are worse over the examples than the file's by these. A fit without helper
// bones, or with helper bones that are worse than the trained weights, adds nothing: it keeps the file's weights too.
func (a *learned) keepBest() {
	plain := training.WithMorphs(a.run.m.WithoutMorphs(), a.run.m)
	if !(a.trained.RMS <= a.plain.RMS) {
		a.weighted, a.trained = plain, a.plain
	}
	if a.after == nil || !(a.with.RMS <= a.trained.RMS) {
		a.fitted, a.with, a.after = plain, a.plain, nil
	}
}

// options are those of the decomposition.
func (f *fitting) options() ssdr.Options {
	return ssdr.Options{Recipe: f.recipe.Decompose, Scale: f.job.On("scale"), Workers: f.job.Workers}
}

// controls are the controllers' options.
func (f *fitting) controls() ControlOptions {
	return ControlOptions{Recipe: f.recipe, Degree: f.job.Int("degree"), Lambda: f.job.Value("lambda"),
		Scale: f.job.On("scale"), Workers: f.job.Workers}
}

// quickControls are options for controllers of motions that are not final yet: linear, sparse and without refinement.
func quickControls(o ControlOptions) ControlOptions {
	quick := *o.Recipe
	quick.Refine = 0
	o.Recipe, o.Degree, o.Lambda = &quick, 1, hurriedLambda
	return o
}

// model is the model that was fitted with other weights and, where helpers is not nil, helper bones. Morph targets of
// an example set are left out.
func (f *fitting) model(helpers *rig.HelperBones, weights [][]skinning.Share) (*skinning.Model, error) {
	out, in := f.m.WithoutMorphs(), skinning.InfluencesOf(weights, nil)
	var err error
	if helpers != nil {
		out, err = rig.WithHelperBones(out, *helpers, in)
	} else {
		out.Skin.SetWeights(in)
		err = in.Validate(len(out.Skeleton.Joints))
	}
	if err != nil {
		return nil, err
	}
	return training.WithMorphs(out, f.m), nil
}
