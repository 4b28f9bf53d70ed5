package training

import "math"

// Times returns n times within a clip of a length in seconds: the golden section of each of n equal parts. A motion
// that repeats regularly may be at rest at both ends and at every regular time between them, but not at these.
func Times(seconds float64, n int) []float64 {
	times := make([]float64, n)
	for i := range times {
		times[i] = seconds * (float64(i) + 1/math.Phi) / float64(n)
	}
	return times
}
