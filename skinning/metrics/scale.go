package metrics

import "math"

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

// ScaleTicks returns the number of equal parts of a scale from 0 to a [RoundTop] that gives round marks.
func ScaleTicks(top float64) int {
	if lead := top / decimal(1, int(math.Floor(math.Log10(top)+1e-9))); lead > 1.5 && lead < 3 {
		return 4
	}
	return 5
}
