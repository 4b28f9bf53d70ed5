package state

import (
	"math"

	"skinlab/skinning"
)

// Unit is the unit in which distances on the skin are shown.
type Unit uint8

// The units.
const (
	Millimetres Unit = iota
	OfSize           // percent of the rest pose's bounding diagonal
)

// String returns the unit as it stands behind a number.
func (u Unit) String() string { return [...]string{"mm", "%"}[u] }

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

// NextReference measures errors from the next method.
func (s *State) NextReference() {
	all := skinning.Methods()
	s.ChooseReference(all[(int(s.Reference)+1)%len(all)])
}

// ChooseReference measures errors from a method that the user names. Other models keep it.
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

// RoundTop returns the least of …, 0.1, 0.2, 0.5, 1, 2, 5, 10, … that is at least x. It is 0 if x is not positive or
// not finite.
func RoundTop(x float64) float64 {
	if !(x > 0) || math.IsInf(x, 0) {
		return 0
	}
	const near = 1e-9 // 0.2 has no exact binary form
	k := int(math.Floor(math.Log10(x)))
	for _, m := range [...]float64{1, 2, 5} {
		if top := decimal(m, k); top >= x*(1-near) {
			return top
		}
	}
	return decimal(1, k+1)
}

// decimal returns m·10^k, correctly rounded for the few digits of m.
func decimal(m float64, k int) float64 {
	if k < 0 {
		return m / math.Pow10(-k)
	}
	return m * math.Pow10(k)
}

// HeatTicks returns the number of equal parts of a scale from 0 to a [RoundTop] that gives round marks.
func HeatTicks(top float64) int {
	if lead := top / decimal(1, int(math.Floor(math.Log10(top)+1e-9))); lead > 1.5 && lead < 3 {
		return 4
	}
	return 5
}

// Sweep is how a joint is swept.
type Sweep struct {
	Axis   int       // as in anatomy.JointAxes
	Hidden [4]uint64 // curves that are not shown, a bit for each value of a Method
}

// Hides reports whether a method's curve is left out.
func (s *Sweep) Hides(m skinning.Method) bool { return s.Hidden[m/64]>>(m%64)&1 != 0 }

// Toggle shows or hides a method's curve.
func (s *Sweep) Toggle(m skinning.Method) { s.Hidden[m/64] ^= 1 << (m % 64) }
