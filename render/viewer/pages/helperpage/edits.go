package helperpage

import (
	"slices"

	"skinlab/skinning"
	"skinlab/skinning/rig"
)

type coefficient struct {
	bone   int
	term   int // index into the bone's terms, −1 for its constant
	column int // index into the motion
}

func (c coefficient) of(r *rig.HelperBones) *float64 {
	b := &r.Bones[c.bone]
	if c.term < 0 {
		return &b.Constant[c.column]
	}
	return &b.Terms[c.term].Coefficients[c.column]
}

// edits is a rig whose coefficients the user changes. A rig of a model is read-only, and other goroutines measure it,
// so every change makes a rig of its own: undoing gives back the very numbers.
type edits struct {
	model       *skinning.Model  // as the fit or the file has it
	fitted, now *rig.HelperBones // the model's, and as it is now
	before      *rig.HelperBones // shown last

	levels   map[int]*skinning.Model // by number of bones, the model with these bones alone and weights solved for them
	unsolved bool                    // weights for fewer bones cannot be solved
}

func newEdits(m *skinning.Model, r *rig.HelperBones) *edits {
	return &edits{model: m, fitted: r, now: r, before: r}
}

func (e *edits) set(c coefficient, x float64) {
	out := copyBones(e.now)
	out.Bones[c.bone].Terms = slices.Clone(out.Bones[c.bone].Terms)
	*c.of(out) = x
	e.now = out
}

// resetBone gives a bone its fitted coefficients.
func (e *edits) resetBone(bone int) {
	out := copyBones(e.now)
	out.Bones[bone] = e.fitted.Bones[bone]
	e.now = out
}

func (e *edits) edited(c coefficient) bool { return *c.of(e.now) != *c.of(e.fitted) }

// copyBones copies a rig with a list of bones of its own.
func copyBones(r *rig.HelperBones) *rig.HelperBones {
	out := *r
	out.Bones = slices.Clone(r.Bones)
	return &out
}
