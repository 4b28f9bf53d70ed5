package command

// This file is the command line's bench: what methods cost.

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"skinlab/assets"
	"skinlab/fit/job"
	"skinlab/render"
	"skinlab/skinning"
	"skinlab/skinning/bench"
	"skinlab/skinning/compare"
	"skinlab/skinning/simd"
)

// benchRepeats rounds are timed, each of benchRound; of crowds, whose rounds are long, fewer. On a renderer benchFrames
// pictures follow, fewer where they take more than benchPictures.
const (
	benchRepeats      = 15
	benchCrowdRepeats = 5
	benchRound        = 10 * time.Millisecond
	benchFrames       = 60
	benchPictures     = 500 * time.Millisecond
)

func runBench(o *options, args []string) error {
	path := first(args)
	if o.device != "cpu" && o.device != "gpu" && o.device != "all" {
		return usagef("--device: %q: not one of cpu, gpu, all", o.device)
	}
	for _, n := range o.workers {
		if n < 1 || n > 1024 {
			return usagef("--threads: %d is not from 1 to 1024", n)
		}
	}
	if o.paper != "" {
		for _, name := range []string{"methods", "device", "skinning", "instances", "threads", "simd", "sizes", "turn"} {
			if o.cmd.Flags().Changed(name) {
				return usagef("--paper: --%s is not for it", name)
			}
		}
		return o.benchPaper(path)
	}
	if err := o.checkSubjects(); err != nil {
		return err
	}
	gpu, err := o.benchGPU()
	if err != nil {
		return err
	}
	sizes, err := o.benchSizes()
	if err != nil {
		return err
	}
	levels, err := o.benchLevels()
	if err != nil {
		return err
	}
	var paths []string
	switch {
	case path != "":
		paths = []string{path}
	case o.device != "cpu":
		paths = assets.BuiltIn()
	}
	result := benchResult{CPU: bench.Processor(), Renderer: "none (CPU kernels)", Threads: o.workers, Rows: []bench.Row{},
		Skipped: []string{}}
	for _, level := range levels {
		result.SIMD = append(result.SIMD, level.String())
	}
	for _, p := range paths {
		if err := o.benchModel(p, levels, gpu, &result); err != nil {
			return err
		}
	}
	rows, skipped, err := o.benchMeshes(sizes, levels)
	if err != nil {
		return err
	}
	result.Rows, result.Skipped = append(result.Rows, rows...), append(result.Skipped, skipped...)
	return o.report(result, func() { o.writeBench(os.Stdout, &result, gpu) })
}

// benchResult is what bench --json prints.
type benchResult struct {
	CPU      string      `json:"cpu"`
	Renderer string      `json:"renderer"`
	Clock    string      `json:"clock"` // whose time a renderer's is
	SIMD     []string    `json:"simd"`  // the forms of the CPU's kernels
	Threads  []int       `json:"threads"`
	Rows     []bench.Row `json:"rows"`
	Skipped  []string    `json:"skipped"`
}

// benchModel adds the rows of a model on the devices that are asked for.
func (o *options) benchModel(path string, levels []simd.Level, gpu *render.BenchOptions, result *benchResult) error {
	m, err := load(path)
	if err != nil {
		return err
	}
	subjects, err := o.subjects(m, 0, skinning.DQS)
	if err != nil {
		return err
	}
	if o.device != "gpu" {
		rows, err := bench.CPU(o.cmd.Context(), m, o.kernelBench(subjects, levels))
		if err != nil {
			return err
		}
		result.Rows = append(result.Rows, rows...)
	}
	if o.device == "cpu" {
		return nil
	}
	gpu.Subjects = subjects
	out, err := render.Bench(o.cmd.Context(), m, *gpu)
	if err != nil {
		return err
	}
	result.Rows, result.Skipped = append(result.Rows, out.Rows...), append(result.Skipped, out.Skipped...)
	result.Renderer, result.Clock = out.Info.Renderer, out.Clock
	return nil
}

