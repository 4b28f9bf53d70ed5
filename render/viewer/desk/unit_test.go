package desk

import (
	"math"
	"testing"

	"skinlab/render/viewer/state"
)

// TestUnitOfOddSizes: a file of no sensible size is measured in percent of it, and the next one in the unit that was
// chosen before.
func TestUnitOfOddSizes(t *testing.T) {
	s := state.New()
	d := &Desk{State: &s}
	for _, c := range []struct {
		metres      float64
		shown, kept state.Unit
	}{{1.8, state.Millimetres, state.Millimetres}, {175, state.OfSize, state.Millimetres},
		{0.001, state.OfSize, state.Millimetres}, {2, state.Millimetres, state.Millimetres}} {
		d.SetSize(c.metres)
		if s.Unit != c.shown || d.Unit() != c.kept || d.Size != c.metres {
			t.Errorf("%g m: %v, kept %v; expected %v and %v", c.metres, s.Unit, d.Unit(), c.shown, c.kept)
		}
	}
}

// TestDistanceOf: a distance on a second file is in percent of that file, as compare has it, and has digits for its size.
func TestDistanceOf(t *testing.T) {
	s := state.New()
	d := &Desk{State: &s}
	d.SetSize(175) // a fox in centimetres beside a robot of 6.73 m
	if first, second := d.Distance(0.0204).View(), d.DistanceOf(0.00678, 6.73).View(); second != "0.101" {
		t.Errorf("%q on the first file, %q on the second, expected 0.101", first, second)
	}
	s.Unit = state.Millimetres
	if got := d.DistanceOf(0.00678, 6.73).View(); got != "6.78" {
		t.Errorf("%q mm, expected 6.78", got)
	}
}

// TestPercent: a percentage of next to nothing has no digits that mean something, and what is no number is a dash.
func TestPercent(t *testing.T) {
	d := &Desk{State: new(state.State)}
	for x, want := range map[float64]string{0.5: "0.50", 999.4: "999.40", 999.5: "> 999", 1755.7: "> 999",
		math.Inf(1): "–", math.NaN(): "–"} {
		if got := d.Percent(x, 2).View(); got != want {
			t.Errorf("%g is %q, expected %q", x, got, want)
		}
	}
}
