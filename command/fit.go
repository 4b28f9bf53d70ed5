package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"skinlab/command/flags"
	"skinlab/fit"
	"skinlab/fit/training"
	"skinlab/skinning"
	"skinlab/skinning/compare"
	"skinlab/skinning/messages"
)

// newFit makes the command fit, with a subcommand for each row of the table, which it lists where none is named.
func newFit(methods []*fit.Method) *cobra.Command {
	cmd := &cobra.Command{Use: "fit METHOD MODEL", DisableFlagsInUseLine: true,
		Short: "Fit bones to a method or to example shapes, and write a glTF that plain linear skinning plays"}
	var names, examples []string
	for _, m := range methods {
		r := row{m.Name + " MODEL", m.Help, "skinlab fit " + m.Name + " character.glb " + m.Example, newFitCommand(m)}
		method := newCommand(r)
		cmd.AddCommand(method)
		names, examples = append(names, m.Name), append(examples, r.example)
		// A flag without a value may come before the method. Cobra finds the method after it only if fit itself has the
		// flag.
		method.Flags().VisitAll(func(f *pflag.Flag) {
			if f.NoOptDefVal != "" && cmd.Flags().Lookup(f.Name) == nil {
				cmd.Flags().Bool(f.Name, false, f.Usage)
				cmd.Flags().Lookup(f.Name).Hidden = true
			}
		})
	}
	cmd.Example = strings.Join(examples, "\n")
	cmd.Args = func(_ *cobra.Command, args []string) error {
		if len(args) > 0 {
			return flags.Usagef("fit: %q: not one of %s%s", args[0], strings.Join(names, ", "), messages.Nearest(args[0], names))
		}
		return nil
	}
	cmd.SetFlagErrorFunc(func(c *cobra.Command, err error) error {
		if c == cmd && c.Flags().NArg() > 0 { // a method's flag behind an unknown method
			return cmd.Args(c, c.Flags().Args())
		}
		return flags.FlagError(c, err)
	})
	cmd.RunE = func(*cobra.Command, []string) error { return cmd.Help() }
	return cmd
}

type fitCommand struct {
	method  *fit.Method
	source  fitSource
	options map[string]func() float64 // the values of the method's options
	flags   *pflag.FlagSet
	train   []string
	test    string
	fps     float64
	threads int
	beside  besideFlags
	motion  flags.MotionFlags
	flags.Output
}

// fitSource is the flags that say what a fit learns from.
type fitSource interface {
	// register adds the flags, and returns the help of --train and --test.
	register(f *pflag.FlagSet) (train, test string)
	// check finds contradictions before anything is read.
	check(c *fitCommand) error
	// reads lists the files that it reads.
	reads() []string
	// read sets the job's training and tests. Where no method was named, it chooses one and returns the reason.
	read(ctx context.Context, c *fitCommand, job *fit.Job) (why string, err error)
	// named reports whether the command line names the method that is imitated, or that teaches.
	named() bool
}

func newFitCommand(m *fit.Method) *fitCommand {
	c := &fitCommand{method: m}
	switch m.Learns {
	case fit.Operator:
		c.source = &operatorFlags{}
	case fit.Shapes:
		c.source = &exampleFlags{}
	case fit.Sequence:
		c.source = &sequenceFlags{}
	case fit.Scans:
		c.source = &scanFlags{}
	default:
		panic(fmt.Sprintf("command: %s: a fit of source %d", m.Name, m.Learns))
	}
	return c
}

func (c *fitCommand) register(f *pflag.FlagSet) {
	train, test := c.source.register(f)
	c.registerOptions(f)
	f.StringArrayVar(&c.train, "train", nil,
		train+": CLIP[:N], N from the clip, 12 without N; may be given several times "+
			"(default: 24 poses spread over all clips and the static pose, or poses made from the skeleton)")
	f.StringVar(&c.test, "test", "", test)
	f.Float64Var(&c.fps, "fps", 0,
		"keys a second of the baked bones (default: as many as keep the error between keys below a seventh of the fit's)")
	f.IntVar(&c.threads, "threads", 0, "threads to fit on; the result does not depend on it (default: all)")
	c.beside.register(f, c.method)
	c.motion.Register(f)
	c.Output.Register(f, "GLB file to write")
	f.Lookup("force").Usage += "; write a fit that is worse in the mean over the clips than the file's own weights"
}

func (c *fitCommand) registerOptions(f *pflag.FlagSet) {
	c.options, c.flags = map[string]func() float64{}, f
	for i := range c.method.Options {
		switch o := &c.method.Options[i]; o.Kind {
		case fit.Count, fit.Whole:
			n := f.Int(o.Name, int(o.Default), o.Help)
			c.options[o.Name] = func() float64 { return float64(*n) }
		case fit.Number:
			x := f.Float64(o.Name, o.Default, o.Help)
			if math.IsNaN(o.Default) {
				f.Lookup(o.Name).DefValue = o.Chosen // what help calls the default
			}
			c.options[o.Name] = func() float64 { return *x }
		case fit.Switch:
			on := f.Bool(o.Name, o.Default != 0, o.Help)
			c.options[o.Name] = func() float64 {
				if *on {
					return 1
				}
				return 0
			}
		case fit.Choice:
			word := f.String(o.Name, o.Words[int(o.Default)], o.Help+": "+strings.Join(o.Words, " "))
			flags.TakeWords(f, o.Name, o.Words...)
			c.options[o.Name] = func() float64 { return float64(slices.Index(o.Words, *word)) }
		default:
			panic(fmt.Sprintf("command: %s: option %s of kind %d", c.method.Name, o.Name, o.Kind))
		}
	}
}

