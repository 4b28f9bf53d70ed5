package training

import (
	"errors"
	"fmt"

	"skinlab/skinning"
	"skinlab/skinning/remodel"
)

// SequenceClip is the name of the clip that is made for a sequence that has none.
const SequenceClip = "sequence"

// SequenceRate is the default number of frames a second of such a clip.
const SequenceRate = 24

// ErrNoSequence reports a model that shows no shapes by itself.
var ErrNoSequence = errors.New("no clip shows shapes by morph targets")

// Sequence returns the set of the frames that a clip shows by morph targets, at its keys, of a model with or without a
// skin. A negative clip means the first that shows any. If no clip does, but there are morph targets, it returns a copy
// of the model with one more clip, which shows the targets one after the other. Otherwise it returns m.
func Sequence(m *skinning.Model, clip int, rate float64) (*skinning.Model, *Set, error) {
	bound := remodel.BindRigid(m)
	if clip >= 0 {
		set, err := ownShapes(bound, clip)
		if err != nil {
			err = fmt.Errorf("%s: %w", m.Name, err)
		}
		return m, set, err
	}
	for _, c := range OwnClips(m) {
		if bound.ShowsShapes(c) {
			set, err := ownShapes(bound, c)
			return m, set, err
		}
	}
	if len(bound.Skin.Morphs) == 0 {
		return nil, nil, fmt.Errorf("%s: %w", m.Name, ErrNoSequence)
	}
	frames := 0
	for _, s := range m.MorphSlots {
		frames = max(frames, s.Target+1)
	}
	out, set := WithSequence(m, frames, rate)
	c := &out.Clips[set.Clip]
	for first := 0; first < len(m.MorphSlots); {
		ch := skinning.Channel{Node: m.MorphSlots[first].Node, Path: skinning.PathWeights, FirstSlot: first}
		for first+ch.Width < len(m.MorphSlots) && m.MorphSlots[first+ch.Width].Node == ch.Node {
			ch.Width++
		}
		ch.Values = make([]float32, frames*ch.Width)
		for k, t := range set.Times {
			ch.Times = append(ch.Times, float32(t))
			if k < ch.Width {
				ch.Values[k*ch.Width+k] = 1
			}
		}
		c.Channels = append(c.Channels, ch)
		first += ch.Width
	}
	return out, set, nil
}

// WithSequence returns a copy of a model with one more clip of a number of frames, in which nothing moves yet, and the
// set of these frames.
func WithSequence(m *skinning.Model, frames int, rate float64) (*skinning.Model, *Set) {
	if rate == 0 {
		rate = SequenceRate
	}
	out := *m
	set := &Set{Clip: len(m.Clips), Times: make([]float64, frames)}
	for k := range set.Times {
		set.Times[k] = float64(k) / rate
	}
	clip := skinning.Clip{Name: SequenceClip, Seconds: float64(max(frames-1, 0)) / rate}
	out.Clips = append(m.Clips[:len(m.Clips):len(m.Clips)], clip)
	return &out, set
}
