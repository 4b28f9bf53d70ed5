// Package stress makes clips for any skeleton that show the faults of skinning within seconds: every limb twisted about
// its own bones, every joint bent both ways, the shoulders raised. They are ordinary clips, for models without one and
// for comparing models by the same ordeal.
//
// Which joints are limbs, fingers or trunk is read from the hierarchy, from the weights (a joint that divides no skin
// is left alone) and from the symmetry of left and right; names only help to tell collar bones from arms.
package stress

import (
	"fmt"
	"strings"

	"skinlab/skinning"
)

// prefix begins the names of all stress clips.
const prefix = "stress: "

// maxSeconds bounds the length of a clip.
const maxSeconds = 12

// Clips returns the clips "stress: twist", "stress: bend" and "stress: shrug" over the nodes of m, at most 12 s each. A
// skeleton without such joints has fewer: shrug needs a left and a right arm, the others a joint that moves one part of
// the model against another. They start and end in the static pose. The clips are the same for the same model, always.
func Clips(m *skinning.Model) []skinning.Clip {
	r := newRig(m)
	var clips []skinning.Clip
	for _, c := range []struct {
		name string
		make func() *timeline
	}{{"twist", r.twist}, {"bend", r.bend}, {"shrug", r.shrug}} {
		if channels := c.make().channels(); len(channels) > 0 {
			clip := skinning.Clip{Name: prefix + c.name, Channels: channels}
			for i := range channels {
				if err := channels[i].Validate(); err != nil {
					panic(fmt.Sprintf("stress: clip %s: %v", c.name, err))
				}
				clip.Seconds = max(clip.Seconds, float64(channels[i].Times[len(channels[i].Times)-1]))
			}
			clips = append(clips, clip)
		}
	}
	return clips
}

// Append returns m with the stress clips behind its own: a copy that shares all else. A model that has them already,
// and one that has none to add, is returned as it is.
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

// Own returns how many clips of m are its own: those before the stress clips that stand at the end.
func Own(m *skinning.Model) int {
	own := len(m.Clips)
	for own > 0 && strings.HasPrefix(m.Clips[own-1].Name, prefix) {
		own--
	}
	return own
}

// Name returns the name of the stress clip that a user's text asks for, "stress:twist" or "Stress: Twist", and whether
// it does.
func Name(text string) (string, bool) {
	first, rest, ok := strings.Cut(text, ":")
	if !ok || !strings.EqualFold(strings.TrimSpace(first), "stress") {
		return "", false
	}
	return prefix + strings.ToLower(strings.TrimSpace(rest)), true
}
