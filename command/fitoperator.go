package command

import (
	"context"

	"github.com/spf13/pflag"

	"skinlab/command/flags"
	"skinlab/fit"
	"skinlab/fit/training"
	"skinlab/skinning/compare"
)

// operatorFlags say which nonlinear method, the operator, a fit makes linear.
type operatorFlags struct{ operator flags.MethodFlag }

func (s *operatorFlags) register(f *pflag.FlagSet) (train, test string) {
	s.operator.Register(f, "operator", "", "the nonlinear method to match: "+flags.Operators()+flags.ReferenceDefault)
	return "training poses", "a clip to measure the error on; the default training leaves it out"
}

func (s *operatorFlags) check(*fitCommand) error {
	if s.operator.Name == "" {
		return nil
	}
	operator, err := s.operator.Parse()
	if err == nil && !operator.IsOperator() {
		err = flags.Usagef("--operator: %v is linear already", operator)
	}
	return err
}

func (s *operatorFlags) reads() []string { return nil }

func (s *operatorFlags) named() bool { return s.operator.Name != "" }

func (s *operatorFlags) read(_ context.Context, c *fitCommand, job *fit.Job) (why string, err error) {
	set := &training.Set{}
	if set.Parts, err = c.parts(job.Model); err != nil {
		return "", err
	}
	if job.Tests.Clip, err = c.testClip(job.Model); err != nil {
		return "", err
	}
	if s.named() {
		set.Teacher, err = s.operator.Parse()
	} else {
		set.Teacher, why = compare.Reference(job.Model)
	}
	job.Training = set
	return why, err
}
