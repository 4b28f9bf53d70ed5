package enveloping

import "slices"

// WeightsDiffer lists how trained weights as published differ from RTER: see [fit.Method.Differs].
var WeightsDiffer = []string{
	"Sections 4.2, 7: weights sum to 1 exactly; the paper does not say how its non-negative least squares see to that.",
	"Section 7: of the best weights over all joints, those that cost least are dropped until four are left, and joints are " +
		"exchanged as long as the error falls; the paper says that there are four at most, and not which.",
	"Vertices at one place, such as both sides of a UV seam, are one vertex.",
}

// differs lists how enveloping as published differs from RTER, in the order of the paper's sections.
var differs = slices.Concat([]string{
	"Section 3.2: joints of a skeleton without a tree get parents, by the rig's weights.",
	"Section 3.2: of the rotation vectors of one rotation, which differ by full turns, the one next to that of the nearest " +
		"example, or to the prediction, is taken; the paper does not say which.",
	"Section 3.2.2: every key follows two joints; the paper has a second one where it is needed.",
	"Section 3.3: H has a ridge of 1e-8 of the mean square of the rotations, for examples that do not determine it.",
	"Section 4.2: F is the vertices with an error below 0.6 of the mean (--rigid), and those of no triangle with an area; the " +
		"paper gives no threshold.",
	"Section 4.3: proxies are held to their keys by 1e-6 of the mean diagonal, and vertices to trained weights by 1e-6 of an " +
		"edge, so that the system can be solved.",
	"Section 5.1: groups are joined down to the number of proxies asked for, and not to an error ε.",
	"Section 5.1: steps 3 and 4 are made in three rounds after all joins, and not between joins.",
	"Section 5.1: a vertex chooses among the ten nearest of the proxies that it may depend on, and follows four at most, " +
		"whose weights sum to 1.",
	"Section 5.1, step 4: transformations have a ridge of 0.1 of the mean diagonal about those of the groups.",
	"Section 5.2: β is not negative, sums to 1, and is over the keys within reach of the triangle's vertices.",
	"Section 5.2: key gradients have a ridge of 1e-3 of the mean diagonal about those of the round before.",
}, WeightsDiffer)
