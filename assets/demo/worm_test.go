package demo

import (
	"testing"

	"skinlab/skinning/compare"
)

// The worm's joints scale by the factors of its clips, and nothing shears: a node's scale is even.
func TestWormScales(t *testing.T) {
	m := made(t, "worm", "crawl", "swallow")
	for clip, factor := range []float64{1.3, 1.5} {
		one := *m
		one.Clips = m.Clips[clip : clip+1]
		s, ok := compare.Scales(&one)
		if size := max(s.Factor, 1/s.Factor); !ok || !(size >= factor-1e-4 && size <= factor+1e-4) { // rounded keys
			t.Errorf("%s: %v by %v, expected %g", one.Clips[0].Name, ok, s, factor)
		}
	}
	for _, name := range Names() {
		if s, ok := compare.Scales(must(t, name)); ok != (name == "worm") {
			t.Errorf("%s: scales %v: %v", name, ok, s)
		}
	}
}
