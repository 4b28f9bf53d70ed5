package ssdr

import (
	"skinlab/skinning/geom"
	"skinlab/skinning/metrics"
)

// Recipe is a decomposition as a list of steps, in the order in which they are taken. A step that is left out is 0.
// What a step buys is a row of docs/ablation.md.
type Recipe struct {
	// Hold is the strength with which weights are held to those of the rig, where there are any: weights at distance
	// 1 from the rig's must lower the root mean square error by at least this share of the diagonal. It decides what
	// the examples leave open, as the weights of fingers that no example moves.
	Hold float64

	// NewBone returns the motion of a new helper bone, and the point where it begins (section 4.3). Barred points are
	// not tried. Trial is the number of rounds by which a bone is fitted before it is compared with others. The
	// motion is nil where there is no place for a bone.
	NewBone func(s *Solver, barred []bool, trial int) (motion []geom.Affine, point int)

	// Starts are the values of trial with which all bones are inserted on some of the vertices and examples. The best
	// start goes on with all of them. nil: bones are inserted once, on all vertices and examples.
	Starts []int

	// RoundsBetween is the number of rounds of motions and weights after each new bone.
	RoundsBetween int

	// Sweeps is the number of passes over the helper bones for each set of weights (section 4.2). A pass solves their
	// motions one after another.
	Sweeps int

	// Momentum is the share of the change since the round before by which a round's motions are extrapolated at first.
	Momentum float64

	// Thorough is the number of rounds of which one solves weights over all joints (section 4.1). The others exchange
	// the bones that a vertex follows for helper bones alone.
	Thorough int

	// Rounds follow the last bone, at most. They end where each lowers the RMS error by less than the share Enough.
	Rounds int
	Enough float64

	// Trim is the share of the diagonal by which the root mean square error of a vertex may rise in the end for fewer
	// influences.
	Trim float64
}

// Ours returns the decomposition as it is.
func Ours() *Recipe {
	return &Recipe{
		Hold:          2e-4,
		NewBone:       ofLargestGain,
		Starts:        []int{2, 0, 4},
		RoundsBetween: 8,
		Sweeps:        8,
		Momentum:      0.5,
		Thorough:      8,
		Rounds:        60,
		Enough:        5e-4,
		Trim:          metrics.KernelRounding,
	}
}
