package command

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/go-gl/mathgl/mgl64"
	"github.com/spf13/pflag"

	"skinlab/assets/shapefile"
	"skinlab/fit/training"
	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/messages"
)

// shapeFlags name example shapes: a folder of OBJ or PLY files, and where in a clip they belong.
type shapeFlags struct {
	prefix              string // of the names of the flags
	folder, clip, times string
	timesName           string // what messages call times
}

// register adds the flags; the last three are their help.
func (s *shapeFlags) register(f *pflag.FlagSet, prefix, folder, clip, times string) {
	s.prefix, s.timesName = prefix, "--"+prefix+"times"
	f.StringVar(&s.folder, prefix+"targets", "", folder)
	f.StringVar(&s.clip, prefix+"clip", "", clip)
	f.StringVar(&s.times, prefix+"times", "", times)
}

// load reads the shapes and places them in the clip.
func (s *shapeFlags) load(ctx context.Context, m *skinning.Model) (*training.Set, error) {
	clip, err := namedClip(m, s.clip)
	if err != nil {
		return nil, usagef("%s: --%sclip: %v", m.Name, s.prefix, err)
	}
	files, err := shapefile.Folder(s.folder)
	if err != nil {
		return nil, err
	}
	t := &training.Set{Clip: clip}
	if t.Times, err = s.places(m, clip, len(files)); err != nil {
		return nil, err
	}
	t.Targets, err = readShapes(ctx, m, files, func(int, int) {})
	return t, err
}

// readShapes reads shapes of a model's skin. It reports how many of them it has read.
func readShapes(ctx context.Context, m *skinning.Model, files []string, report func(read, of int)) (
	shapes [][]mgl64.Vec3, err error) {
	var rest []mgl64.Vec3
	for _, p := range m.Skin.Positions {
		rest = append(rest, geom.Vec64(p))
	}
	for k, path := range files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		report(k, len(files))
		shape, err := shapefile.Read(path)
		if err != nil {
			return nil, err
		}
		if err := shape.Check(len(m.Skin.Positions), m.Skin.Triangles); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if err := shape.CheckOrder(rest, m.Skin.Triangles); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		shapes = append(shapes, shape.Positions)
	}
	return shapes, nil
}

// places returns the time in a clip, in seconds, of each of so many shapes.
func (s *shapeFlags) places(m *skinning.Model, clip, shapes int) ([]float64, error) {
	keys := m.Clips[clip].KeyTimes()
	switch s.times {
	case "":
		if len(keys) != shapes {
			return nil, fmt.Errorf("%s: %s in %s for %s of clip %q: give %s, seconds for each shape or even",
				m.Name, messages.Count(shapes, "shape", "shapes"), s.folder, messages.Count(len(keys), "key", "keys"),
				messages.Shortened(m.Clips[clip].Name), s.timesName)
		}
		return keys, nil
	case "even":
		if shapes > len(keys) {
			return nil, fmt.Errorf("%s: %s in %s, more than the %s of clip %q", m.Name,
				messages.Count(shapes, "shape", "shapes"),
				s.folder, messages.Count(len(keys), "key", "keys"), messages.Shortened(m.Clips[clip].Name))
		}
		times := make([]float64, shapes)
		for i := range times {
			times[i] = keys[int(math.Round(float64(i)*float64(len(keys)-1)/float64(max(shapes-1, 1))))]
		}
		return times, nil
	}
	var times []float64
	for _, word := range strings.Split(s.times, ",") {
		t, err := strconv.ParseFloat(strings.TrimSpace(word), 64)
		if err != nil || !(t >= 0) || math.IsInf(t, 1) {
			return nil, usagef("%s: %q is not a time in seconds, nor even", s.timesName, word)
		}
		times = append(times, t)
	}
	if len(times) != shapes {
		return nil, usagef("%s: %s for %s in %s", s.timesName, messages.Count(len(times), "time", "times"),
			messages.Count(shapes, "shape", "shapes"), s.folder)
	}
	return times, nil
}
