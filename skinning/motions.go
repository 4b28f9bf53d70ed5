package skinning

import (
	"math"

	"skinlab/skinning/simd"
)

// packedMotions is the rigid parts of a frame as the assembly kernels of package simd read them.
type packedMotions struct {
	entries  packedPalette // a cache line per joint: its dual quaternion, then the opposite one
	signs    []uint16      // by pivot and joint, the number of the entry in the pivot's hemisphere: 2·joint, one more where it is the opposite
	stride   int           // from one pivot to the next, joints rounded up to a whole number of vectors
	unrolled bool          // no entry is the opposite one
	real     []float32     // scratch: the real parts by component
}

// mostSigned is up to how many joints there is a table of signs: it grows with their square, to 2 MB.
const mostSigned = 1024

// newPackedMotions is empty where no kernel can use it.
func newPackedMotions(joints int) *packedMotions {
	if joints == 0 || joints > mostSigned || len(simd.Levels()) == 1 {
		return &packedMotions{}
	}
	stride := (joints + simd.SignsStep - 1) / simd.SignsStep * simd.SignsStep
	return &packedMotions{newPackedPalette(joints), make([]uint16, joints*stride), stride, false, make([]float32, 4*stride)}
}

// set brings all of it to the motions. It allocates nothing.
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
	tie := float32(hemisphereTie)
	if unrolled {
		tie = -2 // below every product
	}
	p.unrolled = unrolled
	simd.Signs(&p.signs[0], &p.real[0], len(rigid), p.stride, tie)
}

func (p *packedMotions) copy(src *packedMotions) {
	copy(p.entries, src.entries)
	copy(p.signs, src.signs)
	p.unrolled = src.unrolled
}

// serve tells whether the kernels can pose the frame with it.
func (p *packedMotions) serve(f *Frame) bool { return p.stride > 0 && p.unrolled == f.Unrolled }

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
