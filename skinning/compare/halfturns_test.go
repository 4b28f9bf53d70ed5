package compare

import (
	"context"
	"math"
	"testing"

	"skinlab/skinning"
	"skinlab/skinning/metrics"
)

// The prism's clip twists one joint against the other from 0 to 180 degrees within a second: from 170 on it is a half
// turn. Rotations that are followed through the clip have none.
func TestHalfTurnSpans(t *testing.T) {
	m := prism()
	spans := HalfTurnSpans(context.Background(), m, 0, true)
	if len(spans) != 1 || !(spans[0].From > 170.0/180 && spans[0].From <= 170.0/180+1.0/halfTurnRate) || spans[0].To != 1 ||
		spans[0].Joints != [2]int{0, 1} || !(math.Abs(spans[0].Degrees-180) <= 0.1) {
		t.Errorf("half turns: %+v", spans)
	}
	if spans := HalfTurnSpans(context.Background(), m, 0, false); spans != nil {
		t.Errorf("half turns of followed rotations: %+v", spans)
	}
}

// A trace of weight is not shared: the rule is about vertices that two joints move.
func TestHalfTurnsLeaveOutTraces(t *testing.T) {
	m := prism()
	at := Pose(m, 0, true).At(1)
	if _, found := metrics.NewHalfTurns(m).Of(at); !found {
		t.Error("no half turn at the end of the clip")
	}
	m.Skin.Influences = skinning.Influences{}
	for range m.Skin.Positions {
		m.Skin.Append([]skinning.Influence{{Joint: 0, Weight: 0.95}, {Joint: 1, Weight: 0.05}}, 0)
	}
	if turn, found := metrics.NewHalfTurns(m).Of(at); found {
		t.Errorf("joints that share no vertex: %+v", turn)
	}
}
