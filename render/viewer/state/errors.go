package state

import "skinlab/skinning"

// Unit is the unit in which distances on the skin are shown.
type Unit uint8

const (
	Millimetres Unit = iota
	OfSize           // percent of the rest pose's bounding diagonal
)

// String returns the unit as it stands behind a number.
func (u Unit) String() string { return [...]string{"mm", "%"}[u] }

// Mark is the unit behind a number. Percent of the diagonal stands beside other percentages, and says of what it is.
func (u Unit) Mark() string { return [...]string{"mm", "% diag."}[u] }

// UnitLabels are the units with what they are a share of.
var UnitLabels = [...]string{Millimetres: "mm", OfSize: "% of diagonal"}

// Of returns a distance in the unit; metres is the distance, size the model's diagonal in metres.
func (u Unit) Of(metres, size float64) float64 {
	if u == Millimetres {
		return metres * 1e3
	}
	if !(size > 0) {
		return 0
	}
	return metres / size * 100
}

// Metres is the inverse of [Unit.Of].
func (u Unit) Metres(value, size float64) float64 {
	if u == Millimetres {
		return value / 1e3
	}
	return value * size / 100
}

// ChooseReference measures errors from a reference that the user names. Other models keep it.
func (s *State) ChooseReference(m skinning.Method) { s.Reference, s.ReferenceChosen = m, true }

// The range of the colour map's top, as a share of the model's size.
const (
	LeastHeatTop = 1e-4
	MostHeatTop  = 1
)

// SetHeatTop puts a distance at the top of the colour map, as a share of the model's size; 0, less or NaN lets it
// follow the clip.
func (s *State) SetHeatTop(share float64) {
	if !(share > 0) {
		s.HeatTop = 0
		return
	}
	s.HeatTop = min(max(share, LeastHeatTop), MostHeatTop)
}

// Sweep is how a joint is swept.
type Sweep struct {
	Axis   int       // as in anatomy.JointAxes
	Hidden [4]uint64 // curves that are not shown, a bit for each value of a Method
}

func (s *Sweep) Hides(m skinning.Method) bool { return s.Hidden[m/64]>>(m%64)&1 != 0 }

func (s *Sweep) Toggle(m skinning.Method) { s.Hidden[m/64] ^= 1 << (m % 64) }