func (c *fitCommand) values() (fit.Values, error) {
	v := fit.Values{}
	for i := range c.method.Options {
		o := &c.method.Options[i]
		x := c.options[o.Name]()
		if math.IsNaN(o.Default) && !c.flags.Changed(o.Name) {
			continue // the fit chooses
		}
		if err := o.Check(x); err != nil {
			return nil, flags.Usagef("fit %s: %w", c.method.Name, err)
		}
		v[o.Name] = x
	}
	return v, nil
}

func (c *fitCommand) run(ctx context.Context, args []string) error {
	values, err := c.values()
	if err != nil {
		return err
	}
	if err := c.source.check(c); err != nil {
		return err
	}
	if !(c.fps >= 0 && c.fps <= 1000) || c.threads < 0 {
		return flags.Usagef("fit: --fps is from 0 to 1000, --threads is not negative")
	}
	source := args[0]
	if s, ok := c.source.(*scanFlags); ok {
		if source, err = s.takeFolder(source); err != nil {
			return err
		}
	}
	reads := func() []string {
		return slices.Concat(flags.ModelFiles(source, c.test), c.source.reads(), c.motion.MotionReads())
	}
	if err := c.Output.Check(reads, ".glb"); err != nil {
		return err // before the work, not after it
	}
	if o := c.method.Count(); o != nil {
		if err := c.beside.check(c, reads, int(values[o.Name])); err != nil {
			return err
		}
	}
	flags.LimitMemory(reads(), false)
	m, err := c.motion.LoadMoved(ctx, source)
	if err != nil {
		return err
	}
	progress, note, end := fit.ShowProgress(os.Stderr)
	job := fit.Job{Method: c.method, Model: m, Values: values, Tests: training.Tests{Clip: -1, AllClips: true},
		Workers: c.threads, Progress: progress, Measured: func(t fit.ClipTable) {
			if err := c.refusal(m, t); err != nil { // known now, before tests that may take long
				note("note: " + err.Error())
			}
		}}
	why, err := c.source.read(ctx, c, &job)
	if err != nil {
		if ctx.Err() != nil {
			err = noModel(m, err)
		}
		return err
	}
	if of := compare.FittedWeights(m); of != "" {
		flags.Warn(m.Name, of)
	}
	warning := ""
	if c.source.named() {
		warning = training.OperatorWarning(m, job.Training.Operator())
		if warning != "" {
			flags.Warn(m.Name, warning)
		}
	}
	if c.Path == "" {
		fmt.Fprintln(os.Stderr, "note: nothing will be written: -o FILE.glb keeps the fit")
	}
	out, err := fit.Run(ctx, job)
	end()
	if errors.Is(err, fit.ErrNoModel) {
		return noModel(m, err)
	}
	if err != nil {
		return err
	}
	out.Report.Why = why
	if warning != "" {
		out.Report.Warnings = append(out.Report.Warnings, warning)
	}
	refusal := c.refusal(m, out.Report.Clips)
	if refusal == nil {
		if err := c.export(ctx, source, m, out); err != nil {
			return err
		}
	}
	return cmp.Or(c.Print(out.Report, out.Report.WriteText), refusal)
}

// noModel tells a person whose Ctrl-C came too early. Nothing else is printed.
func noModel(m *skinning.Model, err error) error {
	fmt.Fprintf(os.Stderr, "%s: %v: nothing is written\n", m.Name, fit.ErrNoModel)
	return flags.PrintedError{Err: err}
}

// refusal is why a fit with these errors is not written; nil where it is, or where no file is asked for.
func (c *fitCommand) refusal(m *skinning.Model, t fit.ClipTable) error {
	worse := t.WorseInMean()
	if worse == "" || c.Path == "" || c.Force {
		return nil
	}
	return fmt.Errorf("%s: nothing is written: the fit of %s is %s; --force writes it", c.Path, m.Name, worse)
}

// parts reads --train CLIP[:N], any number of times; none without it.
func (c *fitCommand) parts(m *skinning.Model) (parts []training.Part, err error) {
	for _, name := range c.train {
		part := training.Part{}
		if at := strings.LastIndexByte(name, ':'); at >= 0 {
			if _, whole := flags.NamedClip(m, name); whole != nil { // a clip may have a colon in its name
				n, err := strconv.Atoi(name[at+1:])
				if err != nil || n < 1 || n > 10_000 {
					return nil, flags.Usagef("--train: %q is not CLIP:N with N from 1 to 10000", name)
				}
				name, part.Frames = name[:at], n
			}
		}
		if part.Clip, err = flags.NamedClip(m, name); err != nil {
			return nil, flags.Usagef("%s: --train: %v", m.Name, err)
		}
		parts = append(parts, part)
	}
	return parts, nil
}

// readTest reads --test: a clip, or where it may be one a file with examples.
func (c *fitCommand) readTest(ctx context.Context, job *fit.Job, file bool) (err error) {
	if _, unknown := flags.NamedClip(job.Model, c.test); file && c.test != "" && unknown != nil && isFile(c.test) {
		job.Tests.Model, err = flags.Load(ctx, c.test)
	} else {
		job.Tests.Clip, err = c.testClip(job.Model)
	}
	return err
}

// testClip reads --test; −1 without it.
func (c *fitCommand) testClip(m *skinning.Model) (int, error) {
	if c.test == "" {
		return -1, nil
	}
	clip, err := flags.NamedClip(m, c.test)
	switch {
	case err != nil && isFile(c.test):
		return 0, flags.Usagef("--test: %s: a file is for fits to example shapes: a method's are known in every clip", c.test)
	case err != nil:
		return 0, flags.Usagef("%s: --test: %v", m.Name, err)
	}
	return clip, nil
}
