package viewer

import (
	"slices"
	"testing"

	"skinlab/skinning"
)

func TestClipsAreFoundByName(t *testing.T) {
	old, now := demo(t, "demo:figure"), demo(t, "demo:figure")
	now.Clips = slices.Clone(now.Clips)
	slices.Reverse(now.Clips)
	n := len(old.Clips)
	if got := sameClip(old, 0, now); got != n-1 {
		t.Errorf("clip 0 of the older is %d of the newer, expected %d", got, n-1)
	}
	now.Clips = now.Clips[:1]
	for clip, want := range map[int]int{-1: -1, 1: 0, n - 1: 0} {
		if got := sameClip(old, clip, now); got != want {
			t.Errorf("clip %d of the older is %d of the newer, expected %d", clip, got, want)
		}
	}
	if got := sameClip(old, 2, &skinning.Model{}); got != -1 {
		t.Errorf("clip %d where there is none", got)
	}
}
