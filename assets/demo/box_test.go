package demo

import (
	"math"
	"slices"
	"testing"

	"skinlab/skinning/metrics"
)

func TestBoxIsThatOfALNS(t *testing.T) {
	m := made(t, "box", "twist", "bend", "twist-bend", "full-turn", "train")
	if n := len(m.Skin.Positions); n != 5166 { // table 3
		t.Errorf("%d vertices, expected 5166", n)
	}
	if n := len(m.Skeleton.Joints); n != 2 {
		t.Errorf("%d bones, expected 2", n)
	}
	mean, most := m.Skin.Stats()
	if !(mean >= 1.25 && mean <= 1.35) || most != 2 { // table 3 says 1.3
		t.Errorf("%g influences a vertex, at most %d; expected 1.3 and 2", mean, most)
	}
	// A box of 1 × 0.2 × 0.2 m less (4 − π)r² along each edge: 2e-3 of it is the corners and the chords of the
	// rounding.
	want := 0.04 - (4-math.Pi)*boxBevel*boxBevel*(1+0.2+0.2)
	if v := metrics.Volume(metrics.SkinBody(m), restShape(m)); !(math.Abs(v-want) <= 2e-3*want) {
		t.Errorf("volume %g m³, expected %g", v, want)
	}
}

func TestBoxWeightsAreARamp(t *testing.T) {
	m := must(t, "box")
	for v, p := range m.Skin.Positions {
		second := 0.0
		for _, f := range m.Skin.Of(nil, v) {
			if f.Joint == 1 {
				second = float64(f.Weight)
			}
		}
		// The rings of the ramp are 0.972/66 m apart.
		want := math.Max(0, math.Min(1, 0.5+float64(p[0])/(24*0.972/66)))
		if !(math.Abs(second-want) <= 1e-5) { // float32 positions, divided by the ramp
			t.Fatalf("vertex %d at x = %g: weight %g, expected %g", v, p[0], second, want)
		}
	}
}

func TestBoxClipsStartAtRestAndEndWhereTheySay(t *testing.T) {
	m := must(t, "box")
	for _, want := range []struct {
		clip        string
		twist, bend float64 // degrees at the end; 350 is −10
	}{{"twist", 180, 0}, {"bend", 0, 120}, {"twist-bend", 180, 100}, {"full-turn", -10, 0}} {
		c, err := m.ClipIndex(want.clip)
		if err != nil {
			t.Fatal(err)
		}
		twist, swing := twistAndSwing(relativeTurn(t, m, want.clip, m.Clips[c].Seconds, 1))
		// 180 and −180 are one turn.
		if !near(math.Abs(twist), math.Abs(want.twist)) || !near(swing[2], want.bend) || !near(swing[1], 0) {
			t.Errorf("%s ends twisted by %g and bent by %v, expected %g and %g about z", want.clip, twist, swing, want.twist,
				want.bend)
		}
		twist, swing = twistAndSwing(relativeTurn(t, m, want.clip, 0, 1))
		if !near(twist, 0) || !near(swing.Len(), 0) {
			t.Errorf("%s starts twisted by %g and bent by %v", want.clip, twist, swing)
		}
	}
}

func TestBoxTrainsOnFourTwists(t *testing.T) {
	m := must(t, "box")
	c, err := m.ClipIndex("train")
	if err != nil {
		t.Fatal(err)
	}
	if keys := m.Clips[c].KeyTimes(); !slices.Equal(keys, []float64{0, 1, 2, 3}) {
		t.Errorf("keys at %v s, expected 0, 1, 2, 3", keys)
	}
	for k, want := range []float64{45, 90, 135, 179} {
		twist, swing := twistAndSwing(relativeTurn(t, m, "train", float64(k), 1))
		if !near(twist, want) || !near(swing.Len(), 0) {
			t.Errorf("key %d: twisted by %g and bent by %v, expected %g and none", k, twist, swing, want)
		}
	}
}

// TestBoxTurnsAllTheWay follows the full turn at 60 frames a second: it never turns back and adds up to 350 degrees, so
// slerp takes the way that is meant between all keys, and the quaternions' signs run on.
func TestBoxTurnsAllTheWay(t *testing.T) {
	m := must(t, "box")
	c, err := m.ClipIndex("full-turn")
	if err != nil {
		t.Fatal(err)
	}
	total, last := 0.0, 0.0
	for s := 0.0; s < m.Clips[c].Seconds+1; s += 1.0 / 60 {
		twist, _ := twistAndSwing(relativeTurn(t, m, "full-turn", s, 1))
		step := math.Mod(twist-last+540, 360) - 180
		if !(step >= -turnTolerance && step <= 5) { // 35 degrees a quarter second are 2.3 a frame
			t.Fatalf("at %g s the box turns by %g degrees in a frame", s, step)
		}
		total, last = total+step, twist
	}
	if !(math.Abs(total-350) <= 1e-2) { // a hundred rounded steps
		t.Errorf("the box turns by %g degrees in all, expected 350", total)
	}
	ch := &m.Clips[c].Channels[0]
	for k := 4; k < len(ch.Values); k += 4 {
		dot := 0.0
		for i := range 4 {
			dot += float64(ch.Values[k+i]) * float64(ch.Values[k+i-4])
		}
		if !(dot >= math.Cos(math.Pi/8)) { // at most 45 degrees between keys
			t.Errorf("keys %d and %d: dot product %g", k/4-1, k/4, dot)
		}
	}
}
