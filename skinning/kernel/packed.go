package kernel

import (
	"unsafe"

	"skinlab/skinning/geom"
	"skinlab/skinning/simd"
)

// packedPalette holds one cache line per joint in the layout that the assembly kernels of package simd read: the
// matrix, then its first row again or other data of the kernel.
type packedPalette []float32

const cacheLine = 64

// newPackedPalette starts on a cache line, because an entry across two lines would take two loads.
func newPackedPalette(joints int) packedPalette {
	return OnCacheLine[float32](simd.EntryFloats * joints)
}

// OnCacheLine makes a slice of n numbers that starts on a cache line; nil for none.
func OnCacheLine[T float32 | float64](n int) []T {
	if n == 0 {
		return nil
	}
	size := int(unsafe.Sizeof(T(0)))
	p := make([]T, n+cacheLine/size)
	over := int(uintptr(unsafe.Pointer(&p[0])) % cacheLine)
	return p[(cacheLine-over)%cacheLine/size:][:n]
}

// set writes an entry of three rows.
func (p packedPalette) set(joint int, m *geom.Mat34) {
	e := p[simd.EntryFloats*joint:][:simd.EntryFloats]
	copy(e, m[:])
	copy(e[12:], m[:4])
}

// joints is the number of entries. It does not depend on slices that a caller can change.
func (p packedPalette) joints() int { return len(p) / simd.EntryFloats }
