// Package ssdr decomposes examples into weights and the motions of bones: Algorithm 1 of HBR (Mukai, "Building Helper
// Bone Rigs from Examples", 2015, section 4). It is the smooth skinning decomposition with rigid bones of Le and Deng
// (SSDR, 2012) with another insertion of bones. Sections and equations are HBR's where no other paper is named.
//
// [training.Examples] come in: a rest pose of V vertices, and N pairs of a pose of D primary joints and the shape that the skin
// should have in it. D may be 0. A [Decomposition] goes out: for every vertex at most K = 4 weights of primary joints
// and helper bones, and for each of H helper bones a rigid motion in every example. It minimises the sum of squared
// distances over vertices and examples (equation 3).
//
// [Recipe] is the list of the steps, [Ours] and [Published] the two lists that there are, and decompose.go the loop
// that takes them in turn:
//
//   - insert.go, equation (7): a new bone; removal of bones that move nearly nothing.
//   - transforms.go, equation (6): each helper bone's motion for given weights, an absolute orientation problem.
//   - weights.go, equation (5): each vertex's weights for given motions, a quadratic program on the simplex.
//
// Weights need the examples only through sums over examples, and motions need the vertices only through sums over
// vertices (solver.go, sums.go). So a vertex costs the same for 31 and for 6,750 examples, once its sums are made.
// [Solver] offers the steps one by one. It also gives these sums to fits that move the helper bones in another way, as
// package helperbones does by controllers.
package ssdr
