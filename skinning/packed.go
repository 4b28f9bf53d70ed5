package skinning

import (
	"unsafe"

	"skinlab/skinning/simd"
)

// packedPalette holds one cache line per joint, as the assembly kernels of package simd read it: the matrix, then
// its first row again, or what else the kernel wants.
type packedPalette []float32

const cacheLine = 64

// newPackedPalette starts on a cache line: an entry across two of them would take two loads.
func newPackedPalette(joints int) packedPalette {
	if joints == 0 {
		return nil
	}
	p := make([]float32, simd.EntryFloats*joints+cacheLine/4)
	over := int(uintptr(unsafe.Pointer(&p[0])) % cacheLine)
	return p[(cacheLine-over)%cacheLine/4:][:simd.EntryFloats*joints]
}

// set writes an entry of three rows.
func (p packedPalette) set(joint int, m *Mat34) {
	e := p[simd.EntryFloats*joint:][:simd.EntryFloats]
	copy(e, m[:])
	copy(e[12:], m[:4])
}

// joints is how many entries there are, whatever has become of the slices that a caller can reach.
func (p packedPalette) joints() int { return len(p) / simd.EntryFloats }
