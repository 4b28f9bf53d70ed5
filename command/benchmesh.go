package command

// This file is the command line's bench on meshes of chosen sizes, from what fits a cache to what does not.

import (
	"fmt"
	"strconv"
	"strings"

	"skinlab/skinning"
	"skinlab/skinning/bench"
	"skinlab/skinning/compare"
	"skinlab/skinning/simd"
)

// maxBenchVertices keeps a benchmark mesh, its poses and the copy beside it within a few gigabytes.
const maxBenchVertices = 20_000_000

// benchSizes reads --sizes. The GPU is timed on models alone, so without the flag there are none for it.
func (o *options) benchSizes() ([]int, error) {
	if o.device != "cpu" {
		if o.cmd.Flags().Changed("sizes") && o.device == "gpu" {
			return nil, usagef("--sizes: meshes are for the CPU, a GPU takes models")
		}
		if !o.cmd.Flags().Changed("sizes") {
			return nil, nil
		}
	}
	if !(o.turn >= 0 && o.turn <= 180) {
		return nil, usagef("--turn: %g is not from 0 to 180 degrees", o.turn)
	}
	var sizes []int
	for _, text := range o.sizes {
		if text == "none" && len(o.sizes) == 1 {
			return nil, nil
		}
		n, err := parseCount(text)
		if err != nil || n < 1 || n > maxBenchVertices {
			return nil, usagef("--sizes: %q is not a number of vertices from 1 to %s, such as 3k, 30k or 1M, nor none", text,
				bench.Count(maxBenchVertices))
		}
		sizes = append(sizes, n)
	}
	return sizes, nil
}

// parseCount reads "3000", "3k" and "1M".
func parseCount(text string) (int, error) {
	unit := 1
	for suffix, u := range map[string]int{"k": 1000, "M": 1_000_000} {
		if before, ok := strings.CutSuffix(text, suffix); ok {
			text, unit = before, u
		}
	}
	n, err := strconv.Atoi(text)
	if n > maxBenchVertices {
		n, unit = maxBenchVertices, 2 // too many, and no overflow
	}
	return n * unit, err
}

// benchLevels reads --simd: the forms of the CPU's kernels that are timed.
func (o *options) benchLevels() ([]simd.Level, error) {
	have := simd.Levels()
	if o.simd == "all" {
		return have, nil
	}
	if o.simd == "" {
		level, err := simd.Default()
		return []simd.Level{level}, err
	}
	for _, level := range have {
		if level.String() == o.simd {
			return []simd.Level{level}, nil
		}
	}
	return nil, usagef("--simd: %q is none of what this machine has: %v, all", o.simd, have)
}

// benchMeshes times what --methods names on meshes of such sizes, and says what it cannot.
func (o *options) benchMeshes(sizes []int, levels []simd.Level) (rows []bench.Row, skipped []string, err error) {
	methods := o.methods
	if !o.cmd.Flags().Changed("methods") {
		methods = append(directMethods(), "blend-bones")
	}
	for i, n := range sizes {
		m := bench.Mesh(n, o.turn)
		var subjects []compare.Subject
		for _, name := range methods {
			method, bones, fitted := o.fitName(name)
			if direct, err := skinning.ParseMethod(name); err == nil {
				subjects = append(subjects, compare.Direct(direct)...)
			} else if fitted && method == "blend-bones" {
				s := compare.Subject{Name: name}
				if s.Model, err = bench.MeshBones(m, skinning.DQS, bones); err != nil {
					return nil, nil, err
				}
				subjects = append(subjects, s)
			} else if i == 0 {
				skipped = append(skipped, fmt.Sprintf("%s of the meshes: it is made for a model", name))
			}
		}
		more, err := bench.CPU(o.cmd.Context(), m, o.kernelBench(subjects, levels))
		if err != nil {
			return nil, nil, err
		}
		rows = append(rows, more...)
	}
	return rows, skipped, nil
}
