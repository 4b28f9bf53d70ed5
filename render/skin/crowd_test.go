package skin

import (
	"math"
	"testing"

	"skinlab/internal/assetstest"
	"skinlab/render/gpu"
	"skinlab/skinning"
)

// Times and places do not depend on the number of workers, differ between instances, and stay as a crowd grows.
func TestCrowdTimes(t *testing.T) {
	h, err := gpu.NewHeadless()
	if err != nil {
		t.Skip(err)
	}
	defer h.Close()
	m := assetstest.Open(t, "demo:figure")
	g, err := NewModel(m, 1<<16)
	if err != nil {
		t.Fatal(err)
	}
	defer g.Delete()
	one, many := NewCrowd(g, m, nil, 1), NewCrowd(g, m, nil, 4)
	defer one.Close()
	defer many.Close()
	const n = 100
	length := m.Clips[0].Seconds
	one.Pose(n, 0, 0.25*length, skinning.SBS.Reads())
	many.Pose(n, 0, 0.25*length, skinning.SBS.Reads())
	for i := range one.palettes {
		if one.palettes[i] != many.palettes[i] {
			t.Fatalf("texel %d of the palettes depends on the number of workers", i)
		}
	}
	if one.box != many.box {
		t.Errorf("the box depends on the number of workers: %v, %v", one.box, many.box)
	}
	times := make([]float64, n)
	for i := range times {
		times[i] = many.Time(i)
		if !(times[i] >= 0 && times[i] < length) || (i == 0) != (times[i] == 0.25*length) {
			t.Errorf("instance %d is at %g of %g s", i, times[i], length)
		}
		for k := range i {
			// The golden ratio's fractions of n points are never closer than 1/(√5 n).
			if d := math.Abs(times[i] - times[k]); !(d > length/(2.3*n)) {
				t.Errorf("instances %d and %d are %g s from each other", k, i, d)
			}
			if many.Place(i) == many.Place(k) {
				t.Errorf("instances %d and %d are in one place", k, i)
			}
		}
	}
	many.Pose(2*n, 0, 0.25*length, skinning.LBS.Reads())
	for i, want := range times {
		if got := many.Time(i); got != want {
			t.Errorf("instance %d moves from %g to %g s as the crowd grows", i, want, got)
		}
	}
	lo, hi := many.Bounds()
	if size := hi.Sub(lo); !(size[0] > 14*many.step[0] && size[2] > 13*many.step[1]) { // 15 columns and 14 rows
		t.Errorf("200 instances fill %v m at %v m from each other", size, many.step)
	}
}
