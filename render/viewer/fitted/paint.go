package fitted

import (
	"skinlab/render/picture"
	"skinlab/render/viewer/desk"
	"skinlab/render/viewer/state"
	"skinlab/skinning"
)

type paintChoice struct {
	view   state.PaintView
	lit    int // the only bone or key gradient that is painted, −1 for all
	chosen int // the bone whose weights alone are painted, −1 for none
}

// leastTurn and mostTurn are the angle scales u at the ends of the colour map. A part of the skin with u = 0 does not
// turn with the joint that drives it. A part with u = 1 turns by the same angle (RTER figure 6).
const leastTurn, mostTurn = 0.0, 1.0

// mix computes the tints: each vertex gets the mixed colours of the bones that move it, with their weights as opacity.
func (f *Model) mix() {
	copy(f.Dyes, f.paint)
	dyes, seats := f.Dyes[f.first:][:f.linearBones()], f.Seats[f.first:][:f.linearBones()]
	switch {
	case f.choice.chosen >= 0:
		clear(f.Dyes)
		f.Most = f.mostWeight(f.choice.chosen)
		dye := desk.WeightDye
		dye[3] = 1 / max(f.Most, 1e-6) // the whole range of colours for the bone's weights
		f.Dyes[f.choice.chosen] = dye
	case f.Linear != nil && f.choice.view == state.PaintKeys:
		picture.KeyDyes(dyes, f.Linear.Linear(), seats, f.keys, f.choice.lit)
	case f.Linear != nil && f.choice.view == state.PaintTurns:
		picture.TurnDyes(dyes, f.Linear, leastTurn, mostTurn)
		f.keepLit()
	default:
		f.keepLit()
	}
	picture.BoneTints(f.Tints, f.Model, f.boneOf, f.Dyes)
}

func (f *Model) mostWeight(bone int) (most float32) {
	joint := uint16(f.Joints[bone])
	var buf []skinning.Influence
	for v := range f.Model.Skin.Bindings {
		buf = f.Model.Skin.Of(buf[:0], v)
		for _, i := range buf {
			if i.Joint == joint {
				most = max(most, i.Weight)
			}
		}
	}
	return most
}

func (f *Model) keepLit() {
	for k := range f.Dyes {
		if f.choice.lit >= 0 && k != f.choice.lit {
			f.Dyes[k] = picture.Dye{}
		}
	}
}

// Paint sets the paint on the skin to a view of one bone or key gradient; lit is its index, −1 for all. The weights of
// the bone Chosen go before. It reports whether the paint has changed.
func (f *Model) Paint(view state.PaintView, lit int) bool {
	c := paintChoice{view, lit, f.Chosen}
	if f.choice == c {
		return false
	}
	f.choice = c
	f.mix()
	return true
}
