package kernel

import (
	"slices"
	"unsafe"

	"skinlab/skinning/simd"
)

// flippedBindings are a skin's bindings for the kernels that blend motions. A joint whose quaternion is to be flipped
// into the hemisphere of its vertex's pivot is replaced by the entry of its negated quaternion, see [packedRigid].
//
// They follow the poses of a [Skin]. From one pose to the next, few pairs of joints change between equal and opposite
// hemispheres, and only the slots of these pairs are written. Kernels that flip quaternions themselves took 1.07 (DIB)
// to 1.2 times (DQS) as long. They were as fast or faster only between poses that share nothing, of joints turned by up
// to 180 degrees: 0.95 (DQS) to 1.0 (DIB) of the time (AMD EPYC, AVX-512).
type flippedBindings struct {
	stamp    uint64 // of the motions that these are for
	opposite int    // see packedRigid
	far      int    // the number of pairs in two hemispheres
	// Of the pairs of checkedBindings; made when the first is far.
	isFar    []bool
	bindings []Binding
	slots    []uint32 // places of the joints that are not pivots in the bindings, pair by pair, in 16-bit words
	start    []uint32 // of each pair in slots, and their end
}

// bindingWords is the size of a binding in 16-bit words.
const bindingWords = simd.BindingBytes / 2

// entries returns the bindings for the motions that were followed last.
func (b *flippedBindings) entries(of *checkedBindings) []Binding {
	if b.far == 0 {
		return of.bindings
	}
	return b.bindings
}

// follow brings the bindings to the pose of a palette. Joints that are not in the palette are left as they are; the
// kernel's caller checks joints, and panics.
func (b *flippedBindings) follow(of *checkedBindings, p *packedRigid) {
	if b.stamp == p.stamp {
		return
	}
	if b.opposite != p.opposite { // of another model
		*b = flippedBindings{opposite: p.opposite}
	}
	b.stamp = p.stamp
	for k, pair := range of.pairs {
		far := int(pair[1]) < len(p.sign) && p.isFar(int(pair[0]), int(pair[1]))
		if b.isFar == nil {
			if !far {
				continue
			}
			b.make(of)
		}
		if far != b.isFar[k] {
			b.flip(k)
		}
	}
}

// flip moves a pair from one hemisphere to two, or back.
func (b *flippedBindings) flip(pair int) {
	b.far++
	if b.isFar[pair] {
		b.far -= 2
	}
	b.isFar[pair] = !b.isFar[pair]
	words := unsafe.Slice(&b.bindings[0].Joints[0], bindingWords*len(b.bindings)) // one check of an index instead of two
	for _, at := range b.slots[b.start[pair]:b.start[pair+1]] {
		words[at] ^= uint16(b.opposite)
	}
}

// make makes the bindings, with no pair far.
func (b *flippedBindings) make(of *checkedBindings) {
	b.bindings, b.isFar = slices.Clone(of.bindings), make([]bool, len(of.pairs))
	index := make(map[jointPair]int, len(of.pairs))
	for k, p := range of.pairs {
		index[p] = k
	}
	b.start = make([]uint32, len(of.pairs)+1)
	ofSlot := make([]int, 0, 3*len(of.bindings)) // the pair, or −1
	for v := range of.bindings {
		for slot := 1; slot < 4; slot++ {
			k := -1
			if p, ok := of.bindings[v].pair(slot); ok {
				k = index[p]
				b.start[k+1]++
			}
			ofSlot = append(ofSlot, k)
		}
	}
	for k := range of.pairs {
		b.start[k+1] += b.start[k]
	}
	b.slots = make([]uint32, b.start[len(of.pairs)])
	next := slices.Clone(b.start)
	for i, k := range ofSlot {
		if k >= 0 {
			b.slots[next[k]] = uint32(bindingWords*(i/3) + i%3 + 1)
			next[k]++
		}
	}
}
