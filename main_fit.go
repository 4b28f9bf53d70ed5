package main

// This file is the command line's fit: blend bones, exported.

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"skinlab/assets"
	"skinlab/fit/job"
	"skinlab/skinning"
)

func runFit(o *options, args []string) error {
	spec := job.Spec{Method: args[0], Bones: o.bones, Target: o.target, Test: -1, Workers: o.threads}
	if !isFit(spec.Method) {
		return usagef("fit: %q: not one of blend-bones, half-way", spec.Method)
	}
	var err error
	if spec.Operator, err = parseMethod("operator", o.operator); err != nil {
		return err
	}
	if spec.Operator == skinning.LBS {
		return usagef("--operator: lbs is linear already")
	}
	if o.bones < 1 || o.bones > 1000 || !(o.target >= 0) || !(o.fps >= 0 && o.fps <= 1000) || o.threads < 0 {
		return usagef("fit: --bones is from 1 to 1000, --fps from 0 to 1000, --target and --threads are not negative")
	}
	m, err := load(args[1])
	if err != nil {
		return err
	}
	if err := o.trainingSpec(m, &spec); err != nil {
		return err
	}
	out, err := job.Run(o.cmd.Context(), m, spec, job.Progress(os.Stderr))
	fmt.Fprintln(os.Stderr)
	if err != nil {
		return err
	}
	if o.output != "" { // after Ctrl-C too: the best so far is usable
		export, err := assets.ExportFile(o.output, args[1], out.Fitted, exportOptions(&out.Report, o.fps))
		if err != nil {
			return err
		}
		out.Report.Output, out.Report.Note = o.output, exportNote(&export)
	}
	return o.report(&out.Report, func() { out.Report.WriteText(os.Stdout) })
}

// trainingSpec reads --train CLIP[:N] and --test.
func (o *options) trainingSpec(m *skinning.Model, spec *job.Spec) (err error) {
	name := o.train
	if at := strings.LastIndexByte(name, ':'); at >= 0 {
		if _, whole := namedClip(m, name); whole != nil { // a clip may have a colon in its name
			n, err := strconv.Atoi(name[at+1:])
			if err != nil || n < 1 || n > 10_000 {
				return usagef("--train: %q is not CLIP:N with N from 1 to 10000", name)
			}
			name, spec.Frames = name[:at], n
		}
	}
	if name == "" {
		if len(m.Clips) == 0 {
			spec.Clip = job.RangeOfMotion
		}
	} else if spec.Clip, err = namedClip(m, name); err != nil {
		return usagef("%s: --train: %v", m.Name, err)
	}
	if o.test != "" {
		if spec.Test, err = namedClip(m, o.test); err != nil {
			return usagef("%s: --test: %v", m.Name, err)
		}
	}
	return nil
}

func exportOptions(r *job.Report, fps float64) assets.ExportOptions {
	return assets.ExportOptions{RMS: r.RMS, FPS: fps, Extras: map[string]any{"ee": r.EE, "rms": r.RMS, "max": r.Max, "train": r.Train, "frames": r.Frames}}
}

func exportNote(e *assets.ExportReport) string {
	return fmt.Sprintf("%d bones on %d nodes, %d clips baked, largest error between keys %.1e of the diagonal, %d bytes", e.Bones, e.AddedNodes, len(e.Clips), e.MaxError, e.Bytes)
}
