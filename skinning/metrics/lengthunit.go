package metrics

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
