package helperbones

import (
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/linear"
	"skinlab/fit/ssdr"
	"skinlab/skinning"
)

// Recipe is a fit as a list of steps, in the order in which they are taken. A step that is left out is nil or 0. What a
// step buys is a row of docs/ablation.md.
type Recipe struct {
	// PriorPoses are added to the poses of clips that a method teaches ([withPriorPoses]). PriorWeight is the weight
	// of all of them together at most, where that of the clips' poses is 1.
	PriorPoses  int
	PriorWeight float64

	// Decompose is the recipe by which weights, and motions of the bones that are free in each example, are found
	// (section 4).
	Decompose *ssdr.Recipe

	// Inputs lists the joints that may take part in a controller, of those that the examples turn. Reached has how
	// much of the skin under the bone each joint moves.
	Inputs func(joints []skinning.Joint, turned []input, reached []float64) []int

	// Still is the share of the largest size that a product of angles can have within the range of the examples.
	// Where its standard deviation is below this share, it is left out: the examples do not determine its
	// coefficient. Most sets do not need this. Where every fifth pose of the real arm is held out, rigs of 2, 4 and 8
	// bones are 40 to 110 mm off in the held-out poses without it, and linear blending is 4.6 mm off.
	Still float64

	// Parents lists the joints that are tried as a bone's parent (section 5.4).
	Parents func(reached []float64) []int

	// Place returns the place about which a bone turns, relative to the middle of the rest pose. Own is the moment of
	// the points under it.
	Place func(c *controlling, parent int, own *linear.Moment) mgl64.Vec3

	// Refine is the number of rounds at most in which controllers and weights are solved again in turn
	// ([controlling.refine]). They end where one lowers the RMS error by less than the share Enough.
	Refine int
	Enough float64
}

// Ours returns the fit as it is.
func Ours() *Recipe {
	return &Recipe{
		PriorPoses:  24,
		PriorWeight: 0.2,
		Decompose:   ssdr.Ours(),
		Inputs:      jointsNear,
		Still:       0.05,
		Parents:     joined,
		Place:       ownPlace,
		Refine:      10,
		Enough:      2e-3,
	}
}
