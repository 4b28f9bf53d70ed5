package metrics

import "math"

// RoundTop returns the least of …, 0.8, 1, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, … that is at least x: the end of a scale that
// begins at 0. It is 0 if x is not positive or not finite.
func RoundTop(x float64) float64 { return roundUp(x, 1, 1.5, 2, 3, 4, 5, 6, 8) }

// RoundStep returns the least of …, 0.5, 1, 2, 5, 10, … that is at least x: the distance of marks. It is 0 if x is not
// positive or not finite.
func RoundStep(x float64) float64 { return roundUp(x, 1, 2, 5) }

// roundUp returns the least of some numbers times a power of ten that is at least x.
func roundUp(x float64, numbers ...float64) float64 {
	if !(x > 0) || math.IsInf(x, 0) {
		return 0
	}
	const near = 1e-9 // 0.2 has no exact binary form
	k := int(math.Floor(math.Log10(x)))
	for _, m := range numbers {
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

// ScaleTicks returns the number of equal parts of a scale from 0 to a [RoundTop] that gives round marks.
func ScaleTicks(top float64) int {
	switch lead := math.Round(2 * top / decimal(1, int(math.Floor(math.Log10(top)+1e-9)))); lead {
	case 3, 6, 12: // of 1.5, 3 and 6
		return 3
	case 4, 8, 16: // of 2, 4 and 8
		return 4
	}
	return 5
}
