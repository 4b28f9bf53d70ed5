package gltf

import (
	"skinlab/assets/fault"
)

// budget bounds the memory that one file can claim, in bytes. A small glTF can describe a large model: an accessor
// without data is any number of zeros, a node instances a mesh with ten bytes, and a picture of one colour compresses a
// thousand to one. The allowance is 80 MiB plus 32 bytes for every byte of the file and of the files it refers to. Real
// characters take 1 to 10 bytes a byte, most of it pictures. A file over the allowance is refused; a picture over it is
// left out with a warning. With Go's collector the process peaks at about twice what is charged here.
type budget struct {
	left           int64
	size           int64 // bytes of the file and of those it refers to
	drawn, skinned int64 // vertices so far
}

// Vertices cost time as well, in every method and picture. Their number is bounded by a base plus a number for every
// byte of the file. A vertex takes at least 12 bytes, so that only a file that shows one mesh many times, or one whose
// accessors have no data, comes near the bound.
const (
	drawnBase, drawnPerByte     = 200_000, 1.0
	skinnedBase, skinnedPerByte = 100_000, 0.2
)

// addVertices counts the vertices of one more primitive that is drawn.
func (b *budget) addVertices(n int, skinned bool) error {
	count, base, perByte, kind := &b.drawn, float64(drawnBase), drawnPerByte, "vertices"
	if skinned {
		count, base, perByte, kind = &b.skinned, skinnedBase, skinnedPerByte, "skinned vertices"
	}
	*count += int64(n)
	if most := int64(base + perByte*float64(b.size)); *count > most {
		return fault.Unsupported("%d %s with those of the meshes before it, expected at most %d in a file of %d bytes",
			*count, kind, most, b.size)
	}
	return nil
}

const (
	budgetBase    = 80 << 20
	budgetPerByte = 32
)

func newBudget(fileSize int) budget {
	return budget{left: budgetBase + budgetPerByte*int64(fileSize), size: int64(fileSize)}
}

// grow adds the allowance of n more bytes read from a file.
func (b *budget) grow(n int) {
	b.left += budgetPerByte * int64(n)
	b.size += int64(n)
}

// take charges count things of size bytes each and reports whether they fit. Neither may be negative.
func (b *budget) take(count, size int64) bool {
	if size > 0 && count > b.left/size {
		return false
	}
	b.left -= count * size
	return true
}

// charge is take with an error that says what did not fit.
func (b *budget) charge(count, size int64, what string) error {
	if !b.take(count, size) {
		return fault.Malformed("%s: %d × %d bytes are out of proportion to a file of %d bytes", what, count, size, b.size)
	}
	return nil
}

// refund gives back what was charged for memory that is free again.
func (b *budget) refund(bytes int64) { b.left += bytes }
