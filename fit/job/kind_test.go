package job

import "testing"

// TestKind: one example is counted as one.
func TestKind(t *testing.T) {
	for want, r := range map[string]Report{
		"shape": {Operator: "examples", Frames: 1}, "shapes": {Operator: "examples", Frames: 2},
		"dqs pose": {Operator: "dqs", Frames: 1}, "dqs poses": {Operator: "dqs", Frames: 12},
	} {
		if got := (&EnvelopeReport{Report: r}).kind(); got != want {
			t.Errorf("%d of %s: %q, expected %q", r.Frames, r.Operator, got, want)
		}
	}
}
