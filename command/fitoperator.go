package command

import (
	"context"
	"os"

	"github.com/spf13/pflag"

	"skinlab/fit/job"
	"skinlab/skinning"
)

// operatorFit is what the fits to a nonlinear method, their operator, have in common.
type operatorFit struct {
	fitFlags
	operator methodFlag
}

func (c *operatorFit) register(f *pflag.FlagSet) {
	c.fitFlags.register(f, "training poses", "a clip to measure the error on that was not trained on")
	c.operator.register(f, "operator", "",
		"the nonlinear method to make linear: dqs sdqs dib sbs (default: sdqs where joints scale, else dqs)")
}

// fit fits what spec says besides the flags.
func (c *operatorFit) fit(ctx context.Context, path string, spec job.Spec) error {
	var err error
	if c.operator.name != "" {
		if spec.Operator, err = c.operator.parse(); err != nil {
			return err
		}
		if spec.Operator == skinning.LBS {
			return usagef("--operator: lbs is linear already")
		}
	}
	m, err := c.open(path)
	if err != nil {
		return err
	}
	spec.AllClips, spec.Workers = true, c.threads
	if spec.Train, err = c.trainingParts(m); err != nil {
		return err
	}
	if spec.Test, err = c.testClip(m); err != nil {
		return err
	}
	var why string
	var warnings []string
	if c.operator.name == "" {
		spec.Operator, why = job.Operator(m)
	} else {
		warnings = warnOfOperator(m, spec.Operator)
	}
	progress, end := job.Progress(os.Stderr)
	out, err := job.Run(ctx, m, spec, progress)
	end()
	if err != nil {
		return err
	}
	out.Report.Why, out.Report.Warnings = why, append(out.Report.Warnings, warnings...)
	if err := c.export(ctx, path, out.Fitted, &out.Report); err != nil {
		return err
	}
	return c.print(&out.Report, func() { out.Report.WriteText(os.Stdout) })
}

// blendBonesFit adds blend bones.
type blendBonesFit struct {
	operatorFit
	bones  int
	target float64 // percent
}

func (c *blendBonesFit) register(f *pflag.FlagSet) {
	c.operatorFit.register(f)
	f.IntVar(&c.bones, "bones", 10, "blend bones to add at most")
	f.Float64Var(&c.target, "target", 0, "stop when the enveloping error falls below this percentage")
}

func (c *blendBonesFit) run(ctx context.Context, args []string) error {
	if c.bones < 1 || c.bones > 1000 || !(c.target >= 0) {
		return usagef("fit: --bones is from 1 to 1000, --target is not negative")
	}
	return c.fit(ctx, args[0], job.Spec{Method: "blend-bones", Bones: c.bones, Target: c.target})
}

// halfWayFit adds half-way joints.
type halfWayFit struct{ operatorFit }

func (c *halfWayFit) run(ctx context.Context, args []string) error {
	return c.fit(ctx, args[0], job.Spec{Method: "half-way"})
}