// kernelBench is how the CPU's kernels are timed, on models and on meshes.
func (o *options) kernelBench(subjects []compare.Subject, levels []simd.Level) bench.Options {
	return bench.Options{Subjects: subjects, Levels: levels, Threads: o.workers, Repeats: benchRepeats, Round: benchRound}
}

// writeBench prints the tables for people.
func (o *options) writeBench(w io.Writer, r *benchResult, gpu *render.BenchOptions) {
	if o.device != "gpu" {
		fmt.Fprintf(w, "%s, kernels: %s, threads: %s, positions and normals, medians of %d rounds\n",
			r.CPU, strings.Join(r.SIMD, ", "), strings.Trim(fmt.Sprint(o.workers), "[]"), benchRepeats)
	}
	if o.device != "cpu" {
		fmt.Fprintf(w, "%s, %s: posing alone, palette upload included\n", r.Renderer, clockNote(r.Clock))
	}
	bench.WriteTable(w, r.Rows)
	bench.WriteEnvelopes(w, r.Rows)
	if o.device != "cpu" {
		fmt.Fprintf(w, "\nPictures of %d × %d pixels, milliseconds, medians and 95th percentiles; palettes are the CPU's, and no part of the picture\n",
			gpu.Width, gpu.Height)
		bench.WritePictures(w, r.Rows)
	}
	for _, s := range r.Skipped {
		fmt.Fprintf(w, "left out: %s\n", s)
	}
}

// clockNote says what the times of a renderer are.
func clockNote(clock string) string {
	if clock == "GPU" {
		return "GPU time by timer queries"
	}
	return clock + ", wall time to glFinish, no GPU time"
}

// benchGPU reads the flags that shape times on a GL renderer. Naming one of them asks for the GPU where --device is not
// given.
func (o *options) benchGPU() (*render.BenchOptions, error) {
	flags := o.cmd.Flags()
	if !flags.Changed("device") && (flags.Changed("skinning") || flags.Changed("instances")) {
		o.device = "gpu"
	}
	opt := &render.BenchOptions{Repeats: benchRepeats, Round: benchRound, Frames: benchFrames, PictureTime: benchPictures,
		Width: 1280, Height: 720}
	if o.skinning == "all" {
		opt.Skinnings = render.Skinnings()
	} else {
		way, err := render.ParseSkinning(o.skinning)
		if err != nil {
			return nil, usagef("--skinning: %v, nor all", err)
		}
		opt.Skinnings = []render.Skinning{way}
	}
	for _, n := range o.instances {
		if n < 1 || n > render.MaxInstances {
			return nil, usagef("--instances: %d is not from 1 to %d", n, render.MaxInstances)
		}
	}
	if opt.Instances = o.instances; opt.Instances != nil {
		opt.Repeats = benchCrowdRepeats
	}
	return opt, nil
}

// benchPaper prints a paper's table for a model, or for built-in ones.
func (o *options) benchPaper(path string) error {
	switch o.paper {
	case "alns":
		return benchTable(o, path, assets.BuiltIn(), job.ALNSRow, job.WriteTable,
			"milliseconds a frame, medians; X' is linear blending with blend bones fitted to X, their evaluation included")
	case "rter":
		return benchTable(o, path, []string{"demo:bar", "demo:arm"}, job.RTERRow, job.WriteEnvelopeTable,
			"medians; trained SSD beside each figure, the evaluation of the proxy bones included")
	}
	return usagef("--paper: %q: not alns or rter", o.paper)
}

// benchTable makes a row for each model and prints them.
func benchTable[R any](o *options, path string, names []string, row func(context.Context, *skinning.Model) (*R, error),
	write func(io.Writer, []R), what string) error {
	if path != "" {
		names = []string{path}
	}
	result := struct {
		CPU  string `json:"cpu"`
		Rows []R    `json:"rows"`
	}{CPU: bench.Processor()}
	for _, name := range names {
		m, err := load(name)
		if err != nil {
			return err
		}
		r, err := row(o.cmd.Context(), m)
		if err != nil {
			return err
		}
		result.Rows = append(result.Rows, *r)
	}
	return o.report(&result, func() {
		fmt.Printf("%s, one thread, %s\n", result.CPU, what)
		write(os.Stdout, result.Rows)
	})
}
