// Package blendbones makes a nonlinear skinning method linear. It adds blend bones to the joints of a model. The matrix
// of a blend bone is Φ(u; C): the nonlinear operator Φ blends the joints' matrices C with the bone's fixed weights u.
// Then weights over blend bones and joints (the masters) are fitted, so that linear blending looks like the nonlinear
// method (ALNS: Kavan, Collins, O'Sullivan 2009, Algorithm 1).
//
// # How to read it
//
// [Recipe] is the list of the steps, [Ours] and [Published] the two lists that there are, and solve.go the loop that
// takes them in turn. A step reads an [input], which is the problem and stays as it is, and changes a [solution]: the
// bones so far and the weights of every vertex.
//
// # Where the speed is
//
// The normal equations of a vertex need only v̂ᵀ(Σ_f C_aᵀC_b)v̂: one 4×4 form per pair of bones, summed over all
// frames f ([linear.Form]). The gain of a candidate is computed again only where weights or bones have changed, and
// only while it may be the largest (candidates.go). The u-step needs the vertices only as sums of v̂v̂ᵀ and of
// residuals (ustep.go). The weights follow the bones within that step, so a few rounds converge where Algorithm 1
// takes a hundred (project.go).
package blendbones

import "skinlab/skinning"

// Recipe is a fit as a list of steps, in the order in which they are taken. A step that is left out is nil or 0. What a
// step buys is a row of docs/ablation.md.
type Recipe struct {
	// Refit: poses weigh what their clips do ([training.Set.Choose]), and the fit is made again, with more weight for
	// clips that it has made worse than linear blending ([fit.Learn]). Without it, poses weigh 1.
	Refit bool

	// PriorPoses are added to the given poses and decide what these leave open ([training.PriorPoses]). PriorWeight
	// is the weight of all of them together, where that of the given poses is 1, and MadePriorWeight is it where the
	// given poses are made from the skeleton.
	PriorPoses                   int
	PriorWeight, MadePriorWeight float64

	// Teacher is the operator whose shapes a fit is trained on, by the operator that was asked for. nil: that one.
	Teacher func(operator skinning.Method) skinning.Method

	// Masters returns the masters that vertices may follow beside those of the model. nil: none.
	Masters func(s *neighbours, joints []uint16) []uint16

	// Samples are the u-weights that are tried of a set of joints, by the number of joints (section 4.1). Candidates
	// are not tried on vertices whose error is below Skip times the mean.
	Samples func(joints int) [][]float64
	Skip    float64

	// Try returns the error of a vertex if it may follow the candidate of the workspace, too (section 4.1).
	Try func(s *solution, ws *workspace, v int) float64

	// Weights is the w'-step of a vertex (section 4.2). With anew, all bones in reach may enter at once; without, the
	// vertex may stay near its present weights.
	Weights func(s *solution, ws *workspace, v int, anew bool) weights

	// Bones is the u-step (section 4.3): it moves a group of bones, and leaves the weights to the w'-step that
	// follows. Where the two do not lower the error, they are taken back, and rounds end, or go on with ten times the
	// damping. Damping is that of the first round, as a share of the curvature, up to 1.
	Bones   func(s *solution, group []int, damping float64)
	Damping float64

	// Rounds of a u-step and a w'-step follow each new bone, at most. They end where one lowers the squared error by
	// less than the share Enough.
	Rounds int
	Enough float64

	// In the end all bones move together, Settle times, by SettleRounds of a u-step and a w'-step at most. Between
	// two of these times, Extend gives bones further joints, and reports whether any got one.
	Settle       int
	SettleRounds int
	Extend       func(s *solution) bool

	// Thin is the share of the mean error by which the error of a vertex may rise for fewer influences.
	Thin float64
}

// Ours returns the fit as it is. Its steps beside those of the paper are worth, as the ratio of EE without a step to EE
// with it in the geometric mean over the sets of docs/ablation.md, on the clip that is learnt and on others.
func Ours() *Recipe {
	return &Recipe{
		Refit:           true,
		PriorPoses:      12,
		PriorWeight:     0.01,
		MadePriorWeight: 1,
		Masters:         lineage,
		Samples:         fewSamples,
		Skip:            0.05,
		Try:             withCandidate,
		Weights:         exactWeights,
		Bones:           moveBones,
		Damping:         1e-3,
		Rounds:          3,
		Enough:          3e-4,
		Settle:          3,
		SettleRounds:    10,
		Extend:          extend,
		Thin:            0.03,
	}
}
