package kernel

import (
	"math/bits"
	"sync"
	"sync/atomic"

	"skinlab/skinning/geom"
	"skinlab/skinning/simd"
)

// packedMotions is the rigid parts of a palette as the assembly kernels of package simd read them.
type packedMotions struct {
	// A cache line per joint, which begins with its dual quaternion times its sign, and so many lines farther one with the
	// opposite: a power of two, so that a bit of a joint's number tells which.
	entries  packedPalette
	opposite int
	// 1 or −1 by joint: every joint's motion is brought into the hemisphere of its parent's, so that of most skins in most
	// poses few vertices, or none, have one to flip.
	sign     []float32
	order    []int  // of joints, parents first
	parent   []int  // negative for none
	stamp    uint64 // another for every other entries, 0 for none
	unrolled bool   // no motion is to be flipped

	// For vertices that are posed once, the entry in the pivot's hemisphere by pivot and joint, see [simd.Signs]. The
	// table grows with the square of the joints, so it waits until somebody asks. Several workers may ask at once.
	signs   []uint16
	stride  int       // from one pivot to the next, joints rounded up to a whole number of vectors
	real    []float32 // the real parts and the signs by component, from which the table is made
	tabled  atomic.Bool
	filling sync.Mutex
}

// lastStamp is the latest that any packedMotions has.
var lastStamp atomic.Uint64

// mostSigned is up to how many joints kernels choose among motions: the table of signs grows with their square, to 2
// MB.
const mostSigned = 1024

// newPackedMotions is empty where no kernel can use it.
func newPackedMotions(parents, order []int) *packedMotions {
	joints := len(parents)
	if joints == 0 || joints > mostSigned || len(simd.Levels()) == 1 {
		return &packedMotions{}
	}
	stride := (joints + simd.SignsStep - 1) / simd.SignsStep * simd.SignsStep
	opposite := 1 << bits.Len(uint(joints-1))
	return &packedMotions{
		entries:  newPackedPalette(opposite + joints),
		opposite: opposite,
		sign:     make([]float32, joints),
		order:    order,
		parent:   parents,
		signs:    make([]uint16, joints*stride),
		stride:   stride,
		real:     make([]float32, 5*stride),
	}
}

// set brings all but the table of signs to the motions. It allocates nothing, and nobody may be posing by them.
func (p *packedMotions) set(rigid []geom.DualQuat32, unrolled bool) {
	if p.stride == 0 {
		return
	}
	for j := range rigid {
		for k := range 4 {
			p.real[k*p.stride+j] = rigid[j][k]
		}
	}
	p.unrolled = unrolled
	for _, j := range p.order {
		p.sign[j] = 1
		if up := p.parent[j]; up >= 0 && !unrolled {
			p.sign[j] = p.sign[up]
			if p.product(up, j) < HemisphereTie {
				p.sign[j] = -p.sign[up]
			}
		}
		e, opposite := p.entries[simd.EntryFloats*j:][:8], p.entries[simd.EntryFloats*(p.opposite+j):][:8]
		for k, x := range rigid[j] {
			x *= p.sign[j]
			e[k], opposite[k] = x, -x
		}
	}
	copy(p.real[4*p.stride:], p.sign)
	p.forget()
}

// isFar tells whether one of two joints' entries is in the other's hemisphere as its opposite. The product of the
// entries is that of the quaternions times both signs.
func (p *packedMotions) isFar(i, j int) bool {
	a, b := p.entries[simd.EntryFloats*i:][:4], p.entries[simd.EntryFloats*j:][:4]
	product := a[0]*b[0] + a[1]*b[1] + a[2]*b[2] + a[3]*b[3]
	if p.sign[i] == p.sign[j] {
		return product < HemisphereTie && !p.unrolled
	}
	return !(-product < HemisphereTie)
}

// product returns the product of the quaternions of two joints' rotations.
func (p *packedMotions) product(i, j int) float32 {
	n, r := p.stride, p.real
	return r[i]*r[j] + r[n+i]*r[n+j] + r[2*n+i]*r[2*n+j] + r[3*n+i]*r[3*n+j]
}

// forget makes nothing known of the entries.
func (p *packedMotions) forget() {
	p.tabled.Store(false)
	p.stamp = lastStamp.Add(1)
}

// copy may run while src is posed by.
func (p *packedMotions) copy(src *packedMotions) {
	copy(p.entries, src.entries)
	copy(p.real, src.real)
	copy(p.sign, src.sign)
	p.unrolled = src.unrolled
	tabled := src.tabled.Load()
	if tabled {
		copy(p.signs, src.signs)
	}
	p.tabled.Store(tabled)
	p.stamp = src.stamp
}

// serve tells whether the kernels can pose a stream by the motions, and fills the table of signs where they are the
// first to need it.
func (p *packedMotions) serve(s *Stream) bool {
	if p.stride == 0 {
		return false
	}
	if !s.knownMotions() && !p.tabled.Load() {
		p.fill()
	}
	return true
}

// fill makes the table of signs.
func (p *packedMotions) fill() {
	p.filling.Lock()
	defer p.filling.Unlock()
	if p.tabled.Load() {
		return
	}
	tie := float32(HemisphereTie)
	if p.unrolled {
		tie = -2 // below every product
	}
	simd.Signs(&p.signs[0], &p.real[0], len(p.sign), p.stride, p.opposite, tie)
	p.tabled.Store(true)
}
