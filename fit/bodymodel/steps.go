package bodymodel

import "context"

// Recipe is a fit as its list of steps, in their order (EBM sections 3 and 4). A body starts with the model's
// skeleton, or with limbs that are found in the scans, and with poses by Procrustes' method. Then rounds of the three
// steps lower Q until it stalls, first at the smaller weights of the Laplacian. No step raises Q.
type Recipe struct {
	Skeleton bool      // start with the model's skeleton and weights, where it has one and no limbs are asked for
	Alphas   []float64 // weights of the Laplacian, ascending, at which rounds run before they run at the one asked for

	Weights  Step // both sets of skinning weights
	Vertices Step // the bind shape
	Joints   Step // joints and poses
	Poses    Step // poses alone, in place of Joints where joints are to stay

	// JointTurn is the turn between a limb and its parent, in radians, that suffices to locate their joint: a shift
	// of the joint counts as if it moved the limb's vertices by JointTurn times the shift in every scan. Without it
	// joints that the scans do not show fly off.
	JointTurn float64
	Stall     float64 // rounds end when one lowers Q by a smaller share
}

// Step improves a body, whose palettes and differences from the scans are current before and after it. Where ctx is
// cancelled it ends early.
type Step func(ctx context.Context, f *solver) error

// Ours is the recipe that fits use. It differs from the [Published] one in where it starts, in one more weight of the
// Laplacian, without which a vertex hardly moves unless its neighbours do, and in how weights are found.
func Ours() *Recipe {
	return &Recipe{
		Skeleton: true, Alphas: []float64{0},
		Weights: bestWeights, Vertices: leastSquaresVertices, Joints: gaussNewtonJoints, Poses: gaussNewtonPoses,
		JointTurn: 0.01, Stall: 2e-2,
	}
}
