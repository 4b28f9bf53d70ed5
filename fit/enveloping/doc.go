// Package enveloping learns from example pairs (a skeletal pose, the skin that goes with it) how every part of a skin turns, scales and
// shears with the joints: enveloping by rotational regression (RTER: Wang, Pulli, Popović 2007, Real-Time Enveloping with Rotational
// Regression).
//
// # The steps
//
//   - Trained SSD (ssd.go): per vertex at most four joint weights by least squares. It is the baseline, and vertices that it predicts
//     well are fixed to it (section 4.2).
//   - Vertex reduction (cluster.go, reduce.go): contiguous groups of triangles that move together become proxy bones; the other vertices
//     blend at most four of them (section 5.1).
//   - Predictor reduction (reduce.go): triangles blend key deformation gradients, one per group (section 5.2).
//   - Rotational and shear regression (regression.go): each key gradient is predicted from one or two joint rotations (section 3).
//   - The reduced Poisson solve (assemble.go): which proxies agree best with the predicted gradients and the fixed vertices is linear in
//     both, t = c₁·d(q) + c₂·q (section 4.3).
//
// # Where it leaves the paper
//
// The clusters' transformations are fitted anew at every join, by the sums of the group. Weights, of joints, proxies and key gradients,
// sum to 1 exactly. Key gradients start from the clusters' transformations, before the proxies are fitted to work together, and are
// held near them: a key that only makes sense beside its neighbours turns as nothing on the skin does, and cannot be predicted from a
// joint. The second joint of a predictor is taken where Akaike's criterion says that the examples pay for it. Rotations that the
// regression may count as θ or θ − 2π are counted as nearest to what was seen. What the examples leave open is decided by the rig: keys
// are predicted from joints near those that bind their group (drivers.go), and supposed pairs of little weight show every joint turn by
// itself (supposed.go).
package enveloping
