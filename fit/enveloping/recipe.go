package enveloping

import "skinlab/fit/training"

// Recipe is a fit as a list of steps, in the order in which they are taken. A step that is left out is nil or 0. What a
// step buys is a row of docs/ablation.md.
type Recipe struct {
	// Rig lets the fit know the rig's weights. Without them there are no prior poses.
	Rig bool

	// PriorPoses and the rest pose are appended to the given ones with PriorWeight each, where a given one has 1. In
	// them trained SSD learns what linear blending makes of the rig's weights, and the proxies what dual quaternions
	// make of them.
	PriorPoses  int
	PriorWeight float64

	// Refit fits the transformations of a group anew when another group joins it (section 5.1, step 2). Without, it
	// keeps them until step 4.
	Refit bool

	// Rounds of coordinate descent find the weights over proxies and the proxies' matrices (section 5.1, steps 3 and
	// 4).
	Rounds int

	// Keys fits key gradients together (section 5.2). nil: a key gradient is that of its group.
	Keys func(s *solution)

	// Drivers lists the joints that may predict each key (section 3.2), and the joint that each proxy follows at first.
	Drivers func(x *training.Examples, group []int32, keys int) (drivers [][]int, base []int)

	// SecondTerm fits a second joint to the rotations that the first leaves (section 3.2, at the end).
	SecondTerm bool

	// PolarShear makes S that of the polar decomposition (section 3.3). Without, it is what the predicted rotation
	// leaves. ShearRidge is the ridge of H.
	PolarShear bool
	ShearRidge float64

	// Matrices makes c₁ and c₂ (section 4.3).
	Matrices func(s *solution) error

	// Refine is how often c₁ and c₂ and then the weights over joints and proxies are fitted to the positions of the
	// examples. Ridge is that of c₁ and c₂. In the end a vertex that trained SSD predicts better gets its weights.
	Refine int
	Ridge  float64
}

// Ours returns the fit as it is.
func Ours() *Recipe {
	return &Recipe{
		Rig:         true,
		PriorPoses:  24,
		PriorWeight: 0.005,
		Refit:       true,
		Rounds:      1,
		Drivers:     nearJoints,
		ShearRidge:  0.01,
		Matrices:    followBase,
		Refine:      4,
		Ridge:       1e-4,
	}
}
