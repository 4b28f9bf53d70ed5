package geom

import (
	"math"
	"testing"
)

// TestInverseOfScales: a scale along one axis has an inverse, two rows that are alike but for rounding have none.
func TestInverseOfScales(t *testing.T) {
	for _, x := range []float64{1e-6, 1e-3, 1e6, 1e11} {
		if inv, ok := (Mat3{x, 0, 0, 0, 1, 0, 0, 0, 1}).Inverse(); !ok || math.Abs(inv[0]*x-1) > 1e-15 {
			t.Errorf("scale %g: inverse %v, %v", x, inv, ok)
		}
	}
	for _, m := range []Mat3{
		{1, 2, 3, 1, 2, 3 + 1e-14, 0, 0, 1}, {0, 0, 0, 0, 1, 0, 0, 0, 1}, {1e-30, 0, 0, 0, 1, 0, 0, 0, 1},
	} {
		if inv, ok := m.Inverse(); ok {
			t.Errorf("%v: inverse %v", m, inv)
		}
	}
}
