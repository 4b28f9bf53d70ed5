package legend

import (
	"testing"
)

func TestTickDecimals(t *testing.T) {
	for step, want := range map[float64]int{1: 0, 2: 0, 10: 0, 0.5: 1, 0.2: 1, 0.1: 1, 0.05: 2, 0.002: 3, 1e-9: 6} {
		if got := tickDecimals(step); got != want {
			t.Errorf("steps of %g: %d decimals, expected %d", step, got, want)
		}
	}
}
