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

// ReportLength writes a distance, a fraction of the rest pose's diagonal in metres, in the unit of [ReportUnit].
func ReportLength(fraction, diagonal float64) string {
	unit, perDiagonal := ReportUnit(diagonal)
	return fmt.Sprintf("%.3g %s", perDiagonal*fraction, unit)
}

// LengthUnit returns the unit in which a length in metres is most readable, and how many of it make a metre:
// millimetres for the usual sizes and errors of characters, metres for longer lengths and micrometres for shorter ones.
func LengthUnit(metres float64) (name string, perMetre float64) {
	switch {
	case metres >= 10:
		return "m", 1
	case metres >= 1e-4:
		return "mm", 1e3
	default:
		return "µm", 1e6
	}
}
