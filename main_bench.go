package main

// This file is the command line's bench: what methods cost.

import (
	"fmt"
	"os"
	"time"

	"skinlab/assets"
	"skinlab/fit/job"
	"skinlab/render"
	"skinlab/skinning"
	"skinlab/skinning/bench"
)

// benchRepeats rounds are timed, each of benchRound.
const (
	benchRepeats = 15
	benchRound   = 10 * time.Millisecond
)

func runBench(o *options, args []string) error {
	path := first(args)
	if o.device != "cpu" && o.device != "gpu" && o.device != "all" {
		return usagef("--device: %q: not one of cpu, gpu, all", o.device)
	}
	if o.threads < 1 || o.threads > 1024 {
		return usagef("--threads: %d is not from 1 to 1024", o.threads)
	}
	if o.paper != "" {
		return o.benchPaper(path)
	}
	if err := o.checkSubjects(); err != nil {
		return err
	}
	paths := assets.BuiltIn()
	if path != "" {
		paths = []string{path}
	}
	result := struct {
		CPU      string      `json:"cpu"`
		Renderer string      `json:"renderer"`
		Threads  int         `json:"threads"`
		Rows     []bench.Row `json:"rows"`
	}{bench.Processor(), "none (CPU kernels)", o.threads, []bench.Row{}}
	for _, p := range paths {
		m, err := load(p)
		if err != nil {
			return err
		}
		subjects, err := o.subjects(m, 0, skinning.DQS)
		if err != nil {
			return err
		}
		if o.device != "gpu" {
			rows, err := bench.CPU(o.cmd.Context(), m, bench.Options{Subjects: subjects, Threads: o.threads, Repeats: benchRepeats, Round: benchRound})
			if err != nil {
				return err
			}
			result.Rows = append(result.Rows, rows...)
		}
		if o.device != "cpu" {
			rows, info, err := render.BenchPoses(o.cmd.Context(), m, subjects, benchRepeats, benchRound)
			if err != nil {
				return err
			}
			result.Rows, result.Renderer = append(result.Rows, rows...), info.Renderer
		}
	}
	return o.report(result, func() {
		if o.device != "gpu" {
			fmt.Printf("%s, threads: %d, positions and normals, medians of %d rounds\n", result.CPU, o.threads, benchRepeats)
		}
		if o.device != "cpu" {
			fmt.Printf("%s: the pose pass, palette upload included; device \"software\" is the CPU, wall time to glFinish\n", result.Renderer)
		}
		bench.WriteTable(os.Stdout, result.Rows)
	})
}

// benchPaper prints ALNS table 3 for a model, or for the built-in ones.
func (o *options) benchPaper(path string) error {
	if o.paper != "alns" {
		return usagef("--paper: %q: not alns", o.paper)
	}
	names := assets.BuiltIn()
	if path != "" {
		names = []string{path}
	}
	result := struct {
		CPU  string         `json:"cpu"`
		Rows []job.TableRow `json:"rows"`
	}{CPU: bench.Processor()}
	for _, name := range names {
		m, err := load(name)
		if err != nil {
			return err
		}
		row, err := job.ALNSRow(o.cmd.Context(), m)
		if err != nil {
			return err
		}
		result.Rows = append(result.Rows, *row)
	}
	return o.report(&result, func() {
		fmt.Printf("%s, one thread, milliseconds a frame, medians; X' is linear blending with blend bones fitted to X, their evaluation included\n", result.CPU)
		job.WriteTable(os.Stdout, result.Rows)
	})
}
