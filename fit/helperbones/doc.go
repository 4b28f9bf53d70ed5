// Package helperbones builds helper bone rigs from examples (HBR: Mukai, "Building Helper Bone Rigs from Examples",
// 2015).
//
// A model has D primary joints, which an animator moves. An example is a pose of theirs and the shape that the skin
// should have in it. Linear blending of the primary joints alone cannot make these shapes: elbows collapse and muscles
// do not bulge. So H helper bones are added, which move by themselves as the primary joints do.
//
// [Decompose] (section 4, Algorithm 1) goes from [Examples] to a [Decomposition]: for every vertex at most K = 4 weights
// of primary joints and helper bones, and for every helper bone a rigid motion in each example. It minimises the sum of
// squared distances over vertices and examples (equation 3) in alternating steps:
//
//   - weights.go, equation (5): each vertex's weights for given motions, a quadratic program on the simplex.
//   - transforms.go, equation (6): each helper bone's motion for given weights, an absolute orientation problem.
//   - insert.go, equation (7): a new bone where the error is largest; removal of bones that move nearly nothing.
//   - decompose.go: their order. [Solver] does the steps one by one, for other orders.
//
// Beyond the paper, a new bone is where all vertices together gain most (gain.go), bones are inserted on some of the
// vertices and examples from several starts (sketch.go), rounds have momentum (accelerate.go), and bones are sorted so
// that the first ones alone are worth most (order.go). [Options].AsPublished does without.
//
// [Control] (section 5) replaces the free motions by controllers, polynomials of the primary joints' own rotations, and
// returns a [rig.HelperBones]:
//
//   - inputs.go: the rotations that the examples turn, as variables; polynomial.go, controller.go: their products
//     (equation 10), and which joints may take part.
//   - local.go: a motion relative to the parent (equation 9) as numbers.
//   - lasso.go, regression.go: equation (11), with λ by cross validation; parent.go: the parent (section 5.4).
//   - refine.go, normal.go: beyond the paper, weights and controllers until they agree.
//   - levels.go: weights for the first bones alone. suggest.go: which examples to make next.
//
// Weights need the examples only through sums over examples, and motions need the vertices only through sums over
// vertices (problem.go, sums.go). So a vertex costs the same for 31 and for 6,750 examples, once its sums are made.
package helperbones
