package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/pflag"

	"skinlab/fit/enveloping"
	"skinlab/fit/job"
	"skinlab/skinning"
)

// exampleFit is what the fits to example shapes have in common.
type exampleFit struct {
	fitFlags
	targets, tests shapeFlags
	teach          methodFlag
	holdOut        int
	loocv          bool
}

func (c *exampleFit) register(f *pflag.FlagSet) {
	c.fitFlags.register(f, "with --teach, training poses",
		"what was not trained on, to measure the error on: a clip, which has shapes of its own or with --teach any, "+
			"or another file with examples on the same joints")
	c.targets.register(f, "",
		"a folder of OBJ files, the example shapes by name, numbers by value, in the order of the keys of --clip "+
			"(default: the model's own examples)", "the clip that --targets belong to",
		"where in --clip the shapes belong: seconds, comma-separated, or even, spread evenly over its keys "+
			"(default: one shape for each key)")
	c.tests.register(f, "test-", "a folder of OBJ files to measure the error on, as --targets",
		"the clip that --test-targets belong to (default: that of --clip)", "where in it they belong, as --times")
	f.IntVar(&c.holdOut, "holdout", 0,
		"keep so many of --targets from the training, evenly spread, and measure the error on them")
	c.teach.register(f, "teach", "", "learn from this method's shapes at the poses of --train: dqs sdqs dib sbs")
	f.BoolVar(&c.loocv, "loocv", false,
		"predict each example from all the others too (leave-one-out cross validation)")
}

// fit fits what spec says besides the flags.
func (c *exampleFit) fit(ctx context.Context, path string, spec job.EnvelopeSpec) error {
	if err := c.checkSources(spec.Method); err != nil {
		return err
	}
	m, err := c.open(path, &c.targets, &c.tests)
	if err != nil {
		return err
	}
	progress, end := job.EnvelopingProgress(os.Stderr)
	spec.LeaveOneOut, spec.AllClips, spec.Test, spec.Workers, spec.Progress = c.loocv, true, -1, c.threads, progress
	if spec.Training, err = c.training(ctx, m); err != nil {
		return err
	}
	if err := c.readTests(ctx, m, &spec); err != nil {
		return err
	}
	var warnings []string
	if c.teach.name != "" {
		warnings = warnOfOperator(m, spec.Training.Teacher)
	}
	out, err := job.Envelope(ctx, m, spec)
	end()
	if errors.Is(err, enveloping.ErrNoModel) {
		fmt.Fprintln(os.Stderr, err) // Ctrl-C is no error, but nothing is written
	}
	if err != nil {
		return err
	}
	out.Report.Warnings = append(out.Report.Warnings, warnings...)
	if err := c.export(ctx, path, out.Fitted, &out.Report.Report); err != nil {
		return err
	}
	return c.print(&out.Report, func() { out.Report.WriteText(os.Stdout) })
}

// checkSources finds contradictions in what the fit is to learn from and to be tested on.
func (c *exampleFit) checkSources(method string) error {
	targets, teach, tests := c.targets.folder != "", c.teach.name != "", c.tests.folder != ""
	switch {
	case targets && teach:
		return usagef("fit: --targets and --teach both say what to learn from")
	case len(c.train) > 0 && !teach:
		return usagef("fit %s: --train is for --teach", method)
	case (c.targets.clip != "") != targets, c.targets.times != "" && !targets:
		return usagef("fit %s: --targets DIR and --clip CLIP go together, and --times is for them", method)
	case c.holdOut < 0:
		return usagef("fit %s: --holdout is not negative", method)
	case c.holdOut > 0 && !targets:
		return usagef("fit %s: --holdout is for --targets", method)
	case c.holdOut > 0 && tests:
		return usagef("fit %s: --holdout and --test-targets both say what to test on", method)
	case !tests && c.tests.clip+c.tests.times != "":
		return usagef("fit %s: --test-clip and --test-times are for --test-targets", method)
	case tests && teach:
		return usagef("fit %s: --test-targets: a method's shapes are known in every clip: give --test CLIP", method)
	case tests && c.tests.clip == "" && c.targets.clip == "":
		return usagef("fit %s: --test-targets: give --test-clip, the clip that they belong to", method)
	}
	return nil
}

