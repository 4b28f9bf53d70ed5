package metrics

import (
	"math"
	"strconv"
)

// Percent is an EE in percent as reports have it. NaN says that there is nothing to measure it against: text has a dash
// then, and JSON null.
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

// LengthUnit returns the unit that a length in metres is read best in, and how many of it are a metre: millimetres for
// what characters are made of and how far methods are apart on them, metres and micrometres past either end.
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
