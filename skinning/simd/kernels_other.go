//go:build !amd64

package simd

// Scan is never called: the only level here is Scalar.
func Scan(level Level, bindings *uint16, counts *uint8, groups int) (joint int) {
	panic("simd: Scan: amd64 only")
}

// Linear is never called: the only level here is Scalar.
func Linear(level Level, positions, normals, rest, restNormals *float32, bindings *uint16, palette *float32,
	counts *uint8, groups int) {
	panic("simd: Linear: amd64 only")
}

// LargestSet is never called: the only level here is Scalar.
func LargestSet(sets *uint32, groups int) int { panic("simd: LargestSet: amd64 only") }

// Spherical is never called: the only level here is Scalar.
func Spherical(level Level, positions, normals, rest, restNormals *float32, bindings *uint16, palette *float32,
	counts *uint8, groups int, sets *uint32, centers *float32) {
	panic("simd: Spherical: amd64 only")
}
