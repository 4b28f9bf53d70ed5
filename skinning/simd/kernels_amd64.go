package simd

import "fmt"

// Scan looks at the bindings of a number of groups: it returns their largest joint, which must be within a palette
// before a kernel may read it, and writes to counts the largest number of influences of each group, 1 to 4.
func Scan(level Level, bindings *uint16, counts *uint8, groups int) (joint int) {
	if level == Scalar {
		panic("simd: Scan: no scalar form")
	}
	return int(scanAVX2(bindings, counts, groups))
}

// Linear is linear blend skinning: positions get Σ w_k·M_k·rest, normals sign(det)·cofactor of the same blended matrix
// times restNormals, or are left out where both are nil. The palette has entries of [EntryFloats]: a row-major 3×4
// matrix, then its first row again. Counts come from [Scan].
func Linear(level Level, positions, normals, rest, restNormals *float32, bindings *uint16, palette *float32,
	counts *uint8, groups int) {
	switch level {
	case AVX2:
		linearAVX2(positions, normals, rest, restNormals, bindings, palette, counts, groups)
	case AVX512:
		linearAVX512(positions, normals, rest, restNormals, bindings, palette, counts, groups)
	default:
		panic(fmt.Sprintf("simd: Linear: no %v form", level))
	}
}

// LargestSet returns the largest centre set of a number of groups, which must be within the centres before a kernel may
// read them.
func LargestSet(sets *uint32, groups int) int { return int(largestSetAVX2(sets, groups)) }

// Spherical is spherical blend skinning: Q(rest − c) + Σ w_k·M_k·c, Q the rotation of Σ w_k·q_k. The palette has
// entries of [EntryFloats]: a joint's matrix and the quaternion of its rigid part. Sets has the centre of each vertex,
// centers four floats per centre: c, then −1 for the vertices of one joint alone, which follow its matrix as in
// [Linear], else 0.
func Spherical(level Level, positions, normals, rest, restNormals *float32, bindings *uint16, palette *float32,
	counts *uint8, groups int, sets *uint32, centers *float32) {
	switch level {
	case AVX2:
		sphericalAVX2(positions, normals, rest, restNormals, bindings, palette, counts, groups, sets, centers)
	case AVX512:
		sphericalAVX512(positions, normals, rest, restNormals, bindings, palette, counts, groups, sets, centers)
	default:
		panic(fmt.Sprintf("simd: Spherical: no %v form", level))
	}
}
