package metrics

import (
	"testing"
)

// A scale ends at the distance of all but a thousandth of the vertices: the few that are far away do not stretch it,
// and one more than a thousandth does. Bins are 3 % wide.
func TestSpread(t *testing.T) {
	const vertices = 5000
	for _, c := range []struct {
		far  int // vertices at 0.5 of the size; the others are at 0.01
		want float64
	}{{0, 0.01}, {5, 0.01}, {6, 0.5}, {vertices, 0.5}} {
		var own, shared Spread
		for v := range vertices {
			d := 0.01
			if v < c.far {
				d = 0.5
			}
			own.Add(d * d)
			shared.AddShared(d * d)
		}
		if got := own.Top(vertices); !(got >= c.want && got <= 1.035*c.want) || shared.Top(vertices) != got {
			t.Errorf("%d far vertices: the scale ends at %g and %g, expected %g", c.far, got, shared.Top(vertices), c.want)
		}
	}
	for square, want := range map[float64][2]float64{0: {0, 0}, 1e-13: {0, 0}, 1e-11: {3.1e-6, 3.3e-6}, 9: {3, 3.1},
		1e30: {1000, 1e4}} {
		var s Spread
		s.Add(square)
		if got := s.Top(1); !(got >= want[0] && got <= want[1]) {
			t.Errorf("a square of %g: %g, expected %v", square, got, want)
		}
	}
}
