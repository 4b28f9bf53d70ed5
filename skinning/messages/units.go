package messages

import "fmt"

// A file whose rest pose's diagonal is outside of these bounds is not in metres, as that of a character is: lengths of
// it mean nothing.
const (
	leastSize = 0.01 // metres
	mostSize  = 100
)

// ReportUnit returns the unit in which reports write distances on a model, and how many of it its rest pose's diagonal
// is: millimetres, or percent of the diagonal where the file has no sensible size.
func ReportUnit(diagonal float64) (name string, perDiagonal float64) {
	if diagonal >= leastSize && diagonal <= mostSize {
		return "mm", 1e3 * diagonal
	}
	return "% of the diagonal", 100
}

// Rounding is the distance below which an error is rounding of float64, as a fraction of the diagonal: a nanometre on a
// metre.
const Rounding = 1e-9

// ReportLength writes a distance, a fraction of the rest pose's diagonal in metres, in the unit of [ReportUnit], as
// [ReportNumber] does.
func ReportLength(fraction, diagonal float64) string {
	unit, perDiagonal := ReportUnit(diagonal)
	return ReportNumber(fraction, perDiagonal) + " " + unit
}

// ReportNumber writes a distance with three digits, or all before the point, and never as a power of ten. Fraction is
// the distance over the rest pose's diagonal, and perDiagonal is the diagonal in the unit that is written. What is
// rounding is 0. What is less than a ten-thousandth of the unit is "< 0.0001".
func ReportNumber(fraction, perDiagonal float64) string {
	switch x := perDiagonal * fraction; {
	case fraction < Rounding:
		return "0"
	case x < 1e-4:
		return "< 0.0001"
	case x >= 999.5:
		return fmt.Sprintf("%.0f", x)
	default:
		return fmt.Sprintf("%.3g", x)
	}
}
