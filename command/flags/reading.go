package flags

import (
	"context"
	"strconv"

	"github.com/spf13/pflag"

	"skinlab/assets"
)

// ReadingFlags say how the files of a command are read. All commands that read models have them.
type ReadingFlags struct{ scene, unit string }

// Register adds the flags. A command with a --unit of its numbers, which poses no bare skeleton, reads centimetres.
func (r *ReadingFlags) Register(f *pflag.FlagSet) {
	f.StringVar(&r.scene, "scene", "", "scene of a glTF file that has several: a name or an index (default: the file's)")
	r.unit = "cm"
	if f.Lookup("unit") != nil {
		return
	}
	f.StringVar(&r.unit, "unit", r.unit, "what a length of 1 in a BVH file is: mm, cm, m, in, ft, or metres as a number")
	CompleteWords(f, "unit", "mm", "cm", "m", "in", "ft")
}

// units are the lengths that --unit takes, metres.
var units = map[string]float64{"mm": 0.001, "cm": 0.01, "m": 1, "in": 0.0254, "ft": 0.3048}

// The units that a number may give, metres.
const leastUnit, mostUnit = 1e-6, 1e6

// reading is what a context carries to [Load].
type reading struct {
	model, scene string // the file that the scene belongs to
	unit         float64
}

type readingKey struct{}

// On returns a context by which [Load] reads the files of a command with these arguments as the flags say.
func (r *ReadingFlags) On(ctx context.Context, args []string) (context.Context, error) {
	how := reading{scene: r.scene, unit: units[r.unit]}
	if len(args) > 0 {
		how.model = args[0]
	}
	if how.unit == 0 {
		var err error
		if how.unit, err = strconv.ParseFloat(r.unit, 64); err != nil || !(how.unit >= leastUnit && how.unit <= mostUnit) {
			return nil, Usagef("--unit: %q is not mm, cm, m, in, ft, or a number of metres from %g to %g", r.unit, leastUnit,
				mostUnit)
		}
	}
	return context.WithValue(ctx, readingKey{}, how), nil
}

// Reading returns how a file is read under a context of [ReadingFlags.On].
func Reading(ctx context.Context, path string) (o assets.Options) {
	how, _ := ctx.Value(readingKey{}).(reading)
	if path == how.model {
		o.Scene = how.scene
	}
	o.Unit = how.unit
	return o
}
