package metrics

import (
	"fmt"
	"math"
	"strconv"
)

// Percent is an EE in percent for reports. NaN says that there is nothing to measure it against; it is printed as a
// dash, and as null in JSON.
type Percent float64

// MarshalJSON writes a number, or null where there is none.
func (p Percent) MarshalJSON() ([]byte, error) {
	if !p.Known() {
		return []byte("null"), nil
	}
	return strconv.AppendFloat(nil, float64(p), 'g', -1, 64), nil
}

// UnmarshalJSON reads what MarshalJSON writes.
func (p *Percent) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		*p = Percent(math.NaN())
		return nil
	}
	x, err := strconv.ParseFloat(string(text), 64)
	*p = Percent(x)
	return err
}

// Known reports whether there is a number.
func (p Percent) Known() bool { return !math.IsNaN(float64(p)) && !math.IsInf(float64(p), 0) }

// Text writes the number with a number of decimals, or a dash for NaN.
func (p Percent) Text(decimals int) string {
	if !p.Known() {
		return "–"
	}
	return strconv.FormatFloat(float64(p), 'f', decimals, 64)
}

// A file whose rest pose's diagonal is outside of these bounds is not in metres, as that of a character is: lengths of
// it mean nothing.
const (
	leastSize = 0.01 // metres
	mostSize  = 1000
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
