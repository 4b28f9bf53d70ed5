package state

import (
	"math"
	"testing"

	"skinlab/skinning"
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
	// A scale never cuts off what it is made for, never wastes more than two and a half times, and its marks have at most
	// one digit more than its top.
	for x := 1e-7; x < 1e7; x *= 1.037 {
		top := RoundTop(x)
		if !(top >= x*(1-1e-8) && top <= 2.5*x*(1+1e-8)) {
			t.Errorf("%g rounds up to %g", x, top)
		}
		mark := top / float64(HeatTicks(top))
		digits := mark / math.Pow10(int(math.Floor(math.Log10(mark)+1e-9)))
		if !(math.Abs(digits-math.Round(digits)) <= 1e-9) {
			t.Errorf("a scale to %g has marks every %g", top, mark)
		}
	}
}

func TestUnits(t *testing.T) {
	const size = 1.6
	for _, u := range []Unit{Millimetres, OfSize} {
		if got := u.Metres(u.Of(0.0123, size), size); !(math.Abs(got-0.0123) <= 1e-15) {
			t.Errorf("%v and back: %g m, expected 0.0123", u, got)
		}
	}
	if got := OfSize.Of(0.016, size); !(math.Abs(got-1) <= 1e-12) {
		t.Errorf("a hundredth of the size is %g %%", got)
	}
	if got := OfSize.Of(1, 0); got != 0 {
		t.Errorf("a share of no size is %g", got)
	}
}

func TestNextReference(t *testing.T) {
	s := New()
	seen := map[skinning.Method]bool{}
	for range skinning.Methods() {
		seen[s.Reference] = true
		s.NextReference()
	}
	if len(seen) != len(skinning.Methods()) || s.Reference != skinning.DQS {
		t.Errorf("saw %v and ended at %v", seen, s.Reference)
	}
}

func TestHeatTop(t *testing.T) {
	s := New()
	for set, want := range map[float64]float64{0.02: 0.02, -1: 0, 0: 0, 1e-9: LeastHeatTop, 7: MostHeatTop} {
		if s.SetHeatTop(set); s.HeatTop != want {
			t.Errorf("%g sets %g, expected %g", set, s.HeatTop, want)
		}
	}
	if s.SetHeatTop(math.NaN()); s.HeatTop != 0 {
		t.Errorf("NaN sets %g", s.HeatTop)
	}
}

func TestSweepHides(t *testing.T) {
	var w Sweep
	all := append(skinning.Methods(), BlendBones)
	for _, m := range all {
		w.Toggle(m)
		for _, o := range all {
			if w.Hides(o) != (o == m) {
				t.Errorf("with %v hidden, %v: %v", m, o, w.Hides(o))
			}
		}
		w.Toggle(m)
	}
}
