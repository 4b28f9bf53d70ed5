package metrics

import (
	"math"
	"testing"
)

func TestRoundTop(t *testing.T) {
	for x, want := range map[float64]float64{
		1: 1, 1.01: 2, 2: 2, 0.2: 0.2, 0.21: 0.5, 4.99: 5, 5.1: 10, 9.9: 10, 1234: 2000, 0.00034: 0.0005, 1e-9: 1e-9,
		3e20: 5e20,
		0:    0, -1: 0, math.Inf(1): 0,
	} {
		if got := RoundTop(x); !(math.Abs(got-want) <= 1e-12*want) { // a few last bits
			t.Errorf("%g rounds up to %g, expected %g", x, got, want)
		}
	}
	if got := RoundTop(math.NaN()); got != 0 {
		t.Errorf("NaN rounds up to %g, expected 0", got)
	}
	// A scale never cuts off what it is made for, never wastes more than two and a half times, and its marks have at
	// most one digit more than its top.
	for x := 1e-7; x < 1e7; x *= 1.037 {
		top := RoundTop(x)
		if !(top >= x*(1-1e-8) && top <= 2.5*x*(1+1e-8)) {
			t.Errorf("%g rounds up to %g", x, top)
		}
		mark := top / float64(ScaleTicks(top))
		digits := mark / math.Pow10(int(math.Floor(math.Log10(mark)+1e-9)))
		if !(math.Abs(digits-math.Round(digits)) <= 1e-9) {
			t.Errorf("a scale to %g has marks every %g", top, mark)
		}
	}
}
