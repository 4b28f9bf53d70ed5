package simd

import "fmt"

// Signs fills the table of hemispheres for unit quaternions of a number of joints. Those in the palette are times a
// sign, 1 or −1: entry [pivot·stride + joint] is the joint where the palette's are in one hemisphere, and more by
// opposite where they are not. Two quaternions are in one hemisphere if their product is not below tie. They are by
// component, the sign the last, stride floats from one to the next; stride is a multiple of [SignsStep] and no less
// than joints, and joints plus opposite fit 16 bits.
func Signs(table *uint16, quaternions *float32, joints, stride, opposite int, tie float32) {
	signsAVX2(table, quaternions, joints, stride, opposite, tie)
}

// Entries copies the bindings of a number of groups and replaces every joint but the pivot by its entry in the pivot's
// row of the table of [Signs], so that a kernel reads the opposite motion where that is the neighbour. Row is the bytes
// of a row.
func Entries(to, bindings, table *uint16, row, groups int) {
	entriesAVX2(to, bindings, table, row, groups)
}

// Dual is dual quaternion skinning: by the motion of Σ w_k·q̂_k, of any length. The palette has entries of
// [EntryFloats], which begin with a unit dual quaternion, real part first. Else as [Linear].
func Dual(level Level, positions, normals, rest, restNormals *float32, bindings *uint16, palette *float32,
	counts *uint8, groups int) {
	switch level {
	case AVX2:
		dualAVX2(positions, normals, rest, restNormals, bindings, palette, counts, groups)
	case AVX512:
		dualAVX512(positions, normals, rest, restNormals, bindings, palette, counts, groups)
	default:
		panic(fmt.Sprintf("simd: Dual: no %v form", level))
	}
}

// ScaleDual is [Linear] with the palette scales, whose entries are symmetric in their first three columns as a polar
// decomposition makes them, then [Dual].
func ScaleDual(level Level, positions, normals, rest, restNormals *float32, bindings *uint16, palette *float32,
	counts *uint8, groups int, scales *float32) {
	switch level {
	case AVX2:
		scaleDualAVX2(positions, normals, rest, restNormals, bindings, palette, counts, groups, scales)
	case AVX512:
		scaleDualAVX512(positions, normals, rest, restNormals, bindings, palette, counts, groups, scales)
	default:
		panic(fmt.Sprintf("simd: ScaleDual: no %v form", level))
	}
}

// Iterative is [Linear] with the palette scales, or without where scales is nil, then by the intrinsic mean of the
// motions that [Dual] sums.
func Iterative(level Level, positions, normals, rest, restNormals *float32, bindings *uint16, palette *float32,
	counts *uint8, groups int, scales *float32) {
	switch level {
	case AVX2:
		iterativeAVX2(positions, normals, rest, restNormals, bindings, palette, counts, groups, scales)
	case AVX512:
		iterativeAVX512(positions, normals, rest, restNormals, bindings, palette, counts, groups, scales)
	default:
		panic(fmt.Sprintf("simd: Iterative: no %v form", level))
	}
}
