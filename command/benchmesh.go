package command

import (
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"skinlab/command/flags"
	"skinlab/skinning/bench"
)

// maxBenchVertices bounds a benchmark mesh, so that it, its poses and its copy take no more than a few gigabytes.
const maxBenchVertices = 20_000_000

// meshFlags shape the meshes on which the CPU is timed, from small ones that fit a cache to large ones that do not.
type meshFlags struct {
	sizes []string
	turn  float64 // degrees
	set   *pflag.FlagSet
}

func (m *meshFlags) register(f *pflag.FlagSet) {
	m.set = f
	f.StringSliceVar(&m.sizes, "sizes", []string{"3k", "30k", "1M"},
		"vertices of the meshes to time the kernels of the CPU on, "+
			"beside MODEL where one is given: 70 joints, 4 influences each; none for MODEL alone")
	f.Float64Var(&m.turn, "turn", bench.MeshTurn, "by how many degrees poses of the meshes turn joints, at most; at 180 "+
		"nearly every group of vertices has motions in two hemispheres, which cost more")
}

// vertexCounts reads --sizes: by default none where a GPU is timed, which takes models only.
func (m *meshFlags) vertexCounts(device string) (counts []int, err error) {
	if device != "cpu" {
		if m.set.Changed("sizes") && device == "gpu" {
			return nil, flags.Usagef("--sizes: meshes are for the CPU, a GPU takes models")
		}
		if !m.set.Changed("sizes") {
			return nil, nil
		}
	}
	if !(m.turn >= 0 && m.turn <= 180) {
		return nil, flags.Usagef("--turn: %g is not from 0 to 180 degrees", m.turn)
	}
	for _, text := range m.sizes {
		if text == "none" && len(m.sizes) == 1 {
			return nil, nil
		}
		n, err := parseCount(text)
		if err != nil || n < 1 || n > maxBenchVertices {
			return nil, flags.Usagef("--sizes: %q is not a number of vertices from 1 to %s, such as 3k, 30k or 1M, nor none", text,
				bench.Count(maxBenchVertices))
		}
		counts = append(counts, n)
	}
	return counts, nil
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
