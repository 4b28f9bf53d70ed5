// Package stress makes clips for any skeleton that show the faults of skinning within seconds. They twist every limb
// about its bones, bend every joint both ways, and raise the shoulders. They are ordinary clips, for models without
// clips and for comparing models in the same motion.
//
// The hierarchy, the weights and the symmetry of left and right tell limbs, fingers and trunk apart. A joint that does
// not divide the skin is not moved. Names are used only to distinguish collar bones from arms.
package stress

import (
	"slices"
	"strings"

	"skinlab/skinning"
	fits "skinlab/skinning/rig"
)

// prefix begins the names of all stress clips.
const prefix = "stress:"

// maxSeconds bounds the length of a clip.
const maxSeconds = 12

// Clips returns the clips "stress:twist", "stress:bend" and "stress:shrug" over the nodes of m, at most 12 s each. A
// skeleton without such joints has fewer: shrug needs a left and a right arm, the others a joint that moves one part of
// the model against another. No two joints that share vertices turn more than 120 degrees against each other, so that
// every method is defined. Notes say which joints turn and how far. The clips start and end in the static pose, and
// are the same for the same model, always.
func Clips(m *skinning.Model) []skinning.Clip {
	r := newRig(fits.Folded(m)) // the same as those of the file that a fit came from
	var clips []skinning.Clip
	for _, c := range []struct {
		name string
		make func() *timeline
	}{{"twist", r.twist}, {"bend", r.bend}, {"shrug", r.shrug}} {
		t := c.make()
		if channels := t.channels(); len(channels) > 0 {
			clip := skinning.NewClip(prefix+c.name, channels)
			clip.Notes = t.notes
			clips = append(clips, clip)
		}
	}
	return clips
}

// Append returns a copy of m with the stress clips after its own. It returns m itself if it has them already, or if
// there are none to add.
func Append(m *skinning.Model) *skinning.Model {
	for i := range m.Clips {
		if strings.HasPrefix(m.Clips[i].Name, prefix) {
			return m
		}
	}
	clips := Clips(m)
	if len(clips) == 0 {
		return m
	}
	out := *m
	out.Clips = append(m.Clips[:len(m.Clips):len(m.Clips)], clips...)
	return &out
}

// Strip returns a copy of a model without stress clips, wherever they are: a fit may have added its own clip behind
// them.
func Strip(m *skinning.Model) *skinning.Model {
	out := *m
	out.Clips = slices.DeleteFunc(slices.Clone(m.Clips), func(c skinning.Clip) bool { return strings.HasPrefix(c.Name, prefix) })
	return &out
}

// Own returns how many clips of m come before the stress clips at its end.
func Own(m *skinning.Model) int {
	own := len(m.Clips)
	for own > 0 && strings.HasPrefix(m.Clips[own-1].Name, prefix) {
		own--
	}
	return own
}

// Name returns the name of the stress clip that a user's text means, as in "stress:twist" or "Stress: Twist". It
// reports false for any other text.
func Name(text string) (string, bool) {
	first, rest, ok := strings.Cut(text, ":")
	if !ok || !strings.EqualFold(strings.TrimSpace(first), "stress") {
		return "", false
	}
	return prefix + strings.ToLower(strings.TrimSpace(rest)), true
}
