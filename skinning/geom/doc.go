// Package geom holds the geometry that skinning is written in: unit quaternions ([Quat]), 3×3 and 3×4 matrices ([Mat3],
// [Affine], [Symmetric]), dual quaternions ([DualQuat]) with their logarithm and exponential, the polar decomposition
// of a matrix into rotation and scale ([PolarDecompose]), and glTF's translation, rotation and scale ([Transform]). It
// computes in float64; vectors are mgl64's. [Mat34] and [DualQuat32] are the results rounded to float32, laid out as
// palettes and the GPU hold them.
//
// Mul and SetProduct, Affine and AffineTo, Float32 and Float32To are pairs: the first returns a value, the second
// writes it in place and copies no matrix, for inner loops.
package geom
