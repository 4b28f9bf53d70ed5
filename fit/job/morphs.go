package job

import (
	"slices"

	"skinlab/fit/enveloping"
	"skinlab/skinning"
)

// WithMorphs gives a model that was fitted to examples the morph targets of m back, the one that it was made from: an
// artist's own, a face's. It leaves them out where they are m's example set, which the fit has learnt: a file that kept
// them would show every shape twice.
func WithMorphs(fitted, m *skinning.Model) *skinning.Model {
	if !keepsMorphs(m) {
		return fitted
	}
	out := *fitted
	out.Skin.Morphs = m.Skin.Morphs
	return &out
}

// keepsMorphs reports whether what is fitted to a model has its morph targets.
func keepsMorphs(m *skinning.Model) bool {
	_, err := OwnExamples(m)
	return err != nil && len(m.Skin.Morphs) > 0
}

// addShown adds to what a method teaches at the poses of a clip what it makes of the shapes that morph targets show
// there, if any.
func addShown(x *enveloping.Examples, m *skinning.Model, t *Training) error {
	frame, pose := skinning.NewFrame(m, nil), m.NewPose()
	var shown []enveloping.Shown
	moved := false
	moments, err := t.moments(m)
	if err != nil {
		return err
	}
	for _, at := range moments {
		m.SamplePose(pose, at.Clip, at.Time)
		frame.SetPose(pose)
		shown = append(shown, enveloping.Shown{Rest: m.Skin.RestShape(frame.Morphs).Positions,
			Target: frame.Reference(t.Teacher).Positions})
		moved = moved || slices.ContainsFunc(frame.Morphs, func(w float64) bool { return w != 0 })
	}
	if !moved {
		return nil
	}
	return x.AddShown(shown)
}

// withoutMorphs is the model that a method teaches with: what morph targets do is no skinning, and no bone can learn
// it.
func withoutMorphs(m *skinning.Model) *skinning.Model {
	bare := *m
	bare.Skin.Morphs = nil
	return &bare
}
