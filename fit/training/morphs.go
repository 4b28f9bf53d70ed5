package training

import "skinlab/skinning"

// WithMorphs gives a model that was fitted to examples the morph targets of m back, the one that it was made from: an
// artist's own, a face's. It leaves them out where they are m's example set, which the fit has learnt: a file that kept
// them would show every shape twice.
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

// WithoutMorphs is the model that a method teaches with: what morph targets do is no skinning, and no bone can learn
// it.
func WithoutMorphs(m *skinning.Model) *skinning.Model {
	bare := *m
	bare.Skin.Morphs = nil
	return &bare
}
