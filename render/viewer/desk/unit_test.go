package desk

import (
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
