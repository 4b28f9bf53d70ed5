package state

import (
	"math"
	"testing"

	"skinlab/skinning"
)

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

func TestHeatTop(t *testing.T) {
	s := New()
	for set, want := range map[float64]float64{0.02: 0.02, -1: 0, 0: 0, 1e-9: LeastHeatTop, 7: MostHeatTop} {
		s.SetHeatTop(set)
		if s.HeatTop != want {
			t.Errorf("%g sets %g, expected %g", set, s.HeatTop, want)
		}
	}
	s.SetHeatTop(math.NaN())
	if s.HeatTop != 0 {
		t.Errorf("NaN sets %g", s.HeatTop)
	}
}

func TestSweepHides(t *testing.T) {
	var w Sweep
	all := append(skinning.Methods(), Fitted)
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
