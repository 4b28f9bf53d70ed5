package training

import (
	"slices"

	"github.com/go-gl/mathgl/mgl64"

	"skinlab/skinning"
)

// MorphedShape is an example with morph targets applied. Morph targets move the rest shape before skinning. Bones
// cannot reproduce that motion, so that fits learn from shapes without it; but errors are measured on shapes with it.
type MorphedShape struct {
	Rest   []mgl64.Vec3 // the shape before skinning
	Target []mgl64.Vec3 // its target in the pose; both have one position per vertex, metres
}

// Examples is pairs of poses and shapes.
type Examples struct {
	Model   *skinning.Model   // whose skin is posed: without morph targets, which bones cannot learn
	Frames  []*skinning.Frame // of it
	Targets [][]mgl64.Vec3    // one per frame: one position per vertex, metres, in the world of the pose
	Morphed []MorphedShape    // one per frame, what errors are measured on; nil for Targets
}

// Examples pairs the model's poses with the shapes.
func (s *Set) Examples(m *skinning.Model) (*Examples, error) {
	if s.Targets != nil {
		x := &Examples{Model: m, Targets: s.Targets}
		pose, centers := m.NewPose(), skinning.NoCenters()
		for i := range s.Targets {
			f := skinning.NewFrame(m, centers)
			if s.Poses != nil {
				f.SetPose(s.Poses[i])
			} else {
				m.SamplePose(pose, s.Clip, s.Times[i])
				f.SetPose(pose)
			}
			x.Frames = append(x.Frames, f)
		}
		return x, nil
	}
	bare := WithoutMorphs(m)
	x := &Examples{Model: bare}
	n, made := s.FromSkeleton()
	var times []ClipTime
	if made {
		x.Frames = rangeWithStatic(bare, n)
	} else {
		var err error
		if times, err = s.ClipTimes(m); err != nil {
			return nil, err
		}
		x.Frames = s.at(bare, times)
	}
	if s.FromFile() { // morph targets first, then linear blending, is the example's shape
		for _, f := range at(m, times) {
			x.Targets = append(x.Targets, s.Reference().Positions(f))
		}
	} else {
		for _, f := range x.Frames {
			x.Targets = append(x.Targets, s.Reference().Positions(f))
		}
	}
	if !made && KeepsMorphs(m) {
		x.Morphed = s.morphed(m, times)
	}
	return x, nil
}

// morphed returns what the teacher makes of the shapes with morph targets at the poses; nil where no morph target has a
// weight.
func (s *Set) morphed(m *skinning.Model, times []ClipTime) (all []MorphedShape) {
	moved := false
	for _, f := range s.at(m, times) {
		all = append(all, MorphedShape{Rest: m.Skin.RestPositions(f.Morphs), Target: s.Reference().Positions(f)})
		moved = moved || slices.ContainsFunc(f.Morphs, func(w float64) bool { return w != 0 })
	}
	if !moved {
		return nil
	}
	return all
}

// WithMorphs returns a model that was fitted to m with the morph targets of m, such as those of a face. If they are m's
// example set, it leaves them out, because the fit has learnt these shapes, and a file with both would apply them
// twice.
func WithMorphs(fitted, m *skinning.Model) *skinning.Model {
	if !KeepsMorphs(m) {
		return fitted
	}
	out := *fitted
	out.Skin.Morphs = m.Skin.Morphs
	return &out
}

// KeepsMorphs reports whether a fit to a model keeps its morph targets.
func KeepsMorphs(m *skinning.Model) bool {
	_, err := Own(m)
	return err != nil && len(m.Skin.Morphs) > 0
}

// WithoutMorphs returns the model without morph targets. Teachers use it, because bones cannot learn the motion of
// morph targets.
func WithoutMorphs(m *skinning.Model) *skinning.Model {
	bare := *m
	bare.Skin.Morphs = nil
	return &bare
}
