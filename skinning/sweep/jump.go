package sweep

import (
	"math"
	"slices"

	"skinlab/skinning"
	"skinlab/skinning/geom"
	"skinlab/skinning/metrics"
)

// Jump is a step between two angles over which volumes jump, because two joints that share vertices pass half a turn
// against each other there. Methods that blend rotations take the shorter way round, which changes side at half a turn.
type Jump struct {
	Step   int   // from angle Step to the next one
	Curves []int // those whose volume at the joint jumps
}

// A jump is a step in which the volume at the joint changes by at least leastJump of its rest volume, one pixel in a
// plot of a hundred, and by at least jumpRatio times the change in a neighbouring step. The second condition excludes
// steep slopes.
const (
	leastJump = 0.01
	jumpRatio = 4
)

// jumps reports whether the volume jumps in a step.
func (c *Curve) jumps(step int) bool {
	v, beside := c.LocalVolume, step-1
	if step == 0 {
		beside = min(1, len(v)-2)
	}
	change := math.Abs(v[step+1] - v[step])
	return change >= leastJump && (beside == step || change >= jumpRatio*math.Abs(v[beside+1]-v[beside]))
}

// Jumps finds the jumps in the curves that [Run] has made with the options.
func Jumps(m *skinning.Model, opt Options, curves []Curve) (jumps []Jump) {
	for i, half := range halfTurns(m, &opt) {
		if !half {
			continue
		}
		jump := Jump{Step: i}
		for k := range curves {
			subject := &opt.Subjects[k]
			rotates := subject.Model != nil || subject.Method.Reads()&skinning.RigidParts != 0
			if rotates && curves[k].jumps(i) {
				jump.Curves = append(jump.Curves, k)
			}
		}
		if jump.Curves != nil {
			jumps = append(jumps, jump)
		}
	}
	return jumps
}

// halfTurnRounding is the cosine of half the angle between two joints below which they count as half a turn apart. It
// covers some roundings of float32, which decide there in which direction the kernels turn.
const halfTurnRounding = 1e-6

// halfTurns tells for each step whether two joints that share a vertex pass half a turn in it, its ends included. A
// step must be less than half a turn.
func halfTurns(m *skinning.Model, opt *Options) []bool {
	pairs := sharingPairs(m, opt.Joint)
	w := &worker{sweep: newSweep(m, &Options{Joint: opt.Joint, Axis: opt.Axis, Angles: opt.Angles, Centers: opt.Centers})}
	w.own = w.newActor(m)
	defer w.own.deformer.Close()
	before, now := make([]geom.Quat, len(pairs)), make([]geom.Quat, len(pairs))
	half := make([]bool, len(opt.Angles)-1)
	for i := range opt.Angles {
		w.pose(i)
		rigid := w.own.frame.Rigid()
		for k, p := range pairs {
			now[k] = rigid[p[0]].Real.Conjugate().Mul(rigid[p[1]].Real)
			if i == 0 {
				continue
			}
			a, b := before[k], now[k]
			if a[3] < 0 {
				a = a.Scale(-1)
			}
			if a.Dot(b) < 0 { // continuously from a to b
				b = b.Scale(-1)
			}
			half[i-1] = half[i-1] || a[3] <= halfTurnRounding || b[3] <= halfTurnRounding
		}
		before, now = now, before
	}
	return half
}

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

// sharingPairs lists the pairs of joints that share vertices and of which one turns with the joint.
func sharingPairs(m *skinning.Model, joint int) [][2]uint16 {
	turns := metrics.Below(&m.Skeleton, joint)
	return slices.DeleteFunc(metrics.NewHalfTurns(m).Pairs(), func(p [2]uint16) bool { return turns[p[0]] == turns[p[1]] })
}
