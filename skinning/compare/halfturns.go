package compare

import (
	"context"

	"skinlab/skinning"
	"skinlab/skinning/metrics"
)

// HalfTurnSpan is a part of a clip in which joints that share vertices are half a turn apart.
type HalfTurnSpan struct {
	From, To         float64 // seconds in the clip, of the first and the last such pose
	metrics.HalfTurn         // of the pose in which they are farthest apart
}

// halfTurnRate is the number of poses of a clip a second at which half turns are looked for, and mostHalfTurnPoses the
// largest number of poses.
const (
	halfTurnRate      = 30
	mostHalfTurnPoses = 1024
)

// HalfTurnSpans lists the parts of a clip whose poses are half turns by [metrics.HalfTurns], in the order of time, from
// 30 poses a second and at most 1,024. It is nil where ctx is done.
func HalfTurnSpans(ctx context.Context, m *skinning.Model, clip int, shortestPath bool) (spans []HalfTurnSpan) {
	if len(m.Skin.Positions) == 0 || clip < 0 || clip >= len(m.Clips) {
		return nil
	}
	rule, posed := metrics.NewHalfTurns(m), Pose(m, clip, shortestPath)
	seconds, before := m.Clips[clip].Seconds, false
	for _, t := range Times(seconds, min(int(seconds*halfTurnRate)+1, mostHalfTurnPoses)) {
		if ctx.Err() != nil {
			return nil
		}
		turn, found := rule.Of(posed.At(t))
		switch {
		case found && !before:
			spans = append(spans, HalfTurnSpan{t, t, turn})
		case found:
			last := &spans[len(spans)-1]
			last.To = t
			if turn.Degrees > last.Degrees {
				last.HalfTurn = turn
			}
		}
		before = found
	}
	return spans
}
