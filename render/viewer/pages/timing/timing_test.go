package timing

import (
	"testing"
	"time"
)

// TestMeasureProgress: the bar of a run over the methods of a model without a fit, or of one with, is full at its end.
func TestMeasureProgress(t *testing.T) {
	now := time.Now()
	for _, methods := range []int{5, 6} {
		for _, c := range []struct {
			at    int
			since time.Duration
			want  float64
		}{{0, 0, 0}, {0, measureTime, 1 / float64(methods)}, {methods - 1, measureTime, 1}, {methods - 1, measureLimit, 1}} {
			m := measureRun{on: true, at: c.at, since: now.Add(-c.since)}
			if got := m.progress(now, methods); got != c.want {
				t.Errorf("%v into method %d of %d: %g is done, expected %g", c.since, c.at, methods, got, c.want)
			}
		}
	}
}
