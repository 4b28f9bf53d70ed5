package flags

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

// ShapeFlags name example shapes: a folder of OBJ or PLY files, and their times in a clip.
type ShapeFlags struct {
	prefix              string // of the names of the flags
	Folder, Clip, Times string
	TimesName           string // what messages call times
}

// Register adds the flags; the last three are their help.
func (s *ShapeFlags) Register(f *pflag.FlagSet, prefix, folder, clip, times string) {
	s.prefix, s.TimesName = prefix, "--"+prefix+"times"
	f.StringVar(&s.Folder, prefix+"targets", "", folder)
	f.StringVar(&s.Clip, prefix+"clip", "", clip)
	f.StringVar(&s.Times, prefix+"times", "", times)
}

func (s *ShapeFlags) Load(ctx context.Context, m *skinning.Model) (*training.Set, error) {
	clip, err := NamedClip(m, s.Clip)
	if err != nil {
		return nil, Usagef("%s: --%sclip: %v", m.Name, s.prefix, err)
	}
	files, err := shapefile.Folder(s.Folder)
	if err != nil {
		return nil, err
	}
	t := &training.Set{Clip: clip}
	if t.Times, err = s.Places(m, clip, len(files)); err != nil {
		return nil, err
	}
	t.Targets, err = ReadShapes(ctx, m, files, func(int, int) {})
	return t, err
}

// ReadShapes reads shapes of a model's skin. It reports how many of them it has read.
func ReadShapes(ctx context.Context, m *skinning.Model, files []string, report func(read, of int)) (
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

// Places returns the time in a clip, in seconds, of each of a number of shapes.
func (s *ShapeFlags) Places(m *skinning.Model, clip, shapes int) ([]float64, error) {
	keys := m.Clips[clip].KeyTimes()
	switch s.Times {
	case "":
		if len(keys) != shapes {
			return nil, fmt.Errorf("%s: %s in %s for %s of clip %q: give %s, seconds for each shape or even",
				m.Name, messages.Count(shapes, "shape", "shapes"), s.Folder, messages.Count(len(keys), "key", "keys"),
				messages.Shortened(m.Clips[clip].Name), s.TimesName)
		}
		return keys, nil
	case "even":
		if shapes > len(keys) {
			return nil, fmt.Errorf("%s: %s in %s, more than the %s of clip %q", m.Name,
				messages.Count(shapes, "shape", "shapes"),
				s.Folder, messages.Count(len(keys), "key", "keys"), messages.Shortened(m.Clips[clip].Name))
		}
		times := make([]float64, shapes)
		for i := range times {
			times[i] = keys[int(math.Round(float64(i)*float64(len(keys)-1)/float64(max(shapes-1, 1))))]
		}
		return times, nil
	}
	var times []float64
	for word := range strings.SplitSeq(s.Times, ",") {
		t, err := strconv.ParseFloat(strings.TrimSpace(word), 64)
		if err != nil || !(t >= 0) || math.IsInf(t, 1) {
			return nil, Usagef("%s: %q is not a time in seconds, nor even", s.TimesName, word)
		}
		if err := CheckTime(s.TimesName, m, clip, t); err != nil {
			return nil, err
		}
		times = append(times, t)
	}
	if len(times) != shapes {
		return nil, Usagef("%s: %s for %s in %s", s.TimesName, messages.Count(len(times), "time", "times"),
			messages.Count(shapes, "shape", "shapes"), s.Folder)
	}
	return times, nil
}
