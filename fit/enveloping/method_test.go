package enveloping

import (
	"slices"
	"testing"

	"skinlab/fit"
)

// TestWithStep: bones rise along a history whatever comes, nothing in it is worse than one of fewer bones that came
// later, and what was handed out before stays.
func TestWithStep(t *testing.T) {
	var history []fit.Step
	for _, c := range []struct {
		bones int
		ee    float64
		want  []int
	}{
		{0, 9, []int{0}}, {5, 7, []int{0, 5}}, {14, 6, []int{0, 5, 14}}, {14, 5, []int{0, 5, 14}}, {12, 5.5, []int{0, 5, 14}},
		{13, 4, []int{0, 5, 13}}, {20, 3, []int{0, 5, 13, 20}}, {4, 2, []int{0, 4}},
	} {
		was, added := history, func(h []fit.Step) (n []int) {
			for _, s := range h {
				n = append(n, s.Added)
			}
			return n
		}
		before := added(was)
		next := withStep(history, fit.Step{Added: c.bones, EE: c.ee})
		if got := added(next); !slices.Equal(got, c.want) {
			t.Errorf("with %d bones and an EE of %g: %v, expected %v", c.bones, c.ee, got, c.want)
		}
		if after := added(was); !slices.Equal(before, after) {
			t.Errorf("with %d bones: the history before has become %v", c.bones, after)
		}
		history = next
	}
	if s := history[1]; s.EE != 2 {
		t.Errorf("the step of four bones has an EE of %g", s.EE)
	}
}
