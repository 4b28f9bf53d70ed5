package training

import "skinlab/skinning"

// WithMorphs returns a model that was fitted to m with the morph targets of m, such as those of a face. It leaves them
// out where they are m's example set: the fit has learnt these, and a file that kept them would show every shape
// twice.
func WithMorphs(fitted, m *skinning.Model) *skinning.Model {
	if !KeepsMorphs(m) {
		return fitted
	}
	out := *fitted
	out.Skin.Morphs = m.Skin.Morphs
	return &out
}

// KeepsMorphs reports whether what is fitted to a model has its morph targets.
func KeepsMorphs(m *skinning.Model) bool {
	_, err := Own(m)
	return err != nil && len(m.Skin.Morphs) > 0
}

// WithoutMorphs returns the model without morph targets, as a method teaches it: bones cannot learn what morph targets
// do.
func WithoutMorphs(m *skinning.Model) *skinning.Model {
	bare := *m
	bare.Skin.Morphs = nil
	return &bare
}
