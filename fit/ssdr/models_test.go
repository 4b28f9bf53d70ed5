package ssdr_test

import (
	"context"
	"math"
	"testing"

	"skinlab/fit/ssdr"
	"skinlab/fit/training"
	"skinlab/internal/ssdrtest"
)

// TestRealSets holds errors below those of linear blending, millimetres.
func TestRealSets(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	for name, c := range map[string]struct {
		load  func(testing.TB) *training.Examples
		bones int
		most  float64
	}{"arm": {ssdrtest.Arm, 4, 1.00}, "human": {ssdrtest.Human, 4, 1.60}} {
		x := c.load(t)
		d, err := ssdr.Decompose(context.Background(), x, ssdr.Options{Bones: c.bones})
		if err != nil {
			t.Fatal(err)
		}
		again := x.RMS(d.Weights, d.Motions)
		t.Logf("%s: rig %.3f mm, %d bones %.3f mm", name, 1e3*x.RMS(x.Rigged, nil), len(d.Motions), 1e3*again)
		if !(math.Abs(again-d.RMS) <= 1e-6*again) { // sums in another form
			t.Errorf("%s: says %g m, is %g m", name, d.RMS, again)
		}
		if len(d.Motions) != c.bones || !(1e3*again <= c.most) {
			t.Errorf("%s: %d bones, %.3f mm; at most %.2f mm", name, len(d.Motions), 1e3*again, c.most)
		}
	}
}
