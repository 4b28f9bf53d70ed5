// Package enveloping learns from example pairs (a skeletal pose and the skin that goes with it) how every part of a
// skin turns, scales and shears with the joints. It is enveloping by rotational regression (RTER: Wang, Pulli, Popović
// 2007, Real-Time Enveloping with Rotational Regression).
//
// [Examples] come in: a rest pose with triangles, the parents of the joints, the weights of the rig, and pairs of joint
// matrices and vertex positions. A [Model] goes out: weights over joints and proxy bones, and a rig that computes the
// proxies' matrices from the joints' in any pose.
//
// # How to read it
//
// [Recipe] is the list of the steps, [Ours] and [Published] the two lists that there are, and solve.go takes them in
// turn. A step changes a [solution].
//
//   - Trained SSD (ssd.go): at most four joint weights a vertex, by least squares. It is the baseline, and vertices
//     that it predicts well are fixed to it (section 4.2).
//   - Vertex reduction (cluster.go, group.go, proxies.go): contiguous groups of triangles that move together become
//     proxy bones; the vertices that are not fixed blend at most four of them (section 5.1).
//   - Rotational and shear regression (drivers.go, regression.go): the deformation gradient of each group, its key, is
//     predicted from the rotation of a joint (section 3).
//   - Matrices (matrices.go): t = c₁·d(q) + c₂·q makes the proxies' matrices of the predicted gradients d and the joints'
//     matrices q (section 4.3). C₁, c₂ and the weights of the vertices, over joints and proxies, are fitted to the
//     positions of the examples in turn.
//
// # Where it leaves the paper
//
// The paper ends with a Poisson solve (poisson.go): the proxies that agree best with the predicted gradients and the
// fixed vertices. Its errors add up along the surface, most on coarse meshes, where even true gradients can give more
// error than trained SSD has. Positions are the aim, and the examples give them. So c₁ and c₂ keep their form, and are
// fitted to positions by ridge regression.
//
// Examples do not determine everything. So poses in which every joint turns independently are appended with little
// weight, with the skin that dual quaternions make of the rig's weights (priors.go), and a key is predicted from a
// joint that binds its group, or a parent or child of one.
//
// A key is the gradient of its group. One that is fitted together with its neighbours (section 5.2) turns as no part of
// the skin does, and cannot be predicted from a joint. S is what the predicted rotation leaves, so that it corrects
// errors of the rotation. The transformation of a group is fitted anew in each join.
//
// docs/ablation.md has a row for each of these steps. Two things that the paper leaves open are the same in both
// lists: the choice between the rotation vectors of one rotation (without it figure 13 fails, as the bar's examples
// turn by 180 degrees), and that weights sum to 1. Near half a turn from the middle of the examples, a pose at run
// time blends the predictions of two vectors, so that a clip does not jump.
package enveloping
