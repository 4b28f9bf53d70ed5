package sweep

import (
	"skinlab/skinning"
	"skinlab/skinning/metrics"
)

// HalfTurns lists the angles in whose poses joints are half a turn apart, by the rule of [metrics.HalfTurns], and returns
// the farthest.
func HalfTurns(m *skinning.Model, opt Options) (angles []int, farthest metrics.HalfTurn) {
	w := &worker{sweep: newSweep(m, &Options{Joint: opt.Joint, Axis: opt.Axis, Angles: opt.Angles, Centers: opt.Centers})}
	w.own = w.newActor(m)
	defer w.own.deformer.Close()
	rule := metrics.NewHalfTurns(m)
	for i := range opt.Angles {
		w.pose(i)
		if turn, found := rule.Of(w.own.frame); found {
			angles = append(angles, i)
			if turn.Degrees > farthest.Degrees {
				farthest = turn
			}
		}
	}
	return angles, farthest
}
