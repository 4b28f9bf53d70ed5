package command

// This file is the command line's way to the stress clips: they are made when one is asked for.

import (
	"skinlab/skinning"
	"skinlab/skinning/stress"
)

// namedClip finds a clip of the model by name or index. A stress clip is appended to the model on demand, which nobody
// else holds yet.
func namedClip(m *skinning.Model, name string) (int, error) {
	i, err := m.ClipIndex(name)
	if err == nil {
		return i, nil
	}
	made, ok := stress.Name(name)
	if !ok {
		return 0, err
	}
	*m = *stress.Append(m)
	return m.ClipIndex(made)
}

// sameClip finds the clip of from in to, a fit of the same model. A stress clip is not made anew, since other weights
// may ask for other moves, but taken over.
func sameClip(from, to *skinning.Model, clip int) (int, error) {
	if clip < len(to.Clips) && to.Clips[clip].Name == from.Clips[clip].Name { // several clips may have one name, or none
		return clip, nil
	}
	i, err := to.ClipIndex(from.Clips[clip].Name)
	if err == nil {
		return i, nil
	}
	if _, ok := stress.Name(from.Clips[clip].Name); !ok {
		return 0, err
	}
	c, err := from.Clips[clip].Onto(from, to)
	if err != nil {
		return 0, err
	}
	to.Clips = append(to.Clips[:len(to.Clips):len(to.Clips)], c)
	return len(to.Clips) - 1, nil
}
