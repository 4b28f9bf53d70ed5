package metrics

import (
	"math"
	"testing"
)

func TestRoundTop(t *testing.T) {
	for x, want := range map[float64]float64{
		1: 1, 1.01: 1.5, 2: 2, 0.2: 0.2, 0.21: 0.3, 4.99: 5, 5.1: 6, 61.7: 80, 9.9: 10, 1234: 1500, 0.00034: 0.0004,
		1e-9: 1e-9, 3e20: 3e20,
		0: 0, -1: 0, math.Inf(1): 0,
	} {
		if got := RoundTop(x); !(math.Abs(got-want) <= 1e-12*want) { // a few last bits
			t.Errorf("%g rounds up to %g, expected %g", x, got, want)
		}
	}
	if got := RoundTop(math.NaN()); got != 0 {
		t.Errorf("NaN rounds up to %g, expected 0", got)
	}
	// A scale never cuts off what it is made for, never wastes more than a half of it, and its three to five parts are 1,
	// 2 or 5 times a power of ten.
	for x := 1e-7; x < 1e7; x *= 1.037 {
		top := RoundTop(x)
		if !(top >= x*(1-1e-8) && top <= 1.5*x*(1+1e-8)) {
			t.Errorf("%g rounds up to %g", x, top)
		}
		parts := ScaleTicks(top)
		if mark := top / float64(parts); parts < 3 || parts > 5 || !(math.Abs(RoundStep(mark)-mark) <= 1e-8*mark) {
			t.Errorf("a scale to %g has marks every %g", top, mark)
		}
	}
}

func TestRoundStep(t *testing.T) {
	for x, want := range map[float64]float64{1: 1, 1.2: 2, 2.5: 5, 0.062: 0.1, 0: 0} {
		if got := RoundStep(x); !(math.Abs(got-want) <= 1e-12*want) {
			t.Errorf("%g rounds up to %g, expected %g", x, got, want)
		}
	}
}
