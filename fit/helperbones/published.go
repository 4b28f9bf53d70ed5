package helperbones

import (
	"github.com/go-gl/mathgl/mgl64"

	"skinlab/fit/linear"
	"skinlab/fit/ssdr"
	"skinlab/skinning"
)

// Published returns the fit of the paper.
func Published() *Recipe {
	return &Recipe{
		Decompose: ssdr.Published(), // section 4
		Inputs:    allTurned,        // equation (10)
		Parents:   allJoints,        // section 5.4
		Place:     ofParent,         // section 5.1
	}
}

// allTurned lets all joints that turn take part in every controller.
func allTurned(_ []skinning.Joint, turned []input, _ []float64) []int { return indices(len(turned)) }

// allJoints tries every joint as the parent.
func allJoints(reached []float64) []int { return indices(len(reached)) }

// ofParent is the parent's origin.
func ofParent(c *controlling, parent int, _ *linear.Moment) mgl64.Vec3 {
	return c.skeleton.Joints[parent].Position.Sub(c.solver.Middle())
}

// differs lists the steps of HBR that --as-published takes in another way.
var differs = []string{
	"Section 4: vertices of one place in all shapes have one weight, so that seams stay closed.",
	"Section 4.1: the first weights are the file's, solved once; the paper starts without them.",
	"Section 4.1: the quadratic program has the 64 joints of a vertex's skeleton that predict it best and those of the " +
		"file. The paper's has all joints.",
	"Section 5: a product of angles that varies by less than a hundred thousandth of its size has no term.",
	"Section 4.1: after the K bones of most effect, exchanges of one bone are tried too, and the weights before are kept " +
		"where they are better.",
	"Section 4.3: a bone that influences too few vertices is tried again at the next worst one, and insertion ends after 8 " +
		"such bones in a row. Vertices whose error is rounding get none.",
	"Algorithm 1, line 12: rounds end after 60, or where 5 lower the error by less than 0.05 % each. The paper has an error " +
		"threshold.",
	"Section 5.2: the rotations of roots are no variables. A joint that turns by less than half a degree about an axis has no " +
		"variable for it; the paper always has three.",
	"Section 5.3: variables are clamped to their range in the examples and a quarter of it beyond.",
	"Section 5.3: errors of translation and rotation are weighed by how far they move the skin, and variables have the same " +
		"variance, so that one λ serves all. It is a share of the least λ that leaves no term. Cross validation chooses it " +
		"where --lambda does not.",
	"Section 5.4: parents are compared by cross validation; the paper compares them by the value of equation 11.",
	"A result that is worse over the examples than the file's weights is dropped.",
}
