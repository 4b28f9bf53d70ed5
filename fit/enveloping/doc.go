// Package enveloping learns from example pairs (a skeletal pose, the skin that goes with it) how every part of a skin
// turns, scales and shears with the joints: enveloping by rotational regression (RTER: Wang, Pulli, Popović 2007,
// Real-Time Enveloping with Rotational Regression).
//
// # The steps
//
//   - Trained SSD (ssd.go): per vertex at most four joint weights by least squares. It is the baseline, and vertices
//     that it predicts well are fixed to it (section 4.2).
//   - Vertex reduction (cluster.go, reduce.go): contiguous groups of triangles that move together become proxy bones;
//     the other vertices blend at most four of them (section 5.1).
//   - Predictor reduction (reduce.go): triangles blend key deformation gradients, one per group (section 5.2).
//   - Rotational and shear regression (regression.go): each key gradient is predicted from one or two joint rotations
//     (section 3).
//   - The reduced Poisson solve (assemble.go): which proxies agree best with the predicted gradients and the fixed
//     vertices is linear in both, t = c₁·d(q) + c₂·q (section 4.3).
//   - The end (refine.go): c₁ and c₂ are fitted to the positions of the examples (adjust.go), and the free vertices and
//     those around them get their final weights, over joints and proxies (mixed.go), twice in turn.
//
// # Where it leaves the paper
//
// The clusters' transformations are fitted anew at every join, by the sums of the group. Weights, of joints, proxies
// and key gradients, sum to 1 exactly. Key gradients are those of the clusters, before the proxies are fitted to work
// together, and are not fitted themselves: a key that only makes sense beside its neighbours turns as nothing on the
// skin does, and cannot be predicted from a joint. The second joint of a predictor is taken where Akaike's criterion
// says that the examples pay for it, and the ridge of H that predicts examples left out best. Rotations that the
// regression may count as θ or θ − 2π are counted on from the nearest that was seen; where a pose at run time comes
// near a half turn from the middle of those, where θ must jump, both predict, and a clip does not jump, live or baked.
// What the examples leave open is decided by the rig: keys are predicted from joints near those that bind their group
// (joints.go), prior pairs of little weight show every joint turn by itself (priors.go), and where these agree
// with the examples, more of them show how the skin begins to move in directions that the examples do not show
// (priors.go). The joints of a flat rig hang on each other (flatrigs.go).
//
// The paper ends with the Poisson solve. Its errors add up along the surface, most on coarse meshes, where true key
// gradients alone can give more error than trained SSD has. So c₁ and c₂, whose form stays, are also regressed on where
// the vertices are in the examples, and a vertex may blend joints with proxies. How far either goes is decided on
// examples that the predictors have not seen, where there are more than eight poses (forecast.go); where there are
// fewer, as many proxies are taken as miss them least. A vertex that the proxies do not predict surely better keeps its
// SSD weights, so that no training error is above trained SSD's.
//
// Final weights w_v minimise Σ_i ‖e_v^i‖² + λ·Σ_i ‖e_v^i − ē_v^i‖², where e_v^i = Σ_b w_vb·T_b^i·ŷ_v − y_v^i is what a
// vertex is off by in example i and ē_v^i the mean of that over its 1-ring, as the round before left it (mixed.go). The
// second term keeps a surface that cannot be met exactly free of dents; it costs nothing where neighbours are off
// alike.
package enveloping
