package retarget

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"skinlab/skinning"
)

// ErrNoMotion says that a character cannot play a motion: no joint follows it, or its clips move none that is followed.
var ErrNoMotion = errors.New("no joint of the character follows the motion")

// Append returns a copy of the character with clips of the motion behind its own, of which it also returns the first.
// Clips that move nothing are left out. A clip whose name the character has is named after the motion's file too. The
// error is [ErrNoMotion], or says that the motion has no clips.
func Append(m *Matches, clips []int) (out *skinning.Model, first int, err error) {
	if len(m.motion.Clips) == 0 {
		return nil, 0, fmt.Errorf("%s has no clips", m.motion.Name)
	}
	r := New(m)
	model := *m.character
	model.Clips = slices.Clip(slices.Clone(model.Clips))
	for _, i := range clips {
		c := r.Clip(i)
		if len(c.Channels) == 0 {
			continue
		}
		for k := range c.Channels {
			if err := c.Channels[k].Validate(); err != nil {
				return nil, 0, fmt.Errorf("%s: clip %q: %w", m.motion.Name, c.Name, err)
			}
		}
		c.Motion = m.motion.Name
		c.Name = newName(&model, skinning.Named(c.Name, "Clip", i), m.motion.Name)
		model.Clips = append(model.Clips, c)
	}
	if len(model.Clips) == len(m.character.Clips) {
		return nil, 0, ErrNoMotion
	}
	return &model, len(m.character.Clips), nil
}

// newName returns a name that no clip of a model has.
func newName(m *skinning.Model, name, file string) string {
	taken := func(name string) bool {
		return slices.ContainsFunc(m.Clips, func(c skinning.Clip) bool { return c.Name == name })
	}
	if !taken(name) {
		return name
	}
	named := name + " of " + strings.TrimSuffix(file, filepath.Ext(file))
	for n := 2; taken(named); n++ {
		named = fmt.Sprintf("%s of %s %d", name, strings.TrimSuffix(file, filepath.Ext(file)), n)
	}
	return named
}
