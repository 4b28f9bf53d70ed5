package demo

import (
	"slices"
	"testing"

	"skinlab/skinning/geom"
)

func TestTubeIsThatOfALNS(t *testing.T) {
	m := made(t, "tube", "writhe", "train")
	if n := len(m.Skin.Positions); n != 1380 { // table 3
		t.Errorf("%d vertices, expected 1380", n)
	}
	if n := len(m.Skeleton.Joints); n != 4 {
		t.Errorf("%d bones, expected 4", n)
	}
	mean, most := m.Skin.Stats()
	if !(mean >= 3.8 && mean <= 3.92) || most != 4 { // table 3 says 3.86
		t.Errorf("%g influences a vertex, at most %d; expected 3.86 and 4", mean, most)
	}
	for v := range m.Skin.Positions {
		for _, f := range m.Skin.Of(nil, v) {
			if !(f.Weight >= 1e-4) { // less would be an influence in name only
				t.Fatalf("vertex %d feels joint %d by %g", v, f.Joint, f.Weight)
			}
		}
	}
}

func TestTubeTrainsOnSixTwistedBends(t *testing.T) {
	m := must(t, "tube")
	c, err := m.ClipIndex("train")
	if err != nil {
		t.Fatal(err)
	}
	if keys := m.Clips[c].KeyTimes(); !slices.Equal(keys, []float64{0, 1, 2, 3, 4, 5}) {
		t.Errorf("keys at %v s, expected 0 to 5", keys)
	}
	for k := 1; k <= 6; k++ {
		for j := 1; j <= 3; j++ {
			twist, swing := twistAndSwing(relativeTurn(t, m, "train", float64(k-1), j))
			about, across := swing[1], swing[2]
			if j == 2 {
				about, across = across, about
			}
			if !near(twist, 10*float64(k)) || !near(about, 8*float64(k)) || !near(across, 0) {
				t.Errorf("key %d, joint %d: twisted by %g and bent by %v (about x, y, z)", k, j, twist, swing)
			}
		}
	}
}

func TestTubeWrithesInALoop(t *testing.T) {
	m := must(t, "tube")
	first, last := posed(m, 0, 0), posed(m, 0, m.Clips[0].Seconds)
	moved := 0.0
	for v := range first {
		if d := first[v].Sub(last[v]).Len(); !(d <= 1e-6) { // metres; rounded quaternions
			t.Fatalf("vertex %d is %g m from where it started", v, d)
		}
		moved = max(moved, first[v].Sub(geom.Vec64(m.Skin.Positions[v])).Len())
	}
	if !(moved > 0.1) {
		t.Errorf("the tube moves by %g m only", moved)
	}
}
