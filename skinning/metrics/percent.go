package metrics

import (
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
