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
//   - decompose.go: their order.
//
// Weights need the examples only through sums over examples, and motions need the vertices only through sums over
// vertices (problem.go, sums.go). So a vertex costs the same for 31 and for 6,750 examples, once its sums are made.
package helperbones
