// Package skin poses models on the GPU. In comes a skinning.Frame, whose palette holds a matrix M_j per joint and what
// else a method reads; out comes x' = Φ(x) for every vertex x, for linear blending Σ_k w_k·M_k·x, in a buffer that all
// passes of a picture read.
//
// A [Model] has the static streams of a model: vertices at rest, and for the file's skin and for a fitted one a
// [Binding] of them to joints. A [Poser] sends the palette, solves for proxy bones where a rig has them, adds morph
// targets and runs the method's GLSL function over all vertices, by one of the [Way]s: a compute stage, transform
// feedback, or not at all where the vertex stages of later passes pose. A [Crowd] is the same with one palette per
// instance in one buffer, and the instance's number to step through it.
package skin
