package state

import "slices"

// PaintView is what the paint on a fitted skin shows. Only enveloping has the views after the first; other skins show
// the first instead.
type PaintView uint8

// The views of the paint, in the order in which a key goes through them.
const (
	PaintGroups PaintView = iota // each added bone's influence, in its colour
	PaintKeys                    // where each key deformation gradient acts, in its colour
	PaintTurns                   // how far the skin turns with the joint that drives it
	paintViews
)

var paintNames = [paintViews]string{"groups", "keys", "turning"}

// ParsePaint returns the view of a name on the command line.
func ParsePaint(name string) (PaintView, bool) {
	v := slices.Index(paintNames[:], name)
	return PaintView(max(v, 0)), v >= 0
}

// SetPaint turns the paint of a fit on or off. On, it takes the skin from the heat map and from other colours, which
// would hide it.
func (s *State) SetPaint(on bool) {
	s.Paint = on
	if on {
		s.Heat, s.Skin = false, SkinPlain
	}
}

// SetHeat turns the heat map on or off. On, it takes the skin from the paint, which it would hide.
func (s *State) SetHeat(on bool) {
	s.Heat = on
	if on {
		s.Paint = false
	}
}

// NextPaint goes to the next view of the paint. If the paint is off, it turns it on with the view that was shown last.
func (s *State) NextPaint() {
	if !s.Paint {
		s.SetPaint(true)
		return
	}
	s.PaintView = (s.PaintView + 1) % paintViews
}
