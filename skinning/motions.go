package skinning

import (
	"math"
	"sync"
	"sync/atomic"

	"skinlab/skinning/simd"
)

// packedMotions is the rigid parts of a frame as the assembly kernels of package simd read them.
type packedMotions struct {
	entries  packedPalette // a cache line per joint: its dual quaternion, then the opposite one
	signs    []uint16      // by pivot and joint, the number of the entry in the pivot's hemisphere: 2·joint, one more where it is the opposite
	stride   int           // from one pivot to the next, joints rounded up to a whole number of vectors
	unrolled bool          // no entry is the opposite one
	real     []float32     // the real parts by component, from which the signs are told

	// The table grows with the square of the joints, so it waits until a kernel asks: who poses by linear blending never pays for it.
	// Several workers may ask at once.
	tabled  atomic.Bool // signs are of these entries
	filling sync.Mutex
}

// mostSigned is up to how many joints there is a table of signs: it grows with their square, to 2 MB.
const mostSigned = 1024

// newPackedMotions is empty where no kernel can use it.
func newPackedMotions(joints int) *packedMotions {
	if joints == 0 || joints > mostSigned || len(simd.Levels()) == 1 {
		return &packedMotions{}
	}
	stride := (joints + simd.SignsStep - 1) / simd.SignsStep * simd.SignsStep
	return &packedMotions{
		entries: newPackedPalette(joints),
		signs:   make([]uint16, joints*stride),
		stride:  stride,
		real:    make([]float32, 4*stride),
	}
}

// set brings all but the table of signs to the motions. It allocates nothing, and nobody may be posing by them.
func (p *packedMotions) set(rigid []DualQuat32, unrolled bool) {
	if p.stride == 0 {
		return
	}
	for j := range rigid {
		e := p.entries[simd.EntryFloats*j:][:simd.EntryFloats]
		for k, x := range rigid[j] {
			e[k], e[8+k] = x, -x
		}
		for k := range 4 {
			p.real[k*p.stride+j] = rigid[j][k]
		}
	}
	p.unrolled = unrolled
	p.tabled.Store(false)
}

// copy may run while src is posed by.
func (p *packedMotions) copy(src *packedMotions) {
	copy(p.entries, src.entries)
	copy(p.real, src.real)
	p.unrolled = src.unrolled
	tabled := src.tabled.Load()
	if tabled {
		copy(p.signs, src.signs)
	}
	p.tabled.Store(tabled)
}

// serve tells whether the kernels can pose the frame with it, and fills the table of signs where they are the first to ask.
func (p *packedMotions) serve(f *Frame) bool {
	if p.stride == 0 || p.unrolled != f.Unrolled {
		return false
	}
	if !p.tabled.Load() {
		p.fill()
	}
	return true
}

func (p *packedMotions) fill() {
	p.filling.Lock()
	defer p.filling.Unlock()
	if p.tabled.Load() {
		return
	}
	tie := float32(hemisphereTie)
	if p.unrolled {
		tie = -2 // below every product
	}
	simd.Signs(&p.signs[0], &p.real[0], len(p.signs)/p.stride, p.stride, tie)
	p.tabled.Store(true)
}

// isRigid tells whether every scale is the identity within 2e-7, what is left of float32 inverse bind matrices: leaving the scale phase
// out moves a vertex by no more than that fraction of its distance from a joint. A scale acts about a joint, so its linear part decides.
func isRigid(scales []Affine) bool {
	const least = 2e-7
	for j := range scales {
		s := &scales[j]
		for _, d := range [9]float64{s[0] - 1, s[5] - 1, s[10] - 1, s[1], s[2], s[4], s[6], s[8], s[9]} {
			if !(math.Abs(d) <= least) {
				return false
			}
		}
	}
	return true
}
