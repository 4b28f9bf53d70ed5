package skinning_test

import (
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
