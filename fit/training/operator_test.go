package training

import (
	"testing"

	"skinlab/internal/assetstest"
	"skinlab/skinning"
)

// TestOperatorWarning: a method without scale is warned of where a joint scales, and nowhere else.
func TestOperatorWarning(t *testing.T) {
	m := assetstest.Open(t, "demo:tube")
	if says := OperatorWarning(m, skinning.DQS); says != "" {
		t.Errorf("a rigid model: %q", says)
	}
	m.Clips = append(m.Clips, skinning.Clip{Name: "beat", Seconds: 1, Channels: []skinning.Channel{{
		Node: m.Skeleton.Joints[2].Node, Path: skinning.PathScale, Width: 3, Times: []float32{0, 1},
		Values: []float32{1, 1, 1, 1.3, 1.3, 1.3}}}})
	for _, by := range skinning.Operators() {
		if says := OperatorWarning(m, by) != ""; says != (by == skinning.DQS || by == skinning.SBS) {
			t.Errorf("%v: %q", by, OperatorWarning(m, by))
		}
	}
}
