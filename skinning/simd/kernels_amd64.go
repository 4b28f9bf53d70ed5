package simd

import "fmt"

// Scan looks at the bindings of a number of groups: it returns their largest joint, which must be within a palette before a
// kernel may read it, and writes to counts the largest number of influences of each group, 1 to 4.
func Scan(level Level, bindings *uint16, counts *uint8, groups int) (joint int) {
	if level == Scalar {
		panic("simd: Scan: no scalar form")
	}
	return int(scanAVX2(bindings, counts, groups))
}

// Linear is linear blend skinning: positions get Σ w_k·M_k·rest, normals sign(det)·cofactor of the same blended matrix times
// restNormals, or are left out where both are nil. The palette has entries of [EntryFloats], row-major 3×4, the last four
// unused. Counts come from [Scan].
func Linear(level Level, positions, normals, rest, restNormals *float32, bindings *uint16, palette *float32, counts *uint8, groups int) {
	switch level {
	case AVX2:
		linearAVX2(positions, normals, rest, restNormals, bindings, palette, counts, groups)
	case AVX512:
		linearAVX512(positions, normals, rest, restNormals, bindings, palette, counts, groups)
	default:
		panic(fmt.Sprintf("simd: Linear: no %v form", level))
	}
}
