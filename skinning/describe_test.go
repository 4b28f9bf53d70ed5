package skinning_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"skinlab/internal/assetstest"
	"skinlab/skinning"
)

// TestDescribeJointsWithoutSkin: a joint that no vertex follows is counted, not warned of. One that twists alone follow
// is none of them.
func TestDescribeJointsWithoutSkin(t *testing.T) {
	m := assetstest.Open(t, "demo:tube")
	text := func() string {
		var out strings.Builder
		d := m.Describe()
		d.WriteText(&out)
		return out.String()
	}
	if n := m.JointsWithoutSkin(); n != 0 || strings.Contains(text(), "without skin") {
		t.Errorf("%d joints without skin:\n%s", n, text())
	}
	all, last := m.Skin.Influences, uint16(len(m.Skeleton.Joints)-1)
	m.Skin.Influences = skinning.Influences{}
	for range m.Skin.Positions {
		m.Skin.Append([]skinning.Influence{{Joint: 0, Weight: 1}}, 0)
	}
	if n := m.JointsWithoutSkin(); n != int(last) || !strings.Contains(text(), ", of which 3 without skin\n") ||
		len(m.Describe().Warnings) > 0 {
		t.Errorf("%d joints without skin:\n%s", n, text())
	}
	m.Skin.SetSecond(skinning.TwistSwing, &all)
	if n := m.JointsWithoutSkin(); n != 0 {
		t.Errorf("%d joints without skin by two weight sets", n)
	}
}

// TestSizeName: the size of a model with meshes below its joints is told to be that of its skin.
func TestSizeName(t *testing.T) {
	for skinned, want := range map[int]string{0: "Size", 60: "Size of the skin", 100: "Size"} {
		if d := (&skinning.Description{Vertices: 100, SkinnedVertices: skinned}); d.SizeName() != want {
			t.Errorf("%d of 100 vertices skinned: %q", skinned, d.SizeName())
		}
	}
}

func TestSizeText(t *testing.T) {
	for want, size := range map[string][3]float32{
		"0.3 × 1.8 × 1 m": {0.3, 1.8, 1}, "0.1 × 0.01 × 0 m": {0.1, 0.01, 0}, "1.23 × 3.246 × 8 mm": {0.00123, 0.003246, 0.008},
	} {
		if got := (&skinning.Description{Size: size}).SizeText(); got != want {
			t.Errorf("%v m is %q, expected %q", size, got, want)
		}
	}
}

// TestFrameRate: keys between frames, and keys that are left out, change the rate of keys and not that of frames.
func TestFrameRate(t *testing.T) {
	frames := func(rate float64) (times []float64) {
		for k := range 25 {
			times = append(times, 1+float64(float32(float64(k)/rate)))
		}
		return times
	}
	more := append(frames(24), 1.01, 1.02, 1.03, 1.5+1.0/48)
	slices.Sort(more)
	for _, test := range []struct {
		name         string
		times        []float64
		frames, keys float64
	}{
		{"none", nil, 0, 0}, {"one", []float64{1}, 0, 0}, {"two", []float64{0, 0.5}, 2, 2},
		{"even", frames(24), 24, 24}, {"film on video", frames(24000.0 / 1001), 24000.0 / 1001, 24000.0 / 1001},
		{"keys between", more, 24, 0}, {"three left out", slices.Delete(frames(24), 10, 13), 3, 0},
	} {
		got := [2]float64{skinning.FrameRate(test.times), skinning.KeyRate(test.times)}
		if math.Abs(got[0]-test.frames) > 1e-4*test.frames || math.Abs(got[1]-test.keys) > 1e-4*test.keys {
			t.Errorf("%s: %g frames and %g keys a second, expected %g and %g", test.name, got[0], got[1], test.frames, test.keys)
		}
	}
}
