//go:build !amd64

package simd

// Signs is never called: the only level here is Scalar.
func Signs(table *uint16, quaternions *float32, joints, stride, opposite int, tie float32) {
	panic("simd: Signs: amd64 only")
}

// Entries is never called: the only level here is Scalar.
func Entries(to, bindings, table *uint16, row, groups int) { panic("simd: Entries: amd64 only") }

// Dual is never called: the only level here is Scalar.
func Dual(level Level, positions, normals, rest, restNormals *float32, bindings *uint16, palette *float32,
	counts *uint8, groups int) {
	panic("simd: Dual: amd64 only")
}

// ScaleDual is never called: the only level here is Scalar.
func ScaleDual(level Level, positions, normals, rest, restNormals *float32, bindings *uint16, palette *float32,
	counts *uint8, groups int, scales *float32) {
	panic("simd: ScaleDual: amd64 only")
}

// Iterative is never called: the only level here is Scalar.
func Iterative(level Level, positions, normals, rest, restNormals *float32, bindings *uint16, palette *float32,
	counts *uint8, groups int, scales *float32) {
	panic("simd: Iterative: amd64 only")
}
