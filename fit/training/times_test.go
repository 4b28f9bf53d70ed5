package training

import (
	"math"
	"slices"
	"testing"

	"skinlab/skinning/compare"
	"skinlab/skinning/stress"
)

// TestTimes: a clip is sampled with both ends; one that is at rest at all these times, between them; and one that never
// moves as any other.
func TestTimes(t *testing.T) {
	m := figure(t)
	walk, err := m.ClipIndex("walk")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := Times(m, walk, 5), compare.Times(m.Clips[walk].Seconds, 5); !slices.Equal(got, want) {
		t.Errorf("walk: %v, expected %v", got, want)
	}
	clips := stress.Clips(m)
	m.Clips = append(slices.Clone(m.Clips), clips...)
	twist := len(m.Clips) - len(clips)
	seconds := m.Clips[twist].Seconds
	found := false
	for n := 2; n < 40; n++ {
		rest := alike(m, twist, compare.Times(seconds, n))
		got := Times(m, twist, n)
		if alike(m, twist, got) {
			t.Errorf("%d poses of %s are all one", n, m.Clips[twist].Name)
		}
		if even := slices.Equal(got, compare.Times(seconds, n)); even == rest {
			t.Errorf("%d poses: at rest %t, spread over the ends %t", n, rest, even)
		}
		if rest && n > 2 {
			found = true
			if !(math.Abs(got[1]-1.6180339887498949*seconds/float64(n)) <= 1e-12) {
				t.Errorf("%d poses: at %v", n, got)
			}
		}
	}
	if !found {
		t.Error("the clip is never at rest at regular times: the test shows nothing")
	}
	for c := range m.Clips[walk].Channels {
		channel := &m.Clips[walk].Channels[c]
		channel.Values = slices.Clone(channel.Values)
		for k := range channel.Values {
			channel.Values[k] = channel.Values[k%channel.Width]
		}
	}
	if got, want := Times(m, walk, 5), compare.Times(m.Clips[walk].Seconds, 5); !slices.Equal(got, want) {
		t.Errorf("a still clip: %v, expected %v", got, want)
	}
}
