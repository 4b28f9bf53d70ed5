package command

// This file is the command line's fit of blend bones and what all fits share.

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"skinlab/assets"
	"skinlab/fit/job"
	"skinlab/skinning"
)

// fitMethods are the methods of fit, and the flags that some of them alone take.
var fitMethods = map[string]string{
	"blend-bones": "operator bones target",
	"half-way":    "operator",
	"enveloping":  "proxies target history rigid targets clip times teach loocv holdout test-targets test-clip test-times",
	"ssd":         "targets clip times teach loocv holdout test-targets test-clip test-times",
}

func runFit(o *options, args []string) error {
	flags, ok := fitMethods[args[0]]
	if !ok {
		return usagef("fit: %q: not one of blend-bones, half-way, enveloping, ssd", args[0])
	}
	for _, others := range fitMethods {
		for _, name := range strings.Fields(others) {
			if o.cmd.Flags().Changed(name) && !slices.Contains(strings.Fields(flags), name) {
				return usagef("fit %s: --%s is not for it", args[0], name)
			}
		}
	}
	if !(o.fps >= 0 && o.fps <= 1000) || o.threads < 0 {
		return usagef("fit: --fps is from 0 to 1000, --threads is not negative")
	}
	if isEnvelope(args[0]) {
		return o.fitEnvelope(args[0], args[1])
	}
	return o.fitBlendBones(args)
}

func (o *options) fitBlendBones(args []string) error {
	spec := job.Spec{Method: args[0], Bones: o.bones, Target: o.target, AllClips: true, Workers: o.threads}
	var err error
	if o.operator != "" {
		if spec.Operator, err = parseMethod("operator", o.operator); err != nil {
			return err
		}
		if spec.Operator == skinning.LBS {
			return usagef("--operator: lbs is linear already")
		}
	}
	if o.bones < 1 || o.bones > 1000 || !(o.target >= 0) {
		return usagef("fit: --bones is from 1 to 1000, --target is not negative")
	}
	if err := o.checkOutput(args, ".glb"); err != nil {
		return err // before the work, not after it
	}
	m, err := load(args[1])
	if err != nil {
		return err
	}
	if spec.Train, err = o.trainingParts(m); err != nil {
		return err
	}
	if spec.Test, err = o.testClipIndex(m); err != nil {
		return err
	}
	why, warning := "", ""
	if o.operator == "" {
		spec.Operator, why = job.Operator(m)
	} else {
		warning = o.warnOfOperator(m, spec.Operator)
	}
	progress, end := job.Progress(os.Stderr)
	out, err := job.Run(o.cmd.Context(), m, spec, progress)
	end()
	if err != nil {
		return err
	}
	out.Report.Why = why
	if warning != "" {
		out.Report.Warnings = append(out.Report.Warnings, warning)
	}
	if err := o.export(args[1], out.Fitted, &out.Report); err != nil {
		return err
	}
	return o.report(&out.Report, func() { out.Report.WriteText(os.Stdout) })
}

// warnOfOperator says before the fit what a named operator loses on a model, and returns it for the report.
func (o *options) warnOfOperator(m *skinning.Model, method skinning.Method) string {
	warning := job.OperatorWarning(m, method)
	if warning != "" {
		fmt.Fprintf(os.Stderr, "warning: %s: %s\n", m.Name, warning)
	}
	return warning
}

// export writes what was fitted, where that is asked for, to --output. After Ctrl-C it does so too, since the best so
// far is usable. Ctrl-C while clips are baked has the ones that are left baked coarsely.
func (o *options) export(source string, fitted *skinning.Model, r *job.Report) error {
	if o.output == "" {
		return nil
	}
	ctx := o.cmd.Context()
	opt := exportOptions(r, o.fps, o.threads)
	opt.Hurry = ctx.Done()
	if ctx.Err() != nil { // the fit was cancelled: its clips are worth another Ctrl-C
		fmt.Fprintf(os.Stderr, "cancelled: writing the best so far to %s; Ctrl-C again bakes its clips coarsely\n", o.output)
		again, stop := signal.NotifyContext(context.WithoutCancel(ctx), os.Interrupt, syscall.SIGTERM)
		defer stop()
		context.AfterFunc(again, stop)
		opt.Hurry = again.Done()
	}
	progress, end := job.BakingProgress(os.Stderr)
	opt.Progress = progress
	export, err := assets.ExportFile(context.WithoutCancel(ctx), o.output, source, fitted, opt)
	end()
	if err != nil {
		return err
	}
	r.Output, r.Note = o.output, exportNote(&export)
	return nil
}

// trainingParts reads --train CLIP[:N], any number of times; none without it.
func (o *options) trainingParts(m *skinning.Model) (parts []job.Part, err error) {
	for _, name := range o.train {
		part := job.Part{}
		if at := strings.LastIndexByte(name, ':'); at >= 0 {
			if _, whole := namedClip(m, name); whole != nil { // a clip may have a colon in its name
				n, err := strconv.Atoi(name[at+1:])
				if err != nil || n < 1 || n > 10_000 {
					return nil, usagef("--train: %q is not CLIP:N with N from 1 to 10000", name)
				}
				name, part.Frames = name[:at], n
			}
		}
		if part.Clip, err = namedClip(m, name); err != nil {
			return nil, usagef("%s: --train: %v", m.Name, err)
		}
		parts = append(parts, part)
	}
	return parts, nil
}

// testClipIndex reads --test; −1 without it.
func (o *options) testClipIndex(m *skinning.Model) (int, error) {
	if o.test == "" {
		return -1, nil
	}
	clip, err := namedClip(m, o.test)
	if err != nil {
		return 0, usagef("%s: --test: %v", m.Name, err)
	}
	return clip, nil
}

func exportOptions(r *job.Report, fps float64, workers int) assets.ExportOptions {
	return assets.ExportOptions{RMS: r.RMS, FPS: fps, Workers: workers,
		Extras: map[string]any{"ee": r.EE, "rms": r.RMS, "max": r.Max, "train": r.Train, "frames": r.Frames}}
}

// exportNote says what was written, and what of it is not as it should be.
func exportNote(e *assets.ExportReport) string {
	note := fmt.Sprintf("%d bones on %d nodes, %d clips baked, largest error between keys %.1e of the diagonal, %d bytes",
		e.Bones, e.AddedNodes, len(e.Clips), e.MaxError, e.Bytes)
	if e.Bones == 0 {
		note = fmt.Sprintf("new weights for the model's own joints, %d bytes", e.Bytes)
	}
	return strings.Join(append([]string{note}, e.Warnings...), "\nwarning: ")
}
