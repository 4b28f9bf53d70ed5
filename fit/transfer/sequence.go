package transfer

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/messages"
	"skinlab/skinning/remodel"
)

// errSequence reports a sequence to which no body can be fitted.
var errSequence = errors.New("bad mesh sequence")

// Sequence is meshes, one after the other in time.
type Sequence struct {
	Name   string
	Frames []Frame
	Times  []float64 // of the frames, seconds, ascending from 0

	positions func(i int) []mgl64.Vec3 // of a frame that holds none; nil where all hold theirs
}

// Frame is one mesh of a sequence, in the units and axes of the body.
type Frame struct {
	Name      string       // that errors name it by: its file, say
	Positions []mgl64.Vec3 // nil in a sequence of [OfClip], which poses them when they are needed
	Triangles [][3]uint32
}

// frame returns a frame with its positions. Those of a clip are posed each time: all of them together would take more
// memory than the rest of a transfer.
func (s *Sequence) frame(i int) *Frame {
	f := s.Frames[i]
	if f.Positions == nil && s.positions != nil {
		f.Positions = s.positions(i)
	}
	return &f
}

// mostPositions bounds the vertices of a sequence over all frames: 800 MB of a folder, some minutes' work for a clip.
const mostPositions = 1 << 25

// mostBetweenKeys bounds the frames between two neighbouring keys of a clip: at 30 a second, those of 33 seconds. A
// small file may have keys a million seconds apart.
const mostBetweenKeys = 1000

// clipRate is how many frames a second are sampled of a clip that moves bones.
const clipRate = 30

// OfClip returns the frames of a clip: the skin or, in a model without one, the rigid meshes. There are rate frames a
// second. If rate is 0, there is a frame at each key of a clip that shows shapes by morph targets, and 30 frames a
// second of other clips. Clip −1 is the static pose, a sequence of one frame.
func OfClip(m *skinning.Model, clip int, rate float64) (*Sequence, error) {
	bound := remodel.BindRigid(m)
	mesh := &bound.Skin
	s := &Sequence{Name: m.Name, Times: []float64{0}}
	if clip >= 0 {
		c := &bound.Clips[clip]
		if rate == 0 && bound.ShowsShapes(clip) {
			s.Times = c.KeyTimes()
		} else {
			if rate == 0 {
				rate = clipRate
			}
			if n := c.Seconds * rate; !(n*float64(len(mesh.Positions)) <= mostPositions) {
				return nil, tooLarge(m.Name, n+1, len(mesh.Positions))
			}
			if err := checkKeys(c, rate); err != nil {
				return nil, fmt.Errorf("%w: %s: %w", errSequence, m.Name, err)
			}
			for k := 1; float64(k)/rate <= c.Seconds+1e-6; k++ {
				s.Times = append(s.Times, float64(k)/rate)
			}
		}
	}
	if n := float64(len(s.Times)); n*float64(len(mesh.Positions)) > mostPositions {
		return nil, tooLarge(m.Name, n, len(mesh.Positions))
	}
	for _, t := range s.Times {
		name := m.Name
		if clip >= 0 {
			name = fmt.Sprintf("%s, clip %q at %.3f s", m.Name, messages.Shortened(bound.Clips[clip].Name), t)
		}
		s.Frames = append(s.Frames, Frame{Name: name, Triangles: mesh.Triangles})
	}
	times := slices.Clone(s.Times)
	s.positions = func(i int) []mgl64.Vec3 {
		frame, pose := skinning.NewFrame(bound, nil), bound.NewPose()
		bound.SamplePose(pose, clip, times[i])
		frame.SetPose(pose)
		return frame.Positions(skinning.LBS)
	}
	first := s.Times[0]
	for i := range s.Times {
		s.Times[i] -= first
	}
	return s, nil
}

// checkKeys returns an error if too many frames lie between two neighbouring keys.
func checkKeys(c *skinning.Clip, rate float64) error {
	last := 0.0
	for _, key := range c.KeyTimes() {
		if n := (key - last) * rate; n > mostBetweenKeys {
			return fmt.Errorf("clip %q has no key between %g s and %g s: %.0f frames at %g a second, "+
				"expected at most %d; a lower rate takes fewer", messages.Shortened(c.Name), last, key, n, rate, mostBetweenKeys)
		}
		last = key
	}
	return nil
}

func tooLarge(name string, frames float64, vertices int) error {
	return fmt.Errorf("%w: %s: %.0f frames of %d vertices, more than %d in all", errSequence, name, frames, vertices,
		mostPositions)
}

// sameTopology reports whether all frames have the same number of vertices and the same triangles. Then a vertex is the
// same material point in all frames.
func (s *Sequence) sameTopology() bool {
	first := &s.Frames[0]
	for i := range s.Frames[1:] {
		f := &s.Frames[1+i]
		if len(f.Positions) != len(first.Positions) || !slices.Equal(f.Triangles, first.Triangles) {
			return false
		}
	}
	return true
}

// Validate returns an error that names the first frame that is empty or not finite.
func (s *Sequence) Validate() error {
	if len(s.Frames) == 0 {
		return fmt.Errorf("%w: %s: no frames", errSequence, s.Name)
	}
	if len(s.Times) != len(s.Frames) {
		panic(fmt.Sprintf("transfer: %d times for %d frames", len(s.Times), len(s.Frames)))
	}
	total := 0
	for i := range s.Frames {
		f := s.frame(i)
		total += len(f.Positions)
		if total > mostPositions {
			return tooLarge(s.Name, float64(len(s.Frames)), total/(i+1))
		}
		if err := f.validate(); err != nil {
			return fmt.Errorf("%w: %s: %w", errSequence, f.Name, err)
		}
	}
	return nil
}

func (f *Frame) validate() error {
	if len(f.Positions) == 0 || len(f.Triangles) == 0 {
		return fmt.Errorf("empty: %d vertices and %d triangles", len(f.Positions), len(f.Triangles))
	}
	for v, p := range f.Positions {
		if !geom.IsFinite(p[:]...) {
			return fmt.Errorf("vertex %d is at %v, expected finite numbers", v, p)
		}
	}
	for i, t := range f.Triangles {
		for _, v := range t {
			if int(v) >= len(f.Positions) {
				return fmt.Errorf("triangle %d: vertex %d of %d", i, v, len(f.Positions))
			}
		}
	}
	area := 0.0
	for _, a := range vertexAreas(f.Positions, f.Triangles) {
		area += a
	}
	if !(area > 0 && area <= math.MaxFloat64) {
		return fmt.Errorf("a surface of %g m²", area)
	}
	return nil
}

// If the sizes of the body and a mesh differ by more than the factor unitsDiffer, they are taken to have different
// units. Builds of bodies differ by less, and the nearest units by 10.
const unitsDiffer = 3

// checkUnits compares the sizes of the body and the sequence, by the median distances between points of their surfaces.
func checkUnits(s *Sequence, frames, body float64) error {
	if ratio := frames / body; ratio > unitsDiffer || ratio < 1/float64(unitsDiffer) {
		return fmt.Errorf("%w: %s is %.3g times as large as the body: its units must be the body's, metres", errSequence,
			s.Name, ratio)
	}
	return nil
}
