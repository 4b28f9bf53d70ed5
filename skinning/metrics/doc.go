// Package metrics measures posed skins: their distance from a reference ([Errors] over clips, in float64; [Meter] in
// one pose, many times a second), the volume that they enclose ([Volume], [NewRegion]), their open edges
// ([Body.OpenEdges]), and the triangle that a ray meets ([Pick]).
//
// EE, the enveloping error, is 100·sqrt(Σ‖v − v'‖² / Σ‖v − C_r·v_rest‖²) percent: v are the wanted positions, v' the
// measured ones, and C_r is the matrix of the one joint r that predicts the vertex best (ALNS section 5, RTER 7.1).
package metrics
