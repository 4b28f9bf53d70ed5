package helperpage

import (
	"slices"

	"skinlab/skinning"
	"skinlab/skinning/rig"
)

// mostUndo limits the number of steps in the history.
const mostUndo = 200

// coefficient names a number of a rig's controllers.
type coefficient struct {
	bone   int
	term   int // index into the bone's terms, −1 for its constant
	column int // index into the motion
}

// of returns the place of a coefficient in a rig.
func (c coefficient) of(r *rig.HelperBones) *float64 {
	b := &r.Bones[c.bone]
	if c.term < 0 {
		return &b.Constant[c.column]
	}
	return &b.Terms[c.term].Coefficients[c.column]
}

// edits is a rig whose coefficients the user changes, with the history of the changes. A rig of a model is read-only,
// and other goroutines measure it, so every change makes a rig of its own. Steps of the history are such rigs: undoing
// gives back the very numbers.
type edits struct {
	model       *skinning.Model  // as the fit or the file has it
	fitted, now *rig.HelperBones // the model's, and as it is now
	undo, redo  []*rig.HelperBones
	fresh       bool // the next change begins a step of the history

	levels   map[int]*skinning.Model // by number of bones, the model with so many alone and weights solved for them
	unsolved bool                    // weights for fewer bones cannot be solved
}

func newEdits(m *skinning.Model, r *rig.HelperBones) *edits {
	return &edits{model: m, fitted: r, now: r}
}

// begin makes the next changes one step of the history.
func (e *edits) begin() { e.fresh = true }

// change replaces the rig by a changed one.
func (e *edits) change(to *rig.HelperBones) {
	if e.fresh {
		e.fresh = false
		e.redo = nil
		if len(e.undo) == mostUndo {
			e.undo = slices.Delete(e.undo, 0, 1)
		}
		e.undo = append(e.undo, e.now)
	}
	e.now = to
}

// set changes a coefficient.
func (e *edits) set(c coefficient, x float64) {
	out := copyBones(e.now)
	out.Bones[c.bone].Terms = slices.Clone(out.Bones[c.bone].Terms)
	*c.of(out) = x
	e.change(out)
}

// resetBone gives a bone its fitted coefficients.
func (e *edits) resetBone(bone int) {
	out := copyBones(e.now)
	out.Bones[bone] = e.fitted.Bones[bone]
	e.change(out)
}

// step undoes or redoes one step of the history and reports whether there was one.
func (e *edits) step(back bool) bool {
	from, to := &e.undo, &e.redo
	if !back {
		from, to = to, from
	}
	n := len(*from)
	if n == 0 {
		return false
	}
	*to = append(*to, e.now)
	e.now, *from, e.fresh = (*from)[n-1], (*from)[:n-1], true
	return true
}

// edited reports whether a coefficient differs from the fitted one.
func (e *edits) edited(c coefficient) bool { return *c.of(e.now) != *c.of(e.fitted) }

// copyBones copies a rig with a list of bones of its own.
func copyBones(r *rig.HelperBones) *rig.HelperBones {
	out := *r
	out.Bones = slices.Clone(r.Bones)
	return &out
}
