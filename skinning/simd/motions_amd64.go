package simd

import "fmt"

// Signs fills the table of hemispheres that the kernels of quaternions choose entries by: entry [pivot·stride + joint]
// is twice the joint, and one more where the product of the two unit quaternions is below tie, so that the joint's
// opposite is the pivot's neighbour, times [SignUnit]. Quaternions are by component, stride floats from one to the
// next; stride is a multiple of [SignsStep] and no less than joints, of which there are at most 4,095.
func Signs(table *uint16, quaternions *float32, joints, stride int, tie float32) {
	signsAVX2(table, quaternions, joints, stride, tie)
}

// Dual is dual quaternion skinning: by the motion of Σ ±w_k·q̂_k, of any length. The palette has entries of
// [EntryFloats]: a unit dual quaternion, real part first, then its opposite. Signs is the table of [Signs], and row the
// bytes of a row of it. Where signs is nil, no motion is flipped: entries begin with the one that is read. Else as
// [Linear].
func Dual(level Level, positions, normals, rest, restNormals *float32, bindings *uint16, palette *float32,
	counts *uint8, groups int, signs *uint16, row int) {
	switch {
	case level == AVX2 && signs == nil:
		dualNearAVX2(positions, normals, rest, restNormals, bindings, palette, counts, groups, signs, row)
	case level == AVX2:
		dualAVX2(positions, normals, rest, restNormals, bindings, palette, counts, groups, signs, row)
	case level == AVX512 && signs == nil:
		dualNearAVX512(positions, normals, rest, restNormals, bindings, palette, counts, groups, signs, row)
	case level == AVX512:
		dualAVX512(positions, normals, rest, restNormals, bindings, palette, counts, groups, signs, row)
	default:
		panic(fmt.Sprintf("simd: Dual: no %v form", level))
	}
}

// ScaleDual is [Linear] with the palette scales, whose entries are symmetric in their first three columns as a polar
// decomposition makes them, then [Dual].
func ScaleDual(level Level, positions, normals, rest, restNormals *float32, bindings *uint16, palette *float32,
	counts *uint8, groups int, signs *uint16, row int, scales *float32) {
	switch {
	case level == AVX2 && signs == nil:
		scaleDualNearAVX2(positions, normals, rest, restNormals, bindings, palette, counts, groups, signs, row, scales)
	case level == AVX2:
		scaleDualAVX2(positions, normals, rest, restNormals, bindings, palette, counts, groups, signs, row, scales)
	case level == AVX512 && signs == nil:
		scaleDualNearAVX512(positions, normals, rest, restNormals, bindings, palette, counts, groups, signs, row, scales)
	case level == AVX512:
		scaleDualAVX512(positions, normals, rest, restNormals, bindings, palette, counts, groups, signs, row, scales)
	default:
		panic(fmt.Sprintf("simd: ScaleDual: no %v form", level))
	}
}

// Iterative is [Linear] with the palette scales, or without where scales is nil, then by the intrinsic mean of the
// motions that [Dual] sums.
func Iterative(level Level, positions, normals, rest, restNormals *float32, bindings *uint16, palette *float32,
	counts *uint8, groups int, signs *uint16, row int, scales *float32) {
	switch {
	case level == AVX2 && signs == nil:
		iterativeNearAVX2(positions, normals, rest, restNormals, bindings, palette, counts, groups, signs, row, scales)
	case level == AVX2:
		iterativeAVX2(positions, normals, rest, restNormals, bindings, palette, counts, groups, signs, row, scales)
	case level == AVX512 && signs == nil:
		iterativeNearAVX512(positions, normals, rest, restNormals, bindings, palette, counts, groups, signs, row, scales)
	case level == AVX512:
		iterativeAVX512(positions, normals, rest, restNormals, bindings, palette, counts, groups, signs, row, scales)
	default:
		panic(fmt.Sprintf("simd: Iterative: no %v form", level))
	}
}