// training says what is learnt from: shapes in files, a method's, or the model's own.
func (c *exampleFit) training(ctx context.Context, m *skinning.Model) (*job.Training, error) {
	switch {
	case c.targets.folder != "":
		return c.targets.load(ctx, m)
	case c.teach.name != "":
		teacher, err := c.teach.parse()
		if err != nil {
			return nil, err
		}
		if teacher == skinning.LBS {
			return nil, usagef("--teach: lbs is what the fit starts from")
		}
		parts, err := c.trainingParts(m)
		if err != nil {
			return nil, err
		}
		return &job.Training{Teacher: teacher, Train: parts}, nil
	}
	return job.OwnExamples(m)
}

// readTests reads what the fit is to be tested on: --test, a clip or a file; --holdout; --test-targets.
func (c *exampleFit) readTests(ctx context.Context, m *skinning.Model, spec *job.EnvelopeSpec) (err error) {
	if _, unknown := namedClip(m, c.test); c.test != "" && unknown != nil && isFile(c.test) {
		if c.teach.name != "" {
			return usagef("--test: %s: a file is for fits to example shapes: a method's are known in every clip", c.test)
		}
		if spec.TestModel, err = load(c.test); err != nil {
			return err
		}
	} else if spec.Test, err = c.testClip(m); err != nil {
		return err
	}
	switch n := len(spec.Training.Targets); {
	case c.tests.folder != "":
		c.tests.clip = cmp.Or(c.tests.clip, c.targets.clip)
		spec.HeldOut, err = c.tests.load(ctx, m)
	case c.holdOut >= n && c.holdOut > 0:
		return usagef("--holdout: %d of %d shapes in %s leave none to learn from", c.holdOut, n, c.targets.folder)
	case c.holdOut > 0:
		spec.Training, spec.HeldOut = holdOut(spec.Training, c.holdOut)
	}
	return err
}

// holdOut takes so many targets, evenly spread, out of a training.
func holdOut(t *job.Training, count int) (learnt, held *job.Training) {
	learnt, held = &job.Training{Clip: t.Clip}, &job.Training{Clip: t.Clip}
	n := len(t.Targets)
	for i := range t.Targets {
		to := learnt
		if k := len(held.Targets); k < count && i == (2*k+1)*n/(2*count) { // the middle of each of count equal parts
			to = held
		}
		to.Targets, to.Times = append(to.Targets, t.Targets[i]), append(to.Times, t.Times[i])
	}
	return learnt, held
}

// envelopingFit adds proxy bones.
type envelopingFit struct {
	exampleFit
	proxies       int
	target, rigid float64
	history       bool
}

func (c *envelopingFit) register(f *pflag.FlagSet) {
	c.exampleFit.register(f)
	f.IntVar(&c.proxies, "proxies", 80, "proxy bones to add at most")
	f.Float64Var(&c.target, "target", 0,
		"stop when the enveloping error falls below this percentage, with the fewest proxy bones that have it there")
	f.Float64Var(&c.rigid, "rigid", 0.6,
		"vertices that trained weights predict better than this share of the mean error are left to them")
	f.BoolVar(&c.history, "history", false,
		"measure models of fewer proxy bones too, from 5 up; the last is the same")
}

func (c *envelopingFit) run(ctx context.Context, args []string) error {
	if !(c.target >= 0) {
		return usagef("fit: --target is not negative")
	}
	if c.proxies < 1 || c.proxies > 1000 || !(c.rigid > 0 && c.rigid <= 1000) {
		return usagef("fit: --proxies is from 1 to 1000, --rigid above 0 and at most 1000")
	}
	return c.fit(ctx, args[0], job.EnvelopeSpec{Method: "enveloping", Proxies: c.proxies, Target: c.target,
		Rigid: c.rigid, History: c.history})
}

// ssdFit trains weights alone.
type ssdFit struct{ exampleFit }

func (c *ssdFit) run(ctx context.Context, args []string) error {
	return c.fit(ctx, args[0], job.EnvelopeSpec{Method: "ssd"})
}
