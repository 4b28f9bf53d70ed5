package ssdr

import (
	"math"
	"testing"

	"skinlab/skinning"
)

// The hold to the rig's weights is ‖w − w₀‖², whether or not all bones of w₀ are among those that a point may follow.
func TestHoldTo(t *testing.T) {
	to := []skinning.Share{{Joint: 3, Weight: 0.5}, {Joint: 1, Weight: 0.3}, {Joint: 7, Weight: 0.2}}
	for _, bones := range [][]int{{1, 3, 7, 9}, {9, 3}, {1, 9}, {9}} {
		w, want := make([]float64, len(bones)), 0.0
		for a := range w {
			w[a] = 1 / float64(len(bones))
		}
		for j := range 10 {
			d := 0.0
			for a, b := range bones {
				if b == j {
					d += w[a]
				}
			}
			for _, s := range to {
				if int(s.Joint) == j {
					d -= s.Weight
				}
			}
			want += 2 * d * d
		}
		q := make([]float64, len(bones)*len(bones))
		holdTo(q, bones, to, 2)
		if got := quadratic(q, w); !(math.Abs(got-want) < 1e-15) {
			t.Errorf("bones %v: %g, expected %g", bones, got, want)
		}
	}
}
