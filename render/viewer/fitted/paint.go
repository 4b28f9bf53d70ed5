package fitted

import (
	"skinlab/render/picture"
	"skinlab/render/viewer/state"
)

// coat is what is painted on a fitted skin.
type coat struct {
	view state.PaintView
	lit  int // the bone, or the key gradient, that is painted alone, −1 for all
}

// The turns at the two ends of the colour map: a part of the skin with u = 0 does not turn with the joint that drives
// it, one with u = 1 turns all the way (RTER figure 6).
const leastTurn, mostTurn = 0.0, 1.0

// mix makes the tints: each vertex in the mixed colours of the bones that move it, as strong as their share.
func (f *Model) mix() {
	copy(f.Dyes, f.paint)
	dyes, seats := f.Dyes[f.first:][:f.linearBones()], f.Seats[f.first:][:f.linearBones()]
	switch {
	case f.Linear != nil && f.coat.view == state.PaintKeys:
		picture.KeyDyes(dyes, f.Linear.Linear(), seats, f.keys, f.coat.lit)
	case f.Linear != nil && f.coat.view == state.PaintTurns:
		picture.TurnDyes(dyes, f.Linear, leastTurn, mostTurn)
		f.alone()
	default:
		f.alone()
	}
	picture.BoneTints(f.Tints, f.Model, f.boneOf, f.Dyes)
}

// alone takes the colour from all bones but the one that is lit.
func (f *Model) alone() {
	for k := range f.Dyes {
		if f.coat.lit >= 0 && k != f.coat.lit {
			f.Dyes[k] = picture.Dye{}
		}
	}
}

// Paint changes what is painted on the skin: a view, of the bone or the key gradient that is lit alone, −1 for all. It
// reports whether that is something else than before.
func (f *Model) Paint(view state.PaintView, lit int) bool {
	c := coat{view, lit}
	if f.coat == c {
		return false
	}
	f.coat = c
	f.mix()
	return true
}
