package compare

import (
	"context"
	"skinlab/skinning"
	"skinlab/skinning/metrics"
)

// Apart is the error of a subject in the poses of half turns, see [metrics.HalfTurns]. They are in no other number of
// the subject, unless all poses are half turns: then there is nothing else to measure.
type Apart struct {
	Poses  int     `json:"poses"`
	RMS    float64 `json:"rms"` // as the fields of the subject that are called so
	Max    float64 `json:"max"`
	Joints string  `json:"joints"` // the two that are farthest apart, and the angle
	// Degrees is that angle.
	Degrees float64 `json:"degrees"`
}

// apart finds the poses of a list that are half turns: a mark for each, nil where there are none.
type apart struct {
	marks    []bool
	count    int
	every    bool // all are
	farthest metrics.HalfTurn
}

// findApart looks at n poses, which frame returns.
func findApart(m *skinning.Model, n int, frame func(i int) *skinning.Frame) *apart {
	rule := metrics.NewHalfTurns(m)
	a := &apart{marks: make([]bool, n)}
	for i := range a.marks {
		turn, found := rule.Of(frame(i))
		if !found {
			continue
		}
		a.marks[i] = true
		a.count++
		if turn.Degrees > a.farthest.Degrees {
			a.farthest = turn
		}
	}
	a.every = a.count == n
	return a
}

// takes reports whether pose i is measured with the others.
func (a *apart) takes(i int) bool { return a.every || !a.marks[i] }

// error returns the errors in these poses, nil where there are none.
func (a *apart) error(m *skinning.Model, rms, most float64) *Apart {
	if a.count == 0 {
		return nil
	}
	return &Apart{a.count, rms, most, a.farthest.Text(m), a.farthest.Degrees}
}

// Note says in a sentence which poses are half turns, of how many that were measured, and what that means for methods
// and fits; "" for nil.
func (a *Apart) Note(poses int) string {
	if a == nil {
		return ""
	}
	text := metrics.HalfTurnNote(a.Poses, poses, a.Joints)
	if a.Poses == poses {
		return text + " They are counted, and learnt by fits, only because there are no others."
	}
	return text + " They are in no other number, and only decompositions learn from them."
}

// rateOfClips is the number of poses a second at which clips are measured, and mostPosesOfClip the largest number of
// poses of a clip.
const (
	rateOfClips     = 30
	mostPosesOfClip = 241
)

// PosesOf returns how many poses of a clip are measured: 30 a second with both ends, and at most 241. All
// that measures a whole clip takes as many, or says how many it takes.
func PosesOf(seconds float64) int {
	return min(int(seconds*rateOfClips+0.01)+1, mostPosesOfClip)
}

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
